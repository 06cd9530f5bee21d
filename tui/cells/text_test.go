package cells

import "testing"

func TestCutParts(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"Codex · orders · 2 forms", 24, "Codex · orders · 2 forms"},
		{"Codex · orders · 2 forms", 23, "Codex · orders"},
		{"Codex · orders · 2 forms", 14, "Codex · orders"},
		{"Codex · orders · 2 forms", 10, "Codex"},
		{"Codex · a-project-with-a-name", 20, "Codex · a-project-w…"}, // Codex alone would waste the line
		{"one long word", 8, "one lon…"},
		{"", 0, ""},
		{"a · b", 0, ""},
	} {
		if got := CutParts(c.text, c.cells); got != c.want {
			t.Errorf("CutParts(%q, %d) = %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

// A view never begins with the rule of a heading that is out of view.
func TestTopRow(t *testing.T) {
	for line, want := range map[string]string{
		"\x1b[2m  ─────\x1b[m":      "",
		"━━━":                       "",
		"text":                      "text",
		"─ text ─":                  "─ text ─",
		"───┼───":                   "───┼───",
		"\x1b[48;2;1;2;3m   \x1b[m": "\x1b[48;2;1;2;3m   \x1b[m",
	} {
		if got := TopRow(line); got != want {
			t.Errorf("%q is shown as %q, want %q", line, got, want)
		}
	}
}
