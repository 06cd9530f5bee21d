package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/runs"
	"planb/store/tasks"
)

// Pruning is what a Prune would remove.
type Pruning struct {
	// Before is the limit: sessions that changed later stay.
	Before time.Time `json:"before"`
	// Sessions has the latest change first.
	Sessions []Session `json:"sessions"`
	Asks     int       `json:"asks"`  // of those sessions
	Plans    int       `json:"plans"` // their versions
	// Drafts says how many drafts each of those sessions has, unless it has none.
	Drafts map[string]int `json:"drafts,omitempty"`
	// Remains is how many sessions an earlier Prune began to remove and did not
	// finish.
	Remains int `json:"remains"`
	// Chunks counts the pieces of texts that no record outside these sessions refers
	// to, and Bytes is their size. OrphanChunks and OrphanBytes count those among them
	// that no record at all refers to.
	Chunks       int   `json:"chunks"`
	Bytes        int64 `json:"bytes"`
	OrphanChunks int   `json:"orphanChunks"`
	OrphanBytes  int64 `json:"orphanBytes"`
	// Claims are those of processes that are known to have ended.
	Claims int `json:"claims"`
	// Kept says what stays although it may be old, because a record cannot be read: one
	// sentence each, at most MaxProblems.
	Kept []string `json:"kept,omitempty"`
}

// Empty reports whether there is nothing to remove.
func (p Pruning) Empty() bool {
	return len(p.Sessions) == 0 && p.Remains == 0 && p.Chunks == 0 && p.Claims == 0
}

func (p *Pruning) keep(format string, values ...any) {
	if len(p.Kept) < MaxProblems {
		p.Kept = append(p.Kept, fmt.Sprintf(format, values...))
	}
}

// Pruned is what a Prune removed.
type Pruned struct {
	Sessions int `json:"sessions"` // with those that an earlier Prune began to remove
	// Stayed counts the listed sessions that Prune did not remove: they were used
	// meanwhile, or another process removed them.
	Stayed int   `json:"stayed"`
	Chunks int   `json:"chunks"`
	Bytes  int64 `json:"bytes"`
	Claims int   `json:"claims"`
}

// Gone is a session that was pruned or deleted.
type Gone struct {
	Session string
	// Plans has the SHA-256 of each version's text, in hexadecimal, by number. It lacks
	// versions that cannot be read or were swept away already.
	Plans map[int]string
}

// Prunable lists what a Prune would remove: the sessions in which nothing changed since
// before and nothing is open or undelivered, plans of tasks and drafts included; what an earlier
// Prune left; texts that no record refers to, or only these sessions; claims of
// processes that have ended. It writes nothing. A session that cannot be read is not
// among them.
func (s *Store) Prunable(ctx context.Context, before time.Time) (Pruning, error) {
	p := Pruning{Before: before}
	records, err := s.ledger.Get(ctx, goneKey)
	if err != nil {
		return Pruning{}, err
	}
	gone, err := s.readGone(records[0])
	if err != nil {
		return Pruning{}, err
	}
	p.Remains = len(gone.Sessions)
	going := map[string]bool{}
	for _, id := range gone.Sessions {
		going[id] = true
	}
	if err := s.oldSessions(ctx, &p); err != nil {
		return Pruning{}, err
	}
	for _, session := range p.Sessions {
		going[session.ID] = true
		p.Asks += session.Asks
		p.Plans += session.Plans
	}
	if err := s.goingDrafts(ctx, &p, going); err != nil {
		return Pruning{}, err
	}
	if err := s.goingTexts(ctx, &p, going); err != nil {
		return Pruning{}, err
	}
	dead, err := s.Claims.Dead(ctx)
	p.Claims = len(dead)
	return p, err
}

// oldSessions lists the sessions that are to go.
func (s *Store) oldSessions(ctx context.Context, p *Pruning) error {
	busy := map[string]bool{}
	for _, prefix := range []kv.Key{openKeys, undelivered, tasks.OpenKeys, runs.OpenKeys} {
		err := s.ledger.Each(ctx, prefix, func(r ledger.Found) error {
			busy[ledger.Parent(r.Key)] = true
			return nil
		})
		if err != nil {
			return err
		}
	}
	for after := changedKey(p.Before, ""); ; {
		entries, more, err := s.ledger.Page(ctx, changedKeys, after, kv.MaxPageRecords)
		if err != nil {
			return err
		}
		keys := make([]kv.Key, 0, len(entries))
		for _, entry := range entries {
			if id := ledger.LastPart(entry.Key); !busy[id] {
				keys = append(keys, sessionKey(id))
			}
		}
		found, err := s.ledger.GetEach(ctx, keys...)
		if err != nil {
			return err
		}
		for _, r := range found {
			if r.Err == nil && !r.Exists() {
				continue
			}
			session, err := s.sessionOf(r)
			switch {
			case err != nil:
				return err
			case session.Err != nil:
				p.keep("the session %s stays, because its record can't be read (%v)", session.ID, ledger.Cause(session.Err))
			case session.Updated.Before(p.Before):
				p.Sessions = append(p.Sessions, session)
			}
		}
		if !more || len(entries) == 0 {
			return nil
		}
		after = entries[len(entries)-1].Key
	}
}

