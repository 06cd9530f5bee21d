package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/plans"
	"planb/tui/cells"
	"planb/tui/marks"
)

// outlined returns the headings of the outline. It leaves out the heading that stands above
// all others: the header names the plan already.
func (b *Body) outlined() []plans.Section {
	all := b.State.Outline
	if len(all) > 1 && !slices.ContainsFunc(all[1:], func(s plans.Section) bool { return s.Level <= all[0].Level }) {
		return all[1:]
	}
	return all
}

// drawOutline draws the plan's headings around the cursor's section.
func (b *Body) drawOutline(width, rows int) []string {
	if width == 0 {
		return nil
	}
	outline := b.outlined()
	hidden := len(b.State.Outline) - len(outline)
	at := b.State.SectionAt(b.State.Cursor.Line) - hidden
	first := max(min(max(at, 0)-rows/2, len(outline)-rows), 0)
	least := slices.MinFunc(outline, func(x, y plans.Section) int { return x.Level - y.Level }).Level
	said := map[int]int{}
	for _, c := range b.State.Review.Comments {
		said[b.State.SectionAt(c.From)-hidden]++
	}
	var lines []string
	for i := first; i < min(first+rows, len(outline)); i++ {
		lines = append(lines, b.outlineRow(outline[i], outline[i].Level-least, said[i], i == at, width))
	}
	return lines
}

// outlineRow draws a heading, and at the right whether it is held back and how many
// comments its section has.
func (b *Body) outlineRow(section plans.Section, depth, comments int, here bool, width int) string {
	st := b.host.Styles()
	style, right := st.Muted, ""
	if b.State.Withheld(section.Line) {
		style, right = st.Faint, st.Warning.Render(marks.HeldBack)
	}
	if here {
		style = st.Accent
	}
	if comments > 0 {
		right = cells.JoinBy(" ", right, st.Note.Render(fmt.Sprintf("●%d", comments)))
	}
	room := width - 5 - ansi.StringWidth(right)
	text := strings.Repeat("  ", min(depth, 3)) + section.Title.Line()
	return " " + cells.Fill(style.Render(cells.Cut(text, room)), room) + " " + right
}
