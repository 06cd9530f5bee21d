package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"planb/plans"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// PlanBefore returns the number of the version before another one: the latest older one of
// the same plan, for a session may have several plans. Versions are a session's, the oldest
// first. The number is 0 if there is none. known is false if an older version is damaged or
// missing, so that its plan is not known; then the number is that of the version listed before.
func PlanBefore(versions []Plan, number int) (before int, known bool) {
	at, found := slices.BinarySearchFunc(versions, number, func(v Plan, n int) int { return v.Number - n })
	if !found {
		return 0, false
	}
	known = versions[at].Err == nil
	for i := at - 1; known && i >= 0; i-- {
		older := versions[i]
		if known = older.Err == nil && older.Number == versions[i+1].Number-1; known && older.Name == versions[at].Name {
			return older.Number, true
		}
	}
	switch {
	case known && versions[0].Number == 1:
		return 0, true
	case at == 0:
		return 0, false
	}
	return versions[at-1].Number, false
}

type planRecord struct {
	ledger.Header
	Plan
	Text ledger.Ref `json:"text"`
}

// SavePlan keeps the exact bytes of the text as the session's next version. Versions are
// 1, 2, 3 … without a gap, however many processes save. If the latest version has the
// same text and title (see plans.Same), nothing is written: that version is returned,
// and unchanged is true. A text that is no plan by the rules of plans.New is a
// *plans.Problem.
func (s *Store) SavePlan(ctx context.Context, session, title, text string) (plan Plan, unchanged bool, err error) {
	id, ok := ledger.CanonicalID(session)
	if !ok {
		return Plan{}, false, &UnknownError{What: "session", ID: session}
	}
	return s.savePlan(ctx, id, text, plans.Version{Title: safe.New(title)})
}

// savePlan keeps the text as the next version, with that title, name and author.
func (s *Store) savePlan(ctx context.Context, id, text string, as plans.Version) (plan Plan, unchanged bool, err error) {
	version, err := plans.New(safe.New(text), as.Title)
	if err != nil {
		return Plan{}, false, err
	}
	version.Name, version.By, version.Created = as.Name, as.By, s.ledger.Clock()
	b, err := ledger.NewBlob("plan", []byte(text))
	if err != nil {
		return Plan{}, false, err
	}
	err = s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.CanWait = as.By == "" // a person's edit of a plan is part of their verdict
		plan, unchanged, err = s.nextPlan(ctx, c, Plan{Session: id, Version: version}, b)
		return err
	})
	if err != nil {
		return Plan{}, false, err
	}
	return plan, unchanged, nil
}

func (s *Store) nextPlan(ctx context.Context, c *ledger.Change, plan Plan, text *ledger.Blob) (Plan, bool, error) {
	records, err := s.ledger.Get(ctx, sessionKey(plan.Session))
	if err != nil {
		return Plan{}, false, err
	}
	owner, err := s.readSession(records[0], plan.Session)
	if err != nil {
		return Plan{}, false, err
	}
	var last planRecord
	if owner.Plans > 0 {
		latest, err := s.ledger.Get(ctx, planKey(plan.Session, owner.Plans))
		if err != nil {
			return Plan{}, false, err
		}
		if last, err = s.readPlan(latest[0], plan.Session, owner.Plans); err != nil {
			return Plan{}, false, err
		}
		if plans.Same(last.Version, plan.Version) {
			return last.Plan, latest[0].Op != c.Op, nil
		}
	}
	plan.Number = plans.Next(last.Version)
	if err := s.touch(c, records[0], owner.Asks, plan.Number); err != nil {
		return Plan{}, false, err
	}
	c.Check(kv.Record{Key: planKey(plan.Session, plan.Number)})
	if err := c.Put(planKey(plan.Session, plan.Number), planRecord{ledger.NewHeader(), plan, text.Ref}); err != nil {
		return Plan{}, false, err
	}
	return plan, false, s.ledger.Keep(ctx, c, text)
}

func (s *Store) readPlan(r kv.Record, session string, number int) (planRecord, error) {
	if !r.Exists() {
		return planRecord{}, unknownPlan(session, number)
	}
	return ledger.Decode[planRecord](s.ledger, r)
}

func unknownPlan(session string, number int) error {
	return &UnknownError{What: "plan", ID: fmt.Sprintf("v%d of session %s", number, session)}
}

// Plans returns the session's plan versions, oldest first. A version that cannot be read
// is among them, with Err.
func (s *Store) Plans(ctx context.Context, session string) ([]Plan, error) {
	owner, err := s.ownerID(ctx, session)
	if err != nil {
		return nil, err
	}
	records, err := s.ledger.List(ctx, plansOf(owner))
	if err != nil {
		return nil, err
	}
	list := make([]Plan, 0, len(records))
	for _, r := range records {
		plan, err := s.planOf(r)
		if err != nil {
			return nil, err
		}
		if plan.Err != nil {
			plan.Session = owner
		}
		list = append(list, plan)
	}
	return list, nil
}

// planOf is the version of one record of a list.
func (s *Store) planOf(r ledger.Found) (Plan, error) {
	plan, err := ledger.DecodeFound[planRecord](s.ledger, r)
	if !ledger.AboutOne(err) {
		return plan.Plan, err
	}
	number, notNumber := strconv.Atoi(ledger.LastPart(r.Key))
	if notNumber != nil {
		return Plan{}, errors.Join(err, notNumber)
	}
	return Plan{Version: plans.Version{Number: number}, Err: err}, nil
}

// PlanText returns the exact text of one version, or *UnknownError.
func (s *Store) PlanText(ctx context.Context, session string, number int) (safe.Text, error) {
	owner, err := s.ownerID(ctx, session)
	if err != nil {
		return safe.Text{}, err
	}
	if number < 1 {
		return safe.Text{}, unknownPlan(owner, number)
	}
	records, err := s.ledger.Get(ctx, planKey(owner, number))
	if err != nil {
		return safe.Text{}, err
	}
	plan, err := s.readPlan(records[0], owner, number)
	if err != nil {
		return safe.Text{}, err
	}
	texts, err := s.ledger.Texts(ctx, plan.Text)
	if err != nil {
		return safe.Text{}, err
	}
	return safe.New(string(texts[0])), nil
}

// SavePlanEdit keeps a person's edit of one version as the session's next version, with
// the same title and name. Its author is the user of this store. If the latest version
// has that text already, it is returned and unchanged is true, as with SavePlan. An
// unknown version is *UnknownError.
func (s *Store) SavePlanEdit(ctx context.Context, of PlanID, text string) (plan Plan, unchanged bool, err error) {
	owner, err := s.ownerID(ctx, of.Session)
	if err != nil {
		return Plan{}, false, err
	}
	if of.Number < 1 {
		return Plan{}, false, unknownPlan(owner, of.Number)
	}
	records, err := s.ledger.Get(ctx, planKey(owner, of.Number))
	if err != nil {
		return Plan{}, false, err
	}
	edited, err := s.readPlan(records[0], owner, of.Number)
	if err != nil {
		return Plan{}, false, err
	}
	return s.savePlan(ctx, owner, text, plans.Version{Title: edited.Title, Name: edited.Name, By: s.by})
}
