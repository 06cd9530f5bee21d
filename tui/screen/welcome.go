package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
)

// wordmark is planb's name in large letters.
const wordmark = `
█▀█ █   █▀█ █▀█ █▀▄
█▀▀ █   █▀█ █ █ █▀▄
▀   ▀▀▀ ▀ ▀ ▀ ▀ ▀▀ `

// Welcome is what an empty screen tells a person: that there is nothing yet, what will come here,
// and the commands that bring it, each with what it does.
type Welcome struct {
	Says, What string
	Commands   [][2]string
}

// welcomeCells is the longest line of a sentence in a welcome.
const welcomeCells = 60

// Welcome returns the body with a welcome in the middle of its width, and somewhat above the
// middle of room lines. A small window shows less of it.
func (p Page) Welcome(w Welcome, room int) []string {
	st, width := &p.Look.Styles, min(p.Width-4, welcomeCells)
	var mark []string
	for _, line := range strings.Split(strings.TrimPrefix(wordmark, "\n"), "\n") {
		mark = append(mark, st.Accent.Render(line))
	}
	lead := []string{st.Strong.Render(cells.Cut(w.Says, width))}
	for _, line := range even(safe.New(w.What), width) {
		lead = append(lead, st.Muted.Render(line))
	}
	commands := p.commands(w.Commands, p.Width-4)
	for _, parts := range [][][]string{{mark, {"", ""}, lead, {"", ""}, commands}, {lead, {""}, commands}, {lead[:1], commands}} {
		if lines := slices.Concat(parts...); len(lines) <= room {
			return p.centred(lines, room)
		}
	}
	return p.centred(lead[:1], room)
}

// even breaks a sentence into lines. If a word or two would be left for the last line, it makes
// all lines about as long.
func even(text safe.Text, width int) []string {
	const short = 4 // a last line with less than this part of the width is short
	lines := markdown.Plain(text, width).Lines
	if cells.Width(lines[len(lines)-1])*short >= width {
		return lines
	}
	for width > 1 {
		width--
		narrower := markdown.Plain(text, width).Lines
		if len(narrower) > len(lines) {
			break
		}
		lines = narrower
	}
	return lines
}

// commands returns commands, in a column, with what each does beside it. If a line would be
// longer than width, it returns the commands alone.
func (p Page) commands(rows [][2]string, width int) (lines []string) {
	const gap = 3
	st, column, about := &p.Look.Styles, 0, 0
	for _, row := range rows {
		column, about = max(column, cells.Width(row[0])+gap), max(about, cells.Width(row[1]))
	}
	for _, row := range rows {
		if column+about > width {
			lines = append(lines, st.Accent.Render(cells.Cut(row[0], width)))
			continue
		}
		lines = append(lines, st.Accent.Render(cells.Pad(row[0], column))+st.Muted.Render(cells.Pad(row[1], about)))
	}
	return lines
}

// centred puts lines into the middle of the window's width.
func (p Page) centred(lines []string, room int) []string {
	const above = 3 // parts of the room of which one stands above
	out := make([]string, max(room-len(lines), 0)/above)
	for _, line := range lines {
		out = append(out, strings.Repeat(" ", max(p.Width-ansi.StringWidth(line), 0)/2)+line)
	}
	return out
}
