package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/tui/cells"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// drawFooter draws the buttons with the count, and the keys of the moment. More
// says where in the questions the view is, where nothing above does.
func (f *form) drawFooter(c *canvas, more string) {
	f.drawButtons(c, more)
	c.add(" " + f.lastLine(c.width-2))
}

func (f *form) drawButtons(c *canvas, more string) {
	if f.review != nil {
		f.review.drawButtons(c)
		return
	}
	s, st := f.state, &f.look.Styles
	gap := 1
	if c.width < narrow {
		gap = 0
	}
	var buttons []rowButton
	for _, b := range s.buttons() {
		label, style := buttonLabel(b, s.readOnly), st.Button
		if c.width < narrow { // the arrow says it, too
			label = strings.NewReplacer("‹ Back", "‹", "Next ›", "›").Replace(label)
		}
		switch {
		case s.zone == inFooter && s.button == b:
			style = st.ButtonHere
		case b == buttonSubmit && len(s.answers().missing) == 0:
			style = st.ButtonMain
		}
		buttons = append(buttons, rowButton{label, style, func() tea.Cmd { return f.pressButton(b) }})
	}
	line, width := f.drawButtonRow(c, gap, buttons)
	room := c.width - 1 - width - gap
	said := f.progress(room)
	if more != "" {
		said = st.Faint.Render(more+" · ") + f.progress(max(room-ansi.StringWidth(more)-3, 0))
	}
	rows, _, _ := strings.Cut(more, " · ")
	said = cells.Longest(room, said, st.Faint.Render(more), st.Faint.Render(rows), "") // before a button is cut
	c.add(line + strings.Repeat(" ", gap+max(0, room-ansi.StringWidth(said))) + said)
}

// rowButton is one of the buttons in a row.
type rowButton struct {
	label string
	style lipgloss.Style
	does  func() tea.Cmd
}

