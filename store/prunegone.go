package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/tasks"
)

// goneRecord lists the sessions that were pruned or deleted while their asks and plans
// still have to be swept away. It exists only while there are some.
type goneRecord struct {
	ledger.Header
	Sessions []string `json:"sessions"`
}

func (s *Store) readGone(r kv.Record) (goneRecord, error) {
	if !r.Exists() {
		return goneRecord{Header: ledger.NewHeader()}, nil
	}
	return ledger.Decode[goneRecord](s.ledger, r)
}

// hidden says which records the list of gone sessions hides: their asks.
func (s *Store) hidden(gone kv.Record) func(kv.Record) bool {
	list, err := s.readGone(gone)
	if err != nil {
		return nil // Prune and Audit tell that the list is damaged
	}
	return func(r kv.Record) bool {
		return strings.HasPrefix(string(r.Key), string(askKeys)) && ownerOf(r.Value, list.Sessions) != ""
	}
}

// ownerOf returns the session that an ask's record belongs to, if it is one of these;
// else "".
func ownerOf(ask []byte, sessions []string) string {
	for _, id := range sessions {
		if !bytes.Contains(ask, []byte(id)) {
			continue // most asks are told apart by this, without being parsed
		}
		var owner struct {
			Session string `json:"session"`
		}
		if json.Unmarshal(ask, &owner) == nil && owner.Session == id {
			return id
		}
	}
	return ""
}

// checkNotGone refuses the id of a session that is still being swept away: the sweep
// would take the records of the new session as well.
func (s *Store) checkNotGone(ctx context.Context, c *ledger.Change, id string) error {
	records, err := s.ledger.Get(ctx, goneKey)
	if err != nil {
		return err
	}
	gone, err := s.readGone(records[0])
	if err != nil {
		return err
	}
	if slices.Contains(gone.Sessions, id) {
		return fmt.Errorf("the session %s was removed, and its asks and plans are still being swept away; planb prune finishes that", id)
	}
	c.Check(records[0])
	return nil
}

// notGone returns the asks that are not gone: index entries outlive a session for a
// while. Asks that cannot be read are among them.
func (s *Store) notGone(ctx context.Context, ids []string) ([]string, error) {
	keys := make([]kv.Key, len(ids))
	for i, id := range ids {
		keys[i] = askKey(id)
	}
	records, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	there := make([]string, 0, len(ids))
	for i, r := range records {
		if r.Err != nil || r.Exists() {
			there = append(there, ids[i])
		}
	}
	return there, nil
}

// bury deletes the session if may allows it, and notes that its asks and plans are still
// to be swept away. may gets the session, or the error with which its record was read.
//
// bury reads the session's record before may looks for asks that are open or
// undelivered. A commit that adds such an ask, or settles an open one, changes that
// record, too; then the commit of bury conflicts. So the asks are as may saw them, or
// were delivered since.
func (s *Store) bury(ctx context.Context, id string, may func(Session, error) (bool, error)) (buried bool, err error) {
	err = s.ledger.Commit(ctx, func(c *ledger.Change) error {
		buried = false
		records, err := s.ledger.GetEach(ctx, sessionKey(id), goneKey)
		if err != nil {
			return err
		}
		if records[1].Err != nil {
			return records[1].Err
		}
		gone, err := s.readGone(records[1].Record)
		if err != nil {
			return err
		}
		if slices.Contains(gone.Sessions, id) {
			buried = true // by an earlier try, or by another process
			return nil
		}
		if records[0].Err == nil && !records[0].Exists() {
			return nil
		}
		session, err := ledger.DecodeFound[sessionRecord](s.ledger, records[0])
		if ok, err := may(session.Session, err); err != nil || !ok {
			return err
		}
		c.Check(records[0].Record, records[1].Record)
		c.Delete(sessionKey(id), changedKey(session.Updated, id))
		buried = true
		return s.putGone(c, records[1].Record, append(gone.Sessions, id))
	})
	return buried && err == nil, err
}

// finish sweeps away the asks and plans of a session that is gone. The function gone, if
// there is one, removes what lies outside the store; outside is its error. After such an
// error the session's plans stay, and so does its id in the record "gone": the next Prune
// tries again.
func (s *Store) finish(ctx context.Context, id string, gone func(Gone) error) (outside, err error) {
	if err := s.sweepAsks(ctx, id); err != nil {
		return nil, err
	}
	if gone != nil {
		// The plans' records are still there to tell what they were.
		plans, err := s.planDigests(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := gone(Gone{id, plans}); err != nil {
			return err, nil
		}
	}
	if err := s.dropPlanFiles(ctx, id); err != nil {
		return nil, err
	}
	for _, prefix := range []kv.Key{plansOf(id), tasks.OpenOf(id)} {
		if err := s.ledger.DropUnder(ctx, prefix); err != nil {
			return nil, err
		}
	}
	if err := s.drafts.DropSession(ctx, id); err != nil {
		return nil, err
	}
	return nil, s.forgetGone(ctx, id)
}

// forgetGone notes that nothing of the session is left.
func (s *Store) forgetGone(ctx context.Context, id string) error {
	return s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.Quiet = true
		records, err := s.ledger.Get(ctx, goneKey)
		if err != nil {
			return err
		}
		gone, err := s.readGone(records[0])
		if err != nil || !slices.Contains(gone.Sessions, id) {
			return err
		}
		c.Check(records[0])
		return s.putGone(c, records[0], slices.DeleteFunc(gone.Sessions, func(other string) bool { return other == id }))
	})
}

func (s *Store) putGone(c *ledger.Change, r kv.Record, sessions []string) error {
	if len(sessions) == 0 {
		c.Delete(goneKey)
		return nil
	}
	if !r.Exists() {
		return c.Put(goneKey, goneRecord{ledger.NewHeader(), sessions})
	}
	o, err := s.ledger.Object(r)
	if err != nil {
		return err
	}
	if err := o.Set("sessions", sessions); err != nil {
		return err
	}
	return c.Put(goneKey, o)
}
