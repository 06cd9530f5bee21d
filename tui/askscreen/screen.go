package askscreen

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/tui/ask"
	"planb/tui/form"
	"planb/tui/keymap"
	reviewing "planb/tui/review"
	"planb/tui/screen"
	"planb/tui/wording"
)

// entryPause is how long a change waits for the next before it is saved.
const entryPause = 250 * time.Millisecond

// Options say what a Screen shows.
type Options struct {
	ID       string           // the long id of the first ask; empty: whatever the place's queue has first
	Place    string           // whose queue to serve; empty: none
	ReadOnly bool             // show the ask without answering it
	ByItself bool             // the first form comes up by itself, as later ones always do
	Quiet    bool             // no receipt is printed at the end
	By       string           // who answers, user@host
	Now      func() time.Time // nil means time.Now
	// Command is how this program is called again; empty means "planb".
	Command string
	Environ []string // for the person's editor
	Keys    keymap.Keys
	Panel   int // percent of a form for its illustrations; 0: the form decides
	// Mistakes are what is wrong with the person's settings.
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
	phaseOver                  // nothing more to show
)

// Screen shows one form at a time. It loads what the form shows, saves its entry,
// writes its outcome, and goes on to what else waits at its place.
type Screen struct {
	ask.State
	host    *ask.Host
	options Options

	phase  phase
	form   *form.Form
	review *reviewing.Body // what the form is about; nil for questions
	at, of int             // the ask's place in the queue; zero hides it

	bell     *screen.Bell
	glancing bool // a look at the store is under way
	again    bool // and another is wanted after it

	saving bool // a save is scheduled or under way
	tries  int  // to write an outcome

	lastInput time.Time // at a form that ended, or when it did

	tooLate bool   // what was entered is not kept: the person is asked what to do with it
	news    string // what to say on the next form
	rang    string // the ask the bell was rung for last

	receipt string
	parting []string // lines to print when the program has ended
	lost    []string // the same, of what nothing else keeps
	failure error    // why it ended, if not because all was done

	look          *screen.Look
	width, height int
}

// New shows what the options name, out of a store.
func New(s Store, o Options) *Screen {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Command == "" {
		o.Command = "planb"
	}
	host := ask.NewHost(s, ask.Options{ID: o.ID, Place: o.Place, ReadOnly: o.ReadOnly, By: o.By})
	return &Screen{host: host, bell: screen.NewBell(s), options: o}
}

// Init loads the first form.
func (h *Screen) Init() tea.Cmd {
	return tea.Batch(h.start(), h.bell.Start(), h.glanceSoon())
}

// Resize passes the size on to the form.
func (h *Screen) Resize(width, height int) {
	h.width, h.height = width, height
	if h.form != nil {
		h.form.Resize(width, height)
	}
}

// Retheme passes the look on to the form.
func (h *Screen) Retheme(l *screen.Look) {
	h.look = l
	if h.form != nil {
		h.form.Retheme(l)
	}
}

// Receipt is the line that says what was settled here; it is empty if nothing was.
func (h *Screen) Receipt() string { return h.receipt }

// Failure is why the screen ended, if not because all was done.
func (h *Screen) Failure() error { return h.failure }

// Opened reports whether there is, or was, a form to see.
func (h *Screen) Opened() bool { return h.form != nil }

// View draws the form; before there is one, nothing.
func (h *Screen) View() screen.Frame {
	if h.form == nil {
		return screen.Frame{Title: "planb"}
	}
	return h.form.View()
}

// Entered reports whether keys count.
func (h *Screen) Entered() bool { return h.form == nil || h.form.Entered() }

// Wants is what the form wants.
func (h *Screen) Wants() tea.Msg {
	if h.form == nil {
		return nil
	}
	return h.form.Wants()
}

// Update hands input to the form, and does what the form asks for.
func (h *Screen) Update(msg tea.Msg) tea.Cmd {
	if own, ok := msg.(interface{ source() *ask.Host }); ok && own.source() != h.host {
		return nil
	}
	switch msg := msg.(type) {
	case askOpened:
		return h.take(msg)
	case askReread:
		return h.retake(msg)
	case askFollowed:
		return h.followed(msg)
	case form.EntryChanged:
		return h.entryChanged(msg.AskID)
	case entryDue:
		return h.saveEntry(msg.id)
	case form.EntryDone:
		return h.saveEntry(msg.AskID)
	case entryStored:
		return h.entryStored(msg)
	case form.SettleRequested:
		return h.settle(msg)
	case settleDone:
		return h.settleDone(msg)
	case settleDue:
		return h.resettle(msg)
	case keptLate:
		return h.keptLate(msg)
	case form.LaterRequested:
		return h.later(msg)
	case leftWithEntry:
		return h.left(msg)
	case ask.Beside:
		h.options.Beside.Others = msg.Others
		return h.toForm(form.BesideChanged{Others: msg.Others})
	case screen.Hung, screen.Rang:
		return h.bell.Heard(msg, h.glance)
	case glanceDue:
		return tea.Batch(h.glance(), h.glanceSoon())
	case glanced:
		return h.glanced(msg)
	case askRecalled:
		return h.remember(msg)
	case form.EditorReady:
		// While the editor has the terminal, the program's loop stands still.
		return tea.Batch(h.saveEntry(h.Ask.ID), h.toForm(msg))
	}
	return h.toForm(msg)
}