// drawButtonRow draws buttons so many cells apart, to be clicked in the next line of
// the canvas, and says how many cells they take. That line is added by whoever knows
// what stands beside them.
func (f *form) drawButtonRow(c *canvas, gap int, buttons []rowButton) (line string, cells int) {
	for i, b := range buttons {
		if i > 0 {
			line += strings.Repeat(" ", gap)
			cells += gap
		}
		label := " " + b.label + " "
		width := ansi.StringWidth(label)
		f.hit(c, cells, len(c.lines), width, 1, func(int, int) tea.Cmd { return b.does() })
		line += b.style.Render(label)
		cells += width
	}
	return line, cells
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

// progress counts what is answered, and what must be, as fully as fits.
func (f *form) progress(room int) string {
	s, st := f.state, &f.look.Styles
	count := fmt.Sprintf("%d/%d", s.answered(), len(s.spec.Questions))
	missing := len(s.answers().missing)
	if missing == 0 || s.readOnly {
		style, lead := st.Muted, ""
		if s.complete() {
			style, lead = st.Success, "✓ "
		}
		return cells.Longest(room, style.Render(lead+count+" answered"), style.Render(lead+count), style.Render(count))
	}
	dot := st.Faint.Render(" · ")
	return cells.Longest(room,
		st.Required.Render(fmt.Sprintf("● %d required", missing))+dot+st.Muted.Render(count+" answered"),
		st.Required.Render(fmt.Sprintf("● %d required", missing))+dot+st.Muted.Render(count),
		st.Required.Render(fmt.Sprintf("● %d", missing))+dot+st.Muted.Render(count),
		st.Muted.Render(count))
}

// lastLine is what is to be said right now, else the keys of the moment.
func (f *form) lastLine(width int) string {
	st := &f.look.Styles
	switch {
	case f.gate.stage != gateOpen:
		return st.Warning.Render(cells.Cut(f.gateWords(), width))
	case f.stage == sending:
		return st.Info.Render("Sending …")
	case f.dialog != nil:
		return f.hintLine(f.dialog.hints(), width)
	case f.status != "":
		return f.toned(f.statusTone, cells.Cut(toneGlyph(f.statusTone)+f.status, width))
	case f.review != nil:
		if line := f.review.lastLine(width); line != "" {
			return line
		}
	}
	return f.hintLine(f.hints(), width)
}

// gateWords say how to enter, and what else is to be said right now.
func (f *form) gateWords() string {
	enters := "to answer"
	if f.dialog != nil {
		enters = "to go on"
	}
	if f.status != "" && f.gate.stage == gateShut {
		return "↓ " + enters + ". " + f.status
	}
	return f.gate.words(enters)
}

func (f *form) toned(t tone, text string) string {
	st := &f.look.Styles
	switch t {
	case toneGood:
		return st.Success.Render(text)
	case toneWarn:
		return st.Warning.Render(text)
	case toneBad:
		return st.Danger.Render(text)
	}
	return st.Info.Render(text)
}

// toneGlyph says without colour how something is meant.
func toneGlyph(t tone) string {
	switch t {
	case toneGood:
		return "✓ "
	case toneWarn:
		return "◆ "
	case toneBad:
		return "▲ "
	}
	return ""
}

// hints are the keys of the moment, the most useful first.
func (f *form) hints() []field.Hint {
	if f.review != nil {
		return f.review.hints()
	}
	if f.summary != nil {
		return f.summaryHints()
	}
	s := f.state
	help := field.Hint{Act: keymap.Help, Does: "help"}
	var hints []field.Hint
	switch {
	case s.zone == inTabs:
		if hints = []field.Hint{{Act: keymap.Down, Does: "questions"}}; s.tab+1 < len(s.tabs) {
			hints = []field.Hint{{Act: keymap.Right, Does: "next tab"}, {Act: keymap.Down, Does: "questions"}}
		}
	case s.zone == inFooter:
		hints = []field.Hint{{Act: keymap.Enter, Does: pressed(s.button)}, {Act: keymap.Up, Does: "questions"}}
	case s.current() == nil:
		hints = []field.Hint{{Act: keymap.Enter, Does: "go on"}}
		if f.scroll.introLast > 0 {
			hints = append(hints, field.Hint{Act: keymap.PageDown, Does: "scroll"})
		}
		hints = append(hints, field.Hint{Act: keymap.Zoom, Does: "zoom"})
	default:
		hints = s.focused().hints()
		if s.atLast() {
			hints = towardsSubmit(hints)
		}
	}
	if s.readOnly {
		return append(hints, field.Hint{Act: keymap.Close, Does: "close"}, help)
	}
	switch submit := (field.Hint{Act: keymap.Submit, Does: "submit"}); {
	case s.noting(): // the same key keeps the note
	case s.zone == inFooter && s.button == buttonSubmit: // Enter does it
	case s.complete():
		hints = append([]field.Hint{submit}, hints...)
	case len(s.answers().missing) == 0 || s.text() != nil:
		hints = append(hints, submit)
	}
	if !slices.ContainsFunc(hints, func(h field.Hint) bool { return h.Act == keymap.Escape }) {
		hints = append(hints, field.Hint{Act: keymap.Escape, Does: "menu"})
	}
	hints = append(hints, help)
	if f.tooWide() {
		hints = append(hints, field.Hint{Act: keymap.PanRight, Does: "pan"})
	}
	if f.scroll.panelRows > 0 && f.scroll.panelLast > 0 {
		hints = append(hints, field.Hint{Act: keymap.PageDown, Does: "scroll"})
	}
	usesRight := slices.ContainsFunc(hints, func(h field.Hint) bool { return h.Act == keymap.Right })
	switch e := s.focused(); {
	case s.text() != nil:
		hints = append(hints, f.textHints()...)
	case e != nil && !e.onNote:
		hints = append(hints, field.Hint{Act: keymap.Note, Does: "note"})
	}
	if s.text() == nil && s.zone == inBody && s.tab+1 < len(s.tabs) && !usesRight {
		hints = append(hints, field.Hint{Act: keymap.Right, Does: "next tab"})
	}
	if s.text() == nil && f.scroll.plan.of > 0 {
		larger, smaller := f.resized(keymap.Larger) != f.split, f.resized(keymap.Smaller) != f.split
		switch {
		case larger && smaller:
			hints = append(hints, field.Hint{Act: keymap.Larger, Does: "larger"}, field.Hint{Act: keymap.Smaller, Does: "smaller panel"})
		case larger:
			hints = append(hints, field.Hint{Act: keymap.Larger, Does: "larger panel"})
		case smaller:
			hints = append(hints, field.Hint{Act: keymap.Smaller, Does: "smaller panel"})
		}
	}
	return hints
}

// textHints are the keys for the text that is being written.
func (f *form) textHints() []field.Hint {
	edit, e := f.state.text(), f.state.focused()
	hints := historyHints(edit)
	if elsewhere, _ := f.editable(); elsewhere != nil && !edit.SingleLine() {
		hints = append(hints, field.Hint{Act: keymap.Editor, Does: "editor"})
	}
	if edit == e.field.Text() && e.q.Kind == questions.Text {
		hints = append(hints, field.Hint{Act: keymap.Down, Does: "note"})
	}
	return hints
}

// historyHints are the keys that take back what was done to a text, or do it
// again: only what there is right now.
func historyHints(edit *editor.Editor) []field.Hint {
	var hints []field.Hint
	if edit.CanUndo() {
		hints = append(hints, field.Hint{Act: keymap.UndoText, Does: "undo"})
	}
	if edit.CanRedo() {
		hints = append(hints, field.Hint{Act: keymap.RedoText, Does: "redo"})
	}
	return hints
}

// towardsSubmit says where going on leads from a form's last question.
func towardsSubmit(hints []field.Hint) []field.Hint {
	hints = slices.Clone(hints)
	for i, h := range hints {
		if h.Does == field.GoesOn {
			hints[i].Does = field.GoesToSubmit
		}
	}
	return hints
}

// pressed is what pressing a button does.
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

// hintLine draws as many hints as fit.
func (f *form) hintLine(hints []field.Hint, width int) string {
	line := make([]screen.Hint, 0, len(hints))
	for _, h := range hints {
		label := f.keys.Label(h.Act)
		if h.Act == keymap.Help {
			label = f.helpKey()
		}
		line = append(line, screen.Hint{
			Label: label, Does: h.Does, Brief: briefHint(h.Does), Kept: h.Act == keymap.Help,
			Main: h.Act == keymap.Submit && f.review == nil && f.state.complete(),
		})
	}
	return f.look.Styles.KeyLine(line, width)
}

// briefHint says in fewer words what a key does; empty if there are none.
func briefHint(does string) string {
	switch does {
	case field.GoesOn:
		return "next"
	case field.GoesToSubmit:
		return "to submit"
	case "take the default":
		return "default"
	case "back to the options":
		return "back"
	case "look over all answers":
		return "look over"
	case "to what is required":
		return "to required"
	case "write a note":
		return "write"
	}
	return ""
}

// helpKey is the key for help that works right now: in text ? is a letter.
func (f *form) helpKey() string {
	if f.writing() {
		return f.keys.Label(keymap.Help)
	}
	if label := keymap.Label(f.keys.OutsideText, keymap.Help); label != "" {
		return label
	}
	return f.keys.Label(keymap.Help)
}
