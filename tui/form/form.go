package form

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/screen"
)

// Form is the screen on which a person answers an ask. It turns keys into
// changes of its body and tells its holder what to store; see the messages in input.go.
type Form struct {
	in    Input
	keys  keymap.Map
	look  *screen.Look
	body  Body
	wraps wraps
	frame frame

	stage  Stage
	gate   gate
	dialog *prompt.Dialog // lies over everything; nil for none
	sheet  *sheet         // covers the form; nil for none

	letters letters
	outbox  outbox
	agent   agent
	loan    loan
	status  status

	begun    bool    // the person opened the gate, or pressed a key that counted
	pasting  bool    // a paste is under way
	replaced bool    // another ask waits to take this one's place
	told     int     // the count of changes at the last message to the holder
	wanted   tea.Msg // what the window is to do before the next key
}

// Stage is how far a form is.
type Stage uint8

const (
	Filling Stage = iota
	sending       // the holder is storing the outcome
	over          // the ask ended, here or elsewhere
)

// agent says whether an agent waits for the answer.
type agent uint8

const (
	agentAbsent  agent = iota // none has waited since the form opened
	agentPresent              // an agent waits
	agentGone                 // the agent stopped waiting while the form was open
)

// letters are what the person writes to the agent beside the answers.
type letters struct {
	note    safe.Text // on the whole form
	message safe.Text // of "reply without finishing" or "decline", not sent yet
	changes int
}

// status is one line for the person, until the next key.
type status struct {
	text string
	tone screen.Tone
}

// New makes the form for an ask. about makes its body; nil makes one that asks the ask's
// questions.
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

// load fills the form with an entry that the holder knows already.
func (f *Form) load(entry questions.Entry) {
	f.letters.note, f.letters.message = entry.Note, entry.Message
	f.body.Load(entry)
	f.told = f.changes()
}

// changes counts the person's changes.
func (f *Form) changes() int { return f.letters.changes + f.body.Changes() }

// Init starts the first rendering.
func (f *Form) Init() tea.Cmd { return screen.Send(screen.Relaid{}) }

func (f *Form) Resize(width, height int) {
	if width != f.frame.width {
		clear(f.wraps)
	}
	f.frame.width, f.frame.height, f.frame.stale = width, height, true
	f.body.Resize()
}

func (f *Form) Retheme(l *screen.Look) {
	f.look, f.frame.stale = l, true
	f.body.Retheme()
}

func (f *Form) View() screen.Frame {
	if f.frame.stale {
		f.paint()
	}
	return f.frame.painted
}

// Entered reports whether the gate is open, so that keys count.
func (f *Form) Entered() bool { return f.gate.stage == gateOpen }

// Attended reports whether the person has turned to the form. The gate may still wait for
// a pause.
func (f *Form) Attended() bool { return f.begun || f.gate.stage == gateEntered }

// Input returns what the form was opened with, with the changes that the holder reported
// since.
func (f *Form) Input() Input { return f.in }

// Ended reports whether the form can no longer be answered.
func (f *Form) Ended() bool { return f.stage == over || f.in.ReadOnly }

// IsSending reports whether the holder is storing the outcome.
func (f *Form) IsSending() bool { return f.stage == sending }

// Follow tells the gate that the person may still be typing for the form that was here
// before.
func (f *Form) Follow(before *Form) { f.gate.follow(before.gate) }

// Lent reports whether a text is in the person's own editor.
func (f *Form) Lent() bool { return f.loan.out }

// Give tells the form that another ask waits to take its place. It returns false if the
// form knew that.
func (f *Form) Give() bool {
	known := f.replaced
	f.replaced = true
	return !known
}

// Busy reports whether the person is writing: a comment, a message, a search, or a text
// in their own editor.
func (f *Form) Busy() bool {
	return f.loan.out || f.pasting || f.dialog != nil && f.dialog.Input != nil || f.writing()
}

// InText reports whether the cursor is in a text that is part of the entry, and in no dialog.
func (f *Form) InText() bool { return f.dialog == nil && !f.loan.out && !f.pasting && f.writing() }

// Wants returns, once, what the window is to do before the next key.
func (f *Form) Wants() tea.Msg {
	wanted := f.wanted
	f.wanted = nil
	return wanted
}

// Entry returns the half-filled form as it is now.
func (f *Form) Entry() questions.Entry {
	fields, focus := f.body.Save()
	return questions.Entry{Fields: fields, Focus: focus, Note: f.letters.note, Message: f.letters.message}
}

