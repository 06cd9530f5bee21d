package askscreen

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/markdown"
	reviewing "planb/tui/review"
	"planb/tui/screen"
	"planb/tui/wording"
)

// entryPause is how soon after a change the entry is saved, with all changes made
// meanwhile. A later change does not put that off.
const entryPause = 250 * time.Millisecond

// Options say what a Screen shows.
type Options struct {
	ID       string           // the long id of the first ask; empty for the first in the place's queue
	Place    string           // the place whose queue to serve; empty for none
	ReadOnly bool             // show the ask without answering it
	ByItself bool             // the first form comes up by itself, as later ones always do
	Quiet    bool             // no receipt is printed at the end
	Told     bool             // the screen below tells how this one ended: nothing is printed
	By       string           // who answers, user@host
	Now      func() time.Time // nil for time.Now
	// Command is how this program is called again; empty for "planb".
	Command string
	Environ []string // for the person's editor
	Keys    keymap.Keys
	Panel   int // percent of a form for its illustrations; 0 lets the form decide
	// Mistakes say what is wrong with the person's settings.
	Mistakes []string
	Beside   Beside
	// TerminalDied reports that the terminal died with all its panes; it may be nil.
	TerminalDied func() bool
	Bell         bool // rings when a form comes up unasked
	// Question is the id of the question that has the focus when the first form opens. If
	// it is empty or unknown, the form decides.
	Question string
	// Found is a text that was searched for. In a review the cursor opens on the comment
	// that has it.
	Found string
}

// Beside is what waits elsewhere while a form is open.
type Beside struct {
	Others int
	Titled bool // the window's title says so, too
}

// phase is where a Screen stands with the ask it holds.
type phase uint8

const (
	phaseOpening  phase = iota // nothing to see yet
	phaseOpen                  // the form is up
	phaseSettling              // an outcome is being written
	phaseMoving                // done with this one; the next is being looked for
	phaseKeeping               // the same, once what was entered is on this one's record
	phaseOver                  // nothing more to show
)

// Screen shows one form at a time. It loads what the form shows, saves its entry,
// writes its outcome, and goes on to what else waits at its place.
type Screen struct {
	host    *ask.Host
	state   ask.State
	options Options

	phase  phase
	form   *form.Form
	review *reviewing.Body // what the form is about; nil for questions
	at, of int             // the ask's place in the queue; zero hides it

	bell     *screen.Bell
	glancing bool // a look at the store is under way
	again    bool // another look is wanted after it

	saving bool // a save is scheduled or under way
	tries  int  // to write an outcome

	lastInput time.Time // the last key at the form, or when the form ended

	tooLate bool   // the ask keeps no more replies: the person decides what to do with the entry
	news    string // what the next form says when it comes up
	rang    string // the id of the ask that the bell rang for last

	receipt string
	parting []string // lines to print when the program has ended
	lost    []string // such lines with entries that are kept nowhere else
	failure error    // why the screen ended; nil if all was done

	look          *screen.Look
	width, height int
}

// New shows what the options name, out of a store.
func New(from Store, o Options) *Screen {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Command == "" {
		o.Command = "planb"
	}
	host := ask.NewHost(from, ask.Options{ID: o.ID, Place: o.Place, ReadOnly: o.ReadOnly, By: o.By})
	return &Screen{host: host, bell: screen.NewBell(from), options: o}
}

// Init loads the first form.
func (s *Screen) Init() tea.Cmd {
	return tea.Batch(s.start(), s.bell.Start(), s.glanceSoon())
}

// Resize passes the size on to the form.
func (s *Screen) Resize(width, height int) {
	s.width, s.height = width, height
	if s.form != nil {
		s.form.Resize(width, height)
	}
}

// Retheme passes the look on to the form.
func (s *Screen) Retheme(l *screen.Look) {
	s.look = l
	if s.form != nil {
		s.form.Retheme(l)
	}
}

// Shown returns the ask that was shown first, or the one that took its place, and how many
// asks were settled here.
func (s *Screen) Shown() (first store.Ask, settled int) { return s.state.First, s.state.Settled }

