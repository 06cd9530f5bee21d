package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/store/kv"
	"planb/store/ledger"
)

type sessionRecord struct {
	ledger.Header
	Session
}

// mark is the empty value of a record whose key says everything.
type mark struct{}

// CreateSession stores a new session. It fills Created and Updated, Root and Machine (by
// the project's directory), and ID unless one is given. A given ID must be a UUID that
// no session has.
func (s *Store) CreateSession(ctx context.Context, session Session) (Session, error) {
	given := session.ID != ""
	if !given {
		id, err := s.ledger.NewID()
		if err != nil {
			return Session{}, err
		}
		session.ID = id
	}
	id, ok := ledger.CanonicalID(session.ID)
	if !ok {
		return Session{}, fmt.Errorf("a session's id must be a UUID, got %q", session.ID)
	}
	session.ID = id
	session.Created = s.ledger.Clock()
	session.Updated = session.Created
	session.Asks, session.Plans, session.Archived = 0, 0, time.Time{}
	s.locate(&session)
	err := s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.CanWait = true
		records, err := s.ledger.Get(ctx, sessionKey(id))
		if err != nil {
			return err
		}
		if given {
			if err := s.checkNotGone(ctx, c, id); err != nil {
				return err
			}
		}
		if records[0].Exists() {
			there, err := ledger.Decode[sessionRecord](s.ledger, records[0])
			if err != nil || there.Created.Equal(session.Created) {
				return err // an earlier try happened
			}
			return fmt.Errorf("there is a session %s already", id)
		}
		c.Check(records[0])
		if err := c.Put(sessionKey(id), sessionRecord{Header: ledger.NewHeader(), Session: session}); err != nil {
			return err
		}
		return c.Put(changedKey(session.Updated, id), mark{})
	})
	if err != nil {
		return Session{}, err
	}
	return session, nil
}

// Session returns the session with that id, or *UnknownError.
func (s *Store) Session(ctx context.Context, id string) (Session, error) {
	r, err := s.sessionRecord(ctx, id)
	return r.Session, err
}

func (s *Store) sessionRecord(ctx context.Context, id string) (sessionRecord, error) {
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return sessionRecord{}, &UnknownError{What: "session", ID: id}
	}
	records, err := s.ledger.Get(ctx, sessionKey(canonical))
	if err != nil {
		return sessionRecord{}, err
	}
	return s.readSession(records[0], id)
}

func (s *Store) readSession(r kv.Record, id string) (sessionRecord, error) {
	if !r.Exists() {
		return sessionRecord{}, &UnknownError{What: "session", ID: id}
	}
	return ledger.Decode[sessionRecord](s.ledger, r)
}

// ownerID returns the session's id as its keys have it. A session whose own record
// cannot be read still has its asks and plans.
func (s *Store) ownerID(ctx context.Context, session string) (string, error) {
	id, ok := ledger.CanonicalID(session)
	if !ok {
		return "", &UnknownError{What: "session", ID: session}
	}
	_, err := s.Session(ctx, id)
	if ledger.AboutOne(err) {
		return id, nil
	}
	return id, err
}

// Sessions returns a page of sessions, the one that changed last first. Limit is at least
// 1 and at most kv.MaxPageRecords-1. A session that cannot be read is among them, with
// Err. Next is given as after for the following page; it is empty at the end. A session
// that changes between two pages moves to the front and may be listed again.
func (s *Store) Sessions(ctx context.Context, after string, limit int) (list []Session, next string, err error) {
	limit = min(max(limit, 1), kv.MaxPageRecords-1)
	from := kv.Key("")
	if after != "" {
		from = changedKeys + kv.Key(after)
	}
	entries, more, err := s.ledger.Page(ctx, changedKeys, from, limit)
	if err != nil {
		return nil, "", err
	}
	keys := make([]kv.Key, 0, len(entries))
	for _, entry := range entries {
		keys = append(keys, sessionKey(ledger.LastPart(entry.Key)))
	}
	records, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, "", err
	}
	for i, r := range records {
		if r.Err == nil && !r.Exists() {
			continue // deleted since the scan
		}
		session, err := s.sessionOf(r)
		if err != nil {
			return nil, "", err
		}
		if session.Err != nil {
			session.Updated = changedAt(entries[i].Key)
		}
		list = append(list, session)
	}
	if more && len(entries) > 0 {
		next = string(entries[len(entries)-1].Key[len(changedKeys):])
	}
	return list, next, nil
}

