package ask

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
)

// patience bounds one step of work on the store.
const patience = 30 * time.Second

// closePatience bounds giving back a claim that came too late.
const closePatience = 5 * time.Second

// Options say which asks a Host shows.
type Options struct {
	// ID is the long id of the ask to show first; empty: what the place's queue
	// has first.
	ID string
	// Place is the place whose queue the host serves; empty: none.
	Place string
	// ReadOnly shows the ask of ID as it is: the host claims and writes nothing.
	ReadOnly bool
	// NeedsPlan opens no review whose plan cannot be read: nothing here can show why.
	NeedsPlan bool
	By        string // names the person, user@host
}

// Host opens, claims, saves and settles the asks of one pane. Its methods may be
// called beside each other.
type Host struct {
	store   Store
	options Options

	life   context.Context // ends when the host is closed
	cancel context.CancelFunc
	owner  string // of the claims on asks; no other pane has the same

	// writing keeps an entry from being saved behind the outcome it became.
	writing  sync.Mutex
	settled  map[string]bool
	approved store.ApprovedTasks // by the ask that was settled last

	// noting is never held while something is written: the loop that draws takes it.
	noting sync.Mutex
	// took is what the form of each ask had when it was last read from the store, or saved.
	took map[string]questions.Entry
	// shared are the asks that another pane showed, too, while they were open here.
	shared map[string]bool

	holding sync.Mutex
	closed  bool
	shown   map[string]*store.Held // by ask
	place   *store.Held
	agent   *store.Client // whose asks are to be put off; nil for none
	turn    int
	turns   map[string]int // when each session was shown last, by its id
}

// NewHost makes a host that has claimed nothing yet. Close gives back what it
// claims.
func NewHost(s Store, o Options) *Host {
	life, cancel := context.WithCancel(context.Background())
	return &Host{
		store: s, options: o, life: life, cancel: cancel, owner: rand.Text(),
		settled: map[string]bool{}, took: map[string]questions.Entry{}, shared: map[string]bool{}, shown: map[string]*store.Held{}, turns: map[string]int{},
	}
}

// Life ends when the host is closed.
func (h *Host) Life() context.Context { return h.life }

func (h *Host) step() (context.Context, context.CancelFunc) {
	return context.WithTimeout(h.life, patience)
}

// lastStep is a step that goes on while the host is being closed.
func (h *Host) lastStep() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(h.life), patience)
}

// Start claims the place, if there is one, and opens the first ask. A place that
// another live pane serves is a *ShownElsewhereError.
func (h *Host) Start() (Opened, error) {
	ctx, cancel := h.step()
	defer cancel()
	if h.options.Place != "" {
		if err := h.holdPlace(); err != nil {
			return Opened{}, err
		}
	}
	var passed passed
	if h.options.ID == "" {
		return h.findNext(ctx, nil, passed)
	}
	if h.options.ReadOnly {
		return h.read(ctx, h.options.ID)
	}
	opened, err := h.open(ctx, h.options.ID)
	if h.options.Place != "" && passed.over(ctx, h.options.ID, opened, err) {
		opened, err = h.findNext(ctx, nil, passed)
		opened.Instead = true
		return opened, err
	}
	return h.counted(ctx, opened, err, nil)
}

// Next gives an ask back and opens what waits after it. An ask that is given back open
// is put off.
func (h *Host) Next(done string, aside []string) (Opened, error) {
	ctx, cancel := h.step()
	defer cancel()
	if err := h.putOffLeft(ctx, done); err != nil {
		return Opened{}, err
	}
	// A claim that cannot be given back dies with this process.
	_ = h.releaseShown(ctx, done)
	return h.findNext(ctx, aside, passed{})
}

// Reread opens the ask that is open here once more, with its entry as it is now.
func (h *Host) Reread(id string, aside []string) (Opened, error) {
	ctx, cancel := h.step()
	defer cancel()
	opened, err := h.open(ctx, id)
	return h.counted(ctx, opened, err, aside)
}

// Follow opens the ask that has replaced the ask from, and gives from back. The person entered
// entry into the form of from. If several asks replaced one another, Follow opens the last of them.
func (h *Host) Follow(from, next string, entry questions.Entry, aside []string) (Opened, error) {
	ctx, cancel := h.step()
	defer cancel()
	next, err := h.standing(ctx, next)
	if err != nil {
		return Opened{}, err
	}
	opened, err := h.open(ctx, next)
	if opened, err = h.counted(ctx, opened, err, aside); err != nil {
		return opened, err
	}
	opened.Joined = h.joined(ctx, from, next, entry, opened.Kept)
	return opened, h.releaseShown(ctx, from)
}

