package tui

import (
	"errors"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/store"
	"planb/tui/ask"
)

// Rhythm of an open form.
const (
	// draftPause is how long a change waits for the next before it is saved.
	draftPause = 250 * time.Millisecond
	// draftRetry is the pause after a save that failed, of a draft or an outcome.
	draftRetry = 2 * time.Second
	// glancePause is how often an open form looks whether its agent still
	// waits: an agent that was killed changes nothing in the store.
	glancePause = time.Second
)

// askPlan is what an askScreen is to show.
type askPlan struct {
	id    string // first; empty: whatever the place's queue has first
	place string // whose queue to serve; empty: none
	read  bool   // show it without answering it
	grace bool   // for the first form; later ones always have it
	quiet bool   // no receipt is printed at the end
	by    string
	now   func() time.Time
	// command is how this program is called again; empty means "planb".
	command string
	environ []string // for the person's editor
	keys    Keys
	// mistakes are what is wrong with the person's settings.
	mistakes []string
	beside   beside
	bell     bool // rings when a form comes up unasked
	// question is the id of the one that has the focus when the first form opens;
	// empty, or unknown: as ever.
	question string
}

// beside is what waits beside a form, other than at its place.
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

// askScreen holds one form at a time and stands between it and the store: it
// loads what the form shows, saves its draft, writes its outcome, and goes on
// to what else waits at its place.
type askScreen struct {
	host *ask.Host
	plan askPlan

	phase   phase
	form    *form
	ask     store.Ask
	session store.Session
	waits   bool // an agent's call waits for this ask
	others  bool // another pane shows it, too
	at, of  int  // its place in the queue; zero hides it

	bell     *bell
	glancing bool // a look at the store is under way
	again    bool // and another is wanted after it
	sawAway  bool // it began when the form said that it is kept elsewhere

	begun     questions.Draft // what the form began with
	saved     questions.Draft // what the store holds, or need not hold
	saving    bool            // a save is scheduled or under way
	away      bool            // the form says that it is kept elsewhere
	tries     int             // to write an outcome
	split     *store.Split    // how the person divided a form here; nil: they did not
	splitting bool            // and that is being remembered, or soon
	tryAgain  bool            // leaving failed because the draft could not be saved; now leave anyway

	next     string // the ask that has taken this one's place, and is to come up
	asked    bool   // a verdict was sent to one whose place was taken
	unasked  bool   // what comes up was not asked for here
	onRecord bool   // what was entered here was submitted, too late
	tooLate  bool   // and not kept: the person is asked what to do with it
	news     string // what to say on the next form
	rang     string // the ask the bell was rung for last

	aside       []string // asks the person put off
	closedHere  int
	settledHere int
	first       store.Ask
	receipt     string
	parting     []string // lines to print when the program has ended
	lost        []string // the same, of what nothing else keeps
	failure     error    // why it ended, if not because all was done

	look          *look
	width, height int

	lookingBack bool // through what older planbs left
}

func newAskScreen(s AskStore, plan askPlan) *askScreen {
	if plan.now == nil {
		plan.now = time.Now
	}
	if plan.command == "" {
		plan.command = "planb"
	}
	host := ask.NewHost(s, ask.Options{ID: plan.id, Place: plan.place, ReadOnly: plan.read, By: plan.by})
	return &askScreen{host: host, bell: newBell(s), plan: plan}
}

// Init loads the first form.
func (h *askScreen) Init() tea.Cmd {
	return tea.Batch(h.start(), h.bell.start(), h.glanceSoon())
}

// Resize passes the size on to the form.
func (h *askScreen) Resize(width, height int) {
	h.width, h.height = width, height
	if h.form != nil {
		h.form.Resize(width, height)
	}
}

// Retheme passes the look on to the form.
func (h *askScreen) Retheme(l *look) {
	h.look = l
	if h.form != nil {
		h.form.Retheme(l)
	}
}

// opened reports whether there is, or was, a form to see.
func (h *askScreen) opened() bool { return h.form != nil }

// View draws the form; before there is one, nothing.
func (h *askScreen) View() frame {
	if h.form == nil {
		return frame{Title: "planb"}
	}
	return h.form.View()
}

// wants is what the form wants.
func (h *askScreen) wants() tea.Msg {
	if h.form == nil {
		return nil
	}
	return h.form.wants()
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
	case draftChanged:
		return h.draftChanged(msg.AskID)
	case draftDue:
		return h.saveDraft(msg.id)
	case draftDone:
		return h.saveDraft(msg.AskID)
	case draftStored:
		return h.draftStored(msg)
	case settleRequested:
		return h.settle(msg)
	case settleDone:
		return h.settleDone(msg)
	case settleDue:
		return h.resettle(msg)
	case keptLate:
		return h.keptLate(msg)
	case laterRequested:
		return h.later(msg.AskID)
	case splitMoved:
		return h.splitMoved()
	case splitDue:
		return h.keepSplit()
	case splitKept:
		return h.splitKept(msg.split)
	case leftWithDraft:
		return h.left(msg)
	case formsBeside:
		h.plan.beside.others = msg.others
	case bellHung, bellRang:
		return h.bell.heard(msg, h.glance)
	case glanceDue:
		return tea.Batch(h.glance(), h.glanceSoon())
	case glanced:
		return h.glanced(msg)
	case askRecalled, lookedBack, lookDue:
		return h.remember(msg)
	case editorReady:
		// While the editor has the terminal, nothing that is due is done.
		return tea.Batch(h.saveDraft(h.ask.ID), h.toForm(msg))
	}
	return h.toForm(msg)
}

