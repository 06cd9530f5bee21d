package tui

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// form is the screen on which a person answers an ask. It turns keys into
// changes of its state and tells its holder what to store; see the messages in
// formevents.go.
type form struct {
	in    formInput
	state *formState
	keys  keymap.Map
	look  *screen.Look
	docs  *docs
	// review is what a plan's review has in place of questions; nil in a form.
	review body

	width, height int

	stage  stage
	dialog *dialog // over everything; nil: none
	sheet  *sheet  // instead of the form; nil: none
	// summary is the page with all answers, instead of the questions; nil: none.
	summary *summary

	gate    gate
	pasting bool // a paste is under way
	waits   bool // some agent waits for the answer
	left    bool // and one stopped waiting while the form was open
	prior   bool // the earlier answers are still on offer

	memory map[string]*recalled     // by question: what was answered before
	whole  map[string]*recalled     // the same of in.Prior
	lately map[string]store.Earlier // came after the person had begun
	begun  bool                     // they entered it, or a key of theirs was taken

	status     string // one line, until the next key
	statusTone tone
	trouble    string // why the entry is not saved, while it is not
	sent       questions.Outcome
	unsent     unsent
	again      bool                       // and such a try is under way
	replaced   bool                       // another ask waits to take this one's place
	editing    bool                       // a text is in the person's own editor
	returned   atomic.Pointer[editorDone] // from there, and not taken over yet
	onRecord   bool                       // it was sent, too late to count, which the store keeps
	told       int                        // the changes the holder was told of

	scroll scroll
	split  split
	// The mouse has the panel's border, and has moved it.
	dragging, dragged bool

	wanted tea.Msg // of the window, before the next key

	aside   map[int]drawnAside // by question
	painted screen.Frame
	hits    []formHit
	stale   bool
}

// stage is how far a form is.
type stage uint8

const (
	filling stage = iota
	sending       // its holder is storing what was decided
	over          // settled, here or elsewhere
)

// newForm makes the screen for an ask.
func newForm(in formInput) *form {
	if in.Now == nil {
		in.Now = time.Now
	}
	if in.Tick == nil {
		in.Tick = tea.Tick
	}
	entry := in.Entry
	if in.ReadOnly {
		entry = in.Ask.Spec.EntryFrom(in.Ask.Outcome.Reply)
	}
	f := &form{
		in:    in,
		state: newFormState(in.Ask.Spec, entry, in.ReadOnly),
		keys:  in.Keys.Form(),
		docs:  newDocs(),
		gate:  gate{tick: in.Tick, now: in.Now},
		waits: in.AgentWaits,
		split: split(in.Split),
		stale: true,
		aside: map[int]drawnAside{},
	}
	if i := slices.IndexFunc(in.Ask.Spec.Questions, func(q questions.Question) bool { return q.ID == in.Question }); i >= 0 {
		f.state.focusQuestion(i, field.FromAbove)
	}
	if in.Plan != nil {
		f.keys = in.Keys.Review()
		f.review = newReviewBody(f, *in.Plan)
		f.state.hold(questions.ReviewID, f.review.answer(), entry)
		f.review.pointAt(in.Found)
	}
	f.prior = in.Prior != nil && in.Plan == nil && !in.ReadOnly && len(f.openBefore()) > 0
	f.recallPrior()
	f.recall(in.Earlier)
	f.told = f.state.changes
	f.dialog = f.leftDialog()
	if in.Unasked && !in.ReadOnly {
		f.gate.shut()
	}
	return f
}

// Init starts the first rendering.
func (f *form) Init() tea.Cmd { return screen.Send(screen.Relaid{}) }

// Resize sets the cells to draw in.
func (f *form) Resize(width, height int) {
	if width != f.width {
		f.docs.reset(f.docs.renderer) // what has other widths is not needed again soon
	}
	f.width, f.height, f.stale = width, height, true
	if f.review != nil {
		f.review.resize()
	}
}

// Retheme takes over another look.
func (f *form) Retheme(l *screen.Look) {
	f.look, f.stale = l, true
	f.docs.reset(l.Markdown)
	if f.review != nil {
		f.review.reset()
	}
}

// View draws the form.
func (f *form) View() screen.Frame {
	if f.stale {
		f.paint()
	}
	return f.painted
}

// entered reports whether keys count.
func (f *form) entered() bool { return f.gate.stage == gateOpen }

// attended reports whether the person has entered the form.
func (f *form) attended() bool { return f.begun || f.gate.stage == gateEntered }

// Wants is what the window is to do before the next key.
func (f *form) Wants() tea.Msg {
	wanted := f.wanted
	f.wanted = nil
	return wanted
}

// entry is the half-filled form as it is now.
func (f *form) entry() questions.Entry { return f.state.entry() }

// edited is the plan as the person edited it, if that goes with an outcome.
func (f *form) edited(o questions.Outcome) safe.Text {
	if f.review == nil || o.State != questions.Answered {
		return safe.Text{}
	}
	return f.review.edited()
}

