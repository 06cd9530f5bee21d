package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// entryRecord is a half-filled form. It changes with every pause in typing. So its
// chunks belong to it alone, and each new version deletes the chunks that only the
// version before used.
type entryRecord struct {
	ledger.Header
	Saved time.Time        `json:"saved"`
	Entry *questions.Entry `json:"draft,omitempty"` // if it is short
	Body  *ledger.Ref      `json:"body,omitempty"`  // else
}

func (d entryRecord) parts() []string {
	if d.Body == nil {
		return nil
	}
	return d.Body.Chunks()
}

// SaveEntry keeps what the person has typed and picked so far, in place of the entry
// before. It does not ring. For an ask that has ended it returns
// *questions.SettledError and keeps nothing.
func (s *Store) SaveEntry(ctx context.Context, askID string, entry questions.Entry) error {
	return s.MergeEntry(ctx, askID, entry, nil)
}

// MergeEntry is SaveEntry for a pane beside which others may save. If there is an entry that can
// be read, it keeps what merge makes of it. It may call merge again, if another process saves
// meanwhile.
func (s *Store) MergeEntry(ctx context.Context, askID string, entry questions.Entry, merge func(kept questions.Entry) questions.Entry) error {
	id, ok := ledger.CanonicalID(askID)
	if !ok {
		return &UnknownError{What: "ask", ID: askID}
	}
	own, err := s.encodeEntry(entry)
	if err != nil {
		return err
	}
	return s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.Quiet = true
		records, err := s.ledger.Get(ctx, askKey(id), entryKey(id))
		if err != nil {
			return err
		}
		ask, old, saves := records[0], records[1], own
		if merge != nil && old.Exists() {
			kept, err := s.readEntry(ctx, id, old)
			if err == nil {
				saves, err = s.encodeEntry(merge(kept))
			}
			if err != nil && !AboutOneRecord(err) {
				return err
			}
		}
		return s.putEntry(ctx, c, id, ask, old, saves)
	})
}

func (s *Store) putEntry(ctx context.Context, c *ledger.Change, id string, ask, old kv.Record, saves encodedEntry) error {
	if !ask.Exists() {
		return &UnknownError{What: "ask", ID: id}
	}
	a, err := ledger.Decode[askRecord](s.ledger, ask)
	if err != nil {
		return err
	}
	if a.Outcome.State.Final() {
		return &questions.SettledError{Winner: a.Outcome.Outcome}
	}
	c.Check(ask, old)
	o := ledger.Object{}
	if old.Exists() {
		before, err := ledger.Decode[entryRecord](s.ledger, old)
		if err != nil {
			return err
		}
		s.dropParts(c, id, before, saves.record.parts())
		if o, err = s.ledger.Object(old); err != nil {
			return err
		}
	}
	delete(o, "draft")
	delete(o, "body")
	if err := o.Set("v", saves.record.V, "saved", saves.record.Saved); err != nil {
		return err
	}
	if saves.body == nil {
		if err := o.Set("draft", saves.record.Entry); err != nil {
			return err
		}
		return c.Put(entryKey(id), o)
	}
	if err := o.Set("body", saves.record.Body); err != nil {
		return err
	}
	if err := c.Put(entryKey(id), o); err != nil {
		return err
	}
	return s.ledger.KeepUnder(ctx, c, entryParts(id), saves.body)
}

// encodedEntry is an entry as it is written.
type encodedEntry struct {
	record entryRecord
	body   *ledger.Blob // nil if the entry is short
}

func (s *Store) encodeEntry(entry questions.Entry) (encodedEntry, error) {
	record := entryRecord{Header: ledger.NewHeader(), Saved: s.ledger.Clock(), Entry: &entry}
	text, err := ledger.Encode(entry)
	if err != nil || len(text) <= maxInline {
		return encodedEntry{record: record}, err
	}
	body, err := ledger.NewBlob("draft", text)
	if err != nil {
		return encodedEntry{}, err
	}
	record.Entry, record.Body = nil, &body.Ref
	return encodedEntry{record, body}, nil
}

// maxEntryReads bounds how often Entry begins anew because the entry was saved while it
// read.
const maxEntryReads = 300

// Entry returns the ask's entry; ok is false when there is none.
func (s *Store) Entry(ctx context.Context, askID string) (entry questions.Entry, ok bool, err error) {
	id, valid := ledger.CanonicalID(askID)
	if !valid {
		return questions.Entry{}, false, &UnknownError{What: "ask", ID: askID}
	}
	// Saving an entry deletes the chunks of the one before. So if a chunk is missing,
	// the entry may have changed, and is read again.
	for try := 1; ; try++ {
		records, err := s.ledger.Get(ctx, entryKey(id))
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
		again, getErr := s.ledger.Get(ctx, entryKey(id))
		if getErr != nil {
			return questions.Entry{}, false, getErr
		}
		if again[0].Rev == records[0].Rev || try == maxEntryReads {
			return questions.Entry{}, false, err
		}
	}
}

func (s *Store) readEntry(ctx context.Context, id string, r kv.Record) (questions.Entry, error) {
	record, err := ledger.Decode[entryRecord](s.ledger, r)
	if err != nil {
		return questions.Entry{}, err
	}
	if record.Body == nil {
		if record.Entry == nil {
			return questions.Entry{}, nil
		}
		return *record.Entry, nil
	}
	texts, err := s.ledger.TextsUnder(ctx, entryParts(id), *record.Body)
	if err != nil {
		return questions.Entry{}, err
	}
	var entry questions.Entry
	if err := json.Unmarshal(texts[0], &entry); err != nil {
		return questions.Entry{}, s.ledger.Damaged(r.Key, err)
	}
	return entry, nil
}

// dropEntry removes an entry, if there is one, with its chunks.
func (s *Store) dropEntry(c *ledger.Change, ask string, r kv.Record) error {
	c.Check(r) // also without an entry: one that is being saved just now would outlive the answer
	if !r.Exists() {
		return nil
	}
	entry, err := ledger.Decode[entryRecord](s.ledger, r)
	if err != nil {
		return err
	}
	c.Delete(r.Key)
	s.dropParts(c, ask, entry, nil)
	return nil
}

// dropParts deletes the entry's chunks that are not among those kept.
func (s *Store) dropParts(c *ledger.Change, ask string, entry entryRecord, kept []string) {
	for _, part := range entry.parts() {
		if key := entryPartKey(ask, part); !slices.Contains(kept, part) && !slices.Contains(c.Deletes, key) {
			c.Delete(key)
		}
	}
}
