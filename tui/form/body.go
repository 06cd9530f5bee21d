package form

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/prompt"
	"planb/tui/screen"
)

// Body is what a form is about: questions, or a plan to be reviewed. All else belongs
// to the form: its gate, its dialogs, the messages to the agent, and the sending.
type Body interface {
	// Load fills the body with an entry. Save returns the fields, and the id of the question
	// with the focus. Changes counts the person's changes.
	Load(questions.Entry)
	Save() (fields map[string]questions.Field, focus string)
	Changes() int

	// Resize and Retheme follow the form's size and look.
	Resize()
	Retheme()
	// Update handles a message that the form does not know.
	Update(tea.Msg) tea.Cmd
	// Work returns the command that renders what the last drawing missed.
	Work() tea.Cmd

	// Press does one key. Paste inserts text at the caret; the form calls it only while Text
	// returns an editor.
	Press(tea.KeyPressMsg) tea.Cmd
	Paste(text string)
	// Wheel does a turn of the wheel by some rows. rows is 0 for a turn sideways.
	Wheel(msg tea.MouseWheelMsg, rows int)
	// Text returns the editor that letters go to. It is nil while letters are commands.
	Text() *editor.Editor
	// Lends returns the text to open in the person's editor, and the words above it in the
	// file; nil for none. The form calls Rewritten when that editor has changed the text.
	Lends() (edit *editor.Editor, about []safe.Text)
	Rewritten()

	// Measure returns the most cells that the form may be wide.
	Measure() int
	// Covers returns how much of the form the body draws itself.
	Covers() Cover
	// DrawHead draws the rows below the title. It returns false if there are none.
	DrawHead(*Canvas) bool
	// Draw draws a number of rows, and returns the position of the view.
	Draw(c *Canvas, rows int) (more string)
	// DrawButtons draws the row of buttons, and beside them the position of the view if more
	// is not empty.
	DrawButtons(c *Canvas, more string)
	// Notices stand above the body. Hints are the keys of the moment, the most useful
	// first, and Help all keys, with the name of what they are for.
	Notices() []Notice
	Hints() []screen.Hint
	Help() (name string, keys []keymap.HelpGroup)

	// Menu returns the items of the menu that not every form has.
	Menu() Menu
	// Submit sends, or asks for what the person still has to decide.
	Submit() tea.Cmd
	// CopyAll copies everything that the person entered.
	CopyAll() tea.Cmd
}

// Interfaces that only some bodies implement.
type (
	// versioned is a body whose version stands in the header.
	versioned interface{ Version() string }
	// edits is a body with a text that the person may change. It goes with the answer.
	edits interface{ Edited() safe.Text }
	// prompts is a body that may draw a line in place of the keys; empty for none.
	prompts interface{ Prompt(width int) string }
	// completes is a body that knows when nothing is left to answer.
	completes interface{ Complete() bool }
	// layered is a body with pages that cover its questions or its plan.
	layered interface{ ToGround() }
	// airless is a body that may leave no row empty above its first one.
	airless interface{ Airless() bool }
	// follows is a body that the form tells of each message, before it draws.
	follows interface{ Updated() }
)

// Cover is how much of the form its body draws.
type Cover uint8

const (
	CoversBody    Cover = iota
	coversNotices       // and no notice stands above it
	CoversAll           // all rows of the form
)

// Menu is a body's part of the menu. Its items stand below Keep, Submit and the ways
// to leave.
type Menu struct {
	Keep   string // "Keep answering"
	Submit string // empty if nothing can be sent
	Items  []prompt.Item
}

// Host is a form as its body sees it.
type Host struct{ form *Form }

// Input is what the form was opened with.
func (h Host) Input() *Input { return &h.form.in }

// Look is what the form is drawn with; nil before the first Retheme.
func (h Host) Look() *screen.Look { return h.form.look }

// Styles are those of the look; only drawing may ask for them.
func (h Host) Styles() *screen.Styles { return &h.form.look.Styles }