// Update takes one message, draws what came of it, and returns what is to be
// done: rendering that the drawing missed, and what the holder is told.
func (f *form) Update(msg tea.Msg) tea.Cmd {
	f.hands(msg)
	before := f.state.focused()
	cmd := f.take(msg)
	f.letIn(before)
	cmds := []tea.Cmd{cmd}
	if f.state.changes != f.told {
		f.told = f.state.changes
		cmds = append(cmds, screen.Send(entryChanged{AskID: f.in.Ask.ID, Entry: f.entry()}))
	}
	if f.width > 0 && f.look != nil {
		f.paint()
		cmds = append(cmds, f.docs.work())
		if f.review != nil {
			cmds = append(cmds, f.review.work())
		}
	}
	return tea.Batch(cmds...)
}

func (f *form) take(msg tea.Msg) tea.Cmd {
	if isInput(msg) {
		return f.takeInput(msg)
	}
	switch msg := msg.(type) {
	case gatePaused:
		f.gate.paused(msg)
		f.begun = f.begun || f.entered()
	case docRendered:
		f.docs.take(msg)
	case docLate:
		f.docs.overdue(msg)
	case screen.ThemeKept:
		f.say(toneGood, "%s", msg.Notice)
	case editorReady:
		return f.runEditor(msg)
	case editorDone:
		f.takeEdited(msg)
	case leftGone:
		f.takeLeftGone(msg)
	case unsentSaved:
		f.takeUnsentSaved(msg)
	default:
		f.takeNews(msg)
		if f.review != nil {
			return f.review.take(msg)
		}
	}
	return nil
}

// takeInput takes what the person does, once the gate lets it through.
func (f *form) takeInput(msg tea.Msg) tea.Cmd {
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
		return f.takePaste(msg.Content)
	case tea.MouseClickMsg:
		return f.takeClick(msg)
	case tea.MouseMotionMsg:
		f.dragBorder(msg)
	case tea.MouseReleaseMsg:
		return f.dropBorder()
	case tea.MouseWheelMsg:
		f.takeWheel(msg)
	}
	return pause
}

// takeNews takes what the holder says.
func (f *form) takeNews(msg tea.Msg) {
	switch msg := msg.(type) {
	case settled:
		if msg.AskID == f.in.Ask.ID {
			f.takeSettled(msg)
		}
	case agentWaiting:
		if msg.AskID == f.in.Ask.ID {
			f.left = f.left || f.waits && !msg.Waits
			f.left = f.left && !msg.Waits
			f.waits = msg.Waits
		}
	case earlierFound:
		if msg.AskID == f.in.Ask.ID {
			f.lately = msg.Earlier
		}
	case ask.Beside:
		f.in.Beside.others = msg.Others
	case queueChanged:
		f.in.QueueAt, f.in.QueueOf = msg.At, msg.Of
	case entrySaved:
		if msg.AskID == f.in.Ask.ID {
			f.takeSaved(msg.Err)
		}
	case leaveFailed:
		if msg.Asked.AskID == f.in.Ask.ID {
			f.leaveFailed(msg.Asked, msg.Err)
		}
	case askChanged:
		if msg.Ask.ID == f.in.Ask.ID {
			f.takeChanged(msg)
		}
	}
}

func (f *form) takeSettled(msg settled) {
	again := f.again
	f.again = false
	if f.stage != sending && !again && !tooLateToKeep(msg.Err) {
		return
	}
	if msg.Err != nil {
		tooLate := new(questions.SettledError)
		f.onRecord = errors.As(msg.Err, &tooLate)
		f.stage = filling
		f.failed(msg.Err, again)
		return
	}
	f.stage = over
	f.in.Ask.Outcome = msg.Ask.Outcome
	f.dialog = f.sentDialog()
}

func (f *form) takeSaved(err error) {
	f.trouble = ""
	if err == nil {
		return
	}
	f.trouble = safe.New(err.Error()).Line()
	if f.leavesOnceSaved() != nil {
		f.unsent.dialog.says = leaveFailedWords(err)
	}
}

// takeChanged follows an ask that was settled, withdrawn or expired elsewhere.
func (f *form) takeChanged(msg askChanged) {
	f.in.Ask.Outcome = msg.Ask.Outcome
	if f.state.readOnly {
		f.state.load(f.in.Ask.Spec.EntryFrom(msg.Ask.Outcome.Reply))
		f.told = f.state.changes
		return
	}
	if !msg.Ask.Outcome.State.Final() || f.stage == over {
		return
	}
	f.stage, f.sheet, f.summary = over, nil, nil
	f.dialog = f.takenDialog()
	f.gate.shut()
}

// say puts a line where the keys of the moment are, until the next key.
func (f *form) say(t tone, format string, args ...any) {
	f.status, f.statusTone = fmt.Sprintf(format, args...), t
}
