package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
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
	body := s.page.bodyLines() - s.aboveList()
	switch {
	case body < leastHeight:
		return noPreview
	case s.page.width-themeListWidth-1 >= leastWidth:
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
	if s.keeper.overruled() != "" {
		lines++
	}
	return lines
}

func (s *themesScreen) listTop() int { return pageHeaderLines + s.aboveList() }

func (s *themesScreen) layOut() {
	body := s.page.bodyLines() - s.aboveList()
	lines, width, height := body, s.page.width, body
	switch s.layout() {
	case previewBeside:
		width -= themeListWidth + 1
	case previewBelow:
		lines = max(leastThemeRows, body-1-max(leastHeight, body/2))
		height = body - 1 - lines
	}
	s.state.list.setLines(lines)
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
		return 0, s.listTop() + s.state.list.lines + 1, true
	case previewInstead:
		return 0, s.listTop(), s.trying
	}
	return 0, 0, false
}

func (s *themesScreen) inPreview(x, y int) (int, int, bool) {
	left, top, ok := s.previewAt()
	return x - left, y - top, ok && x >= left && y >= top && y < s.page.height-pageFooterLines
}

// View draws the list and the preview.
func (s *themesScreen) View() frame {
	f := frame{Title: "planb: Themes"}
	drawn := s.preview.form.View()
	list := s.draw(&s.page.look.styles)
	preview := strings.Split(drawn.Content, "\n")
	body := s.drawAbove()
	switch s.layout() {
	case previewBeside:
		body = append(body, s.besides(list, preview)...)
	case previewBelow:
		for len(list) < s.state.list.lines {
			list = append(list, "")
		}
		body = append(append(append(body, list...), s.page.rule()), preview...)
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
	f.Content = s.page.draw(s.page.header("Themes", s.heading()), body, s.footer())
	return f
}

// heading names the theme that is shown, and says which of the list it is.
func (s *themesScreen) heading() string {
	choice, ok := s.state.chosen()
	if !ok {
		return "no theme is called so"
	}
	return fmt.Sprintf("%s · %d of %d", choice.Name, s.state.list.cursor+1, len(s.state.rows))
}

func (s *themesScreen) drawAbove() []string {
	st := &s.page.look.styles
	var lines []string
	if text := s.keeper.overruled(); text != "" {
		lines = append(lines, " "+st.warning.Render(cells.Cut(text, s.page.width-2)))
	}
	if s.filtered() {
		lines = append(lines, s.drawFilter(st, s.page.width))
	}
	return lines
}

// besides puts the list and the preview side by side, with a line between.
func (s *themesScreen) besides(list, preview []string) []string {
	between := s.page.look.styles.rule.Render("│")
	if s.trying {
		between = s.page.look.styles.frame.Render("│")
	}
	lines := make([]string, s.page.bodyLines()-s.aboveList())
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
	if themeListWidth+2+widest > s.page.width {
		return list
	}
	return s.besides(list, samples)
}

// samples are words that say what they are drawn as.
func (s *themesScreen) samples() []string {
	st := &s.page.look.styles
	return []string{
		" " + st.title.Render("A title"),
		" " + st.text.Render("what is read"),
		" " + st.muted.Render("what explains"),
		" " + st.faint.Render("what can be overlooked"),
		"",
		" " + st.cursor.Render("▸ the cursor"),
		" " + st.accent.Render("◉ what is chosen"),
		" " + st.proposed.Render("default"),
		" " + st.required.Render("● required"),
		" " + st.note.Render("✎ a note"),
		" " + st.inputHere.Render("a text being written"),
		"",
		" " + st.success.Render("✓ done"),
		" " + st.warning.Render("◆ a warning"),
		" " + st.danger.Render("▲ a mistake"),
	}
}

func (s *themesScreen) footer() []string {
	st := &s.page.look.styles
	hints := []keyHint{
		{label: keymap.Label(s.keys, keymap.Enter), does: "save"},
		{label: keymap.Label(s.keys, keymap.Escape), does: "leave as it was", brief: "leave"},
		{label: keymap.Label(s.keys, keymap.Filter), does: "filter"},
		{label: keymap.Label(s.keys, keymap.Next), does: "try the form", brief: "try"},
		{label: keymap.Label(s.keys, keymap.Help), does: "help", kept: true},
	}
	switch {
	case s.status != "":
		return s.page.says(st.danger, s.status)
	case s.trying:
		hints = []keyHint{{label: s.preview.form.keys.Label(keymap.Escape), does: "back to the themes"}}
	case s.state.filtering:
		hints = []keyHint{hints[0], {label: keymap.Label(s.typing, keymap.Escape), does: "show all"}}
	case s.layout() == noPreview:
		hints = append(hints[:3], hints[4])
	}
	return []string{s.page.rule(), " " + st.keyLine(hints, s.page.width-2)}
}
