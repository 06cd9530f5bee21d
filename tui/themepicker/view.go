package themepicker

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/marks"
	"planb/tui/screen"
)

// box is where the list is drawn.
type box struct{ left, top, width, lines int }

const (
	listWidth   = 36 // cells of a row
	leastRows   = 5  // of the list, on a small screen
	leastBeside = 40 // cells of the screen below, beside the list
	borders     = 2
	keys        = 1 // last line of the screen
	kept        = 3 // last lines of the screen that a box over it leaves alone: a rule, buttons, keys
)

// layOut puts the box to the right of the screen below, which gets the rest of the width.
// If that is too little, the box lies over the bottom of the screen, in its whole width.
func (p *Picker) layOut() {
	if p.page.Look == nil || p.page.Width == 0 {
		return
	}
	width := min(listWidth+borders, p.page.Width)
	p.box = box{left: p.page.Width - width, width: width, lines: max(min(p.page.Height-keys-borders, len(p.state.all)+2), 1)}
	if !p.beside() {
		lines := max(min(p.page.Height-kept-borders, len(p.state.all)+2), 1)
		p.box.left, p.box.width = 0, p.page.Width
		p.box.lines = min(lines, max(leastRows, p.page.Height/2-borders))
		p.box.top = max(p.page.Height-kept-borders-p.box.lines, 0)
	}
	p.state.list.SetLines(max(p.box.lines-p.aboveList(), 1))
}

// beside reports whether the screen below has enough room beside the box.
func (p *Picker) beside() bool { return p.page.Width-borders-listWidth-1 >= leastBeside }

// shrinkUnder gives the screen below the room that the box leaves.
func (p *Picker) shrinkUnder() {
	if p.page.Look != nil && p.page.Width > 0 && p.beside() {
		p.under.Resize(p.box.left-1, p.page.Height)
	}
}

// said is what stands over the list: why nothing was saved, else what the person should
// know before they save.
func (p *Picker) said() (lines []string, style cells.Style) {
	st := &p.page.Look.Styles
	text, brief, style := p.keeper.Overruled(), p.keeper.Stronger+" decides.", st.Warning
	if choice, ok := p.state.chosen(); ok && text == "" {
		text, brief = hardToRead(choice), "It is hard to read."
	}
	if p.status != "" {
		text, brief, style = p.status, "", st.Danger
	}
	if text == "" {
		return nil, style
	}
	lines = cells.Lines(text, p.box.width-4)
	room := max(p.box.lines-leastRows, 1)
	switch {
	case len(lines) <= room:
	case brief != "":
		lines = []string{cells.Cut(brief, p.box.width-4)}
	default:
		lines = lines[:room]
	}
	return lines, style
}

// filtered reports whether the line with the filter is there.
func (p *Picker) filtered() bool { return p.state.filtering || p.state.text != "" }

func (p *Picker) aboveList() int {
	said, _ := p.said()
	if p.filtered() {
		return len(said) + 1
	}
	return len(said)
}

func (p *Picker) listTop() int { return p.box.top + 1 + p.aboveList() }

// View draws the box over the screen below, and its keys in the last line.
func (p *Picker) View() screen.Frame {
	f := p.under.View()
	f.Cursor = nil
	lines := strings.Split(f.Content, "\n")
	for len(lines) < p.page.Height {
		lines = append(lines, "")
	}
	margin := min(p.box.left, 1) // between the box and the screen below
	for i, piece := range p.drawBox() {
		if at := p.box.top + i; at < p.page.Height-1 {
			lines[at] = cells.Overlay(lines[at], strings.Repeat(" ", margin)+piece, p.box.left-margin, margin+p.box.width, p.page.Width)
		}
	}
	lines[p.page.Height-1] = " " + p.page.Look.Styles.KeyLine(p.hints(), p.page.Width-2)
	f.Content = strings.Join(lines[:p.page.Height], "\n")
	return f
}

