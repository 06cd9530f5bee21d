package mcp

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
	showTime = 3 * time.Second // for a new pane to claim the ask
	showPoll = 40 * time.Millisecond
)

// claims is what showing an ask needs of the store.
type claims interface {
	Alive(ctx context.Context, key kv.Key) (store.Claim, bool, error)
	AliveAny(ctx context.Context, prefix kv.Key) (bool, error)
	AliveElsewhere(ctx context.Context, prefix kv.Key) (bool, error)
	MoveAsk(ctx context.Context, id, place string) error
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	AllowPane(ctx context.Context, place string) error
	PutOffs(ctx context.Context, place string) (store.PutOffs, error)
}

// stage brings asks before a person: one pane for each place, opened by one
// caller at a time.
type stage struct {
	store   claims
	opener  pane.Opener
	command func(ask store.Ask) pane.Command

	mu       sync.Mutex
	attempts map[string]*attempt // by place
	pushed   map[string]pushed   // by ask id
}

// pushed is how far planb has gone in bringing an ask before the person by
// itself. It stops where that would become a nuisance.
type pushed int

const (
	pushedOnce  pushed = iota // when it was asked
	pushedAgain               // once more, after the person had closed it
	pushedLater               // the agent knows that the user put it off; after that it comes up
	pushedOff                 // the agent was told to send its user to the terminal
)

// attempt is a pane being opened.
type attempt struct {
	done chan struct{}
	err  error
}

// show makes sure that the ask is in front of the person or in the queue of a
// pane that is. The error says in one phrase why it is not.
func (s *stage) show(ctx context.Context, ask store.Ask) error {
	for look := s.shown; ; look = s.seen {
		there, err := look(ctx, ask)
		if there || err != nil {
			return err
		}
		if _, nothing := s.opener.(pane.None); nothing {
			return s.opener.Open(ctx, pane.Command{})
		}
		// A pane that another ask has under way serves the whole queue of the
		// place; whether it has come to this ask is seen in the next round.
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

// attempt returns the pane under way for the ask's place, and begins one, for
// this very ask, where there is none. It goes on when the caller that began it
// is cancelled: others may wait for it.
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

// open opens a pane and waits until what runs in it has claimed its place. It is
// refused where panes came up too often, or the person put off them or the ask.
func (s *stage) open(ctx context.Context, ask store.Ask) error {
	switch off, err := s.putOff(ctx, ask); {
	case err != nil:
		return err
	case off:
		return store.ErrPutOff
	}
	if ask.Place != "" {
		// A damaged note of earlier panes refuses none.
		if err := s.store.AllowPane(ctx, ask.Place); err != nil && !store.AboutOneRecord(err) {
			return err
		}
	}
	command := s.command(ask)
	command.Title = "planb · " + agent.Title(ask.Client)
	command.Notice = notice(ask)
	if err := s.opener.Open(ctx, command); err != nil {
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
			return fmt.Errorf("%s opened a pane, but no form came up in it within %s", s.opener.Name(), tool.InWords(showTime))
		case <-poll.C:
		}
		seen, err := s.seen(ctx, ask)
		if seen || err != nil {
			return err
		}
	}
}

// seen reports whether the ask is shown, or was and is done with.
func (s *stage) seen(ctx context.Context, ask store.Ask) (bool, error) {
	now, err := s.store.AsksNow(ctx, ask.ID)
	if err != nil {
		return false, err
	}
	if len(now) == 1 && (!now[0].Open() || ask.Shown.IsZero() && !now[0].Shown.IsZero()) {
		return true, nil
	}
	return s.shown(ctx, ask)
}

// shown reports whether something that lives shows the ask, or serves its place and
// will come to it.
func (s *stage) shown(ctx context.Context, ask store.Ask) (bool, error) {
	if alive, err := s.store.AliveAny(ctx, store.ShowClaims(ask.ID)); alive || err != nil || ask.Place == "" {
		return alive, err
	}
	if _, alive, err := s.store.Alive(ctx, store.PlaceClaim(ask.Place)); !alive || err != nil {
		return alive, err
	}
	off, err := s.putOff(ctx, ask)
	return err == nil && !off, err
}

// putOff reports whether the person put off the ask, or all of its agent. It was read
// when a call began, so it is read again. A damaged note of what was put off puts
// nothing off.
func (s *stage) putOff(ctx context.Context, ask store.Ask) (bool, error) {
	now, err := s.store.AsksNow(ctx, ask.ID)
	if err != nil {
		return false, err
	}
	off, err := s.store.PutOffs(ctx, now[0].Place)
	if err != nil && !store.AboutOneRecord(err) {
		return false, err
	}
	return off.Has(now[0]), nil
}

func (s *stage) push(askID string) pushed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pushed[askID]
}

func (s *stage) setPush(askID string, far pushed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if far == pushedOnce {
		delete(s.pushed, askID)
		return
	}
	s.pushed[askID] = far
}

// cameUp notes that an ask was brought before the person, perhaps once more.
func (s *stage) cameUp(ask store.Ask) {
	if ask.Shown.IsZero() {
		s.setPush(ask.ID, pushedOnce)
	} else {
		s.setPush(ask.ID, pushedAgain)
	}
}

