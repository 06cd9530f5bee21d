package tui

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/store"
)

// AskStore is what showing and answering asks needs of the store.
type AskStore interface {
	askReader
	askWriter
	askPlaces
	askPlans
	askSplits
	askMemory
	watcher
}

type askReader interface {
	Ask(ctx context.Context, id string) (store.Ask, error)
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	Session(ctx context.Context, id string) (store.Session, error)
	Draft(ctx context.Context, askID string) (questions.Draft, bool, error)
	Prior(ctx context.Context, ask store.Ask) (store.Ask, bool, error)
}

type askWriter interface {
	Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error)
	SaveDraft(ctx context.Context, askID string, draft questions.Draft) error
	MarkShown(ctx context.Context, id string) error
}

type askPlaces interface {
	Queue(ctx context.Context, place string) ([]store.Ask, error)
	Hold(ctx context.Context, key store.Key, note string) (*store.Held, error)
	LeavePlace(ctx context.Context, held *store.Held, place string) (left bool, err error)
	AliveAny(ctx context.Context, prefix store.Key) (bool, error)
	AliveBeside(ctx context.Context, prefix store.Key, own *store.Held) (bool, error)
}

// fromIO is part of every message from an askScreen's commands to itself: it
// says whose they are, since several may have been opened one after another.
type fromIO struct{ io *askIO }

func (f fromIO) source() *askIO { return f.io }

// Messages an askScreen's commands answer with.
type (
	// askOpened brings the next form's input; none says that there is no next.
	askOpened struct {
		fromIO
		input   formInput
		others  bool     // another pane shows it, too
		waiting int      // asks of the place that can be shown here, this one included
		aside   []string // asks found to be settled
		none    bool
		err     error
	}
	// askReread brings the input of the form that is open once more.
	askReread struct{ askOpened }
	draftDue  struct {
		fromIO
		id string
	}
	draftStored struct {
		fromIO
		id    string
		draft questions.Draft
		err   error
		// elsewhere says where it is kept, if that is not where it belongs.
		elsewhere string
	}
	leftWithDraft struct {
		fromIO
		id    string
		draft questions.Draft
		err   error
	}
	settleDone struct {
		fromIO
		id  string
		ask store.Ask // what the store holds now, if it told
		err error
	}
	// settleDue says that it is time to try again what failed.
	settleDue struct {
		fromIO
		id    string
		tries int // made by then
	}
	// keptLate says that what came too late is on the ask's record, or why not.
	keptLate struct {
		fromIO
		ask store.Ask
		err error
	}
	glanceDue struct{ fromIO }
	glanced   struct {
		fromIO
		ask     store.Ask
		waits   bool
		others  bool
		waiting int
		atHome  bool // nothing is kept elsewhere
		newer   newerPlan
		err     error
	}
	// askEnded says that an askScreen is about to close.
	askEnded struct {
		receipt string
		parting []string
		lost    []string // to be printed at the end of the program, whatever else goes on
		failure error
	}
)

// askIO is an askScreen's hands: every method that returns a command does its
// work in there, and touches nothing of the screen.
type askIO struct {
	AskStore
	life   context.Context // ends when the screen is closed
	cancel context.CancelFunc
	owner  string // of its claims on asks; no other screen has the same

	// writing keeps a draft from being saved behind the answer it became.
	writing sync.Mutex
	settled map[string]bool

	holding sync.Mutex
	closed  bool
	shown   map[string]*store.Held // by ask
	place   *store.Held
}

// ioPatience bounds one step of work on the store.
const ioPatience = 30 * time.Second

func newAskIO(s AskStore) *askIO {
	life, cancel := context.WithCancel(context.Background())
	return &askIO{AskStore: s, life: life, cancel: cancel, owner: rand.Text(), settled: map[string]bool{}, shown: map[string]*store.Held{}}
}

func (a *askIO) step() (context.Context, context.CancelFunc) {
	return context.WithTimeout(a.life, ioPatience)
}

// start takes the place, if there is one to take, and opens the first ask.
func (a *askIO) start(plan askPlan) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		if plan.place != "" {
			if err := a.holdPlace(plan.place, plan.by); err != nil {
				return askOpened{fromIO: fromIO{a}, err: err}
			}
		}
		if plan.id == "" {
			return a.findNext(ctx, plan, nil)
		}
		if plan.read {
			input, err := a.read(ctx, plan.id)
			return askOpened{fromIO: fromIO{a}, input: input, err: err}
		}
		opened := a.open(ctx, plan.id, plan.by)
		if plan.place != "" && opened.err == nil && opened.input.ReadOnly {
			// Settled by somebody since this pane was asked for.
			return a.findNext(ctx, plan, []string{plan.id})
		}
		return a.counted(ctx, opened, plan.place, nil)
	}
}

// counted says how many wait where the ask was opened.
func (a *askIO) counted(ctx context.Context, opened askOpened, place string, aside []string) askOpened {
	if opened.err == nil {
		opened.waiting, opened.err = a.waiting(ctx, place, aside)
	}
	return opened
}