// toForm hands a message to the form.
func (h *Screen) toForm(msg tea.Msg) tea.Cmd {
	if h.form == nil || h.phase == phaseMoving || h.phase == phaseOver {
		return h.withoutForm(msg)
	}
	if screen.IsInput(msg) {
		h.lastInput = h.options.Now()
	}
	cmd := h.form.Update(msg)
	if h.Next() != "" && h.phase == phaseOpen && !h.form.IsSending() { // else what is sent comes next
		return tea.Batch(cmd, h.follow())
	}
	return cmd
}

// withoutForm lets a person who opened this screen leave while there is no form yet.
func (h *Screen) withoutForm(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && h.form == nil && !h.options.ByItself {
		switch key.String() {
		case "ctrl+c", "esc":
			return h.end()
		}
	}
	return nil
}

// take shows the form that was loaded, or ends if there is none.
func (h *Screen) take(msg askOpened) tea.Cmd {
	if msg.err != nil {
		h.failure = msg.err
	}
	if msg.err != nil || msg.None {
		return h.end()
	}
	h.Show(msg.Opened)
	h.tooLate = false
	h.phase = phaseOpen

	input := inputOf(msg.Input)
	input.Left = msg.left
	input.Now, input.Environ, input.Keys, input.Mistakes = h.options.Now, h.options.Environ, h.options.Keys, h.options.Mistakes
	input.Panel = h.options.Panel
	input.Unasked = h.comesByItself(input)
	h.at, h.of = h.Queued(msg.Waiting)
	input.QueueAt, input.QueueOf = h.at, h.of
	input.Serving = h.options.Place != ""
	input.Beside, input.Titled = h.options.Beside.Others, h.options.Beside.Titled
	var found string
	if h.Ask.ID == h.options.ID {
		input.Question, found = h.options.Question, h.options.Found
	}
	was := h.form
	h.form = form.New(input, h.about(msg.Plan, found))
	if was != nil {
		h.form.Follow(was)
	}
	h.Begin(h.form.Entry())
	if h.news != "" {
		h.form.Say(form.ToneWarn, "%s", h.news)
		h.news = ""
	}
	if msg.Unopened != nil {
		h.form.Say(form.ToneBad, "%s", wording.Sentence(msg.Unopened))
	}
	h.sayOthers(msg.Others)
	h.form.Retheme(h.look)
	if h.width > 0 {
		h.form.Resize(h.width, h.height)
	}
	return tea.Batch(h.form.Init(), h.markShown(), h.ring(input.Unasked),
		h.recalled(msg.Recalling))
}

// InputOf is what a form needs of an ask that was opened.
func inputOf(in ask.Input) form.Input {
	return form.Input{
		Ask: in.Ask, Session: in.Session, Entry: in.Entry, Carried: in.Carried, CarriedFrom: in.CarriedFrom,
		EarlierForm: in.EarlierForm, EarlierAnswers: in.EarlierAnswers, ReadOnly: in.ReadOnly, AgentWaits: in.AgentWaits,
	}
}

// about makes what a form is about: the plan, or else the ask's questions.
func (h *Screen) about(plan *review.Subject, found string) func(form.Host) form.Body {
	h.review = nil
	if plan == nil {
		return nil
	}
	return func(form form.Host) form.Body {
		h.review = reviewing.NewBody(form, reviewing.Input{Subject: *plan, Found: found})
		return h.review
	}
}

// comesByItself reports whether the form comes up without the person having asked for it.
// A form that is read again stays entered, or not, as it was.
func (h *Screen) comesByItself(input form.Input) bool {
	if h.form != nil && h.form.Input().Ask.ID == input.Ask.ID {
		return !input.ReadOnly && !h.form.Entered()
	}
	return !input.ReadOnly && (h.options.ByItself || h.Unasked())
}

// ring rings for a form that came up unasked, unless the person has just been
// at the one before it.
func (h *Screen) ring(unasked bool) tea.Cmd {
	if !h.options.Bell || !unasked || h.Attended() || h.rang == h.Ask.ID {
		return nil
	}
	h.rang = h.Ask.ID // the same form may be taken up again
	return tea.Raw(screen.BEL)
}

// unsaved reports whether the form holds what the store does not.
func (h *Screen) unsaved() bool {
	return h.form != nil && h.Unsaved(h.form.Entry())
}

func (h *Screen) entryChanged(id string) tea.Cmd {
	if id != h.Ask.ID || !h.Answerable() || h.saving {
		return nil
	}
	h.saving = true
	return h.entrySoon(entryPause)
}

