package form

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Form is the screen on which a person answers an ask. It turns keys into
// changes of its body and tells its holder what to store; see the messages in
// formevents.go.
type Form struct {
	in    Input
	keys  keymap.Map
	look  *screen.Look
	body  Body
	wraps wraps
	frame frame

	stage  Stage
	gate   gate
	dialog *Dialog // over everything; nil: none
	sheet  *sheet  // instead of the form; nil: none

	letters letters
	outbox  outbox
	agent   agent
	loan    loan
	status  status

	begun    bool    // the person entered it, or pressed a key that counted
	pasting  bool    // a paste is under way
	replaced bool    // another ask waits to take this one's place
	told     int     // the changes that the holder was told of
	wanted   tea.Msg // of the window, before the next key
}

// Stage is how far a form is.
type Stage uint8

const (
	Filling Stage = iota
	sending       // its holder is storing what was decided
	over          // settled, here or elsewhere
)

// agent is whether the agent still waits for the answer.
type agent uint8

const (
	agentAbsent  agent = iota // it did not wait when the form opened
	agentPresent              // some agent waits
	agentGone                 // it stopped waiting while the form was open
)

// letters are what the person writes to the agent beside the answers.
type letters struct {
	note    safe.Text // on the whole form
	message safe.Text // begun and not sent
	changes int
}

// status is one line for the person, until the next key.
type status struct {
	text string
	tone Tone
}

// New makes the screen for an ask. The body is made for the form's host; nil
// makes one of the ask's questions.
func New(in Input, about func(Host) Body) *Form {
	if in.Now == nil {
		in.Now = time.Now
	}
	if in.Tick == nil {
		in.Tick = tea.Tick
	}
	f := &Form{in: in, gate: gate{tick: in.Tick, now: in.Now}, frame: frame{stale: true}, wraps: wraps{}}
	if in.AgentWaits {
		f.agent = agentPresent
	}
	if about == nil {
		about = newQuestionnaire
	}
	entry := in.Entry
	if in.ReadOnly {
		entry = in.Ask.Spec.EntryFrom(in.Ask.Outcome.Reply)
	}
	f.keys = in.Keys.Form()
	f.body = about(Host{f})
	f.load(entry)
	f.dialog = f.leftDialog()
	if in.Unasked && !in.ReadOnly {
		f.gate.shut()
	}
	return f
}

// load takes over an entry, which the holder knows already.
func (f *Form) load(entry questions.Entry) {
	f.letters.note, f.letters.message = entry.Note, entry.Message
	f.body.Load(entry)
	f.told = f.changes()
}

// changes counts what the person has changed.
func (f *Form) changes() int { return f.letters.changes + f.body.Changes() }

// Init starts the first rendering.
func (f *Form) Init() tea.Cmd { return screen.Send(screen.Relaid{}) }

// Resize sets the cells to draw in.
func (f *Form) Resize(width, height int) {
	if width != f.frame.width {
		clear(f.wraps)
	}
	f.frame.width, f.frame.height, f.frame.stale = width, height, true
	f.body.Resize()
}

// Retheme takes over another look.
func (f *Form) Retheme(l *screen.Look) {
	f.look, f.frame.stale = l, true
	f.body.Retheme()
}

// View draws the form.
func (f *Form) View() screen.Frame {
	if f.frame.stale {
		f.paint()
	}
	return f.frame.painted
}

// Entered reports whether keys count.
func (f *Form) Entered() bool { return f.gate.stage == gateOpen }

// Attended reports whether the person has entered the form.
func (f *Form) Attended() bool { return f.begun || f.gate.stage == gateEntered }

// Input is what the form was opened with, as far as it stands.
func (f *Form) Input() Input { return f.in }

// Ended reports whether nothing can be answered any more.
func (f *Form) Ended() bool { return f.stage == over || f.in.ReadOnly }

// IsSending reports whether the holder is storing what was decided.
func (f *Form) IsSending() bool { return f.stage == sending }

// Follow takes over how the person stood to the form that was here before.
func (f *Form) Follow(before *Form) { f.gate.follow(before.gate) }

// Lent reports whether a text is in the person's own editor.
func (f *Form) Lent() bool { return f.loan.out }

// Give says that another ask waits to take this one's place; false if that was known.
func (f *Form) Give() bool {
	known := f.replaced
	f.replaced = true
	return !known
}

// Busy reports whether the person is writing something: a comment, a message, a
// search, or in their own editor.
func (f *Form) Busy() bool {
	return f.loan.out || f.pasting || f.dialog != nil && f.dialog.input != nil || f.writing()
}

// Wants is what the window is to do before the next key.
func (f *Form) Wants() tea.Msg {
	wanted := f.wanted
	f.wanted = nil
	return wanted
}

// Entry is the half-filled form as it is now.
func (f *Form) Entry() questions.Entry {
	fields, focus := f.body.Save()
	return questions.Entry{Fields: fields, Focus: focus, Note: f.letters.note, Message: f.letters.message}
}

// reply is what the form amounts to if it were sent now.
func (f *Form) reply() questions.Reply { return f.Entry().Reply(f.in.Ask.Spec) }

// Edited is the text that the person edited, if that goes with an outcome.
func (f *Form) Edited(o questions.Outcome) safe.Text {
	if b, ok := f.body.(edits); ok && o.State == questions.Answered {
		return b.Edited()
	}
	return safe.Text{}
}