// reread opens an ask that is open here again, with the draft as it is now.
func (a *askIO) reread(plan askPlan, id string, aside []string) tea.Cmd {
	aside = slices.Clone(aside)
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		return askReread{a.counted(ctx, a.open(ctx, id, plan.by), plan.place, aside)}
	}
}

// next gives an ask back and opens what waits after it.
func (a *askIO) next(plan askPlan, done string, aside []string) tea.Cmd {
	aside = slices.Clone(aside)
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		if err := a.releaseShown(ctx, done); err != nil {
			return askOpened{fromIO: fromIO{a}, err: err}
		}
		return a.findNext(ctx, plan, aside)
	}
}

// findNext opens the first ask of the place's queue that is not put aside.
// Those which another pane shows come last: the person may be at them, but may
// as well have left that pane where they don't see it. Without any it leaves
// the place, unless something new came in meanwhile.
func (a *askIO) findNext(ctx context.Context, plan askPlan, aside []string) askOpened {
	var found []string // settled
	for {
		queue, err := a.queue(ctx, plan.place, slices.Concat(found, aside))
		if err != nil {
			return askOpened{fromIO: fromIO{a}, err: err}
		}
		for i, ask := range queue {
			opened := a.open(ctx, ask.ID, plan.by)
			if opened.err == nil && opened.input.ReadOnly { // settled between the two reads
				found = append(found, ask.ID)
				continue
			}
			opened.waiting, opened.aside = len(queue)-i, found
			return opened
		}
		gone, err := a.leavePlace(ctx, plan, slices.Concat(found, aside))
		if err != nil || gone {
			return askOpened{fromIO: fromIO{a}, none: true, err: err}
		}
	}
}

// queue is what can be shown here next: what no other pane shows first, within
// that what an agent's call waits for, and within that the store's order, which
// has pending before expired.
func (a *askIO) queue(ctx context.Context, place string, aside []string) ([]store.Ask, error) {
	all, err := a.Queue(ctx, place)
	if err != nil {
		return nil, err
	}
	var groups [4][]store.Ask
	for _, ask := range all {
		if slices.Contains(aside, ask.ID) {
			continue
		}
		elsewhere, err := a.AliveBeside(ctx, store.ShowClaims(ask.ID), a.showing(ask.ID))
		if err != nil {
			return nil, err
		}
		live, err := a.AliveAny(ctx, store.WaitClaims(ask.ID))
		if err != nil {
			return nil, err
		}
		group := 0
		if !live {
			group++
		}
		if elsewhere {
			group += 2
		}
		groups[group] = append(groups[group], ask)
	}
	return slices.Concat(groups[:]...), nil
}

// waiting counts what can be shown at the place; without a place, one.
func (a *askIO) waiting(ctx context.Context, place string, aside []string) (int, error) {
	if place == "" {
		return 1, nil
	}
	all, err := a.Queue(ctx, place)
	n := 0
	for _, ask := range all {
		if !slices.Contains(aside, ask.ID) {
			n++
		}
	}
	return n, err
}

// open claims an ask for this screen and reads what its form needs. An ask
// that has its outcome is opened for reading, and not claimed.
func (a *askIO) open(ctx context.Context, id, by string) askOpened {
	opened := askOpened{fromIO: fromIO{a}}
	ask, err := a.Ask(ctx, id)
	if err == nil && ask.Open() {
		err = a.holdShown(id, by)
	}
	if err != nil {
		opened.err = err
		return opened
	}
	if opened.input, err = a.input(ctx, ask); err == nil && ask.Open() {
		opened.others, err = a.AliveBeside(ctx, store.ShowClaims(id), a.showing(id))
	}
	if err != nil {
		opened.err = errors.Join(err, a.releaseShown(ctx, id))
	} else if ask.Open() && !opened.others { // or another pane's editor may be at work
		opened.input.Left = leftByEditors(id)
	}
	return opened
}

// read reads an ask to be looked at, whatever its state.
func (a *askIO) read(ctx context.Context, id string) (formInput, error) {
	ask, err := a.Ask(ctx, id)
	if err != nil {
		return formInput{}, err
	}
	input := formInput{Ask: ask, ReadOnly: true, Split: a.split(ctx, ask)}
	if input.Session, err = besides(a.Session(ctx, ask.Session)); err != nil {
		return input, err
	}
	input.Plan, err = a.review(ctx, ask)
	return input, err
}

// besides passes on what belongs to an ask without being it. Where its record is
// damaged the ask is shown without it: it can still be answered.
func besides[T any](found T, err error) (T, error) {
	if store.AboutOneRecord(err) {
		var none T
		return none, nil
	}
	return found, err
}