// SaveEntry saves what the form holds now, not what it held when it asked, because
// messages of commands may overtake one another.
func (h *Screen) saveEntry(id string) tea.Cmd {
	if id != h.Ask.ID || h.phase != phaseOpen || !h.unsaved() {
		h.saving = false
		return nil
	}
	return h.storeEntry()
}

func (h *Screen) entryStored(msg entryStored) tea.Cmd {
	h.saving = false
	if msg.id != h.Ask.ID || h.form == nil {
		return nil
	}
	if won := new(questions.SettledError); errors.As(msg.err, &won) {
		return h.glance() // which finds out what came of it
	}
	pause := ask.RetryPause
	if msg.err == nil {
		h.Saved(msg.entry)
		pause = entryPause
	}
	cmd := h.form.Update(form.EntrySaved{AskID: msg.id, Err: msg.err})
	if asked := h.form.LeavesOnceSaved(); asked != nil && msg.err == nil && h.phase == phaseOpen {
		return tea.Batch(cmd, h.later(*asked))
	}
	if h.phase != phaseOpen || !h.unsaved() {
		return cmd
	}
	h.saving = true
	return tea.Batch(cmd, h.entrySoon(pause))
}

func (h *Screen) settle(msg form.SettleRequested) tea.Cmd {
	if msg.AskID != h.Ask.ID || h.phase != phaseOpen {
		return nil
	}
	if h.Next() != "" {
		h.Decided()
		return h.follow()
	}
	h.phase = phaseSettling
	h.tries++
	outcome := msg.Outcome
	outcome.By = h.options.By
	outcome.At = h.options.Now()
	return h.writeOutcome(outcome, h.form.Edited(outcome))
}

// settleDone goes on after a success. After a failure the form stays with everything in
// it. If another outcome came first, the form says so.
func (h *Screen) settleDone(msg settleDone) tea.Cmd {
	if msg.id != h.Ask.ID || h.phase != phaseSettling {
		return nil
	}
	result := h.Done(msg.ask, msg.err)
	if result == ask.Replaced {
		h.phase = phaseOpen
		return h.follow()
	}
	told := h.form.Update(form.Settled{AskID: msg.id, Ask: h.Ask, Err: msg.err})
	switch result {
	case ask.TooLate:
		h.phase = phaseOpen
		return tea.Batch(told, h.overtaken())
	case ask.Failed:
		h.phase = phaseOpen
		return tea.Batch(told, h.unsettled(msg))
	}
	h.receipt = wording.Receipt(h.Ask, h.Session, h.Waits, h.Settled)
	return tea.Batch(told, h.move())
}

// glance reads what may have changed about the open ask, one look at a time.
func (h *Screen) glance() tea.Cmd {
	if h.phase != phaseOpen {
		return nil
	}
	if h.glancing {
		h.again = true
		return nil
	}
	h.glancing = true
	return h.lookAtStore()
}

// glanced tells the form what changed. It passes over a look that failed: the next one
// comes within a second, and a store that is really broken fails the next write, too.
func (h *Screen) glanced(msg glanced) tea.Cmd {
	h.glancing = false
	var cmds []tea.Cmd
	if h.again {
		h.again = false
		cmds = append(cmds, h.glance())
	}
	if msg.err != nil || msg.Ask.ID != h.Ask.ID || h.phase != phaseOpen {
		return tea.Batch(cmds...)
	}
	if h.form.Lent() { // what the editor saves comes first, and belongs to this form
		return tea.Batch(cmds...)
	}
	news := h.Glanced(msg.Seen)
	if news.Replaced {
		return tea.Batch(append(cmds, h.follow())...)
	}
	if news.Outcome {
		cmds = append(cmds, h.overtaken())
	} else if h.overIsInTheWay(msg.Waiting) {
		cmds = append(cmds, h.goOn())
	}
	if h.phase != phaseOpen {
		return tea.Batch(cmds...)
	}
	if h.Answerable() && msg.Others != h.Others {
		h.sayOthers(msg.Others)
		cmds = append(cmds, h.form.Update(screen.Relaid{}))
		if !h.Others && !h.touched() {
			cmds = append(cmds, h.reread(h.Ask.ID))
		}
	}
	if news.Waits {
		cmds = append(cmds, h.form.Update(form.AgentWaiting{AskID: h.Ask.ID, Waits: h.Waits}))
	}
	if h.review != nil && h.Answerable() && msg.Newer.Number != h.review.Newer().Number {
		cmds = append(cmds, h.form.Update(reviewing.Written{AskID: h.Ask.ID, Newer: msg.Newer}))
	}
	if at, of := h.Queued(msg.Waiting); at != h.at || of != h.of {
		h.at, h.of = at, of
		cmds = append(cmds, h.form.Update(form.QueueChanged{At: at, Of: of}))
	}
	return tea.Batch(cmds...)
}
