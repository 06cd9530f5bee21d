package form

import (
	"strings"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/markdown"
)

// helpColumns is the least width for a help with two columns.
const helpColumns = 104

// helpPage is the help: every key of the bindings with what it does.
type helpPage struct{ host Host }

func (*helpPage) measure() int { return ReadWidth + 20 }
func (p *helpPage) head(width int) string {
	return p.host.Styles().Title.Render(cells.Cut("Keys", width))
}
func (*helpPage) act(keymap.Action) bool { return false }
func (*helpPage) hints() []field.Hint    { return closeHint() }

func (p *helpPage) doc(width int) (markdown.Doc, bool) {
	var lines []string
	groups := p.host.form.body.HelpGroups()
	if width >= helpColumns {
		half := width/2 - 1
		left := append(p.group(groups, 0, half), p.group(groups, 2, half)...)
		right := append(p.group(groups, 1, half), p.group(groups, 3, half)...)
		for i := range max(len(left), len(right)) {
			line := ""
			if i < len(left) {
				line = left[i]
			}
			if i < len(right) {
				line = cells.Fill(line, half+2) + right[i]
			}
			lines = append(lines, line)
		}
	} else {
		for i := range groups {
			lines = append(lines, p.group(groups, i, width)...)
		}
	}
	for _, text := range []string{
		"What you type is saved while you type. Leaving loses nothing; it prints the command to come back.",
		"Answers are kept as plain text and read by the agent: no passwords, no keys, no other secrets.",
		"Other colours: planb tui themes. Other keys, and all settings: planb config.",
	} {
		for _, line := range p.host.Wrap(safe.New(text), width) {
			lines = append(lines, p.host.Styles().Muted.Render(line))
		}
	}
	return markdown.Doc{Lines: lines}, true
}

// group draws one group of the help: its heading, its keys and an empty line.
func (p *helpPage) group(groups []string, at, width int) []string {
	st := p.host.Styles()
	const keyCells = 11
	lines := []string{st.Title.Render(groups[at])}
	for _, h := range keymap.Table(p.host.Keys(), groups) {
		if h.Group != groups[at] {
			continue
		}
		for i, text := range p.host.Wrap(safe.New(h.Does), max(10, width-keyCells)) {
			label := strings.Repeat(" ", keyCells)
			if i == 0 {
				label = st.Keycap.Render(cells.Pad(h.Key, keyCells))
			}
			lines = append(lines, label+st.Muted.Render(text))
		}
	}
	return append(lines, "")
}