// input reads what belongs to the ask's form.
func (a *askIO) input(ctx context.Context, ask store.Ask) (input formInput, err error) {
	input = formInput{Ask: ask, ReadOnly: !ask.Open(), Split: a.split(ctx, ask)}
	if ask.Open() && ask.Spec.Plan == nil {
		found := a.recall(ask) // while the rest is read
		defer func() { recalledSoon(&input, found) }()
	}
	if input.Session, err = besides(a.Session(ctx, ask.Session)); err != nil {
		return input, err
	}
	if input.Plan, err = a.review(ctx, ask); err != nil || input.ReadOnly {
		return input, err
	}
	if input.AgentWaits, err = a.AliveAny(ctx, store.WaitClaims(ask.ID)); err != nil {
		return input, err
	}
	draft, drafted, err := a.Draft(ctx, ask.ID)
	if err != nil && !store.AboutOneRecord(err) {
		return input, err
	}
	input.Draft = draft
	prior, found, err := a.Prior(ctx, ask)
	if err != nil {
		return input, err
	}
	switch plan := input.Plan != nil; {
	case !found, plan && !samePlan(prior, ask):
	case prior.Outcome.State == questions.Answered && plan: // its comments are followed, not taken over
	case prior.Outcome.State == questions.Answered:
		input.Prior = &prior
	case !drafted:
		input.Draft, input.Carried, input.carriedFrom = ask.Spec.DraftFrom(prior.Outcome.Reply), true, prior.ID
	}
	if input.Plan != nil {
		input.Plan.begun = a.begun(ctx, ask, input.Draft, input.Plan.text)
	}
	return input, nil
}

// samePlan reports whether two asks are reviews of the same plan.
func samePlan(a, b store.Ask) bool {
	return a.Session == b.Session && a.Spec.Plan != nil && b.Spec.Plan != nil && a.Spec.Plan.Name == b.Spec.Plan.Name
}

// markShown notes that a person can see the ask now. A failure is not told:
// the note only helps agents to say why nobody answers.
func (a *askIO) markShown(ask store.Ask) tea.Cmd {
	if !ask.Shown.IsZero() || !ask.Open() {
		return nil
	}
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		_ = a.MarkShown(ctx, ask.ID)
		return nil
	}
}

// saveDraft saves what was entered into the form of an ask, as the draft of that one
// or of the one that has taken its place.
func (a *askIO) saveDraft(id, to string, draft questions.Draft) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		_, err := a.save(ctx, to, draft)
		stored := draftStored{fromIO: fromIO{a}, id: id, draft: draft, err: err}
		if err == nil {
			stored.elsewhere = a.elsewhere(ctx)
		}
		return stored
	}
}

// elsewhere says where things are kept while their own place takes no writes;
// empty otherwise.
func (a *askIO) elsewhere(ctx context.Context) string {
	if teller, tells := a.AskStore.(interface {
		Elsewhere(context.Context) string
	}); tells {
		return teller.Elsewhere(ctx)
	}
	return ""
}

func (a *askIO) leaveWithDraft(id, to string, draft questions.Draft, unsaved bool) tea.Cmd {
	return func() tea.Msg {
		if !unsaved {
			return leftWithDraft{fromIO: fromIO{a}, id: id}
		}
		ctx, cancel := a.step()
		defer cancel()
		_, err := a.save(ctx, to, draft)
		return leftWithDraft{fromIO: fromIO{a}, id: id, draft: draft, err: err}
	}
}

// save writes a draft, unless its ask was settled here: an outcome that is
// being written is waited for.
func (a *askIO) save(ctx context.Context, id string, draft questions.Draft) (settled bool, err error) {
	a.writing.Lock()
	defer a.writing.Unlock()
	if a.settled[id] {
		return true, nil
	}
	return false, a.SaveDraft(ctx, id, draft)
}

// glance reads what may change about an ask while its form is open. Known is the
// version of its plan, if it is a review, that is known to be newer.
func (a *askIO) glance(ask store.Ask, known newerPlan, place string, aside []string) tea.Cmd {
	id := ask.ID
	aside = slices.Clone(aside)
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		asks, err := a.AsksNow(ctx, id)
		if err != nil || len(asks) != 1 {
			return glanced{fromIO: fromIO{a}, err: errors.Join(err, errors.New("the ask could not be read"))}
		}
		seen := glanced{fromIO: fromIO{a}, ask: asks[0]}
		if seen.waits, seen.err = a.AliveAny(ctx, store.WaitClaims(id)); seen.err != nil {
			return seen
		}
		if seen.others, seen.err = a.AliveBeside(ctx, store.ShowClaims(id), a.showing(id)); seen.err != nil {
			return seen
		}
		seen.atHome = a.elsewhere(ctx) == ""
		if seen.newer, seen.err = a.newerThan(ctx, ask, known); seen.err != nil {
			return seen
		}
		seen.waiting, seen.err = a.waiting(ctx, place, aside)
		return seen
	}
}

func (a *askIO) glanceSoon() tea.Cmd {
	return tea.Tick(glancePause, func(time.Time) tea.Msg { return glanceDue{fromIO{a}} })
}

func (a *askIO) draftSoon(id string, pause time.Duration) tea.Cmd {
	return tea.Tick(pause, func(time.Time) tea.Msg { return draftDue{fromIO{a}, id} })
}
