package search

import (
	"context"
	"hash/maphash"
	"iter"
	"runtime"
	"slices"
	"sync"

	"planb/store"
)

// Source is what a search reads; *store.Store is one.
type Source interface {
	Sessions(ctx context.Context, after string, limit int) (list []store.Session, next string, err error)
	WholeAsksWhere(ctx context.Context, may func(json ...[]byte) bool, sessions ...string) iter.Seq2[store.Ask, error]
	WholePlans(ctx context.Context, ids ...store.PlanID) iter.Seq2[store.WholePlan, error]
}

// Step is what was found in the next few sessions.
type Step struct {
	Hits []Hit
	// Sessions is how many were looked through in this step.
	Sessions int
	// Older is false while sessions, their asks and their latest plans are looked
	// through, and true afterwards, for the versions before. Of these only those
	// are told that say something which no newer version of the plan says.
	Older bool
	// Unreadable is how many records of this step cannot be read, and Why why the
	// first of them cannot.
	Unreadable int
	Why        error
}

const (
	firstPage  = 1  // sessions of the first step, which should come at once
	laterPages = 64 // and the most of one; each has twice as many as the one before
	maxWorkers = 4
)

// Run looks for everything the query asks for, in the order of the sessions'
// last changes, the newest first, and twice: see Step.Older. Within a session
// come the session, its latest plan, and its asks, the latest first. It ends
// after an error, which is ctx's when that ends, and when the caller stops.
func Run(ctx context.Context, from Source, q Query) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if q.Empty() {
			return
		}
		for _, older := range []bool{false, true} {
			if older && !q.wantsPlans() {
				return
			}
			for step, err := range pass(ctx, from, q, older) {
				if !yield(step, err) || err != nil {
					return
				}
			}
		}
	}
}

// turn is the place of one step in their order.
type turn chan result

type result struct {
	step Step
	err  error
}

// pass goes through all sessions once. Several steps are worked on at a time,
// and told in their order.
func pass(ctx context.Context, from Source, q Query, older bool) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		turns := make(chan turn, min(runtime.GOMAXPROCS(0), maxWorkers))
		var workers sync.WaitGroup
		defer workers.Wait()
		defer stop()
		workers.Go(func() {
			defer close(turns)
			for sessions, err := range pages(ctx, from) {
				t := make(turn, 1)
				select {
				case turns <- t:
				case <-ctx.Done():
					return
				}
				if err != nil {
					t <- result{err: err}
					return
				}
				workers.Go(func() { t <- look(ctx, from, q, older, sessions) })
			}
		})
		for t := range turns {
			if r := <-t; !yield(r.step, r.err) || r.err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Step{}, err)
		}
	}
}

// pages lists the sessions, each once.
func pages(ctx context.Context, from Source) iter.Seq2[[]store.Session, error] {
	return func(yield func([]store.Session, error) bool) {
		seen := map[string]bool{}
		after, limit := "", firstPage
		for {
			list, next, err := from.Sessions(ctx, after, limit)
			list = slices.DeleteFunc(list, func(s store.Session) bool {
				was := seen[s.ID]
				seen[s.ID] = true
				return was
			})
			if !yield(list, err) || err != nil || next == "" {
				return
			}
			after, limit = next, min(2*limit, laterPages)
		}
	}
}

func look(ctx context.Context, from Source, q Query, older bool, sessions []store.Session) result {
	l := looker{from: from, matcher: newMatcher(q)}
	l.step.Sessions, l.step.Older = len(sessions), older
	sessions = slices.DeleteFunc(sessions, func(s store.Session) bool {
		return s.Err == nil && !q.inProject(s)
	})
	var err error
	if older {
		err = l.lookAtOlder(ctx, sessions)
	} else {
		err = l.lookAt(ctx, sessions)
	}
	return result{l.step, err}
}

// looker works on one step.
type looker struct {
	from    Source
	matcher matcher
	step    Step
}

func (l *looker) unreadable(why error) {
	l.step.Unreadable++
	if l.step.Why == nil {
		l.step.Why = why
	}
}

