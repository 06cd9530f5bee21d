package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// body is what a form is about: questions, or a plan to be reviewed. The life of the
// form stays the form's: its gate, its dialogs, its messages to the agent, and what
// is sent.
type body interface {
	// load takes over an entry; save gives back the fields, and the id of the question
	// with the focus. changes counts what the person has changed in them.
	load(questions.Entry)
	save() (fields map[string]questions.Field, focus string)
	changes() int

	// resize and retheme follow the form's size and look.
	resize()
	retheme()
	// update takes a message that the form does not know.
	update(tea.Msg) tea.Cmd
	// work is the rendering that drawing missed.
	work() tea.Cmd

	press(tea.KeyPressMsg) tea.Cmd
	paste(text string)
	// wheel is a turn of the wheel by some rows; 0 rows for a turn sideways.
	wheel(msg tea.MouseWheelMsg, rows int)
	// text is where letters go now; nil where they are commands.
	text() *editor.Editor
	// lends is the text to open in the person's editor, with what to say over it; nil
	// for none. rewritten is called when the editor has changed that text.
	lends() (edit *editor.Editor, about []safe.Text)
	rewritten()

	// measure is the most cells that the form may be wide.
	measure() int
	// covers says how much of the form the body draws itself.
	covers() cover
	// drawHead draws what stands below the title; false if there is nothing.
	drawHead(*canvas) bool
	// draw draws so many rows, and returns where in it the view is.
	draw(c *canvas, rows int) (more string)
	// drawButtons draws the row of buttons. More says where the view is, if no row
	// above does.
	drawButtons(c *canvas, more string)
	notices() []notice
	hints() []field.Hint
	helpGroups() []string

	// menu is what Esc offers beside what every form has: items stand below keep,
	// submit and the ways to leave.
	menu() bodyMenu
	// submit sends, or asks what is still to be decided.
	submit() tea.Cmd
	copyAll() tea.Cmd
}

// What only some bodies can do.
type (
	// versioned is a body that the header names a version of.
	versioned interface{ version() string }
	// edits is a body with a text that the person may change and that goes with the
	// answer.
	edits interface{ edited() safe.Text }
	// prompts is a body that may put a line in place of the keys; empty for none.
	prompts interface{ prompt(width int) string }
	// completes is a body that knows when nothing is left to answer.
	completes interface{ complete() bool }
	// layered is a body that may show something in place of what is answered.
	layered interface{ toGround() }
	// follows is a body that is told after each message, before the form is drawn.
	follows interface{ updated() }
)

// cover is how much of the form its body draws.
type cover uint8

const (
	coversBody    cover = iota
	coversNotices       // and no notice stands above it
	coversAll           // all rows of the form
)

// bodyMenu is a body's part of the menu.
type bodyMenu struct {
	keep   string // "Keep answering"
	submit string // empty if nothing can be sent
	items  []item
}

// host is a form as its body sees it.
type host struct{ form *form }

// input is what the form was opened with.
func (h host) input() *formInput { return &h.form.in }

// look is what the form is drawn with; nil before the first Retheme.
func (h host) look() *screen.Look { return h.form.look }

// styles are those of the look; only drawing may ask for them.
func (h host) styles() *screen.Styles { return &h.form.look.Styles }

// keys are the keys of the form; bind gives it others than those for questions.
func (h host) keys() keymap.Map  { return h.form.keys }
func (h host) bind(m keymap.Map) { h.form.keys = m }

func (h host) size() (width, height int) { return h.form.frame.width, h.form.frame.height }
func (h host) now() time.Time            { return h.form.in.Now() }

// wrap lays plain text out; its lines are not to be changed.
func (h host) wrap(text safe.Text, width int) []string { return h.form.wraps.wrap(text, width) }

// view is what is in view of a text, from where the reach is.
func (h host) view(doc markdown.Doc, room docRoom, at *reach) docView {
	return h.form.wraps.view(doc, room, at, h.styles())
}

// reply is what the form amounts to if it were sent now.
func (h host) reply() questions.Reply { return h.form.reply() }

// who is the agent, as it names itself; when says a moment in a sentence.
func (h host) who() string             { return h.form.who() }
func (h host) when(t time.Time) string { return h.form.when(t) }

// stage is how far the form is, and begun whether the person has entered it.
func (h host) stage() stage { return h.form.stage }
func (h host) begun() bool  { return h.form.begun }

// urgent reports whether the last line has something to say instead of the keys.
func (h host) urgent() bool {
	return h.form.gate.stage != gateOpen || h.form.stage == sending || h.form.status.text != ""
}

// lastLine is the form's last line.
func (h host) lastLine(width int) string { return h.form.lastLine(width) }

// say puts a line where the keys of the moment are, until the next key.
func (h host) say(t tone, format string, args ...any) { h.form.say(t, format, args...) }

// note is the person's note on the whole form.
func (h host) note() safe.Text { return h.form.letters.note }

// open lays a dialog over the form, nil takes away the one that is there. dialog is
// that one.
func (h host) open(d *dialog)  { h.form.dialog = d }
func (h host) dialog() *dialog { return h.form.dialog }

// openDeciding lays a dialog over the form that decides something. No key of the
// burst that opened it gets through.
func (h host) openDeciding(d *dialog) tea.Cmd {
	h.form.dialog = d
	return h.form.gate.rest()
}

// unfold shows a page on the whole screen, nil goes back to the form.
func (h host) unfold(p page) { h.form.unfold(p) }

// The form's own commands, for a body's keys, buttons and menu.
func (h host) submit() tea.Cmd   { return h.form.submit() }
func (h host) later() tea.Cmd    { return h.form.later() }
func (h host) showMenu() tea.Cmd { return h.form.showMenu() }
func (h host) showHelp() tea.Cmd { return h.form.showHelp() }
func (h host) discuss() tea.Cmd  { return h.form.showDiscuss() }
func (h host) showNote() tea.Cmd { return h.form.showNote() }
func (h host) edit() tea.Cmd     { return h.form.openEditor() }

func (h host) closeDialog() tea.Cmd { return h.form.closeDialog() }

// copy puts a text into the clipboard.
func (h host) copy(text string) tea.Cmd { return h.form.copy(text) }

// lend opens a text in the person's editor and hands over what comes back.
func (h host) lend(text string, back func(text string)) tea.Cmd { return h.form.lendText(text, back) }

// saveNow has the entry saved without waiting for more.
func (h host) saveNow() tea.Cmd { return screen.Send(entryDone{AskID: h.form.in.Ask.ID}) }

// settle sends an outcome; refused says why one cannot be sent.
func (h host) settle(o questions.Outcome) tea.Cmd { return h.form.settle(o) }
func (h host) refused(err error)                  { h.form.dialog = h.form.refusedDialog(err) }
