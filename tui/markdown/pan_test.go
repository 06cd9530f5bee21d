package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/themes"
)

// TestPanShowsEveryColumn checks that a wide table can be read to its last column
// with its first one in view, and that the text around it does not move.
func TestPanShowsEveryColumn(t *testing.T) {
	head, rule, row := "", "", ""
	for i := range 12 {
		head += fmt.Sprintf("|head %d", i)
		rule += "|---"
		row += fmt.Sprintf("|cell %d", i)
	}
	src := safe.New("Before the table.\n\n" + head + "\n" + rule + "\n" + row + "\n")
	doc := New(themes.None().Palette, 0).Render(src, 40)
	var p Pan
	p.Fit(doc, 40)
	if p.Position() != "←→ 1–40 of 107" {
		t.Errorf("at first %q is in view", p.Position())
	}
	seen := map[string]bool{}
	for step := 0; ; step++ {
		lines := p.Lines(doc, 0, len(doc.Lines))
		text := strings.Join(lines, "\n")
		if lines[0] != "Before the table." || !strings.HasPrefix(ansi.Strip(lines[len(lines)-1]), "cell 0 ") {
			t.Fatalf("panned by %d:\n%s", p.Left, ansi.Strip(text))
		}
		for i := range 12 {
			name := fmt.Sprintf("cell %d", i)
			seen[name] = seen[name] || strings.Contains(ansi.Strip(text)+" ", name+" ") || strings.HasSuffix(ansi.Strip(text), name)
		}
		was := p.Left
		if p.By(PanCells); p.Left == was {
			break
		}
		if step > 20 {
			t.Fatal("panning never ends")
		}
	}
	if len(seen) != 12 || p.Position() != "←→ 68–107 of 107" {
		t.Errorf("at last %q is in view; seen %v", p.Position(), seen)
	}
	for name, ok := range seen {
		if !ok {
			t.Errorf("%s was never in view", name)
		}
	}
	p.Fit(doc, 200)
	if p.Position() != "" || p.By(PanCells) || p.Left != 0 {
		t.Errorf("where all fits, %q is in view, panned by %d", p.Position(), p.Left)
	}
}
