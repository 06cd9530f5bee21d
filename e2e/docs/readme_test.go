package docs_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/tui/keymap"
)

var rewriteReadme = flag.Bool("readme", false, "write the README's table of keys anew")

// The README's tables of keys are the help of the form and of the review, word
// for word.
func TestReadmeNamesEveryKey(t *testing.T) {
	const begin, end = "<!-- %s: go test ./e2e/docs -readme -->\n", "<!-- end of %s -->"
	readme := rig.ReadFile(t, "README.md")
	for _, table := range []struct {
		name string
		keys []keymap.Row
	}{{"keys", keymap.FormTable()}, {"keys of a review", keymap.ReviewTable()}} {
		begin, end := fmt.Sprintf(begin, table.name), fmt.Sprintf(end, table.name)
		before, rest, found := strings.Cut(readme, begin)
		have, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("the README has no table of keys between %q and %q", begin, end)
		}
		if want := keyTable(table.keys); *rewriteReadme {
			readme = before + begin + want + end + after
		} else if have != want {
			t.Errorf("the README's %s are not those of the screen; run  go test ./e2e/docs -readme\nREADME:\n%s\nscreen:\n%s", table.name, have, want)
		}
	}
	if *rewriteReadme {
		if err := os.WriteFile("README.md", []byte(readme), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func keyTable(keys []keymap.Row) string {
	var table strings.Builder
	table.WriteString("\n| key | does |\n|---|---|\n")
	for _, key := range keys {
		fmt.Fprintf(&table, "| %s | %s |\n", key.Key, strings.ReplaceAll(key.Does, "|", `\|`))
	}
	table.WriteString("\n")
	return table.String()
}

func TestReadmeShowsEveryPicture(t *testing.T) {
	readme := rig.ReadFile(t, "README.md")
	if !strings.HasPrefix(readme, "<picture>") {
		t.Error("the README does not begin with a picture")
	}
	for _, path := range regexp.MustCompile(`testdata/pictures/[\w-]+\.png`).FindAllString(readme, -1) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the README shows %s: %v", path, err)
		}
	}
	files, err := os.ReadDir("testdata/pictures")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if path := "testdata/pictures/" + file.Name(); !strings.Contains(readme, path) {
			t.Errorf("the README does not show %s", path)
		}
	}
}

// A reader must be able to copy each configuration as a whole.
func TestReadmeConfigurationsCanBeCopied(t *testing.T) {
	readme := rig.ReadFile(t, "README.md")
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(readme, -1)
	if len(blocks) < 3 {
		t.Fatalf("%d JSON examples, want opencode's, Gemini's and an answer", len(blocks))
	}
	for _, block := range blocks {
		if !json.Valid([]byte(block[1])) {
			t.Errorf("not valid JSON:\n%s", block[1])
		}
	}
	for _, must := range []string{"go run . demo", "go test ./...", `env_vars = ["TMUX", "TMUX_PANE"]`} {
		if !strings.Contains(readme, must) {
			t.Errorf("the README has no %q", must)
		}
	}
	if !strings.Contains(rig.ReadFile(t, ".ci/run"), " go test ./...\n") {
		t.Error("CI does not run the README's test command")
	}
}

// Every command in the tables is in --help.
func TestReadmeCommandsExist(t *testing.T) {
	help := rig.Run(t, "--help") + rig.Run(t, "tui", "--help")
	for _, match := range regexp.MustCompile("\n\\| `planb ([a-z]+)").FindAllStringSubmatch(rig.ReadFile(t, "README.md"), -1) {
		if !slices.Contains(strings.Fields(help), match[1]) {
			t.Errorf("the README names planb %s, which --help does not", match[1])
		}
	}
}