func (p *Picker) drawBox() []string {
	st := &p.page.Look.Styles
	inner := p.box.width - borders
	var body []string
	said, style := p.said()
	onSurface := func(line string) { body = append(body, st.OnSurface([]string{line}, inner)...) }
	for _, line := range said {
		onSurface(style.Render(line))
	}
	if p.filtered() {
		const prompt = "filter "
		onSurface(p.typed.Draw(st, prompt, p.state.filtering, inner-screen.SurfaceCells-len(prompt)))
	}
	body = append(body, p.state.list.Visible(func(i int) []string { return []string{p.drawRow(i, inner)} })...)
	if len(p.state.rows) == 0 {
		onSurface(st.Faint.Render("no theme has that"))
	}
	for len(body) < p.box.lines {
		onSurface("")
	}
	lines := []string{edgeLine(st, "╭", st.Title.Render(" Themes "), "╮", p.box.width)}
	for _, line := range body[:p.box.lines] {
		lines = append(lines, st.Frame.Render("│")+line+st.Frame.Render("│"))
	}
	at := cells.Position(p.state.list.Top, p.state.list.Lines, len(p.state.rows))
	if at != "" {
		at = st.Faint.Render(" " + at + " ")
	}
	return append(lines, edgeLine(st, "╰", at, "╯", p.box.width))
}

// Columns of a row in cells.
const (
	swatchCells = 8
	nameCells   = listWidth - screen.SurfaceCells - 1 - 1 - swatchCells - 2
)

// drawRow draws the name of a theme, its colours, and a mark if it is the one that counted so
// far. If no colours can be shown, it names the theme's backgrounds.
func (p *Picker) drawRow(i, width int) string {
	st, choice := &p.page.Look.Styles, p.state.rows[i]
	mark := " "
	if choice.Name == p.state.saved {
		mark = st.Success.Render(marks.Answered)
	}
	here := i == p.state.list.Cursor
	name, rest := " "+st.ItemTitle(here).Render(cells.Pad(rowName(choice), nameCells)), p.swatch(choice)+" "+mark
	switch {
	case here && st.FocusReversed() && !p.plain: // in reverse video the swatch would lose its colours
		const left = 1 + 1 + nameCells
		return st.Focused(" "+name, left) + st.OnSurface([]string{rest}, width-left)[0]
	case here:
		return st.Focused(" "+name+" "+rest, width)
	}
	return st.OnSurface([]string{name + " " + rest}, width)[0]
}

// swatch shows what a theme looks like, in a few of its colours on its background. A family
// shows fewer colours of its dark theme, and then of its light one.
func (p *Picker) swatch(c themes.Choice) string {
	palette := c.Theme.WithBackground().Palette
	switch {
	case p.plain:
		return p.page.Look.Styles.Faint.Render(cells.Pad(c.Backgrounds(), swatchCells))
	case palette.Colorless():
		return strings.Repeat(" ", swatchCells)
	}
	if c.Theme.Name != c.Other.Name && c.Name == c.Family {
		light := c.Other.WithBackground().Palette
		return dots(palette, palette.Text, palette.Accent) + dots(light, light.Text, light.Accent)
	}
	return dots(palette, palette.Text, palette.Accent, palette.Heading, palette.Success, palette.Required, palette.Danger)
}

// dots draws colours on the background of their palette, with a blank at each side.
func dots(palette themes.Palette, colours ...themes.Color) string {
	ground := cells.Style{}.Background(screen.Color(palette.Background))
	line := ground.Render(" ")
	for _, colour := range colours {
		line += ground.Foreground(screen.Color(colour)).Render("●")
	}
	return line + ground.Render(" ")
}

// edgeLine is a border with a few drawn words in it.
func edgeLine(st *screen.Styles, left, words, right string, width int) string {
	words = cells.Cut(words, width-4)
	return st.Frame.Render(left+"─") + words +
		st.Frame.Render(strings.Repeat("─", max(width-3-ansi.StringWidth(words), 0))+right)
}

func (p *Picker) hints() []screen.Hint {
	if p.state.filtering {
		return []screen.Hint{
			{Label: keymap.Label(p.typing, keymap.Enter), Does: "keep"},
			{Label: keymap.Label(p.typing, keymap.Escape), Does: "show all"},
		}
	}
	return []screen.Hint{
		{Label: keymap.Label(p.keys, keymap.Enter), Does: "keep"},
		{Label: keymap.Label(p.keys, keymap.Escape), Does: "as it was"},
		{Label: keymap.Label(p.keys, keymap.Filter), Does: "filter"},
		{Label: keymap.Label(p.keys, keymap.Help), Does: "help", Kept: true},
	}
}
