package timeline

import (
	"context"
	"errors"

	"planb/store"
)

// Source is what Read needs of the store.
type Source interface {
	Session(ctx context.Context, id string) (store.Session, error)
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	Plans(ctx context.Context, session string) ([]store.Plan, error)
}

// Story is what happened in a session, at the moment it was read. To follow a
// session, read it again; events keep their ID.
type Story struct {
	Session store.Session
	Asks    []store.Ask  // oldest first, without their questions; see store.Store.Asks
	Plans   []store.Plan // oldest first
	Events  []Event
	// AsksErr and PlansErr are why some of the session's asks or plan versions could
	// not be listed. The others are in the story.
	AsksErr, PlansErr error

	asks  map[string]int // indexes in Asks
	plans map[int]int    // indexes in Plans
	at    map[ID]int     // indexes in Events
}

// Read reads the story of a session. It reads the store three times, and once
// more for each answer over a kilobyte. A session whose own record cannot be
// read still has a story. The error is *store.UnknownError, or an error that
// left nothing to tell.
func Read(ctx context.Context, from Source, session string) (*Story, error) {
	s := &Story{}
	var err error
	if s.Session, err = from.Session(ctx, session); err != nil {
		if !store.AboutOneRecord(err) {
			return nil, err
		}
		s.Session = store.Session{ID: session, Err: err}
	}
	s.Asks, s.AsksErr = from.Asks(ctx, session)
	s.Plans, s.PlansErr = from.Plans(ctx, session)
	if s.AsksErr != nil && s.PlansErr != nil {
		return nil, errors.Join(s.AsksErr, s.PlansErr)
	}
	s.tell()
	return s, nil
}

// tell makes the events from the records.
func (s *Story) tell() {
	nodes := []node{{Event: Event{ID: ID{Kind: Created}, At: s.Session.Created, Err: s.Session.Err}}}
	join := func(more []node) {
		base := len(nodes)
		for _, n := range more {
			after := []int{0} // the session's creation
			for _, i := range n.after {
				after = append(after, base+i)
			}
			n.after = after
			nodes = append(nodes, n)
		}
	}
	s.asks = make(map[string]int, len(s.Asks))
	submissions := map[int]int{} // indexes in nodes, with the version's number
	for i, ask := range s.Asks {
		s.asks[ask.ID] = i
		events := eventsOf(ask)
		for i := range events {
			if ask.Spec.Plan != nil {
				events[i].Reviews = ask.Spec.Plan.Number
				submissions[len(nodes)] = ask.Spec.Plan.Number
			}
		}
		join(events)
	}
	s.plans = make(map[int]int, len(s.Plans))
	versions := make([]node, len(s.Plans))
	for i, plan := range s.Plans {
		s.plans[plan.Number] = i
		versions[i] = node{Event: Event{ID: ID{Kind: Planned, Plan: plan.Number}, At: plan.Created, By: plan.By, Err: plan.Err}}
		if i > 0 {
			versions[i].after = []int{i - 1}
		}
	}
	first := len(nodes)
	join(versions)
	for place, number := range submissions {
		if i, ok := s.plans[number]; ok {
			nodes[place].after = append(nodes[place].after, first+i)
		}
	}
	s.Events = ordered(nodes)
	s.at = make(map[ID]int, len(s.Events))
	for i, e := range s.Events {
		s.at[e.ID] = i
	}
}

// Ask returns the session's ask with that id.
func (s *Story) Ask(id string) (store.Ask, bool) {
	i, ok := s.asks[id]
	if !ok {
		return store.Ask{}, false
	}
	return s.Asks[i], true
}

// Plan returns the version with that number.
func (s *Story) Plan(number int) (store.Plan, bool) {
	i, ok := s.plans[number]
	if !ok {
		return store.Plan{}, false
	}
	return s.Plans[i], true
}

// Find returns the place in Events of the event with that ID.
func (s *Story) Find(id ID) (place int, ok bool) {
	place, ok = s.at[id]
	return place, ok
}

// FindAsk returns the place in Events where the ask was settled, or, if it is
// not settled, where it was first asked.
func (s *Story) FindAsk(id string) (place int, ok bool) {
	ask, ok := s.Ask(id)
	if !ok {
		return 0, false
	}
	if kind := outcomeKind(ask); kind != "" && ask.Err == nil {
		return s.Find(ID{Kind: kind, Ask: id})
	}
	return s.Find(ID{Kind: askedKind(ask), Ask: id})
}

// FindPlan returns the place in Events where the version was saved.
func (s *Story) FindPlan(number int) (place int, ok bool) {
	return s.Find(ID{Kind: Planned, Plan: number})
}