// mostFollowed bounds the chain of asks that replaced one another.
const mostFollowed = 100

// standing follows an ask to the one that replaced it, and so on, and returns the last,
// which no other has replaced.
func (h *Host) standing(ctx context.Context, id string) (string, error) {
	for range mostFollowed {
		asks, err := h.store.AsksNow(ctx, id)
		if err != nil {
			return "", err
		}
		if asks[0].Outcome.Next == "" {
			break
		}
		id = asks[0].Outcome.Next
	}
	return id, nil
}

// counted adds to an opened ask how many asks wait at its place.
func (h *Host) counted(ctx context.Context, opened Opened, err error, aside []string) (Opened, error) {
	if err == nil {
		opened.Waiting, err = h.waiting(ctx, opened.Ask.ID, aside)
		opened.Waiting++
	}
	return opened, err
}

// passed are the asks that a pane skips on its way to an ask that it can show.
type passed struct {
	ids    []string
	failed error // why some of it cannot be opened
}

// over passes over an ask that was settled since it was listed, or that cannot be
// opened: one of those must not hide the others.
func (p *passed) over(ctx context.Context, id string, opened Opened, err error) bool {
	switch {
	case err == nil && !opened.ReadOnly, err != nil && (ctx.Err() != nil || kv.Passing(err)):
		return false
	case err != nil:
		p.failed = errors.Join(p.failed, fmt.Errorf("the form %s cannot be opened: %w", store.ShortID(id), err))
	}
	p.ids = append(p.ids, id)
	return true
}

// findNext opens the first ask of the place's queue that is neither aside, nor put off,
// nor passed over. Asks that another pane shows come last: the person may be at them, but
// may also have left that pane where they do not see it. If the queue has none, this pane
// leaves the place, unless something new came in meanwhile. Opened.Unopened says which
// asks cannot be opened; if no other can be shown, the error says so.
func (h *Host) findNext(ctx context.Context, aside []string, passed passed) (Opened, error) {
	for {
		queue, err := h.queue(ctx, slices.Concat(passed.ids, aside))
		if err != nil {
			return Opened{}, errors.Join(passed.failed, err)
		}
		for i, ask := range queue {
			opened, err := h.open(ctx, ask.ID)
			if passed.over(ctx, ask.ID, opened, err) {
				continue
			}
			opened.Unopened = passed.failed
			opened.Waiting, opened.Aside = len(queue)-i, passed.ids
			return opened, err
		}
		if passed.failed != nil && len(aside) == 0 && !h.anyPutOff(ctx) {
			return Opened{}, passed.failed
		}
		gone, err := h.leavePlace(ctx, slices.Concat(passed.ids, aside))
		if err != nil || gone {
			return Opened{None: true}, errors.Join(err, passed.failed)
		}
	}
}

// Ending is how a pane came to its end.
type Ending uint8

// The endings of a pane.
const (
	Left     Ending = iota // the person left it, or closed it
	BrokeOff               // an error ended it, or its terminal died
)

// EndingOf tells how a pane ends, given the error that ended it, if any. terminalDied
// reports that its terminal died with all panes; it may be nil.
func EndingOf(failure error, terminalDied func() bool) Ending {
	if failure != nil || terminalDied != nil && terminalDied() {
		return BrokeOff
	}
	return Left
}

// Close gives back every claim and ends what still runs. If the person leaves the pane
// while asks wait, their place is put off.
func (h *Host) Close(ctx context.Context, how Ending) error {
	var err error
	if how == Left {
		err = h.putOff(ctx)
	}
	h.holding.Lock()
	h.closed = true
	held := make([]*store.Held, 0, len(h.shown)+1)
	for _, claim := range h.shown {
		held = append(held, claim)
	}
	if h.place != nil {
		held = append(held, h.place)
	}
	h.shown, h.place = map[string]*store.Held{}, nil
	h.holding.Unlock()

	errs := []error{err}
	for _, claim := range held {
		errs = append(errs, claim.Release(ctx))
	}
	h.cancel()
	return errors.Join(errs...)
}

// putOff puts off the place that this pane serves, if asks wait there. It comes
// before the claim on the place is given back, or a server would open another pane.
func (h *Host) putOff(ctx context.Context) error {
	h.holding.Lock()
	serves := h.place != nil && !isLost(h.place)
	h.holding.Unlock()
	if !serves {
		return nil
	}
	if waiting, err := h.store.Queue(ctx, h.options.Place); err != nil || len(waiting) == 0 {
		return nil // nothing is known to be refused
	}
	return h.store.PutOff(ctx, h.options.Place)
}