// errClosed is why a form that was on a screen is on none: the person closed it.
var errClosed = errors.New("the user closed the form")

// The reasons of an earlier attempt, where they are not known any more.
var (
	errAnotherDialog = errors.New("none could be when the question was shown in a dialog of your client")
	errNotOpened     = errors.New("none could be when the question was asked")
)

// show brings the ask before the person, unless somebody else does that.
func (s *waiting) show(c call, ask store.Ask) error {
	if s.noOpen {
		return nil
	}
	defer c.Park()()
	return s.bringUp(c.Context(), ask)
}

// bringUp has a pane show the ask. Where too many panes came up of late, the wait
// for the ask tries again.
func (s *waiting) bringUp(ctx context.Context, ask store.Ask) error {
	err := s.stage.show(ctx, ask)
	if errors.Is(err, store.ErrTooManyPanes) {
		return nil
	}
	return err
}

// queuedFor has the ask shown once no pane serves its queue any more. For an ask of
// a project that the connection does not see that is left to others.
func (s *waiting) queuedFor(c call, ask store.Ask) (hidden <-chan error, leave func()) {
	if c.foreign {
		return nil, func() {}
	}
	return s.queued.join(ask)
}

// knowsPutOff reports whether the agent was told that the user put the ask off.
func (s *waiting) knowsPutOff(ask store.Ask) bool { return s.stage.push(ask.ID) == pushedLater }

// putOffs returns what the person put off at the place, as far as that can be read.
func (s *waiting) putOffs(ctx context.Context, place string) store.PutOffs {
	off, err := s.store.PutOffs(ctx, place)
	if err != nil {
		s.log.Warn("what the user put off could not be read", "place", place, "error", err)
	}
	return off
}

// wantsPane reports whether a pane may be opened for an ask while a call waits for
// it: nobody has seen it, or the agent waits until it is put off no more.
func (s *waiting) wantsPane(ask store.Ask) bool {
	if s.noOpen {
		return false
	}
	switch s.stage.push(ask.ID) {
	case pushedOff:
		return false
	case pushedLater:
		return true
	}
	return ask.Shown.IsZero()
}

// showQueued opens a pane for an ask in a queue that no pane serves any more. A
// store that cannot be read just now is no reason to end a wait.
func (s *waiting) showQueued(ctx context.Context, ask store.Ask) error {
	shown, err := s.stage.shown(ctx, ask)
	if err != nil {
		s.log.Debug("whether the form is shown could not be read", "ask", ask.ID, "error", err)
	}
	if shown || err != nil {
		return nil
	}
	switch err = s.stage.show(ctx, ask); {
	case err == nil:
		s.stage.cameUp(ask)
	case errors.Is(err, store.ErrTooManyPanes):
		return nil
	}
	return err
}

// showAgain opens a pane for an ask that is waited for again and that nothing
// shows: its pane was killed, its server ended, or the person has closed it,
// which is respected the second time. It returns the ask with the place it now
// belongs to.
func (s *waiting) showAgain(c call, ask store.Ask) (store.Ask, error) {
	if s.noOpen || c.foreign || s.stage.push(ask.ID) == pushedOff {
		return ask, nil
	}
	shown, err := s.stage.shown(c.Context(), ask)
	if shown || err != nil {
		return ask, err
	}
	far := s.stage.push(ask.ID)
	if far == pushedAgain && !ask.Shown.IsZero() {
		return ask, s.whyNotShown(c.Context(), ask, nil)
	}
	if ask.Place, err = s.stage.adopt(c.Context(), ask); err != nil {
		s.log.Warn("whether the form belongs here could not be found out", "ask", ask.ID, "error", err)
	}
	err = s.show(c, ask)
	switch {
	case err == nil:
		s.stage.cameUp(ask)
	case errors.Is(err, store.ErrPutOff) && far == pushedLater:
		return ask, nil // the wait brings it up once that is over
	}
	return ask, err
}

// adopt returns the place of an ask that nothing shows. An ask belongs where its
// agent is. When the process that asked has ended, perhaps with its whole terminal,
// the ask moves to where this server opens panes.
func (s *stage) adopt(ctx context.Context, ask store.Ask) (place string, err error) {
	place, err = s.opener.Place(ctx)
	if place == "" || place == ask.Place || err != nil {
		return ask.Place, err
	}
	for _, others := range []kv.Key{store.WaitClaims(ask.ID), store.AskerClaims(ask.ID)} {
		if alive, err := s.store.AliveElsewhere(ctx, others); alive || err != nil {
			return ask.Place, err
		}
	}
	if err := s.store.MoveAsk(ctx, ask.ID, place); err != nil {
		return ask.Place, err
	}
	return place, nil
}

// notice says who wants what of the person.
func notice(ask store.Ask) string {
	wants := "asks"
	if ask.Spec.Plan != nil {
		wants = "wants a plan reviewed"
	}
	return agent.Title(ask.Client) + " " + wants + ": " + ask.Spec.Title.Raw()
}
