package archive

import (
	"context"
	"fmt"
	"iter"

	"planb/store"
)

// Session is everything that is kept of one session.
type Session struct {
	store.Session // its counts are hidden by the lists
	// Asks are oldest first, with their specs. One that cannot be read has Err.
	Asks []store.Ask
	// Plans are all versions, oldest first, with their exact texts. One that
	// cannot be read has Err.
	Plans []store.WholePlan
	// Origin is what of the files a session was imported from does not follow
	// from the rest; nil for most.
	Origin Origin
}

// Reader is what Read needs of a *store.Store.
type Reader interface {
	Session(ctx context.Context, id string) (store.Session, error)
	WholeAsks(ctx context.Context, sessions ...string) iter.Seq2[store.Ask, error]
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	WholePlans(ctx context.Context, ids ...store.PlanID) iter.Seq2[store.WholePlan, error]
	Origin(ctx context.Context, session string) ([]byte, error)
}

// Read returns everything that is kept of one session. What changes while it is
// read may be missing from it, what was there before is not. An unknown session
// is *store.UnknownError; a session whose own record cannot be read is an error,
// a single ask or version that cannot be read is not.
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
	kept, err := r.Origin(ctx, record.ID)
	if err != nil {
		return Session{}, err
	}
	if session.Origin, err = decodeOrigin(kept); err != nil {
		return Session{}, fmt.Errorf("what is kept of the files that session %s was imported from cannot be read: %w", record.ID, err)
	}
	return session, nil
}

// Unreadable says of each ask and version that cannot be read which it is and
// why, a sentence each.
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