// Receipt returns the line that says what was settled here. It is empty if nothing was.
func (s *Screen) Receipt() string { return s.receipt }

// Failure returns why the screen ended; nil if all was done.
func (s *Screen) Failure() error { return s.failure }

// Opened reports whether there is, or was, a form to see.
func (s *Screen) Opened() bool { return s.form != nil }

// View draws the form. Before there is one, the frame is empty.
func (s *Screen) View() screen.Frame {
	if s.form == nil {
		return screen.Frame{Title: "planb"}
	}
	return s.form.View()
}

// Entered reports whether keys count.
func (s *Screen) Entered() bool { return s.form == nil || s.form.Entered() }

// Wants returns what the form wants.
func (s *Screen) Wants() tea.Msg {
	if s.form == nil {
		return nil
	}
	return s.form.Wants()
}

// Update hands input to the form, and does what the form asks for.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if own, ok := msg.(interface{ source() *ask.Host }); ok && own.source() != s.host {
		return nil
	}
	switch msg := msg.(type) {
	case askOpened:
		return s.show(msg)
	case askReread:
		return s.showReread(msg)
	case askFollowed:
		return s.followed(msg)
	case form.EntryChanged:
		return s.entryChanged(msg.AskID)
	case entryDue:
		return s.saveEntry(msg.id)
	case form.EntryDone:
		return s.saveEntry(msg.AskID)
	case entryStored:
		return s.entryStored(msg)
	case form.SettleRequested:
		return s.settle(msg)
	case settleDone:
		return s.settleDone(msg)
	case settleDue:
		return s.resettle(msg)
	case keptLate:
		return s.keptLate(msg)
	case form.LaterRequested:
		return s.later(msg)
	case leftWithEntry:
		return s.left(msg)
	case ask.Beside:
		s.options.Beside.Others = msg.Others
		return s.toForm(form.BesideChanged{Others: msg.Others})
	case screen.Hung, screen.Rang:
		return s.bell.Heard(msg, s.glance)
	case glanceDue:
		return tea.Batch(s.glance(), s.glanceSoon())
	case glanced:
		return s.glanced(msg)
	case askRecalled:
		return s.remember(msg)
	case form.EditorReady:
		// While the editor has the terminal, the program's loop stands still.
		return tea.Batch(s.saveEntry(s.state.Ask.ID), s.toForm(msg))
	}
	return s.toForm(msg)
}

// toForm hands a message to the form.
func (s *Screen) toForm(msg tea.Msg) tea.Cmd {
	if s.form == nil || s.phase >= phaseMoving {
		return s.withoutForm(msg)
	}
	if screen.IsInput(msg) {
		s.lastInput = s.options.Now()
	}
	cmd := s.form.Update(msg)
	if s.state.Next() != "" && s.phase == phaseOpen && !s.form.IsSending() { // else what is sent comes next
		return tea.Batch(cmd, s.follow())
	}
	return cmd
}

// withoutForm lets a person who opened this screen leave while there is no form yet.
func (s *Screen) withoutForm(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && s.form == nil && !s.options.ByItself {
		switch key.String() {
		case "ctrl+c", "esc":
			return s.end()
		}
	}
	return nil
}