// busy reports whether something of the session is still going on: an ask is open or
// undelivered, a plan of tasks is proposed or active, or a draft is not completed.
func (s *Store) busy(ctx context.Context, session string) (bool, error) {
	for _, prefix := range []kv.Key{openOf(session), undeliveredOf(session), tasks.OpenOf(session), runs.OpenOf(session)} {
		some, _, err := s.ledger.Page(ctx, prefix, "", 1)
		if err != nil || len(some) > 0 {
			return true, err
		}
	}
	return false, nil
}

// goingDrafts adds the drafts of the going sessions to them, and counts those of the
// sessions that are listed.
func (s *Store) goingDrafts(ctx context.Context, p *Pruning, going map[string]bool) error {
	of := map[string]int{}
	err := s.ledger.Each(ctx, runs.OfKeys, func(r ledger.Found) error {
		if session := ledger.Parent(r.Key); going[session] {
			of[session]++
			going[ledger.LastPart(r.Key)] = true
		}
		return nil
	})
	p.Drafts = map[string]int{}
	for _, session := range p.Sessions {
		if n := of[session.ID]; n > 0 {
			p.Drafts[session.ID] = n
		}
	}
	return err
}

// goingTexts counts the chunks that only the going sessions and drafts refer to, or no
// record.
func (s *Store) goingTexts(ctx context.Context, p *Pruning, going map[string]bool) error {
	list, err := s.ledger.Chunks(ctx)
	if err != nil {
		return err
	}
	unread := false
	err = s.ledger.Mark(ctx, list, func(r kv.Record) bool { return going[owner(r)] }, func(r ledger.Found) {
		unread = true
		p.keep("no text is removed, because the record %s can't be read, and it may refer to any of them (%v)", r.Key, ledger.Cause(r.Err))
	})
	if err != nil {
		return err
	}
	for _, c := range list {
		if unread || c.Use == ledger.Used {
			continue
		}
		p.Chunks++
		p.Bytes += int64(c.Stored)
		if c.Use == ledger.Unused {
			p.OrphanChunks++
			p.OrphanBytes += int64(c.Stored)
		}
	}
	return s.strayParts(ctx, func(part, _ kv.Record) error {
		size := int64(len(part.Value))
		p.Chunks, p.OrphanChunks = p.Chunks+1, p.OrphanChunks+1
		p.Bytes, p.OrphanBytes = p.Bytes+size, p.OrphanBytes+size
		return nil
	})
}

// owner is the session of a session's own record, an ask, a reply that came too late, a
// plan version or a plan file; the draft of what belongs to one; empty for other records.
func owner(r kv.Record) string {
	switch ledger.Family(r.Key) {
	case sessionKeys:
		return ledger.LastPart(r.Key)
	case planKeys:
		return ledger.Parent(r.Key)
	case askKeys, lateKeys, fileKeys:
		var part struct {
			Session string `json:"session"`
		}
		if json.Unmarshal(r.Value, &part) == nil {
			return part.Session
		}
	}
	return runs.PlanOf(r.Key)
}

// Prune removes what is listed, unless it changed meanwhile: such a session stays. One
// commit makes a session unknown; then Prune calls gone, unless that is nil, to remove
// what lies outside the store. If a Prune ends early or gone fails, the next Prune goes on
// with these sessions and calls gone again. Prune returns the error of gone at its end.
//
// Others may write to the store meanwhile.
func (s *Store) Prune(ctx context.Context, p Pruning, gone func(Gone) error) (done Pruned, err error) {
	records, err := s.ledger.Get(ctx, goneKey)
	if err != nil {
		return done, err
	}
	left, err := s.readGone(records[0])
	if err != nil {
		return done, err
	}
	var outside []error
	finish := func(id string) error {
		left, err := s.finish(ctx, id, gone)
		switch {
		case err != nil:
			return err
		case left != nil:
			outside = append(outside, left)
		default:
			done.Sessions++
		}
		return nil
	}
	for _, id := range left.Sessions {
		if err := finish(id); err != nil {
			return done, errors.Join(append(outside, err)...)
		}
	}
	for _, session := range p.Sessions {
		buried, err := s.bury(ctx, session.ID, func(session Session, err error) (bool, error) {
			if ledger.AboutOne(err) {
				return false, nil // its age is unknown
			}
			if err != nil || !session.Updated.Before(p.Before) {
				return false, err
			}
			busy, err := s.busy(ctx, session.ID)
			return !busy, err
		})
		if err == nil && buried {
			err = finish(session.ID)
		}
		if err != nil {
			return done, errors.Join(append(outside, err)...)
		}
		if !buried {
			done.Stayed++
		}
	}
	err = s.sweepRest(ctx, &done)
	return done, errors.Join(append(outside, err)...)
}

// sweepRest deletes what belongs to no session.
func (s *Store) sweepRest(ctx context.Context, done *Pruned) error {
	dead, err := s.Claims.Dead(ctx)
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(dead, kv.MaxBatchWrites/2) {
		dropped, err := s.ledger.DropSeen(ctx, batch)
		if err != nil {
			return err
		}
		done.Claims += len(dropped)
	}
	err = s.strayParts(ctx, func(part, entry kv.Record) error {
		dropped, err := s.ledger.DropSeen(ctx, []kv.Record{part}, entry)
		if len(dropped) > 0 {
			done.Chunks++
			done.Bytes += int64(len(part.Value))
		}
		return err
	})
	if err != nil {
		return err
	}
	chunks, size, err := s.ledger.Sweep(ctx)
	done.Chunks += chunks
	done.Bytes += size
	return err
}
