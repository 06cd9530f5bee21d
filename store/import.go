package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"planb/plans"
	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// Import is a session that was kept elsewhere. It is kept here with its ids and times,
// as a session of this machine.
type Import struct {
	// Session needs an ID that is a UUID. Its counts are ignored.
	Session Session
	// Asks have their Spec and belong to this session. Each has a final outcome that was
	// delivered or withdrawn; another one is refused.
	Asks []Ask
	// Plans are numbered 1, 2, 3 … without a gap. Their Bytes and Digest are
	// counted from their Text.
	Plans []WholePlan
}

// Imported is what an import added.
type Imported struct {
	New   bool `json:"new"`   // the session was not there
	Asks  int  `json:"asks"`  // that were not there
	Plans int  `json:"plans"` // versions that were not there
	// Kept names the parts that the store has already and that differ from the import,
	// a sentence each. They stay as they are.
	Kept []string `json:"kept,omitempty"`
}

// Nothing reports whether everything was there already.
func (i Imported) Nothing() bool { return !i.New && i.Asks == 0 && i.Plans == 0 }

// Import adds the parts of a session that the store lacks. It changes no part that is
// there. A second import adds nothing, and completes one that ended early. After each of
// its commits the session is whole, though it may have only its first asks and versions.
// Nothing of it is ever open, undelivered or in a queue. If the import breaks a rule,
// that is an error, and nothing is written.
func (s *Store) Import(ctx context.Context, in Import) (Imported, error) {
	im, err := s.importing(in)
	if err != nil {
		return Imported{}, err
	}
	for _, step := range []func(context.Context) error{im.tasks, im.session, im.asks, im.plans} {
		if err := step(ctx); err != nil {
			return im.done, err
		}
	}
	return im.done, nil
}

// Importable returns what Import would do now; it writes nothing.
func (s *Store) Importable(ctx context.Context, in Import) (Imported, error) {
	im, err := s.importing(in)
	if err != nil {
		return Imported{}, err
	}
	im.dry = true
	for _, step := range []func(context.Context) error{im.session, im.asks, im.plans} {
		if err := step(ctx); err != nil {
			return Imported{}, err
		}
	}
	return im.done, nil
}

// importing is one call of Import or Importable.
type importing struct {
	s    *Store
	in   Import
	id   string
	dry  bool
	done Imported
}

