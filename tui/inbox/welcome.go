package inbox

import (
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

// welcomeCells is the longest line of the welcome.
const welcomeCells = 60

// welcome tells a person whose store is empty what comes here and what they can do, in the
// middle of the window. A small window shows less of it.
func (l *Screen) welcome() []string {
	st := &l.page.Look.Styles
	room, width := l.page.BodyLines()-l.aboveList(), min(l.page.Width-4, welcomeCells)
	says, what := "Nothing has been asked yet.", "When your agent asks you something, a form opens beside it. It waits here, too."
	if !l.deps.Answers {
		says, what = "There are no past sessions yet.", "What your agent asks you and plans is kept, and can be read here."
	}
	var mark, lead []string
	for _, line := range strings.Split(strings.TrimPrefix(wordmark, "\n"), "\n") {
		mark = append(mark, st.Accent.Render(line))
	}
	lead = append(lead, st.Strong.Render(cells.Cut(says, width)))
	for _, line := range markdown.Plain(safe.New(what), width).Lines {
		lead = append(lead, st.Muted.Render(line))
	}
	commands := l.page.Commands(width, commandCells, [][2]string{
		{"planb setup claude", "connects Claude Code or another agent"},
		{"planb demo", "shows it once, without an agent"},
	})
	for _, parts := range [][][]string{{mark, {"", ""}, lead, {"", ""}, commands}, {lead, {""}, commands}, {lead[:1], commands}} {
		if lines := flat(parts); len(lines) <= room {
			return l.centred(lines, room)
		}
	}
	return l.centred(lead[:1], room)
}

// commandCells is the width of the commands' column.
const commandCells = 22

func flat(parts [][]string) (lines []string) {
	for _, part := range parts {
		lines = append(lines, part...)
	}
	return lines
}

// centred puts lines into the middle of the window.
func (l *Screen) centred(lines []string, room int) []string {
	const above = 3 // parts of the room of which one stands above
	out := make([]string, max(room-len(lines), 0)/above)
	for _, line := range lines {
		out = append(out, strings.Repeat(" ", max(l.page.Width-ansi.StringWidth(line), 0)/2)+line)
	}
	return out
}