// show shows the form that was loaded, or ends if there is none.
func (s *Screen) show(msg askOpened) tea.Cmd {
	if msg.err != nil {
		s.failure = msg.err
	}
	if msg.err != nil || msg.None {
		return s.end()
	}
	s.state.Show(msg.Opened)
	s.tooLate = false
	s.phase = phaseOpen

	input := inputOf(msg.Input)
	input.Left = msg.left
	input.Now, input.Environ, input.Keys, input.Mistakes = s.options.Now, s.options.Environ, s.options.Keys, s.options.Mistakes
	input.Panel = s.options.Panel
	input.Unasked = s.comesByItself(input)
	s.at, s.of = s.state.Queued(msg.Waiting)
	input.QueueAt, input.QueueOf = s.at, s.of
	input.Serving = s.options.Place != ""
	input.Beside, input.Titled = s.options.Beside.Others, s.options.Beside.Titled
	var found string
	if s.state.Ask.ID == s.options.ID {
		input.Question, found = s.options.Question, s.options.Found
	}
	before := s.form
	s.form = form.New(input, s.about(msg.Input, found))
	if before != nil {
		s.form.Follow(before)
	}
	s.host.Took(s.state.Ask.ID, msg.Kept)
	s.state.Begin(s.form.Entry())
	if s.news != "" {
		s.form.Say(screen.ToneWarn, "%s", s.news)
		s.news = ""
	}
	if msg.Unopened != nil {
		s.form.Say(screen.ToneBad, "%s", wording.Sentence(msg.Unopened))
	}
	s.sayOthers(msg.Others)
	s.form.Retheme(s.look)
	if s.width > 0 {
		s.form.Resize(s.width, s.height)
	}
	return tea.Batch(s.form.Init(), s.markShown(), s.ring(input.Unasked),
		s.recalled(msg.Recalling))
}

// inputOf returns what a form needs of an ask that was opened.
func inputOf(in ask.Input) form.Input {
	return form.Input{
		Ask: in.Ask, Session: in.Session, Entry: in.Entry, Carried: in.Carried, CarriedFrom: in.CarriedFrom, Begun: in.Begun,
		EarlierForm: in.EarlierForm, EarlierAnswers: in.EarlierAnswers, ReadOnly: in.ReadOnly, AgentWaits: in.AgentWaits,
	}
}

// about makes what a form is about: the plan, or else the ask's questions.
func (s *Screen) about(in ask.Input, found string) func(form.Host) form.Body {
	s.review = nil
	if in.Plan == nil {
		return nil
	}
	return func(form form.Host) form.Body {
		s.review = reviewing.NewBody(form, reviewing.Input{Subject: *in.Plan, Cited: markdown.NewCited(wording.Citations(in.Cited)), Found: found})
		return s.review
	}
}

// comesByItself reports whether the form comes up without the person having asked for it.
// A form that is read again does so if the person had not entered it.
func (s *Screen) comesByItself(input form.Input) bool {
	if s.form != nil && s.form.Input().Ask.ID == input.Ask.ID {
		return !input.ReadOnly && !s.form.Entered()
	}
	return !input.ReadOnly && (s.options.ByItself || s.state.Unasked())
}

// ring rings for a form that came up unasked, unless the person has just used the form
// before it.
func (s *Screen) ring(unasked bool) tea.Cmd {
	if !s.options.Bell || !unasked || s.state.Attended() || s.rang == s.state.Ask.ID {
		return nil
	}
	s.rang = s.state.Ask.ID // the same form may be taken up again
	return tea.Raw(screen.BEL)
}

// unsaved reports whether the form's entry differs from the stored one.
func (s *Screen) unsaved() bool {
	return s.form != nil && s.state.Unsaved(s.form.Entry())
}

func (s *Screen) entryChanged(id string) tea.Cmd {
	if id != s.state.Ask.ID || !s.state.Answerable() || s.saving {
		return nil
	}
	s.saving = true
	return s.entrySoon(entryPause)
}

// saveEntry saves the form's entry as it is now, not as it was when the message was
// sent, because messages of commands may overtake one another.
func (s *Screen) saveEntry(id string) tea.Cmd {
	if id != s.state.Ask.ID || s.phase != phaseOpen || !s.unsaved() {
		s.saving = false
		return nil
	}
	return s.storeEntry()
}

func (s *Screen) entryStored(msg entryStored) tea.Cmd {
	s.saving = false
	if msg.id != s.state.Ask.ID || s.form == nil {
		return nil
	}
	if won := new(questions.SettledError); errors.As(msg.err, &won) {
		return s.glance() // which finds out what came of it
	}
	pause := ask.RetryPause
	if msg.err == nil {
		s.state.Saved(msg.entry)
		pause = entryPause
	}
	cmd := s.form.Update(form.EntrySaved{AskID: msg.id, Err: msg.err})
	if asked := s.form.LeavesOnceSaved(); asked != nil && msg.err == nil && s.phase == phaseOpen {
		return tea.Batch(cmd, s.later(*asked))
	}
	if s.phase != phaseOpen || !s.unsaved() {
		return cmd
	}
	s.saving = true
	return tea.Batch(cmd, s.entrySoon(pause))
}

