package panes_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// comparingForm has an option with a wide table, one with a wide diagram, and
// one with long code.
func comparingForm(t testing.TB) string {
	t.Helper()
	table := "|service" + strings.Repeat("|month", 20) + "|\n" + strings.Repeat("|---", 21) + "|\n|検索"
	for i := range 20 {
		table += fmt.Sprintf("|cost %d", i)
	}
	diagram := "```mermaid\nsequenceDiagram\n"
	for i := range 30 {
		diagram += fmt.Sprintf("  participant service-%d\n", i)
	}
	form, err := json.Marshal(rig.Object{"title": "Compare", "questions": []rig.Object{{
		"id": "which", "kind": "single", "label": "Which one?", "options": []rig.Object{
			{"value": "table", "label": "A table", "markdown": "Costs by month.\n\n" + table + "|\n"},
			{"value": "diagram", "label": "A diagram", "markdown": diagram + "```\n"},
			{"value": "code", "label": "Code", "markdown": "```go\n" + strings.Repeat("x := 1\n", 80) + "```\n"},
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "form.json")
	if err := os.WriteFile(file, form, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// In a real tmux a person moves the panel's border by keys; the next form has it where
// the setting says. They read a wide table to its last
// column, and compare and choose on the whole screen.
func TestIllustrationsAreReadAndCompared(t *testing.T) {
	t.Parallel()
	tm := rig.StartTmux(t, 120, 40)
	tm.Run("set-option", "-g", "mouse", "on")
	data, file := t.TempDir(), comparingForm(t)
	border := func(pane string) int {
		for _, line := range strings.Split(tm.Screen(pane), "\n") {
			if before, _, found := strings.Cut(line, "│ A table"); found {
				return tmuxWidth(before)
			}
		}
		return 0
	}
	form := tm.Open(data, "ask", file)
	tm.Shows(form, "│ A table", "←→ 1–", "cost 0")
	first := border(form)
	tm.Text(form, "<<")
	rig.Until(t, "the panel is larger", func() bool { return border(form) == first-8 })
	tm.Keys(form, "C-c", "C-c")
	tm.Gone(form)

	config := filepath.Join(tm.Home, "config", "planb", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("panel = \"50%\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tm.Run("set-environment", "-g", "XDG_CONFIG_HOME", filepath.Join(tm.Home, "config"))
	form = tm.Open(data, "ask", file)
	tm.Shows(form, "│ A table", "cost 0")
	if got := border(form); got != 60 {
		t.Errorf("the next form has its border in column %d, want 60", got)
	}
	tm.Keys(form, slices.Repeat([]string{"S-Right"}, 20)...)
	tm.Shows(form, "cost 19", "‹")
	if screen := tm.Screen(form); !strings.Contains(screen, "検索") || !strings.Contains(screen, "Costs by month.") || strings.Contains(screen, "cost 0 ") {
		t.Errorf("panned to its end, the panel shows:\n%s", screen)
	}
	tm.Text(form, "z")
	tm.Shows(form, "○ A table · Which one?", "1 of 3", "tab next")
	tm.Keys(form, "Tab")
	tm.Shows(form, "○ A diagram · Which one?", "←→ 1–118 of", "│ service-0 │")
	tm.Keys(form, "End", "End")
	tm.Shows(form, "│ service-29 │", "‹")
	tm.Keys(form, "Tab", "Home", "Home", "NPage")
	tm.Shows(form, "○ Code · Which one?", "of 80")
	tm.Keys(form, "Enter")
	tm.Shows(form, "◉ 3  Code", "submit")
}