func (l *looker) take(i item, seen *seenLines) {
	if hit, ok := l.matcher.hit(i, seen); ok {
		l.step.Hits = append(l.step.Hits, hit)
	}
}

func (l *looker) lookAt(ctx context.Context, sessions []store.Session) error {
	latest, err := l.latestPlans(ctx, sessions)
	if err != nil {
		return err
	}
	asks, err := l.asks(ctx, sessions)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		if session.Err != nil {
			l.unreadable(session.Err)
		} else {
			l.take(sessionItem(session), nil)
		}
		l.step.Hits = append(append(l.step.Hits, latest[session.ID]...), asks[session.ID]...)
	}
	return nil
}

// latestPlans returns the hits among the latest plans, by session.
func (l *looker) latestPlans(ctx context.Context, sessions []store.Session) (map[string][]Hit, error) {
	if !l.matcher.query.wantsPlans() {
		return nil, nil
	}
	var ids []store.PlanID
	byID := map[string]store.Session{}
	for _, session := range sessions {
		byID[session.ID] = session
		if session.Plans > 0 {
			ids = append(ids, store.PlanID{Session: session.ID, Number: session.Plans})
		}
	}
	hits := map[string][]Hit{}
	for plan, err := range l.from.WholePlans(ctx, ids...) {
		switch {
		case err != nil:
			return nil, err
		case plan.Err != nil:
			l.unreadable(plan.Err)
			continue
		}
		if hit, ok := l.matcher.hit(planItem(byID[plan.Session], plan), nil); ok {
			hits[plan.Session] = append(hits[plan.Session], hit)
		}
	}
	return hits, nil
}

// asks returns the hits among the asks, by session, the latest first.
func (l *looker) asks(ctx context.Context, sessions []store.Session) (map[string][]Hit, error) {
	if !l.matcher.query.wantsAsks() {
		return nil, nil
	}
	var ids []string
	byID := map[string]store.Session{}
	for _, session := range sessions {
		byID[session.ID] = session
		if session.Asks > 0 || session.Err != nil {
			ids = append(ids, session.ID)
		}
	}
	hits := map[string][]Hit{}
	for ask, err := range l.from.WholeAsksWhere(ctx, l.matcher.query.mayBe(), ids...) {
		switch {
		case err != nil:
			return nil, err
		case ask.Err != nil:
			l.unreadable(ask.Err)
			continue
		}
		if hit, ok := l.matcher.hit(askItem(byID[ask.Session], ask), nil); ok {
			hits[ask.Session] = append(hits[ask.Session], hit)
		}
	}
	for _, list := range hits {
		slices.Reverse(list)
	}
	return hits, nil
}

// lookAtOlder looks at the versions before the latest, from the newer to the
// older.
func (l *looker) lookAtOlder(ctx context.Context, sessions []store.Session) error {
	for _, session := range sessions {
		if session.Plans < 2 {
			continue
		}
		ids := make([]store.PlanID, 0, session.Plans)
		for n := session.Plans; n > 0; n-- {
			ids = append(ids, store.PlanID{Session: session.ID, Number: n})
		}
		seen := newSeenLines()
		for plan, err := range l.from.WholePlans(ctx, ids...) {
			switch {
			case err != nil:
				return err
			case plan.Err != nil:
				if plan.Number < session.Plans { // the latest was counted before
					l.unreadable(plan.Err)
				}
			case plan.Number < session.Plans:
				l.take(planItem(session, plan), seen)
			default:
				l.matcher.hit(planItem(session, plan), seen)
			}
		}
	}
	return nil
}

// seenLines remembers which lines newer versions of a plan have shown.
type seenLines struct {
	seed  maphash.Seed
	lines map[uint64]bool
}

func newSeenLines() *seenLines {
	return &seenLines{maphash.MakeSeed(), map[uint64]bool{}}
}

// was reports whether an excerpt's line has been shown before, and remembers it.
func (s *seenLines) was(e Excerpt) bool {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, p := range e.Pieces {
		_, _ = h.WriteString(p.Text.Raw()) // never fails
	}
	sum := h.Sum64()
	was := s.lines[sum]
	s.lines[sum] = true
	return was
}