// sessionOf is the session of one record of a list.
func (s *Store) sessionOf(r ledger.Found) (Session, error) {
	session, err := ledger.DecodeFound[sessionRecord](s.ledger, r)
	if ledger.AboutOne(err) {
		return Session{ID: ledger.LastPart(r.Key), Err: err}, nil
	}
	return session.Session, err
}

// touch moves the session to the front of the list, with new counts.
func (s *Store) touch(c *ledger.Change, r kv.Record, asks, plans int) error {
	old, err := ledger.Decode[sessionRecord](s.ledger, r)
	if err != nil {
		return err
	}
	o, err := s.ledger.Object(r)
	if err != nil {
		return err
	}
	now := s.ledger.Clock()
	if err := o.Set("updated", now, "asks", asks, "plans", plans); err != nil {
		return err
	}
	delete(o, "archived")
	c.Check(r)
	if err := c.Put(r.Key, o); err != nil {
		return err
	}
	before, after := changedKey(old.Updated, old.ID), changedKey(now, old.ID)
	if before != after {
		c.Delete(before)
	}
	return c.Put(after, mark{})
}

// Archive puts the session into the person's archive, or takes it out; it may be there
// already. This does not count as a change of the session: the list keeps its order.
// Archive returns the session as it is then, or *UnknownError.
func (s *Store) Archive(ctx context.Context, id string, archived bool) (Session, error) {
	var session Session
	err := s.ledger.Commit(ctx, func(c *ledger.Change) error {
		canonical, ok := ledger.CanonicalID(id)
		if !ok {
			return &UnknownError{What: "session", ID: id}
		}
		records, err := s.ledger.Get(ctx, sessionKey(canonical))
		if err != nil {
			return err
		}
		record, err := s.readSession(records[0], id)
		if err != nil {
			return err
		}
		session = record.Session
		if session.InArchive() == archived {
			return nil
		}
		o, err := s.ledger.Object(records[0])
		if err != nil {
			return err
		}
		session.Archived = time.Time{}
		delete(o, "archived")
		if archived {
			session.Archived = session.Updated
			if err := o.Set("archived", session.Archived); err != nil {
				return err
			}
		}
		c.Check(records[0])
		return c.Put(records[0].Key, o)
	})
	if err != nil {
		return Session{}, err
	}
	return session, nil
}

// FindSession returns the session that a person means: by its long id, by the first
// eight or more digits of the long id, by its short id (see ShortID), or by the first
// four or more digits of the short id; dashes do not matter. It returns *UnknownError if
// there is none, and *AmbiguousError if there are several. A session whose record cannot
// be read has Err. To find a session by a part of its id costs one read for each
// thousand sessions.
func (s *Store) FindSession(ctx context.Context, idOrPart string) (Session, error) {
	if canonical, ok := ledger.CanonicalID(idOrPart); ok {
		return s.listedSession(ctx, canonical)
	}
	part := strings.ToLower(strings.ReplaceAll(idOrPart, "-", ""))
	if len(part) < minShortDigits || strings.Trim(part, "0123456789abcdef") != "" {
		return Session{}, &UnknownError{What: "session", ID: idOrPart}
	}
	entries, err := s.ledger.List(ctx, changedKeys)
	if err != nil {
		return Session{}, err
	}
	var matches []string
	for _, entry := range entries {
		if id := ledger.LastPart(entry.Key); namedBy(id, part) {
			matches = append(matches, id)
		}
	}
	slices.Sort(matches) // a session that changed meanwhile is there twice
	matches = slices.Compact(matches)
	switch len(matches) {
	case 0:
		return Session{}, &UnknownError{What: "session", ID: idOrPart}
	case 1:
		return s.listedSession(ctx, matches[0])
	}
	return Session{}, &AmbiguousError{What: "session", ID: idOrPart, Matches: matches}
}

// namedBy reports whether a person may name the id by these digits.
func namedBy(id, digits string) bool {
	if strings.HasPrefix(ShortID(id), digits) {
		return true
	}
	return len(digits) >= shortDigits && strings.HasPrefix(strings.ReplaceAll(id, "-", ""), digits)
}

// listedSession is the session with that id; with Err if it cannot be read.
func (s *Store) listedSession(ctx context.Context, id string) (Session, error) {
	session, err := s.Session(ctx, id)
	if ledger.AboutOne(err) {
		return Session{ID: id, Err: err}, nil
	}
	return session, err
}
