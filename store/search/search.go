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
	// Sessions is how many sessions were searched in this step.
	Sessions int
	// Older is false in the first pass, through sessions, asks and latest
	// plans. It is true in the second pass, through the older versions of
	// plans. That pass yields only versions with a matching line that no newer
	// version has.
	Older bool
	// Unreadable is how many records of this step cannot be read. Why is the
	// error of the first one.
	Unreadable int
	Why        error
}

const (
	firstPage  = 1  // sessions of the first step, so that the first hits come at once
	laterPages = 64 // the most sessions of one step; each step has twice as many as the one before
	maxWorkers = 4
)

// Run yields everything that matches the query. It goes through the sessions
// twice (see Step.Older), each time beginning with the session that changed
// last. Within a session it yields the session, its latest plan, and its asks,
// the latest first. After an error it stops; the error is ctx's if ctx ended.
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

// turn carries the result of one step. The turns are queued in the order of the
// steps.
type turn chan result

type result struct {
	step Step
	err  error
}

// pass goes through all sessions once. It works on several steps at a time and
// yields them in their order.
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
				workers.Go(func() { t <- searchPage(ctx, from, q, older, sessions) })
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

// pages lists the sessions page by page, each session once.
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

func searchPage(ctx context.Context, from Source, q Query, older bool, sessions []store.Session) result {
	s := searcher{from: from, matcher: newMatcher(q)}
	s.step.Sessions, s.step.Older = len(sessions), older
	sessions = slices.DeleteFunc(sessions, func(s store.Session) bool {
		return s.Err == nil && !q.inProject(s)
	})
	var err error
	if older {
		err = s.searchOlder(ctx, sessions)
	} else {
		err = s.searchLatest(ctx, sessions)
	}
	return result{s.step, err}
}

// searcher searches the sessions of one step.
type searcher struct {
	from    Source
	matcher matcher
	step    Step
}

func (s *searcher) unreadable(why error) {
	s.step.Unreadable++
	if s.step.Why == nil {
		s.step.Why = why
	}
}

func (s *searcher) add(i item, seen *seenLines) {
	if hit, ok := s.matcher.hit(i, seen); ok {
		s.step.Hits = append(s.step.Hits, hit)
	}
}

func (s *searcher) searchLatest(ctx context.Context, sessions []store.Session) error {
	latest, err := s.latestPlans(ctx, sessions)
	if err != nil {
		return err
	}
	asks, err := s.asks(ctx, sessions)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		if session.Err != nil {
			s.unreadable(session.Err)
		} else {
			s.add(sessionItem(session), nil)
		}
		s.step.Hits = append(append(s.step.Hits, latest[session.ID]...), asks[session.ID]...)
	}
	return nil
}

// latestPlans returns the hits among the latest plans, by session.
func (s *searcher) latestPlans(ctx context.Context, sessions []store.Session) (map[string][]Hit, error) {
	if !s.matcher.query.wantsPlans() {
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
	for plan, err := range s.from.WholePlans(ctx, ids...) {
		switch {
		case err != nil:
			return nil, err
		case plan.Err != nil:
			s.unreadable(plan.Err)
			continue
		}
		if hit, ok := s.matcher.hit(planItem(byID[plan.Session], plan), nil); ok {
			hits[plan.Session] = append(hits[plan.Session], hit)
		}
	}
	return hits, nil
}

// asks returns the hits among the asks, by session, the latest ask first.
func (s *searcher) asks(ctx context.Context, sessions []store.Session) (map[string][]Hit, error) {
	if !s.matcher.query.wantsAsks() {
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
	for ask, err := range s.from.WholeAsksWhere(ctx, s.matcher.query.mayMatch(), ids...) {
		switch {
		case err != nil:
			return nil, err
		case ask.Err != nil:
			s.unreadable(ask.Err)
			continue
		}
		if hit, ok := s.matcher.hit(askItem(byID[ask.Session], ask), nil); ok {
			hits[ask.Session] = append(hits[ask.Session], hit)
		}
	}
	for _, list := range hits {
		slices.Reverse(list)
	}
	return hits, nil
}

// searchOlder searches the versions before the latest one, from newer to older.
func (s *searcher) searchOlder(ctx context.Context, sessions []store.Session) error {
	for _, session := range sessions {
		if session.Plans < 2 {
			continue
		}
		ids := make([]store.PlanID, 0, session.Plans)
		for n := session.Plans; n > 0; n-- {
			ids = append(ids, store.PlanID{Session: session.ID, Number: n})
		}
		seen := newSeenLines()
		for plan, err := range s.from.WholePlans(ctx, ids...) {
			switch {
			case err != nil:
				return err
			case plan.Err != nil:
				if plan.Number < session.Plans { // the first pass has searched the latest one
					s.unreadable(plan.Err)
				}
			case plan.Number < session.Plans:
				s.add(planItem(session, plan), seen)
			default:
				s.matcher.hit(planItem(session, plan), seen)
			}
		}
	}
	return nil
}

// seenLines remembers the lines that newer versions of a plan have shown.
type seenLines struct {
	seed  maphash.Seed
	lines map[uint64]bool
}

func newSeenLines() *seenLines {
	return &seenLines{maphash.MakeSeed(), map[uint64]bool{}}
}

// was reports whether an excerpt's line has been shown before, and remembers
// it.
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
