package wait

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"planb/mcp/agent"
	"planb/mcp/pane"
	"planb/mcp/tool"
	"planb/store"
	"planb/store/kv"
)

const (
	// showTime is how long a new pane may take to claim the ask. On a busy machine a window
	// needs more than three seconds; an agent that waits in vain loses only these ten.
	showTime = 10 * time.Second
	showPoll = 100 * time.Millisecond
)

// claims is what showing an ask needs of the store.
type claims interface {
	Alive(ctx context.Context, key kv.Key) (store.Claim, bool, error)
	AliveAny(ctx context.Context, prefix kv.Key) (bool, error)
	AliveElsewhere(ctx context.Context, prefix kv.Key) (bool, error)
	MoveAsk(ctx context.Context, id, place string) error
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	AllowPane(ctx context.Context, place string) error
	NoPane(ctx context.Context, place string) error
	PutOffs(ctx context.Context, place string) (store.PutOffs, error)
}

// stage brings asks before a person: one pane for each place, opened by one call at a
// time.
type stage struct {
	Config
	owner   string // names the place of this process, where the opener knows none
	results results
	records *records
	queue   queue

	mu       sync.Mutex
	attempts map[string]*attempt // by place
}

// attempt is a pane that is being opened.
type attempt struct {
	done chan struct{}
	err  error
}

func newStage(cfg Config, owner string, words results, known *records) *stage {
	s := &stage{Config: cfg, owner: owner, results: words, records: known, attempts: map[string]*attempt{}}
	s.queue.stage = s
	return s
}

// place is where the forms of this server belong.
func (s *stage) place(ctx context.Context) (string, error) {
	place, err := s.Opener.Place(ctx)
	if place == "" {
		place = "server-" + s.owner
	}
	return place, err
}