func (s *Screen) settle(msg form.SettleRequested) tea.Cmd {
	if msg.AskID != s.state.Ask.ID || s.phase != phaseOpen {
		return nil
	}
	if s.state.Next() != "" {
		s.state.Decided()
		return s.follow()
	}
	s.phase = phaseSettling
	s.tries++
	outcome := msg.Outcome
	outcome.By = s.options.By
	outcome.At = s.options.Now()
	return s.writeOutcome(outcome, s.form.Edited(outcome))
}

// settleDone goes on after a success. After a failure the form stays with everything in
// it. If another outcome came first, the form says so.
func (s *Screen) settleDone(msg settleDone) tea.Cmd {
	if msg.id != s.state.Ask.ID || s.phase != phaseSettling {
		return nil
	}
	result := s.state.Done(msg.ask, msg.err)
	if result == ask.Replaced {
		s.phase = phaseOpen
		return s.follow()
	}
	told := s.form.Update(form.Settled{AskID: msg.id, Ask: s.state.Ask, Err: msg.err})
	switch result {
	case ask.TooLate:
		s.phase = phaseOpen
		return tea.Batch(told, s.overtaken())
	case ask.Failed:
		s.phase = phaseOpen
		return tea.Batch(told, s.unsettled(msg))
	}
	s.receipt = wording.Receipt(s.state.Ask, s.state.Session, s.state.Waits, s.state.Settled, s.host.Approved())
	return tea.Batch(told, s.move())
}

// glance reads what may have changed about the open ask, one look at a time.
func (s *Screen) glance() tea.Cmd {
	if s.phase != phaseOpen {
		return nil
	}
	if s.glancing {
		s.again = true
		return nil
	}
	s.glancing = true
	return s.lookAtStore()
}

// glanced tells the form what changed. It passes over a look that failed: the next one
// comes within a second, and a store that is really broken fails the next write, too.
func (s *Screen) glanced(msg glanced) tea.Cmd {
	s.glancing = false
	var cmds []tea.Cmd
	if s.again {
		s.again = false
		cmds = append(cmds, s.glance())
	}
	if msg.err != nil || msg.Ask.ID != s.state.Ask.ID || s.phase != phaseOpen {
		return tea.Batch(cmds...)
	}
	if s.form.Lent() { // what the editor saves comes first, and belongs to this form
		return tea.Batch(cmds...)
	}
	news := s.state.Glanced(msg.Seen)
	if news.Replaced {
		return tea.Batch(append(cmds, s.follow())...)
	}
	if news.Outcome {
		cmds = append(cmds, s.overtaken())
	} else if s.overIsInTheWay(msg.Waiting) {
		cmds = append(cmds, s.goOn())
	}
	if s.phase != phaseOpen {
		return tea.Batch(cmds...)
	}
	if s.state.Answerable() && msg.Others != s.state.Others {
		s.sayOthers(msg.Others)
		cmds = append(cmds, s.form.Update(screen.Relaid{}))
	}
	if s.state.Answerable() && s.enteredElsewhere(msg.Entry) {
		cmds = append(cmds, s.reread(s.state.Ask.ID))
	}
	if news.Waits {
		cmds = append(cmds, s.form.Update(form.AgentWaiting{AskID: s.state.Ask.ID, Waits: s.state.Waits}))
	}
	if s.review != nil && s.state.Answerable() && msg.Newer.Number != s.review.Newer().Number {
		cmds = append(cmds, s.form.Update(reviewing.Written{AskID: s.state.Ask.ID, Newer: msg.Newer}))
	}
	if at, of := s.state.Queued(msg.Waiting); at != s.at || of != s.of {
		s.at, s.of = at, of
		cmds = append(cmds, s.form.Update(form.QueueChanged{At: at, Of: of}))
	}
	return tea.Batch(cmds...)
}
