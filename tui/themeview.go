package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// previewPlace is where the preview is.
type previewPlace uint8

const (
	noPreview previewPlace = iota // there is no room for a form
	previewBeside
	previewBelow
	previewInstead // of the list, while it is tried
)

// leastThemeRows is how many rows of the list are seen over a form.
const leastThemeRows = 5

// layout is where the preview is: beside the list, else below it, else in its place.
func (s *themesScreen) layout() previewPlace {
	body := s.page.BodyLines() - s.aboveList()
	switch {
	case body < leastHeight:
		return noPreview
	case s.page.Width-themeListWidth-1 >= leastWidth:
		return previewBeside
	case body >= leastThemeRows+1+leastHeight:
		return previewBelow
	}
	return previewInstead
}

// aboveList is how many lines of the body are over the list.
func (s *themesScreen) aboveList() int {
	lines := 0
	if s.filtered() {
		lines++
	}
	if s.keeper.Overruled() != "" {
		lines++
	}
	return lines
}

func (s *themesScreen) listTop() int { return screen.HeaderLines + s.aboveList() }

func (s *themesScreen) layOut() {
	body := s.page.BodyLines() - s.aboveList()
	lines, width, height := body, s.page.Width, body
	switch s.layout() {
	case previewBeside:
		width -= themeListWidth + 1
	case previewBelow:
		lines = max(leastThemeRows, body-1-max(leastHeight, body/2))
		height = body - 1 - lines
	}
	s.state.list.SetLines(lines)
	if s.layout() != noPreview {
		s.preview.form.Resize(width, height)
	}
}

// previewAt is the cell where the preview begins; ok if it is shown.
func (s *themesScreen) previewAt() (x, y int, ok bool) {
	switch s.layout() {
	case previewBeside:
		return themeListWidth + 1, s.listTop(), true
	case previewBelow:
		return 0, s.listTop() + s.state.list.Lines + 1, true
	case previewInstead:
		return 0, s.listTop(), s.trying
	}
	return 0, 0, false
}

func (s *themesScreen) inPreview(x, y int) (int, int, bool) {
	left, top, ok := s.previewAt()
	return x - left, y - top, ok && x >= left && y >= top && y < s.page.Height-screen.FooterLines
}

// View draws the list and the preview.
func (s *themesScreen) View() screen.Frame {
	f := screen.Frame{Title: "planb: Themes"}
	drawn := s.preview.form.View()
	list := s.draw(&s.page.Look.Styles)
	preview := strings.Split(drawn.Content, "\n")
	body := s.drawAbove()
	switch s.layout() {
	case previewBeside:
		body = append(body, s.besides(list, preview)...)
	case previewBelow:
		for len(list) < s.state.list.Lines {
			list = append(list, "")
		}
		body = append(append(append(body, list...), s.page.Rule()), preview...)
	case previewInstead:
		if s.trying {
			body = append(body, preview...)
			break
		}
		fallthrough
	default:
		body = append(body, s.besideList(list)...)
	}
	if x, y, ok := s.previewAt(); ok && s.trying && drawn.Cursor != nil {
		f.Cursor = tea.NewCursor(drawn.Cursor.X+x, drawn.Cursor.Y+y)
	}
	f.Content = s.page.Draw(s.page.Header("Themes", s.heading()), body, s.footer())
	return f
}

// heading names the theme that is shown, and says which of the list it is.
func (s *themesScreen) heading() string {
	choice, ok := s.state.chosen()
	if !ok {
		return "no theme is called so"
	}
	return fmt.Sprintf("%s · %d of %d", choice.Name, s.state.list.Cursor+1, len(s.state.rows))
}

func (s *themesScreen) drawAbove() []string {
	st := &s.page.Look.Styles
	var lines []string
	if text := s.keeper.Overruled(); text != "" {
		lines = append(lines, " "+st.Warning.Render(cells.Cut(text, s.page.Width-2)))
	}
	if s.filtered() {
		lines = append(lines, s.drawFilter(st, s.page.Width))
	}
	return lines
}

// besides puts the list and the preview side by side, with a line between.
func (s *themesScreen) besides(list, preview []string) []string {
	between := s.page.Look.Styles.Rule.Render("│")
	if s.trying {
		between = s.page.Look.Styles.Frame.Render("│")
	}
	lines := make([]string, s.page.BodyLines()-s.aboveList())
	for i := range lines {
		left, right := "", ""
		if i < len(list) {
			left = list[i]
		}
		if i < len(preview) {
			right = preview[i]
		}
		lines[i] = left + strings.Repeat(" ", max(themeListWidth-ansi.StringWidth(left), 0)) + between + right
	}
	return lines
}

// besideList puts what the colours are for right of the list, where there is room:
// it stands in for the preview.
func (s *themesScreen) besideList(list []string) []string {
	samples := s.samples()
	widest := 0
	for _, line := range samples {
		widest = max(widest, ansi.StringWidth(line))
	}
	if themeListWidth+2+widest > s.page.Width {
		return list
	}
	return s.besides(list, samples)
}

// samples are words that say what they are drawn as.
func (s *themesScreen) samples() []string {
	st := &s.page.Look.Styles
	return []string{
		" " + st.Title.Render("A title"),
		" " + st.Text.Render("what is read"),
		" " + st.Muted.Render("what explains"),
		" " + st.Faint.Render("what can be overlooked"),
		"",
		" " + st.Cursor.Render("▸ the cursor"),
		" " + st.Accent.Render("◉ what is chosen"),
		" " + st.Proposed.Render("default"),
		" " + st.Required.Render("● required"),
		" " + st.Note.Render("✎ a note"),
		" " + st.InputHere.Render("a text being written"),
		"",
		" " + st.Success.Render("✓ done"),
		" " + st.Warning.Render("◆ a warning"),
		" " + st.Danger.Render("▲ a mistake"),
	}
}

func (s *themesScreen) footer() []string {
	st := &s.page.Look.Styles
	hints := []screen.Hint{
		{Label: keymap.Label(s.keys, keymap.Enter), Does: "save"},
		{Label: keymap.Label(s.keys, keymap.Escape), Does: "leave as it was", Brief: "leave"},
		{Label: keymap.Label(s.keys, keymap.Filter), Does: "filter"},
		{Label: keymap.Label(s.keys, keymap.Next), Does: "try the form", Brief: "try"},
		{Label: keymap.Label(s.keys, keymap.Help), Does: "help", Kept: true},
	}
	switch {
	case s.status != "":
		return s.page.Says(st.Danger, s.status)
	case s.trying:
		hints = []screen.Hint{{Label: s.preview.form.keys.Label(keymap.Escape), Does: "back to the themes"}}
	case s.state.filtering:
		hints = []screen.Hint{hints[0], {Label: keymap.Label(s.typing, keymap.Escape), Does: "show all"}}
	case s.layout() == noPreview:
		hints = append(hints[:3], hints[4])
	}
	return []string{s.page.Rule(), " " + st.KeyLine(hints, s.page.Width-2)}
}