// show makes sure that the ask is in front of the person or in the queue of a
// pane that is. The error says in one phrase why it is not.
func (s *stage) show(ctx context.Context, ask store.Ask) error {
	for look := s.shown; ; look = s.seen {
		there, err := look(ctx, ask)
		if there || err != nil {
			return err
		}
		if _, nothing := s.Opener.(pane.None); nothing {
			return s.Opener.Open(ctx, pane.Command{})
		}
		// A pane that is being opened for another ask serves the whole queue of the
		// place. The next round sees whether it has come to this ask.
		running, own := s.attempt(ctx, ask)
		select {
		case <-running.done:
			if own || running.err != nil {
				return running.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// attempt returns the attempt under way for the ask's place. If there is none, it begins
// one for this ask, which goes on when the caller is cancelled: others may wait for it.
func (s *stage) attempt(ctx context.Context, ask store.Ask) (running *attempt, own bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if running := s.attempts[ask.Place]; running != nil {
		return running, false
	}
	begun := &attempt{done: make(chan struct{})}
	s.attempts[ask.Place] = begun
	go func() {
		begun.err = s.open(context.WithoutCancel(ctx), ask)
		s.mu.Lock()
		delete(s.attempts, ask.Place)
		s.mu.Unlock()
		close(begun.done)
	}()
	return begun, true
}

// open opens a pane and waits until the form in it has claimed its place. It refuses where
// panes came up too often, or where the person put off panes or the ask.
func (s *stage) open(ctx context.Context, ask store.Ask) error {
	switch off, err := s.putOff(ctx, ask); {
	case err != nil:
		return err
	case off:
		return store.ErrPutOff
	}
	if ask.Place != "" {
		// If the note of earlier panes is damaged, the pane opens.
		if err := s.Store.AllowPane(ctx, ask.Place); err != nil && !store.AboutOneRecord(err) {
			return err
		}
	}
	command := s.Command(ask)
	command.Title = "planb · " + agent.Title(ask.Client)
	command.Notice = s.notice(ask)
	if err := s.Opener.Open(ctx, command); err != nil {
		if ask.Place != "" {
			if counted := s.Store.NoPane(ctx, ask.Place); counted != nil {
				s.Log.Debug("a pane that did not come up counts as one", "place", ask.Place, "error", counted)
			}
		}
		return err
	}
	deadline := time.NewTimer(showTime)
	defer deadline.Stop()
	poll := time.NewTicker(showPoll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fmt.Errorf("%s opened a pane, but no form came up in it within %s", s.Opener.Name(), tool.InWords(showTime))
		case <-poll.C:
		}
		seen, err := s.seen(ctx, ask)
		if seen || err != nil {
			return err
		}
	}
}

// notice names the agent and says what it wants of the person.
func (s *stage) notice(ask store.Ask) string {
	return agent.Title(ask.Client) + " " + s.results.words(ask).Wants + ": " + ask.Spec.Title.Raw()
}

// seen reports whether the ask is shown, or was shown and is settled.
func (s *stage) seen(ctx context.Context, ask store.Ask) (bool, error) {
	now, err := s.Store.AsksNow(ctx, ask.ID)
	if err != nil {
		return false, err
	}
	if len(now) == 1 && (!now[0].Open() || ask.Shown.IsZero() && !now[0].Shown.IsZero()) {
		return true, nil
	}
	return s.shown(ctx, ask)
}

// shown reports whether a living process shows the ask, or serves its place and will come
// to it.
func (s *stage) shown(ctx context.Context, ask store.Ask) (bool, error) {
	if alive, err := s.Store.AliveAny(ctx, store.ShowClaims(ask.ID)); alive || err != nil || ask.Place == "" {
		return alive, err
	}
	if _, alive, err := s.Store.Alive(ctx, store.PlaceClaim(ask.Place)); !alive || err != nil {
		return alive, err
	}
	off, err := s.putOff(ctx, ask)
	return err == nil && !off, err
}

// isShown is shown, false where the store cannot say.
func (s *stage) isShown(ctx context.Context, ask store.Ask) bool {
	shown, err := s.shown(ctx, ask)
	if err != nil {
		s.Log.Warn("whether the form is shown could not be read", "ask", ask.ID, "error", err)
	}
	return shown
}

// putOff reports whether the person put off the ask, or everything of its agent. The ask
// was read when a call began, so it is read again. If the record of what was put off is
// damaged, nothing counts as put off.
func (s *stage) putOff(ctx context.Context, ask store.Ask) (bool, error) {
	now, err := s.Store.AsksNow(ctx, ask.ID)
	if err != nil {
		return false, err
	}
	off, err := s.Store.PutOffs(ctx, now[0].Place)
	if err != nil && !store.AboutOneRecord(err) {
		return false, err
	}
	return off.Has(now[0]), nil
}

// isPutOff reports whether the person put off the ask, its agent, or everything that waits
// at its place.
func (s *stage) isPutOff(ctx context.Context, ask store.Ask) bool {
	itself, err := s.putOff(ctx, ask)
	if err != nil {
		s.Log.Warn("whether the user put the question off could not be read", "ask", ask.ID, "error", err)
	}
	return itself || s.putOffs(ctx, ask.Place).Place
}

// putOffs returns what the person put off at the place, as far as that can be read.
func (s *stage) putOffs(ctx context.Context, place string) store.PutOffs {
	off, err := s.Store.PutOffs(ctx, place)
	if err != nil {
		s.Log.Warn("what the user put off could not be read", "place", place, "error", err)
	}
	return off
}

// Why no screen has an ask.
var (
	// errClosed is for a form that was on a screen: the person closed it.
	errClosed = errors.New("the user closed the form")
	// These stand for the reason of an earlier attempt that this process does not know.
	errAnotherDialog = errors.New("it failed before the question was shown in a dialog of your client")
	errNotOpened     = errors.New("it failed when the question was asked")
)

// bringUp has a pane show the ask, unless another program shows the forms. If too many
// panes came up lately, the wait for the ask tries again.
func (s *stage) bringUp(c call, ask store.Ask) error {
	if s.NoOpen {
		return nil
	}
	defer c.Park()()
	err := s.show(c.Context(), ask)
	if errors.Is(err, store.ErrTooManyPanes) {
		return nil
	}
	return err
}

// wantsPane reports whether planb may open a pane for an ask while a call waits for it:
// if the person has not seen the ask, or if it was put off and the agent waits until
// that is over.
func (s *stage) wantsPane(ask store.Ask) bool {
	if s.NoOpen {
		return false
	}
	switch s.records.of(ask.ID).pushed {
	case pushedOff:
		return false
	case pushedLater:
		return true
	}
	return ask.Shown.IsZero()
}

// showQueued opens a pane for an ask whose queue no pane serves any more. It is tried
// again where the store cannot be read just now.
func (s *stage) showQueued(ctx context.Context, ask store.Ask) error {
	shown, err := s.shown(ctx, ask)
	if err != nil {
		s.Log.Debug("whether the form is shown could not be read", "ask", ask.ID, "error", err)
	}
	if shown || err != nil {
		return nil
	}
	switch err = s.show(ctx, ask); {
	case err == nil:
		s.cameUp(ask)
	case errors.Is(err, store.ErrTooManyPanes):
		return nil
	}
	return err
}

// cameUp notes that an ask was brought before the person, perhaps once more.
func (s *stage) cameUp(ask store.Ask) {
	far := pushedAgain
	if ask.Shown.IsZero() {
		far = pushedOnce
	}
	s.records.setPushed(ask.ID, far)
}

// showAgain opens a pane for an ask that a call waits for again and that no pane shows: the
// pane was killed, its server ended, or the person closed it. An ask that the person closed
// twice stays closed. It returns the ask with the place to which it now belongs.
func (s *stage) showAgain(c call, ask store.Ask) (store.Ask, error) {
	far := s.records.of(ask.ID).pushed
	if s.NoOpen || c.foreign || far == pushedOff {
		return ask, nil
	}
	shown, err := s.shown(c.Context(), ask)
	if shown || err != nil {
		return ask, err
	}
	if far == pushedAgain && !ask.Shown.IsZero() {
		return ask, s.whyNotShown(c.Context(), ask, nil)
	}
	if ask.Place, err = s.adopt(c.Context(), ask); err != nil {
		s.Log.Warn("whether the form belongs here could not be found out", "ask", ask.ID, "error", err)
	}
	err = s.bringUp(c, ask)
	switch {
	case err == nil:
		s.cameUp(ask)
	case errors.Is(err, store.ErrPutOff) && far == pushedLater:
		return ask, nil // the wait brings it up once it is put off no more
	}
	return ask, err
}

// adopt returns the place of an ask that nothing shows. An ask belongs where its agent is.
// When the process that asked has ended, perhaps with its whole terminal, the ask moves to
// where this server opens panes.
func (s *stage) adopt(ctx context.Context, ask store.Ask) (place string, err error) {
	place, err = s.Opener.Place(ctx)
	if place == "" || place == ask.Place || err != nil {
		return ask.Place, err
	}
	for _, others := range []kv.Key{store.WaitClaims(ask.ID), store.AskerClaims(ask.ID)} {
		if alive, err := s.Store.AliveElsewhere(ctx, others); alive || err != nil {
			return ask.Place, err
		}
	}
	if err := s.Store.MoveAsk(ctx, ask.ID, place); err != nil {
		return ask.Place, err
	}
	return place, nil
}

// whyNotShown is the reason why no screen shows the ask: the given one of the last
// attempt, if that is known. It is nil if the next wait shows the ask.
func (s *stage) whyNotShown(ctx context.Context, ask store.Ask, reason error) error {
	if reason != nil {
		return reason
	}
	switch {
	case s.isPutOff(ctx, ask):
		return store.ErrPutOff
	case !ask.Shown.IsZero():
		return errClosed
	case s.records.of(ask.ID).pushed == pushedOff:
		return errNotOpened
	}
	return nil
}

// notShown tells the agent what to tell its user. The reason says whether the user closed
// the form, put it off, or has no screen that could show it.
func (s *stage) notShown(ask store.Ask, reason error) *tool.Result {
	if errors.Is(reason, store.ErrPutOff) {
		s.records.setPushed(ask.ID, pushedLater)
		return s.results.putOff(ask)
	}
	s.records.setPushed(ask.ID, pushedOff)
	if errors.Is(reason, errClosed) {
		return s.results.closed(ask)
	}
	return s.results.nowhere(ask, reason)
}
