package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/runs"
	"planb/store/tasks"
)

// MaxProblems is how many problems an Audit lists; a damaged store may have one for each
// of its records.
const MaxProblems = 20

// Audit is what a store holds, and what is wrong with it.
type Audit struct {
	Sessions    int `json:"sessions"`
	Asks        int `json:"asks"`
	Open        int `json:"open"`        // asks that can still be answered
	Undelivered int `json:"undelivered"` // asks whose outcome no agent was told
	Plans       int `json:"plans"`       // versions
	Entries     int `json:"entries"`
	Drafts      int `json:"drafts"`
	TaskPlans   int `json:"taskPlans"`
	Claims      int `json:"claims"` // those of the dead too
	Chunks      int `json:"chunks"`
	// OrphanChunks are the chunks that no record refers to, those of entries included,
	// and OrphanBytes is their size. Failed commits and pruned asks leave them, and
	// Prune removes them.
	OrphanChunks int   `json:"orphanChunks"`
	OrphanBytes  int64 `json:"orphanBytes"`
	// Remains counts the deleted sessions of which some asks or plans are still there. The
	// next Prune sweeps them away.
	Remains int `json:"remains"`
	// Changed is when a session last changed.
	Changed time.Time `json:"changed,omitzero"`
	// Newer says that a newer planb wrote some of the records.
	Newer bool `json:"newer,omitempty"`
	// Problems says what is wrong, one sentence each, at most MaxProblems: records that
	// cannot be read, texts that are missing, indexes that contradict their records. More
	// counts the problems that are not listed.
	Problems []string `json:"problems,omitempty"`
	More     int      `json:"more,omitempty"`
}

func (a *Audit) problem(format string, values ...any) {
	if len(a.Problems) == MaxProblems {
		a.More++
		return
	}
	a.Problems = append(a.Problems, fmt.Sprintf(format, values...))
}

// Audit looks through every record of the store, and changes nothing. No process may write
// to the store meanwhile; so callers give it a copy. Problems tells what is wrong with
// single records; the error is for a store that cannot be looked through, such as that of a
// newer planb, a *FormatError. Audit holds no texts, and some 300 bytes for each ask.
func (s *Store) Audit(ctx context.Context) (Audit, error) {
	a := &auditing{
		s:        s,
		sessions: map[string]*auditedSession{},
		asks:     map[string]auditedAsk{},
		gone:     map[string]bool{},
		lengths:  map[ledger.ChunkID]int32{},
		broken:   map[ledger.ChunkID]error{},
		chunks:   ledger.Chunks{},
		unread:   map[kv.Key]bool{},
	}
	for _, step := range []func(context.Context) error{
		a.readFormat, a.readChunks, a.readSessions, a.readAsks, a.readLate, a.readPlans, a.readFiles, a.readEntries, a.readClaims,
		a.readPopups, a.readMemory, a.readAdopted, a.readTasks, a.readDrafts,
		a.readChanged, a.readIndexes, a.readQueues,
		a.compare, a.readOrphans,
	} {
		if err := step(ctx); err != nil {
			return Audit{}, err
		}
	}
	return a.Audit, nil
}

// auditing is one call of Audit.
type auditing struct {
	Audit
	s        *Store
	sessions map[string]*auditedSession // by id
	asks     map[string]auditedAsk      // by id
	gone     map[string]bool            // sessions that are being swept away, by id
	chunks   ledger.Chunks
	lengths  map[ledger.ChunkID]int32 // of the chunks' texts
	broken   map[ledger.ChunkID]error // chunks that cannot be read
	unread   map[kv.Key]bool          // records that cannot be read
}

// auditedSession is what is remembered of a session.
type auditedSession struct {
	Session
	readable, listed bool
	asks, plans      int // as many as keys name it
}

// auditedAsk is what is remembered of an ask.
type auditedAsk struct {
	session         string
	digest          ledger.ChunkID
	subject         Subject
	state           questions.State
	delivered       time.Time
	queue           kv.Key // of its place, if it is open and has one
	lates, lateKeys int    // how many late replies: by its record, and by their keys
	readable, gone  bool
	queued          bool  // the queue of its place has it
	seen            uint8 // a bit for each of askIndexes that has it
}

// indexes are the entries that should lead to it.
func (ask auditedAsk) indexes(id string) []indexEntry {
	return indexes(Ask{
		ID: id, Session: ask.session, Digest: hex.EncodeToString(ask.digest[:]), Subject: ask.subject,
		Outcome: questions.Outcome{State: ask.state}, Delivered: ask.delivered,
	}, belonging{})
}

// each calls do with the records of a family. A record that cannot be read is a
// problem.
func (a *auditing) each(ctx context.Context, prefix kv.Key, do func(r kv.Record) error) error {
	return a.s.ledger.Each(ctx, prefix, func(r ledger.Found) error {
		err := r.Err
		if err == nil {
			err = do(r.Record)
		}
		if ledger.AboutOne(err) {
			a.unreadable(r.Key, err)
			return nil
		}
		return err
	})
}

func (a *auditing) unreadable(key kv.Key, err error) {
	a.unread[key] = true
	if newer, ok := errors.AsType[*FormatError](err); ok {
		a.Newer = true
		a.problem("the record %s was written by a newer planb (format %d, this one reads up to %d)", key, newer.Got, newer.Known)
		return
	}
	a.problem("the record %s is damaged (%v)", key, ledger.Cause(err))
}

