package form

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/marks"
	"planb/tui/screen"
)

func (q *questionnaire) DrawButtons(c *Canvas, more string) {
	if q.summary != nil {
		q.drawSummaryButtons(c, more)
		return
	}
	s, st := q.state, q.host.Styles()
	const gap = 1
	var buttons []Button
	rows, _, _ := strings.Cut(more, " · ")
	brief := c.Width < buttonCells(s.buttons(), s.readOnly)+max(leastProgress, 1+ansi.StringWidth(rows))
	for _, b := range s.buttons() {
		label := buttonLabel(b, s.readOnly)
		if brief { // the arrow alone is enough
			label = strings.NewReplacer("‹ Back", "‹", "Next ›", "›").Replace(label)
		}
		buttons = append(buttons, Button{
			Label:   label,
			Main:    b == s.mainButton(),
			Focused: s.zone == inFooter && s.button == b,
			Does:    func() tea.Cmd { return q.pressButton(b) },
		})
	}
	line, width := c.Buttons(gap, buttons)
	room := c.Width - 1 - width - gap
	progress := q.progress
	if q.headsProgress(c) {
		progress = q.required
	}
	said := progress(room)
	if more != "" {
		said = st.Faint.Render(more+" · ") + progress(max(room-ansi.StringWidth(more)-3, 0))
	}
	said = cells.Longest(room, said, st.Faint.Render(more), st.Faint.Render(rows), "") // before a button is cut
	c.Add(line + strings.Repeat(" ", gap+max(0, room-ansi.StringWidth(said))) + said)
}

// leastProgress is the cells for the shortest count of answers, beside the buttons.
const leastProgress = 6

// buttonCells is the cells of a row of buttons with their whole words.
func buttonCells(buttons []button, readOnly bool) int {
	const padding = 3 // of a button, and the gap behind it
	cells := 0
	for _, b := range buttons {
		cells += ansi.StringWidth(buttonLabel(b, readOnly)) + padding
	}
	return cells
}

func buttonLabel(b button, readOnly bool) string {
	switch b {
	case buttonBack:
		return "‹ Back"
	case buttonNext:
		return "Next ›"
	case buttonSubmit:
		return "Submit"
	case buttonSummary:
		return "Review"
	}
	return "Menu"
}

// progress counts the answered questions and the required ones, in the longest words
// that fit.
func (q *questionnaire) progress(room int) string {
	s, st := q.state, q.host.Styles()
	count := fmt.Sprintf("%d/%d", s.answered(), len(s.spec.Questions))
	if len(s.answers().missing) == 0 || s.readOnly {
		style, lead := st.Muted, ""
		if s.complete() {
			style, lead = st.Success, "✓ "
		}
		return cells.Longest(room, style.Render(lead+count+" answered"), style.Render(lead+count), style.Render(count))
	}
	required, dot := q.required(room), st.Faint.Render(" · ")
	return cells.Longest(room,
		required+dot+st.Muted.Render(count+" answered"),
		required+dot+st.Muted.Render(count),
		q.required(0)+dot+st.Muted.Render(count),
		st.Muted.Render(count))
}

// required counts the required questions that are still open. It is empty if none is.
func (q *questionnaire) required(room int) string {
	missing, style := len(q.state.answers().missing), q.host.Styles().Required
	if missing == 0 || q.state.readOnly {
		return ""
	}
	mark := fmt.Sprintf(marks.Required+" %d", missing)
	return style.Render(cells.Longest(room, mark+" required", mark))
}