// Keys are the keys of the form. Bind replaces them: a form begins with those for
// questions.
func (h Host) Keys() keymap.Map  { return h.form.keys }
func (h Host) Bind(m keymap.Map) { h.form.keys = m }

// Size is the form's size in cells.
func (h Host) Size() (width, height int) { return h.form.frame.width, h.form.frame.height }
func (h Host) now() time.Time            { return h.form.in.Now() }

// Wrap lays plain text out; its lines are not to be changed.
func (h Host) Wrap(text safe.Text, width int) []string { return h.form.wraps.wrap(text, width) }

// view returns the part of a text that is in view, at the scroll position of the reach.
func (h Host) view(doc markdown.Doc, room docRoom, at *reach) docView {
	return h.form.wraps.view(doc, room, at, h.Styles())
}

// reply is the reply that sending the form now would give.
func (h Host) reply() questions.Reply { return h.form.reply() }

// Who is the agent, as it names itself. When says a moment in a sentence.
func (h Host) Who() string             { return h.form.who() }
func (h Host) When(t time.Time) string { return h.form.when(t) }

// Stage is how far the form is, and begun whether the person has entered it.
func (h Host) Stage() Stage { return h.form.stage }
func (h Host) begun() bool  { return h.form.begun }

// Urgent reports whether the last line has something to say instead of the keys.
func (h Host) Urgent() bool {
	return h.form.gate.stage != gateOpen || h.form.stage == sending || h.form.status.text != ""
}

// LastLine is the form's last line.
func (h Host) LastLine(width int) string { return h.form.lastLine(width) }

// Say puts a line where the keys of the moment are, until the next key.
func (h Host) Say(t screen.Tone, format string, args ...any) { h.form.Say(t, format, args...) }

// note is the person's note on the whole form.
func (h Host) note() safe.Text { return h.form.letters.note }

// Open lays a dialog over the form; nil takes away the one that is there. Dialog is the
// dialog that lies over the form, or nil.
func (h Host) Open(d *prompt.Dialog)  { h.form.dialog = d }
func (h Host) Dialog() *prompt.Dialog { return h.form.dialog }

// OpenDeciding lays a dialog that decides something over the form. No key of the burst
// that opened it gets through.
func (h Host) OpenDeciding(d *prompt.Dialog) tea.Cmd {
	h.form.dialog = d
	return h.form.gate.rest()
}

// unfold shows a page on the whole screen, nil goes back to the form.
func (h Host) unfold(p page) { h.form.unfold(p) }

// Later leaves and keeps what was entered. The others open what they name; Edit opens
// the text with the focus in the person's editor.
func (h Host) submit() tea.Cmd   { return h.form.submit() }
func (h Host) Later() tea.Cmd    { return h.form.later() }
func (h Host) ShowMenu() tea.Cmd { return h.form.showMenu() }
func (h Host) ShowHelp() tea.Cmd { return h.form.showHelp() }
func (h Host) Discuss() tea.Cmd  { return h.form.showDiscuss() }
func (h Host) showNote() tea.Cmd { return h.form.showNote() }
func (h Host) Edit() tea.Cmd     { return h.form.openEditor() }

// CloseDialog goes back from the dialog to the form.
func (h Host) CloseDialog() tea.Cmd { return h.form.closeDialog() }

// Copy puts a text into the clipboard.
func (h Host) Copy(text string) tea.Cmd { return h.form.copy(text) }

// Lend opens a text in the person's editor and hands over what comes back.
func (h Host) Lend(text string, back func(text string)) tea.Cmd { return h.form.lendText(text, back) }

// SaveNow has the entry saved without waiting for more.
func (h Host) SaveNow() tea.Cmd { return screen.Send(EntryDone{AskID: h.form.in.Ask.ID}) }

// Settle sends an outcome. Refused tells the person why an outcome cannot be sent.
func (h Host) Settle(o questions.Outcome) tea.Cmd { return h.form.settle(o) }
func (h Host) Refused(err error)                  { h.form.dialog = h.form.refusedDialog(err) }