func (a *auditing) readFormat(ctx context.Context) error {
	records, err := a.s.ledger.GetEach(ctx, ledger.FormatKey, goneKey)
	if err != nil {
		return err
	}
	if gone := records[1]; gone.Err != nil {
		a.unreadable(goneKey, gone.Err)
	} else if list, err := a.s.readGone(gone.Record); err != nil {
		a.unreadable(goneKey, err)
	} else {
		a.Remains = len(list.Sessions)
		for _, id := range list.Sessions {
			a.gone[id] = true
		}
	}
	if records[0].Exists() {
		return nil
	}
	page, _, err := a.s.ledger.Page(ctx, "", "", 1)
	if err == nil && len(page) > 0 {
		a.problem("the record %s is missing, so the format of the others is unknown", ledger.FormatKey)
	}
	return err
}

func (a *auditing) readChunks(ctx context.Context) error {
	return a.s.ledger.ChunkTexts(ctx, func(id ledger.ChunkID, stored int, listed bool, text []byte, err error) error {
		a.Chunks++
		if !listed {
			a.problem("the chunk %x is missing in the index of sizes", id)
		}
		if err != nil {
			a.broken[id] = ledger.Cause(err)
		}
		a.chunks[id] = ledger.KeptChunk{Stored: int32(stored)}
		a.lengths[id] = int32(len(text))
		return nil
	})
}

func (a *auditing) readSessions(ctx context.Context) error {
	return a.s.ledger.Each(ctx, sessionKeys, func(r ledger.Found) error {
		a.Sessions++
		id := ledger.LastPart(r.Key)
		if a.gone[id] {
			a.problem("the session %s is there, and among those that were pruned", id)
		}
		session := &auditedSession{}
		a.sessions[id] = session
		record, err := ledger.DecodeFound[sessionRecord](a.s.ledger, r)
		if ledger.AboutOne(err) {
			a.unreadable(r.Key, err)
			return nil
		}
		if err != nil {
			return err
		}
		if record.ID != id {
			a.problem("the record %s is that of another session, %s", r.Key, record.ID)
		}
		session.readable = true
		session.Updated, session.Asks, session.Plans = record.Updated, record.Asks, record.Plans
		if record.Updated.After(a.Changed) {
			a.Changed = record.Updated
		}
		return nil
	})
}

func (a *auditing) readAsks(ctx context.Context) error {
	return a.s.ledger.Each(ctx, askKeys, func(r ledger.Found) error {
		id := ledger.LastPart(r.Key)
		record, err := ledger.DecodeFound[askRecord](a.s.ledger, r)
		if ledger.AboutOne(err) {
			a.unreadable(r.Key, err)
			a.Asks++
			a.asks[id] = auditedAsk{}
			return nil
		}
		if err != nil {
			return err
		}
		if a.gone[record.Session] {
			a.asks[id] = auditedAsk{gone: true}
			return nil
		}
		a.Asks++
		if record.ID != id {
			a.problem("the record %s is that of another ask, %s", r.Key, record.ID)
		}
		return a.ask(id, record)
	})
}

func (a *auditing) ask(id string, record askRecord) error {
	was := record.ask(nil)
	ask := auditedAsk{session: was.Session, subject: was.Subject, state: was.Outcome.State, delivered: was.Delivered, lates: record.Lates, readable: true}
	ask.digest, _ = ledger.ParseChunkID(record.Digest)
	if was.Open() {
		a.Open++
		if record.Place != "" {
			ask.queue = queueKey(record.Place)
		}
	}
	if was.Undelivered() {
		a.Undelivered++
	}
	if _, ok := a.sessions[record.Session]; !ok {
		a.problem("the ask %s is part of the session %s, which is missing", id, record.Session)
	}
	a.text("the form of ask "+id, record.Spec)
	for _, o := range record.outcomes() {
		a.text("the reply to ask "+id, *o.Body)
	}
	a.asks[id] = ask
	return nil
}

// readTasks looks through the projects and plans of tasks.
func (a *auditing) readTasks(ctx context.Context) error {
	return a.s.tasks.Audit(ctx, tasks.Findings{
		Plan: func() { a.TaskPlans++ }, Problem: a.problem, Unreadable: a.unreadable, Text: a.text,
		Session: func(id string) bool { return a.sessions[id] != nil },
	})
}

// readDrafts looks through the drafts.
func (a *auditing) readDrafts(ctx context.Context) error {
	gone := func(session string) bool { return a.gone[session] }
	return a.s.drafts.Audit(ctx, runs.Findings{
		Draft: func() { a.Drafts++ }, Problem: a.problem, Unreadable: a.unreadable, Text: a.text, Gone: gone,
	})
}

// text checks that the chunks of a text are there and have its size.
func (a *auditing) text(what string, ref ledger.Ref) {
	size := 0
	for _, part := range ref.Chunks() {
		id, _ := ledger.ParseChunkID(part)
		if _, ok := a.chunks[id]; !ok {
			a.problem("%s is missing: there is no chunk %s", what, ledger.ChunkKeys+kv.Key(part))
			return
		}
		if err := a.broken[id]; err != nil {
			a.problem("%s is damaged: its chunk %s can't be read (%v)", what, ledger.ChunkKeys+kv.Key(part), err)
			return
		}
		size += int(a.lengths[id])
	}
	if size != ref.Size {
		a.problem("%s is damaged: it has %d bytes, and %d were written", what, size, ref.Size)
	}
}

// readOrphans counts the chunks that no record refers to.
func (a *auditing) readOrphans(ctx context.Context) error {
	// The earlier passes reported the records that cannot be read. Nobody knows which chunks
	// those refer to.
	if err := a.s.ledger.Mark(ctx, a.chunks, nil, func(ledger.Found) {}); err != nil {
		return err
	}
	for _, c := range a.chunks {
		if c.Use == ledger.Unused {
			a.OrphanChunks++
			a.OrphanBytes += int64(c.Stored)
		}
	}
	return nil
}