// Hints returns the keys that do something now, the most useful first.
func (q *questionnaire) Hints() []screen.Hint {
	if q.summary != nil {
		return q.summaryHints()
	}
	s := q.state
	help := screen.Hint{Act: keymap.Help, Does: "help"}
	var hints []screen.Hint
	switch {
	case s.zone == inTabs:
		if hints = []screen.Hint{{Act: keymap.Down, Does: "questions"}}; s.tab+1 < len(s.tabs) {
			hints = []screen.Hint{{Act: keymap.Right, Does: "next tab"}, {Act: keymap.Down, Does: "questions"}}
		}
	case s.zone == inFooter:
		hints = []screen.Hint{{Act: keymap.Enter, Does: pressed(s.button)}, {Act: keymap.Up, Does: "questions"}}
	case s.current() == nil:
		hints = []screen.Hint{{Act: keymap.Enter, Does: "go on"}}
		if q.scroll.intro.last > 0 {
			hints = append(hints, screen.Hint{Act: keymap.PageDown, Does: "scroll"})
		}
		hints = append(hints, screen.Hint{Act: keymap.Zoom, Does: "zoom"})
	default:
		hints = s.focused().hints()
		if s.atLast() {
			hints = towardsSubmit(hints)
		}
	}
	if s.readOnly {
		return append(hints, screen.Hint{Act: keymap.Close, Does: "close"}, help)
	}
	switch submit := (screen.Hint{Act: keymap.Submit, Does: "submit"}); {
	case s.noting(): // the same key keeps the note
	case s.zone == inFooter && s.button == buttonSubmit: // Enter does it
	case s.complete():
		hints = append([]screen.Hint{submit}, hints...)
	case len(s.answers().missing) == 0 || s.text() != nil:
		hints = append(hints, submit)
	}
	if !slices.ContainsFunc(hints, func(h screen.Hint) bool { return h.Act == keymap.Escape }) {
		hints = append(hints, screen.Hint{Act: keymap.Escape, Does: "menu"})
	}
	hints = append(hints, help)
	if q.tooWide() {
		hints = append(hints, screen.Hint{Act: keymap.PanRight, Does: "pan"})
	}
	if q.panel.rows > 0 && q.panel.last > 0 {
		hints = append(hints, screen.Hint{Act: keymap.PageDown, Does: "scroll"})
	}
	usesRight := slices.ContainsFunc(hints, func(h screen.Hint) bool { return h.Act == keymap.Right })
	switch e := s.focused(); {
	case s.text() != nil:
		hints = append(hints, q.textHints()...)
	case s.invitesText():
		hints = append(hints, screen.Hint{Act: keymap.Down, Does: "note"})
	case e != nil && !e.onNote:
		hints = append(hints, screen.Hint{Act: keymap.Note, Does: "note"})
	}
	if s.text() == nil && s.zone == inBody && s.tab+1 < len(s.tabs) && !usesRight {
		hints = append(hints, screen.Hint{Act: keymap.Right, Does: "next tab"})
	}
	if s.text() == nil && q.panel.plan.of > 0 && q.shows() {
		larger, smaller := q.resized(keymap.Larger) != q.panel.Split, q.resized(keymap.Smaller) != q.panel.Split
		switch {
		case larger && smaller:
			hints = append(hints, screen.Hint{Act: keymap.Larger, Does: "larger"}, screen.Hint{Act: keymap.Smaller, Does: "smaller panel"})
		case larger:
			hints = append(hints, screen.Hint{Act: keymap.Larger, Does: "larger panel"})
		case smaller:
			hints = append(hints, screen.Hint{Act: keymap.Smaller, Does: "smaller panel"})
		}
	}
	return hints
}

// textHints returns the keys that do something in the text being written.
func (q *questionnaire) textHints() []screen.Hint {
	edit, e := q.state.text(), q.state.focused()
	hints := historyHints(edit)
	if elsewhere, _ := q.Lends(); elsewhere != nil && !edit.SingleLine() {
		hints = append(hints, screen.Hint{Act: keymap.Editor, Does: "editor"})
	}
	if edit == e.field.Text() && e.q.Kind == questions.Text {
		hints = append(hints, screen.Hint{Act: keymap.Down, Does: "note"})
	}
	return hints
}

// towardsSubmit changes the words of the key that goes on, for a form's last question.
func towardsSubmit(hints []screen.Hint) []screen.Hint {
	hints = slices.Clone(hints)
	for i, h := range hints {
		if h.Does == field.GoesOn {
			hints[i].Does = field.GoesToSubmit
		}
	}
	return hints
}

// pressed says what pressing a button does.
func pressed(b button) string {
	switch b {
	case buttonBack:
		return "previous tab"
	case buttonNext:
		return "next tab"
	case buttonSubmit:
		return "submit"
	case buttonSummary:
		return "look over all answers"
	}
	return "open the menu"
}