func (s *Store) importing(in Import) (*importing, error) {
	id, ok := ledger.CanonicalID(in.Session.ID)
	if !ok {
		return nil, fmt.Errorf("a session's id must be a UUID, got %q", in.Session.ID)
	}
	in.Session.ID = id
	for _, t := range []time.Time{in.Session.Created, in.Session.Updated} {
		if err := checkTime(t); err != nil {
			return nil, fmt.Errorf("session %s: %w", id, err)
		}
	}
	in.Session.Asks, in.Session.Plans = 0, 0
	s.locate(&in.Session)
	in.Asks, in.Plans = slices.Clone(in.Asks), slices.Clone(in.Plans)
	im := &importing{s: s, in: in, id: id}
	seen := map[string]bool{}
	for i := range in.Asks {
		ask, err := im.checkAsk(in.Asks[i])
		if err == nil && seen[ask.ID] {
			err = errors.New("it is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("ask %s of session %s: %w", in.Asks[i].ID, id, err)
		}
		seen[ask.ID] = true
		in.Asks[i] = ask
	}
	for i := range in.Plans {
		plan := &in.Plans[i]
		if plan.Number != i+1 {
			return nil, fmt.Errorf("session %s: the plan version after %d is %d; versions have no gaps", id, i, plan.Number)
		}
		if err := checkTime(plan.Created); err != nil {
			return nil, fmt.Errorf("plan version %d of session %s: %w", plan.Number, id, err)
		}
		plan.Session, plan.Created = id, plan.Created.UTC().Round(0)
		plan.Bytes, plan.Digest = len(plan.Text.Raw()), plans.Digest(plan.Text)
	}
	return im, nil
}

// checkTime refuses times that a record or a key cannot hold.
func checkTime(t time.Time) error {
	if t.Before(time.Unix(0, 0)) || t.After(time.Unix(0, math.MaxInt64)) {
		return fmt.Errorf("its time is %v; allowed are 1970 to 2262", t)
	}
	return nil
}

func (im *importing) checkAsk(ask Ask) (Ask, error) {
	id, ok := ledger.CanonicalID(ask.ID)
	if !ok {
		return ask, errors.New("its id is no UUID")
	}
	if owner, ok := ledger.CanonicalID(ask.Session); !ok || owner != im.id {
		return ask, fmt.Errorf("it is of another session, %q", ask.Session)
	}
	if ask.Open() || ask.Undelivered() {
		return ask, fmt.Errorf("it is %s, and an agent may be waiting for it; only asks that have ended can be imported", ask.Outcome.State)
	}
	if ask.Timeout < 0 {
		return ask, fmt.Errorf("its timeout is %v; it must not be negative", ask.Timeout)
	}
	for _, t := range []time.Time{ask.Created, ask.Asked} {
		if err := checkTime(t); err != nil {
			return ask, err
		}
	}
	ask.ID, ask.Session = id, im.id
	ask.Digest = ask.Spec.Digest()
	return ask, nil
}

// tasks joins the session to its plans of tasks: they stayed when the session was
// deleted. This is done before the session is added, so that an import that ends early
// leaves nothing undone.
func (im *importing) tasks(ctx context.Context) error {
	records, err := im.s.ledger.Get(ctx, sessionKey(im.id))
	if err != nil || records[0].Exists() {
		return err
	}
	return im.s.tasks.Rejoin(ctx, im.id)
}

func (im *importing) session(ctx context.Context) error {
	return im.commit(ctx, func(c *ledger.Change) error {
		im.done.New = false
		records, err := im.s.ledger.Get(ctx, sessionKey(im.id))
		if err != nil {
			return err
		}
		if records[0].Exists() {
			im.done.New = records[0].Op == c.Op
			_, err := ledger.Decode[sessionRecord](im.s.ledger, records[0])
			return err
		}
		if err := im.s.checkNotGone(ctx, c, im.id); err != nil {
			return err
		}
		im.done.New = true
		c.Check(records[0])
		if err := c.Put(sessionKey(im.id), sessionRecord{Header: ledger.NewHeader(), Session: im.in.Session}); err != nil {
			return err
		}
		return c.Put(changedKey(im.in.Session.Updated, im.id), mark{})
	})
}

// commit is Ledger.Commit, or in a dry run the intent alone.
func (im *importing) commit(ctx context.Context, intent func(c *ledger.Change) error) error {
	if im.dry {
		return im.s.ledger.DryRun(intent)
	}
	return im.s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.CanWait = true
		return intent(c)
	})
}

// owner reads the session's record; in a dry run it may be missing.
func (im *importing) owner(ctx context.Context) (kv.Record, sessionRecord, error) {
	records, err := im.s.ledger.Get(ctx, sessionKey(im.id))
	if err != nil {
		return kv.Record{}, sessionRecord{}, err
	}
	if !records[0].Exists() && im.dry {
		return records[0], sessionRecord{Session: im.in.Session}, nil
	}
	owner, err := im.s.readSession(records[0], im.id)
	return records[0], owner, err
}

// grow gives the session new counts, and the time of its last change if that is later in
// the import.
func (im *importing) grow(c *ledger.Change, r kv.Record, owner sessionRecord, asks, plans int) error {
	if im.dry {
		return nil
	}
	o, err := im.s.ledger.Object(r)
	if err != nil {
		return err
	}
	updated := later(owner.Updated, im.in.Session.Updated)
	if err := o.Set("updated", updated, "asks", asks, "plans", plans); err != nil {
		return err
	}
	c.Check(r)
	if err := c.Put(r.Key, o); err != nil {
		return err
	}
	if before, after := changedKey(owner.Updated, im.id), changedKey(updated, im.id); before != after {
		c.Delete(before)
		return c.Put(after, mark{})
	}
	return nil
}

// sameOutcome reports whether two outcomes say the same.
func sameOutcome(a, b questions.Outcome) bool {
	x, errX := ledger.Encode(a)
	y, errY := ledger.Encode(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
