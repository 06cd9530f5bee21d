package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"planb/questions"
	"planb/store/kv"
)

// entryRecord is a half-filled form. An entry changes with every pause in
// typing, so its chunks belong to it alone, and those that a new version does
// not use go with the old one.
type entryRecord struct {
	header
	Saved time.Time        `json:"saved"`
	Entry *questions.Entry `json:"draft,omitempty"` // when it is short
	Body  *blobRef         `json:"body,omitempty"`  // else
}

func (d entryRecord) parts() []string {
	if d.Body == nil {
		return nil
	}
	return d.Body.parts()
}

// SaveEntry keeps what the person has typed and picked so far, instead of the
// entry before. It does not ring. For an ask that is no longer open it returns
// *questions.SettledError and keeps nothing.
func (s *Store) SaveEntry(ctx context.Context, askID string, entry questions.Entry) error {
	id, ok := canonicalID(askID)
	if !ok {
		return &UnknownError{What: "ask", ID: askID}
	}
	record := entryRecord{header: header{V: format}, Saved: s.clock(), Entry: &entry}
	text, err := encode(entry)
	if err != nil {
		return err
	}
	var body *blob
	if len(text) > maxInline {
		if body, err = newBlob("draft", text); err != nil {
			return err
		}
		record.Entry, record.Body = nil, &body.ref
	}
	return s.commit(ctx, func(c *change) error {
		c.Quiet = true
		return s.putEntry(ctx, c, id, record, body)
	})
}

func (s *Store) putEntry(ctx context.Context, c *change, id string, record entryRecord, body *blob) error {
	records, err := s.get(ctx, askKey(id), entryKey(id))
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
		before, err := decode[entryRecord](s, old)
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
		if err := o.set("draft", record.Entry); err != nil {
			return err
		}
		return c.put(entryKey(id), o)
	}
	if err := o.set("body", record.Body); err != nil {
		return err
	}
	if err := c.put(entryKey(id), o); err != nil {
		return err
	}
	return s.keep(ctx, c, body, func(part string) kv.Key { return entryPartKey(id, part) })
}

// Entry returns the ask's entry; ok is false when there is none.
func (s *Store) Entry(ctx context.Context, askID string) (entry questions.Entry, ok bool, err error) {
	id, valid := canonicalID(askID)
	if !valid {
		return questions.Entry{}, false, &UnknownError{What: "ask", ID: askID}
	}
	// Saving an entry deletes the chunks of the one before, so a reader between
	// the two reads again.
	for try := 1; ; try++ {
		records, err := s.get(ctx, entryKey(id))
		if err != nil || !records[0].Exists() {
			return questions.Entry{}, false, err
		}
		if there, err := s.notGone(ctx, []string{id}); err != nil || len(there) == 0 {
			return questions.Entry{}, false, err
		}
		entry, err := s.readEntry(ctx, id, records[0])
		if err == nil {
			return entry, true, nil
		}
		again, getErr := s.get(ctx, entryKey(id))
		if getErr != nil {
			return questions.Entry{}, false, getErr
		}
		if again[0].Rev == records[0].Rev || try == maxTries {
			return questions.Entry{}, false, err
		}
	}
}

func (s *Store) readEntry(ctx context.Context, id string, r kv.Record) (questions.Entry, error) {
	record, err := decode[entryRecord](s, r)
	if err != nil {
		return questions.Entry{}, err
	}
	if record.Body == nil {
		if record.Entry == nil {
			return questions.Entry{}, nil
		}
		return *record.Entry, nil
	}
	texts, err := s.texts(ctx, func(part string) kv.Key { return entryPartKey(id, part) }, *record.Body)
	if err != nil {
		return questions.Entry{}, err
	}
	var entry questions.Entry
	if err := json.Unmarshal(texts[0], &entry); err != nil {
		return questions.Entry{}, s.damaged(r.Key, err)
	}
	return entry, nil
}

// dropEntry removes an entry, if there is one, with its chunks.
func (s *Store) dropEntry(c *change, ask string, r kv.Record) error {
	c.check(r) // also that there is none: one being saved would outlive the answer
	if !r.Exists() {
		return nil
	}
	entry, err := decode[entryRecord](s, r)
	if err != nil {
		return err
	}
	c.delete(r.Key)
	s.dropParts(c, ask, entry, nil)
	return nil
}

// dropParts deletes the entry's chunks that are not among those kept.
func (s *Store) dropParts(c *change, ask string, entry entryRecord, kept []string) {
	for _, part := range entry.parts() {
		if key := entryPartKey(ask, part); !slices.Contains(kept, part) && !slices.Contains(c.Deletes, key) {
			c.delete(key)
		}
	}
}
