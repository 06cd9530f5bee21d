package panes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// A person filters a long list and chooses all that it shows, undoes a change
// in a long text and edits it elsewhere, with the question above it, looks over
// all answers, answers an open question from there, and sends.
func TestAFormAnsweredWell(t *testing.T) {
	t.Parallel()
	var hosts []string
	for i := range 30 {
		hosts = append(hosts, fmt.Sprintf(`{"value":"h%d","label":"Host %d","description":"%s"}`, i, i, []string{"Oslo", "Porto", "Zürich"}[i%3]))
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "form.json"), filepath.Join(dir, "out.json")
	form := `{"title":"A form","questions":[{"id":"hosts","kind":"multi","label":"Which hosts?","options":[` + strings.Join(hosts, ",") + `]},
		{"id":"else","kind":"longtext","label":"What else?"},{"id":"who","kind":"text","label":"Who?"}]}`
	if err := os.WriteFile(file, []byte(form), 0o600); err != nil {
		t.Fatal(err)
	}
	tm := rig.StartTmux(t, 80, 24)
	pane := tm.NewWindow("-e", "PLANB_DATA_DIR="+dir, "-e", "LC_ALL=C.UTF-8", "-e", "VISUAL=",
		"-e", `EDITOR=sh -c 'grep -q "What else?" "$0" && sed -i s/second/2nd/ "$0"'`,
		"--", "sh", "-c", `"$0" ask "$1" >"$2"; exec cat`, rig.Planb(t), file, out)
	for _, step := range []struct {
		see  string // must be on the screen before the keys
		text string
		keys []string
	}{
		{see: "/ filters 30 options", text: "/"},
		{text: "host 2 oslo"},
		{see: "4 of 30", keys: []string{"Enter"}},
		{see: "* all", text: "*"},
		{see: "* none", keys: []string{"Tab"}},
		{see: "enter new line", text: "first second third"},
		{see: "first second third", keys: []string{"C-z"}},
		{keys: []string{"C-g"}},
		{see: "first 2nd", keys: []string{"C-s"}},
		{see: "2 of 3 answered, 1 open", keys: []string{"Up", "Up"}},
		{see: "▌ ○ Who?", keys: []string{"Enter"}},
		{see: "esc r goes back", text: "Ada"},
		{see: "3/3", keys: []string{"Escape"}},
		{see: "Review all answers", text: "r"},
		{see: "✓ 3 of 3 answered", keys: []string{"C-s"}},
	} {
		if step.see != "" {
			tm.Shows(pane, step.see)
		}
		if step.text != "" {
			tm.Text(pane, step.text)
		}
		if step.keys != nil {
			tm.Keys(pane, step.keys...)
		}
	}
	const want = `{"hosts":["h12","h21","h24","h27"],"else":"first 2nd ","who":"Ada"}`
	var got string
	rig.Until(t, "the answers are printed", func() bool {
		raw, err := os.ReadFile(out)
		got = strings.Join(strings.Fields(string(raw)), " ")
		return err == nil && got != ""
	})
	if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("answered %s, want %s", got, want)
	}
}
