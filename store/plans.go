package store

import (
	"context"
	"fmt"

	"planb/plans"
	"planb/questions/safe"
)

type planRecord struct {
	header
	Plan
	Text blobRef `json:"text"`
}

// SavePlan keeps the text as the session's next version. Versions are 1, 2, 3 …
// without a gap, however many processes save. When text and title are those of
// the latest version, that one is returned, unchanged is true and nothing is
// written. The text keeps its exact bytes, at most MaxTextBytes.
func (s *Store) SavePlan(ctx context.Context, session, title, text string) (plan Plan, unchanged bool, err error) {
	id, ok := canonicalID(session)
	if !ok {
		return Plan{}, false, &UnknownError{What: "session", ID: session}
	}
	b, err := newBlob("plan", []byte(text))
	if err != nil {
		return Plan{}, false, err
	}
	err = s.commit(ctx, func(c *change) error {
		plan, unchanged, err = s.nextPlan(ctx, c, id, safe.New(title), b)
		return err
	})
	if err != nil {
		return Plan{}, false, err
	}
	return plan, unchanged, nil
}

func (s *Store) nextPlan(ctx context.Context, c *change, session string, title safe.Text, text *blob) (Plan, bool, error) {
	records, err := s.get(ctx, sessionKey(session))
	if err != nil {
		return Plan{}, false, err
	}
	owner, err := s.readSession(records[0], session)
	if err != nil {
		return Plan{}, false, err
	}
	if owner.Plans > 0 {
		latest, err := s.get(ctx, planKey(session, owner.Plans))
		if err != nil {
			return Plan{}, false, err
		}
		last, err := s.readPlan(latest[0], session, owner.Plans)
		if err != nil {
			return Plan{}, false, err
		}
		if last.Digest == text.ref.Digest && last.Title == title {
			return last.Plan, latest[0].Op != c.Op, nil
		}
	}
	plan := Plan{Session: session, Version: plans.Version{
		Number:  owner.Plans + 1,
		Title:   title,
		Created: s.clock(),
		Bytes:   text.ref.Size,
		Digest:  text.ref.Digest,
	}}
	if err := s.touch(c, records[0], owner.Asks, plan.Number); err != nil {
		return Plan{}, false, err
	}
	c.check(Record{Key: planKey(session, plan.Number)})
	if err := c.put(planKey(session, plan.Number), planRecord{header{V: format}, plan, text.ref}); err != nil {
		return Plan{}, false, err
	}
	return plan, false, s.keep(ctx, c, text, chunkKey)
}

func (s *Store) readPlan(r Record, session string, number int) (planRecord, error) {
	if !r.Exists() {
		return planRecord{}, &UnknownError{What: "plan", ID: fmt.Sprintf("v%d of session %s", number, session)}
	}
	return decode[planRecord](s, r)
}

// Plans returns the session's plan versions, oldest first.
func (s *Store) Plans(ctx context.Context, session string) ([]Plan, error) {
	owner, err := s.Session(ctx, session)
	if err != nil {
		return nil, err
	}
	records, err := s.scan(ctx, plansOf(owner.ID))
	if err != nil {
		return nil, err
	}
	list := make([]Plan, 0, len(records))
	for _, r := range records {
		plan, err := decode[planRecord](s, r)
		if err != nil {
			return nil, err
		}
		list = append(list, plan.Plan)
	}
	return list, nil
}

// PlanText returns the exact text of one version, or *UnknownError.
func (s *Store) PlanText(ctx context.Context, session string, number int) (safe.Text, error) {
	owner, err := s.Session(ctx, session)
	if err != nil {
		return safe.Text{}, err
	}
	if number < 1 || number > owner.Plans {
		return safe.Text{}, &UnknownError{What: "plan", ID: fmt.Sprintf("v%d of session %s", number, owner.ID)}
	}
	records, err := s.get(ctx, planKey(owner.ID, number))
	if err != nil {
		return safe.Text{}, err
	}
	plan, err := s.readPlan(records[0], owner.ID, number)
	if err != nil {
		return safe.Text{}, err
	}
	texts, err := s.texts(ctx, chunkKey, plan.Text)
	if err != nil {
		return safe.Text{}, err
	}
	return safe.New(string(texts[0])), nil
}