// toForm hands a message to the form.
func (h *askScreen) toForm(msg tea.Msg) tea.Cmd {
	if h.form == nil || h.phase == phaseMoving || h.phase == phaseOver {
		return h.withoutForm(msg)
	}
	cmd := h.form.Update(msg)
	if h.next != "" && h.phase == phaseOpen && h.form.stage != sending { // else what is sent comes next
		return tea.Batch(cmd, h.follow(h.next))
	}
	return cmd
}

// withoutForm lets the person leave while there is nothing to answer.
func (h *askScreen) withoutForm(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && h.form == nil {
		switch key.String() {
		case "ctrl+c", "esc":
			return h.end()
		}
	}
	return nil
}

// take puts up the form that was loaded, or ends because there is none.
func (h *askScreen) take(msg askOpened) tea.Cmd {
	h.aside = append(h.aside, msg.Aside...)
	if msg.err != nil {
		h.failure = msg.err
	}
	if msg.err != nil || msg.None {
		return h.end()
	}
	h.ask, h.session, h.waits, h.others = msg.Ask, msg.Session, msg.AgentWaits, false
	if h.first.ID == "" {
		h.first = h.ask
	}
	h.tryAgain, h.onRecord, h.tooLate = false, false, false
	h.phase = phaseOpen

	input := formInput{Input: msg.Input, Left: msg.left}
	input.Now, input.Environ, input.Keys, input.Mistakes = h.plan.now, h.plan.environ, h.plan.keys, h.plan.mistakes
	input.Grace = !input.ReadOnly && (h.plan.grace || h.closedHere > 0 || h.unasked)
	h.unasked = false
	h.at, h.of = h.inQueue(msg.Waiting)
	input.QueueAt, input.QueueOf = h.at, h.of
	input.Beside = h.plan.beside
	moved := h.splitMoved() // of the form before
	if h.split != nil {
		input.Split = *h.split
	}
	if h.ask.ID == h.plan.id {
		input.Question = h.plan.question
	}
	h.form = newForm(input)
	h.begun = h.form.draft()
	h.saved = h.begun
	if h.news != "" {
		h.form.say(toneWarn, "%s", h.news)
		h.news = ""
	}
	h.sayOthers(msg.Others)
	h.form.Retheme(h.look)
	if h.width > 0 {
		h.form.Resize(h.width, h.height)
	}
	return tea.Batch(moved, h.form.Init(), h.markShown(), h.ring(input.Grace),
		h.recalled(input.Recalling), h.beginLook())
}

// ring rings for a form that came up unasked, unless the person has just been
// at the one before it.
func (h *askScreen) ring(unasked bool) tea.Cmd {
	if !h.plan.bell || !unasked || h.settledHere+len(h.aside) > 0 || h.rang == h.ask.ID {
		return nil
	}
	h.rang = h.ask.ID // the same form may be taken up again
	return tea.Raw(bel)
}

// inQueue says which of how many this ask is, given how many still wait here,
// this one included. The only one gets zeros, which show nothing.
func (h *askScreen) inQueue(waiting int) (at, of int) {
	if h.plan.place == "" || h.closedHere+waiting < 2 {
		return 0, 0
	}
	return h.closedHere + 1, h.closedHere + max(waiting, 1)
}

// answerable reports whether what is entered here can still become an answer.
func (h *askScreen) answerable() bool { return h.ask.Open() && !h.plan.read }

// unsaved reports whether the form holds what the store does not.
func (h *askScreen) unsaved() bool {
	return h.form != nil && h.answerable() && !reflect.DeepEqual(h.form.draft(), h.saved)
}

func (h *askScreen) draftChanged(id string) tea.Cmd {
	if id != h.ask.ID || !h.answerable() || h.saving {
		return nil
	}
	h.saving = true
	return h.draftSoon(draftPause)
}

// saveDraft saves what the form holds now, not what it held when it asked:
// messages of commands may overtake one another.
func (h *askScreen) saveDraft(id string) tea.Cmd {
	if id != h.ask.ID || h.phase != phaseOpen || !h.unsaved() {
		h.saving = false
		return nil
	}
	return h.storeDraft()
}

