package archive

import (
	"context"
	"fmt"
	"iter"

	"planb/store"
)

// Session is everything a store keeps of one session.
type Session struct {
	store.Session // the lists below hide its counts
	// Asks are oldest first, with their specs. An ask that cannot be read has
	// Err.
	Asks []store.Ask
	// Plans are all versions, oldest first, with their exact texts. A version
	// that cannot be read has Err.
	Plans []store.WholePlan
}

// Reader is the part of *store.Store that Read needs.
type Reader interface {
	Session(ctx context.Context, id string) (store.Session, error)
	WholeAsks(ctx context.Context, sessions ...string) iter.Seq2[store.Ask, error]
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	WholePlans(ctx context.Context, ids ...store.PlanID) iter.Seq2[store.WholePlan, error]
}

// Read returns everything a store keeps of one session. It may miss what is
// added while it reads, but nothing that was there before. The error is
// *store.UnknownError for an unknown session. It is also an error if the
// session's own record cannot be read, but not if a single ask or version
// cannot.
func Read(ctx context.Context, r Reader, id string) (Session, error) {
	record, err := r.Session(ctx, id)
	if err != nil {
		return Session{}, err
	}
	session := Session{Session: record}
	for ask, err := range r.WholeAsks(ctx, record.ID) {
		if err != nil {
			return Session{}, err
		}
		session.Asks = append(session.Asks, ask)
	}
	list, err := r.Plans(ctx, record.ID)
	if err != nil {
		return Session{}, err
	}
	ids := make([]store.PlanID, len(list))
	for i, plan := range list {
		ids[i] = store.PlanID{Session: record.ID, Number: plan.Number}
	}
	for plan, err := range r.WholePlans(ctx, ids...) {
		if err != nil {
			return Session{}, err
		}
		session.Plans = append(session.Plans, plan)
	}
	return session, nil
}

// Unreadable returns a sentence for each ask and version that cannot be read:
// which it is and why.
func (s Session) Unreadable() []string {
	var list []string
	for _, ask := range s.Asks {
		if ask.Err != nil {
			list = append(list, fmt.Sprintf("ask %s cannot be read: %v", ask.ID, ask.Err))
		}
	}
	for _, plan := range s.Plans {
		if plan.Err != nil {
			list = append(list, fmt.Sprintf("plan version %d cannot be read: %v", plan.Number, plan.Err))
		}
	}
	return list
}
