package tui

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

// Rhythm of an open form.
const (
	// entryPause is how long a change waits for the next before it is saved.
	entryPause = 250 * time.Millisecond
)

// askPlan is what an askScreen is to show.
type askPlan struct {
	id       string // first; empty: whatever the place's queue has first
	place    string // whose queue to serve; empty: none
	read     bool   // show it without answering it
	byItself bool   // the first form comes up by itself, as later ones always do
	quiet    bool   // no receipt is printed at the end
	by       string
	now      func() time.Time
	// command is how this program is called again; empty means "planb".
	command string
	environ []string // for the person's editor
	keys    keymap.Keys
	// mistakes are what is wrong with the person's settings.
	mistakes []string
	beside   beside
	// terminalDied reports that the terminal died with all its panes; it may be nil.
	terminalDied func() bool
	bell         bool // rings when a form comes up unasked
	// question is the id of the question that has the focus when the first form opens. If
	// it is empty or unknown, the form decides.
	question string
	// found is a text that was searched for. In a review the cursor opens on the comment
	// that has it.
	found string
}

// beside is what waits elsewhere while a form is open.
type beside struct {
	others int
	titled bool // the window's title says so, too
}

// phase is where an askScreen stands with the ask it holds.
type phase uint8

const (
	phaseOpening  phase = iota // nothing to see yet
	phaseOpen                  // the form is up
	phaseSettling              // an outcome is being written
	phaseMoving                // done with this one; the next is being looked for
	phaseOver                  // nothing more to show
)

// askScreen shows one form at a time. It loads what the form shows, saves its entry,
// writes its outcome, and goes on to what else waits at its place.
type askScreen struct {
	ask.State
	host *ask.Host
	plan askPlan

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

func newAskScreen(s AskStore, plan askPlan) *askScreen {
	if plan.now == nil {
		plan.now = time.Now
	}
	if plan.command == "" {
		plan.command = "planb"
	}
	host := ask.NewHost(s, ask.Options{ID: plan.id, Place: plan.place, ReadOnly: plan.read, By: plan.by})
	return &askScreen{host: host, bell: screen.NewBell(s), plan: plan}
}

// Init loads the first form.
func (h *askScreen) Init() tea.Cmd {
	return tea.Batch(h.start(), h.bell.Start(), h.glanceSoon())
}

// Resize passes the size on to the form.
func (h *askScreen) Resize(width, height int) {
	h.width, h.height = width, height
	if h.form != nil {
		h.form.Resize(width, height)
	}
}

// Retheme passes the look on to the form.
func (h *askScreen) Retheme(l *screen.Look) {
	h.look = l
	if h.form != nil {
		h.form.Retheme(l)
	}
}

// Opened reports whether there is, or was, a form to see.
func (h *askScreen) Opened() bool { return h.form != nil }

// View draws the form; before there is one, nothing.
func (h *askScreen) View() screen.Frame {
	if h.form == nil {
		return screen.Frame{Title: "planb"}
	}
	return h.form.View()
}

// Entered reports whether keys count.
func (h *askScreen) Entered() bool { return h.form == nil || h.form.Entered() }

// Wants is what the form wants.
func (h *askScreen) Wants() tea.Msg {
	if h.form == nil {
		return nil
	}
	return h.form.Wants()
}

// Update hands input to the form, and does what the form asks for.
func (h *askScreen) Update(msg tea.Msg) tea.Cmd {
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
		h.plan.beside.others = msg.Others
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
func (h *askScreen) toForm(msg tea.Msg) tea.Cmd {
	if h.form == nil || h.phase == phaseMoving || h.phase == phaseOver {
		return h.withoutForm(msg)
	}
	if screen.IsInput(msg) {
		h.lastInput = h.plan.now()
	}
	cmd := h.form.Update(msg)
	if h.Next() != "" && h.phase == phaseOpen && !h.form.IsSending() { // else what is sent comes next
		return tea.Batch(cmd, h.follow())
	}
	return cmd
}

// withoutForm lets a person who opened this screen leave while there is no form yet.
func (h *askScreen) withoutForm(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && h.form == nil && !h.plan.byItself {
		switch key.String() {
		case "ctrl+c", "esc":
			return h.end()
		}
	}
	return nil
}

// take shows the form that was loaded, or ends if there is none.
func (h *askScreen) take(msg askOpened) tea.Cmd {
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
	input.Now, input.Environ, input.Keys, input.Mistakes = h.plan.now, h.plan.environ, h.plan.keys, h.plan.mistakes
	input.Unasked = h.comesByItself(input)
	h.at, h.of = h.Queued(msg.Waiting)
	input.QueueAt, input.QueueOf = h.at, h.of
	input.Serving = h.plan.place != ""
	input.Beside, input.Titled = h.plan.beside.others, h.plan.beside.titled
	var found string
	if h.Ask.ID == h.plan.id {
		input.Question, found = h.plan.question, h.plan.found
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
		Prior: in.Prior, Earlier: in.Earlier, ReadOnly: in.ReadOnly, AgentWaits: in.AgentWaits,
	}
}

// about makes what a form is about: the plan, or else the ask's questions.
func (h *askScreen) about(plan *review.Subject, found string) func(form.Host) form.Body {
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
func (h *askScreen) comesByItself(input form.Input) bool {
	if h.form != nil && h.form.Input().Ask.ID == input.Ask.ID {
		return !input.ReadOnly && !h.form.Entered()
	}
	return !input.ReadOnly && (h.plan.byItself || h.Unasked())
}

// ring rings for a form that came up unasked, unless the person has just been
// at the one before it.
func (h *askScreen) ring(unasked bool) tea.Cmd {
	if !h.plan.bell || !unasked || h.Attended() || h.rang == h.Ask.ID {
		return nil
	}
	h.rang = h.Ask.ID // the same form may be taken up again
	return tea.Raw(screen.BEL)
}

// unsaved reports whether the form holds what the store does not.
func (h *askScreen) unsaved() bool {
	return h.form != nil && h.Unsaved(h.form.Entry())
}

func (h *askScreen) entryChanged(id string) tea.Cmd {
	if id != h.Ask.ID || !h.Answerable() || h.saving {
		return nil
	}
	h.saving = true
	return h.entrySoon(entryPause)
}

// SaveEntry saves what the form holds now, not what it held when it asked, because
// messages of commands may overtake one another.
func (h *askScreen) saveEntry(id string) tea.Cmd {
	if id != h.Ask.ID || h.phase != phaseOpen || !h.unsaved() {
		h.saving = false
		return nil
	}
	return h.storeEntry()
}

func (h *askScreen) entryStored(msg entryStored) tea.Cmd {
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

func (h *askScreen) settle(msg form.SettleRequested) tea.Cmd {
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
	outcome.By = h.plan.by
	outcome.At = h.plan.now()
	return h.writeOutcome(outcome, h.form.Edited(outcome))
}

// settleDone goes on after a success. After a failure the form stays with everything in
// it. If another outcome came first, the form says so.
func (h *askScreen) settleDone(msg settleDone) tea.Cmd {
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
func (h *askScreen) glance() tea.Cmd {
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
func (h *askScreen) glanced(msg glanced) tea.Cmd {
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
