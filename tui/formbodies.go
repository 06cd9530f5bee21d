package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/form/field"
)

// body is what a form has in place of questions. The life of the form stays the form's:
// its gate, its dialogs, its entry, and what is sent.
type body interface {
	// answer is the field by which the body answers the form's one question.
	answer() field.Field
	// edited is a text that the person changed and that goes with the answer.
	edited() safe.Text
	// version names what is shown, for the header.
	version() string
	// pointAt puts the cursor where a text stands.
	pointAt(text string)

	// resize and reset follow the form's size and look.
	resize()
	reset()
	// work is the rendering that drawing missed.
	work() tea.Cmd
	// take takes a message that the form does not know.
	take(tea.Msg) tea.Cmd
	press(tea.KeyPressMsg) tea.Cmd
	paste(text string)
	// click is a click on nothing that the form has drawn.
	click(tea.Mouse)
	// wheel is a turn of the wheel by some lines.
	wheel(msg tea.MouseWheelMsg, lines int)
	// takeEdited takes what came back from the person's editor; sync, what came back
	// into a text with the focus.
	takeEdited(text string)
	sync()

	// covers reports whether drawOver is drawn, over the whole form, instead of draw.
	covers() bool
	drawOver(*canvas)
	draw(c *canvas, rows int) (more string)
	drawButtons(*canvas)
	notices() []notice
	hints() []field.Hint
	// lastLine stands in place of the hints; empty for nothing.
	lastLine(width int) string
	helpGroups() []string

	menu() *dialog
	// decide is the dialog of all that can be sent.
	decide() *dialog
	copyAll(*form) tea.Cmd
}
