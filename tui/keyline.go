package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// keyHint is a key and what it does right now.
type keyHint struct {
	label, does string
	main        bool // it is what is left to do
}

// keyLine draws as many hints as fit, alike in every footer.
func (st *styles) keyLine(hints []keyHint, width int) string {
	const gap = "   "
	var parts []string
	used := 0
	for _, h := range hints {
		cells := ansi.StringWidth(h.label) + 1 + ansi.StringWidth(h.does)
		if used > 0 {
			cells += len(gap)
		}
		if used+cells > width {
			continue
		}
		used += cells
		if h.main {
			parts = append(parts, st.buttonMain.Render(h.label+" "+h.does))
			continue
		}
		parts = append(parts, st.keycap.Render(h.label)+" "+st.faint.Render(h.does))
	}
	return strings.Join(parts, st.faint.Render(gap))
}
