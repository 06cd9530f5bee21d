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