func (h *askScreen) draftStored(msg draftStored) tea.Cmd {
	h.saving = false
	if msg.id != h.ask.ID || h.form == nil {
		return nil
	}
	if won := new(questions.SettledError); errors.As(msg.err, &won) {
		return h.glance() // which finds out what came of it
	}
	pause := draftRetry
	if msg.err == nil {
		h.saved, pause = msg.draft, draftPause
		h.away = msg.elsewhere != ""
	}
	cmd := h.form.Update(draftSaved{AskID: msg.id, Err: msg.err, Elsewhere: msg.elsewhere})
	if h.phase != phaseOpen || !h.unsaved() {
		return cmd
	}
	h.saving = true
	return tea.Batch(cmd, h.draftSoon(pause))
}

func (h *askScreen) settle(msg settleRequested) tea.Cmd {
	if msg.AskID != h.ask.ID || h.phase != phaseOpen {
		return nil
	}
	if h.next != "" {
		h.asked = true
		return h.follow(h.next)
	}
	h.phase = phaseSettling
	h.tries++
	outcome := msg.Outcome
	outcome.By = h.plan.by
	outcome.At = h.plan.now()
	return h.writeOutcome(outcome, h.form.edited(outcome))
}

// settleDone goes on after a success. After a failure the form stays, with
// everything in it; when somebody else's outcome came first, it says so.
func (h *askScreen) settleDone(msg settleDone) tea.Cmd {
	if msg.id != h.ask.ID || h.phase != phaseSettling {
		return nil
	}
	if next := gaveWay(msg.err); next != "" {
		h.phase, h.asked = phaseOpen, true
		return h.follow(next)
	}
	if msg.ask.ID != "" {
		msg.ask.Spec = h.ask.Spec
		h.setAsk(msg.ask)
	}
	told := h.form.Update(settled{AskID: msg.id, Ask: h.ask, Err: msg.err})
	if msg.err != nil {
		h.phase = phaseOpen
		if won := new(questions.SettledError); errors.As(msg.err, &won) && !h.ask.Open() {
			h.onRecord = true
			return tea.Batch(told, h.overtaken(0), h.glance()) // which finds out what else waits
		}
		return tea.Batch(told, h.unsettled(msg))
	}
	h.settledHere++
	h.receipt = receipt(h.ask, h.session, h.waits, h.settledHere)
	return tea.Batch(told, h.move())
}

func (h *askScreen) setAsk(ask store.Ask) {
	h.ask = ask
	if h.first.ID == ask.ID {
		h.first = ask
	}
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
	h.glancing, h.sawAway = true, h.away
	return h.lookAtStore()
}

// glanced tells the form what changed. A look that failed tells nothing: the
// next comes within a second, and whatever is really wrong with the store is
// said when the draft or the answer cannot be written.
func (h *askScreen) glanced(msg glanced) tea.Cmd {
	h.glancing = false
	var cmds []tea.Cmd
	if h.again {
		h.again = false
		cmds = append(cmds, h.glance())
	}
	if msg.err != nil || msg.Ask.ID != h.ask.ID || h.phase != phaseOpen {
		return tea.Batch(cmds...)
	}
	if h.form.editing { // what the editor saves comes first, and belongs to this form
		return tea.Batch(cmds...)
	}
	if next := msg.Ask.Outcome.Next; next != "" && h.answerable() {
		return tea.Batch(append(cmds, h.follow(next))...)
	}
	msg.Ask.Spec = h.ask.Spec
	// What is final stays so: a look that began before the end tells of the past.
	if msg.Ask.Outcome.State != h.ask.Outcome.State && !h.ask.Outcome.State.Final() {
		h.setAsk(msg.Ask)
		cmds = append(cmds, h.overtaken(msg.Waiting))
	} else if h.overIsInTheWay(msg.Waiting) {
		cmds = append(cmds, h.goOn())
	}
	if h.phase != phaseOpen {
		return tea.Batch(cmds...)
	}
	if h.answerable() && msg.Others != h.others {
		h.sayOthers(msg.Others)
		cmds = append(cmds, h.form.Update(relaid{}))
		if !h.others && !h.touched() {
			cmds = append(cmds, h.reread(h.ask.ID))
		}
	}
	if msg.Waits != h.waits {
		h.waits = msg.Waits
		cmds = append(cmds, h.form.Update(agentWaiting{AskID: h.ask.ID, Waits: h.waits}))
	}
	if h.sawAway && msg.AtHome {
		h.away = false
		cmds = append(cmds, h.form.Update(movedHome{AskID: h.ask.ID}))
	}
	if b := h.form.review; b != nil && h.answerable() && msg.Newer.Number != b.in.Newer.Number {
		cmds = append(cmds, h.form.Update(planWritten{AskID: h.ask.ID, newer: msg.Newer}))
	}
	if at, of := h.inQueue(msg.Waiting); at != h.at || of != h.of {
		h.at, h.of = at, of
		cmds = append(cmds, h.form.Update(queueChanged{At: at, Of: of}))
	}
	return tea.Batch(cmds...)
}