// Update takes one message, draws what came of it, and returns what is to be
// done: rendering that the drawing missed, and what the holder is told.
func (f *Form) Update(msg tea.Msg) tea.Cmd {
	f.begin(msg)
	cmds := []tea.Cmd{f.take(msg)}
	if b, ok := f.body.(follows); ok {
		b.Updated()
	}
	if changes := f.changes(); changes != f.told {
		f.told = changes
		cmds = append(cmds, screen.Send(EntryChanged{AskID: f.in.Ask.ID, Entry: f.Entry()}))
	}
	if f.frame.width > 0 && f.look != nil {
		f.paint()
		cmds = append(cmds, f.body.Work())
	}
	return tea.Batch(cmds...)
}

// begin notes that the person has begun.
func (f *Form) begin(msg tea.Msg) {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		f.begun = f.begun || f.Entered()
	}
}

func (f *Form) take(msg tea.Msg) tea.Cmd {
	if screen.IsInput(msg) {
		return f.takeInput(msg)
	}
	switch msg := msg.(type) {
	case gatePaused:
		f.gate.paused(msg)
		f.begun = f.begun || f.Entered()
	case screen.ThemeKept:
		f.Say(ToneGood, "%s", msg.Notice)
	case EditorReady:
		return f.runEditor(msg)
	case editorDone:
		f.applyEdited(msg)
	case leftGone:
		f.reportLeftGone(msg)
	case unsentSaved:
		f.reportUnsentSaved(msg)
	default:
		f.takeNews(msg)
		return f.body.Update(msg)
	}
	return nil
}

// takeInput takes what the person does, once the gate lets it through.
func (f *Form) takeInput(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.PasteStartMsg:
		f.pasting = true
	case tea.PasteEndMsg:
		f.pasting = false
	}
	resting := f.gate.stage == gateResting
	acts, pause := f.gate.pass(msg)
	switch {
	case resting && f.in.Unasked && writes(msg):
		f.dialog = nil // the key that opened it began a word for something else
		f.gate.shut()
		return nil
	case !acts:
		return pause
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return f.takeKey(msg)
	case tea.PasteMsg:
		f.takePaste(msg.Content)
		return nil
	case tea.MouseClickMsg:
		return f.takeClick(msg)
	case tea.MouseWheelMsg:
		f.takeWheel(msg)
	}
	return pause
}

// takeNews takes what the holder says.
func (f *Form) takeNews(msg tea.Msg) {
	switch msg := msg.(type) {
	case Settled:
		if msg.AskID == f.in.Ask.ID {
			f.takeSettled(msg)
		}
	case AgentWaiting:
		switch {
		case msg.AskID != f.in.Ask.ID:
		case msg.Waits:
			f.agent = agentPresent
		case f.agent == agentPresent:
			f.agent = agentGone
		}
	case BesideChanged:
		f.in.Beside = msg.Others
	case QueueChanged:
		f.in.QueueAt, f.in.QueueOf = msg.At, msg.Of
	case EntrySaved:
		if msg.AskID == f.in.Ask.ID {
			f.takeSaved(msg.Err)
		}
	case LeaveFailed:
		if msg.Asked.AskID == f.in.Ask.ID {
			f.leaveFailed(msg.Asked, msg.Err)
		}
	case AskChanged:
		if msg.Ask.ID == f.in.Ask.ID {
			f.takeChanged(msg)
		}
	}
}

func (f *Form) takeSettled(msg Settled) {
	again := f.outbox.again
	f.outbox.again = false
	if f.stage != sending && !again && !TooLateToKeep(msg.Err) {
		return
	}
	if msg.Err != nil {
		_, f.outbox.onRecord = errors.AsType[*questions.SettledError](msg.Err)
		f.stage = Filling
		f.failed(msg.Err, again)
		return
	}
	f.stage = over
	f.in.Ask.Outcome = msg.Ask.Outcome
	f.dialog = f.sentDialog()
}

func (f *Form) takeSaved(err error) {
	f.outbox.trouble = ""
	if err == nil {
		return
	}
	f.outbox.trouble = safe.New(err.Error()).Line()
	if f.LeavesOnceSaved() != nil {
		f.outbox.dialog.Says = leaveFailedWords(err)
	}
}

// takeChanged follows an ask that was settled, withdrawn or expired elsewhere.
func (f *Form) takeChanged(msg AskChanged) {
	f.in.Ask.Outcome = msg.Ask.Outcome
	if f.in.ReadOnly {
		f.load(f.in.Ask.Spec.EntryFrom(msg.Ask.Outcome.Reply))
		return
	}
	if !msg.Ask.Outcome.State.Final() || f.stage == over {
		return
	}
	f.stage, f.sheet = over, nil
	f.toGround()
	f.dialog = f.endedDialog()
	f.gate.shut()
}

// Mention says something unless something else is said.
func (f *Form) Mention(t Tone, text string) {
	if f.status.text == "" {
		f.Say(t, "%s", text)
	}
}

// Resume lets the person go on after a try to send, and says why it came to nothing.
func (f *Form) Resume(t Tone, format string, args ...any) {
	f.stage, f.frame.stale = Filling, true
	f.Say(t, format, args...)
}

// toGround leaves what a body may show in place of what is answered.
func (f *Form) toGround() {
	if b, ok := f.body.(layered); ok {
		b.ToGround()
	}
}

// Say puts a line where the keys of the moment are, until the next key.
func (f *Form) Say(t Tone, format string, args ...any) {
	f.status = status{fmt.Sprintf(format, args...), t}
}
