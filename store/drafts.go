package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"planb/questions"
	"planb/store/kv"
)

// draftRecord is a half-filled form. A draft changes with every pause in
// typing, so its chunks belong to it alone, and those that a new version does
// not use go with the old one.
type draftRecord struct {
	header
	Saved time.Time        `json:"saved"`
	Draft *questions.Draft `json:"draft,omitempty"` // when it is short
	Body  *blobRef         `json:"body,omitempty"`  // else
}

func (d draftRecord) parts() []string {
	if d.Body == nil {
		return nil
	}
	return d.Body.parts()
}

// SaveDraft keeps what the person has typed and picked so far, instead of the
// draft before. It does not ring. For an ask that is no longer open it returns
// *questions.SettledError and keeps nothing.
func (s *Store) SaveDraft(ctx context.Context, askID string, draft questions.Draft) error {
	id, ok := canonicalID(askID)
	if !ok {
		return &UnknownError{What: "ask", ID: askID}
	}
	record := draftRecord{header: header{V: format}, Saved: s.clock(), Draft: &draft}
	text, err := encode(draft)
	if err != nil {
		return err
	}
	var body *blob
	if len(text) > maxInline {
		if body, err = newBlob("draft", text); err != nil {
			return err
		}
		record.Draft, record.Body = nil, &body.ref
	}
	return s.commit(ctx, func(c *change) error {
		c.Quiet = true
		return s.putDraft(ctx, c, id, record, body)
	})
}

func (s *Store) putDraft(ctx context.Context, c *change, id string, record draftRecord, body *blob) error {
	records, err := s.get(ctx, askKey(id), draftKey(id))
	if err != nil {
		return err
	}
	ask, old := records[0], records[1]
	if !ask.Exists() {
		return &UnknownError{What: "ask", ID: id}
	}
	a, err := decode[askRecord](s, ask)
	if err != nil {
		return err
	}
	if a.Outcome.State.Final() {
		return &questions.SettledError{Winner: a.Outcome.Outcome}
	}
	c.check(ask, old)
	o := object{}
	if old.Exists() {
		before, err := decode[draftRecord](s, old)
		if err != nil {
			return err
		}
		s.dropParts(c, id, before, record.parts())
		if o, err = s.object(old); err != nil {
			return err
		}
	}
	delete(o, "draft")
	delete(o, "body")
	if err := o.set("v", record.V, "saved", record.Saved); err != nil {
		return err
	}
	if body == nil {
		if err := o.set("draft", record.Draft); err != nil {
			return err
		}
		return c.put(draftKey(id), o)
	}
	if err := o.set("body", record.Body); err != nil {
		return err
	}
	if err := c.put(draftKey(id), o); err != nil {
		return err
	}
	return s.keep(ctx, c, body, func(part string) kv.Key { return draftPartKey(id, part) })
}

// Draft returns the ask's draft; ok is false when there is none.
func (s *Store) Draft(ctx context.Context, askID string) (draft questions.Draft, ok bool, err error) {
	id, valid := canonicalID(askID)
	if !valid {
		return questions.Draft{}, false, &UnknownError{What: "ask", ID: askID}
	}
	// Saving a draft deletes the chunks of the one before, so a reader between
	// the two reads again.
	for try := 1; ; try++ {
		records, err := s.get(ctx, draftKey(id))
		if err != nil || !records[0].Exists() {
			return questions.Draft{}, false, err
		}
		if there, err := s.notGone(ctx, []string{id}); err != nil || len(there) == 0 {
			return questions.Draft{}, false, err
		}
		draft, err := s.readDraft(ctx, id, records[0])
		if err == nil {
			return draft, true, nil
		}
		again, getErr := s.get(ctx, draftKey(id))
		if getErr != nil {
			return questions.Draft{}, false, getErr
		}
		if again[0].Rev == records[0].Rev || try == maxTries {
			return questions.Draft{}, false, err
		}
	}
}

func (s *Store) readDraft(ctx context.Context, id string, r kv.Record) (questions.Draft, error) {
	record, err := decode[draftRecord](s, r)
	if err != nil {
		return questions.Draft{}, err
	}
	if record.Body == nil {
		if record.Draft == nil {
			return questions.Draft{}, nil
		}
		return *record.Draft, nil
	}
	texts, err := s.texts(ctx, func(part string) kv.Key { return draftPartKey(id, part) }, *record.Body)
	if err != nil {
		return questions.Draft{}, err
	}
	var draft questions.Draft
	if err := json.Unmarshal(texts[0], &draft); err != nil {
		return questions.Draft{}, s.damaged(r.Key, err)
	}
	return draft, nil
}

// dropDraft removes a draft, if there is one, with its chunks.
func (s *Store) dropDraft(c *change, ask string, r kv.Record) error {
	c.check(r) // also that there is none: one being saved would outlive the answer
	if !r.Exists() {
		return nil
	}
	draft, err := decode[draftRecord](s, r)
	if err != nil {
		return err
	}
	c.delete(r.Key)
	s.dropParts(c, ask, draft, nil)
	return nil
}

// dropParts deletes the draft's chunks that are not among those kept.
func (s *Store) dropParts(c *change, ask string, draft draftRecord, kept []string) {
	for _, part := range draft.parts() {
		if key := draftPartKey(ask, part); !slices.Contains(kept, part) && !slices.Contains(c.Deletes, key) {
			c.delete(key)
		}
	}
}