// reply returns what sending the form would send now.
func (f *Form) reply() questions.Reply { return f.Entry().Reply(f.in.Ask.Spec) }

// Edited returns the text that the person edited, if an outcome carries it.
func (f *Form) Edited(o questions.Outcome) safe.Text {
	if b, ok := f.body.(edits); ok && o.State == questions.Answered {
		return b.Edited()
	}
	return safe.Text{}
}

// Update handles one message and draws the form. The commands that it returns render
// what was missing in the drawing, and tell the holder what has changed.
func (f *Form) Update(msg tea.Msg) tea.Cmd {
	f.begin(msg)
	cmds := []tea.Cmd{f.handle(msg)}
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

func (f *Form) handle(msg tea.Msg) tea.Cmd {
	if screen.IsInput(msg) {
		return f.handleInput(msg)
	}
	switch msg := msg.(type) {
	case gatePaused:
		pause := f.gate.paused(msg)
		f.begun = f.begun || f.Entered()
		return pause
	case screen.ThemeKept:
		f.Say(screen.ToneGood, "%s", msg.Notice)
	case EditorReady:
		return f.runEditor(msg)
	case editorDone:
		f.applyEdited(msg)
	case leftGone:
		f.reportLeftGone(msg)
	case unsentSaved:
		f.reportUnsentSaved(msg)
	default:
		f.handleNews(msg)
		return f.body.Update(msg)
	}
	return nil
}

// handleInput handles what the person does, if the gate lets it through.
func (f *Form) handleInput(msg tea.Msg) tea.Cmd {
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
		f.dialog = nil // the key that opened the dialog was the first letter of a word for something else
		f.gate.shut()
		return nil
	case !acts:
		return pause
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return f.handleKey(msg)
	case tea.PasteMsg:
		f.handlePaste(msg.Content)
		return nil
	case tea.MouseClickMsg:
		return f.handleClick(msg)
	case tea.MouseWheelMsg:
		f.handleWheel(msg)
	}
	return pause
}

// handleNews handles the messages of the holder.
func (f *Form) handleNews(msg tea.Msg) {
	switch msg := msg.(type) {
	case Settled:
		if msg.AskID == f.in.Ask.ID {
			f.handleSettled(msg)
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
			f.handleSaved(msg.Err)
		}
	case LeaveFailed:
		if msg.Asked.AskID == f.in.Ask.ID {
			f.leaveFailed(msg.Asked, msg.Err)
		}
	case AskChanged:
		if msg.Ask.ID == f.in.Ask.ID {
			f.handleChanged(msg)
		}
	case EnteredElsewhere:
		if msg.AskID == f.in.Ask.ID {
			f.takeElsewhere(msg.Entry)
		}
	}
}

// takeElsewhere shows what another pane entered. If that closes a text that is being written here,
// the gate shuts: the next letters were meant for the text, and are no commands.
func (f *Form) takeElsewhere(entry questions.Entry) {
	writing := f.writing()
	f.in.Entry = entry
	if f.load(entry); writing && !f.writing() {
		f.gate.shut()
	}
}

func (f *Form) handleSettled(msg Settled) {
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

func (f *Form) handleSaved(err error) {
	f.outbox.trouble = ""
	if err == nil {
		return
	}
	f.outbox.trouble = safe.New(err.Error()).Line()
	if f.LeavesOnceSaved() != nil {
		f.outbox.dialog.Says = leaveFailedWords(err)
	}
}

// handleChanged shows that the ask was answered, withdrawn or expired elsewhere.
func (f *Form) handleChanged(msg AskChanged) {
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

// Mention shows a message to the person unless another one is up.
func (f *Form) Mention(t screen.Tone, text string) {
	if f.status.text == "" {
		f.Say(t, "%s", text)
	}
}

// Resume lets the person go on after a try to send, and says why nothing was sent.
func (f *Form) Resume(t screen.Tone, format string, args ...any) {
	f.stage, f.frame.stale = Filling, true
	f.Say(t, format, args...)
}

// toGround closes any page of the body that covers its questions or its plan.
func (f *Form) toGround() {
	if b, ok := f.body.(layered); ok {
		b.ToGround()
	}
}

// Say shows a message to the person in place of the keys, until the next key.
func (f *Form) Say(t screen.Tone, format string, args ...any) {
	f.status = status{fmt.Sprintf(format, args...), t}
}
