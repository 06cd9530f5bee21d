package store

import (
	"context"
	"slices"
	"time"

	"planb/questions"
)

const (
	// lookStep is how many sessions a step looks through.
	lookStep = 8
	// lookWrites is how many entries one commit adds.
	lookWrites = MaxBatchWrites / 2
	// clockSlack is how far the clocks of those who write to one store may differ:
	// sessions that changed so shortly before a look began are looked through again.
	clockSlack = time.Hour
)

// lookedRecord says which sessions LookBack has looked through. It may be lost:
// then they are looked through again.
type lookedRecord struct {
	header
	// Until: every session that did not change since.
	Until time.Time `json:"until,omitzero"`
	// Began is when the look that is under way began, and At how far down the list
	// of sessions it came.
	Began time.Time `json:"began,omitzero"`
	At    Key       `json:"at,omitempty"`
}

// LookBack looks through a few of the sessions that changed since it last came
// to the end of the list, for answers that were given to a planb without a memory,
// so that Earlier finds them: found is how many asks it completed, more says that
// there are others to look through. Steps may be made by any number of processes
// at once; each writes quietly, in small commits, and may end anywhere. A store
// where nothing is missing is only read.
func (s *Store) LookBack(ctx context.Context) (found int, more bool, err error) {
	records, err := s.getEach(ctx, lookedKey)
	if err != nil {
		return 0, false, err
	}
	r := records[0]
	var looked lookedRecord
	if r.err == nil && r.Exists() {
		if looked, err = decode[lookedRecord](s, r.Record); err != nil {
			if _, one := aboutOne(err); !one {
				return 0, false, err
			}
			return 0, false, nil // a newer planb's, which looks by itself
		}
	}
	if looked.Began.IsZero() {
		looked.Began = s.clock()
	}
	first := looked.At == ""
	entries, more, err := s.pageEach(ctx, changedKeys, looked.At, lookStep)
	if err != nil {
		return 0, false, err
	}
	var sessions []string
	for _, entry := range entries {
		if changedAt(entry.Key).Before(looked.Until) {
			more = false
			break
		}
		looked.At = entry.Key
		sessions = append(sessions, lastPart(entry.Key))
	}
	found, err = s.lookThrough(ctx, sessions)
	if err != nil {
		return found, false, err
	}
	if more && len(entries) > 0 {
		return found, true, s.saveLooked(ctx, r.Record, looked)
	}
	if first && found == 0 {
		return 0, false, nil // so few that the next look may begin here, too
	}
	return found, false, s.saveLooked(ctx, r.Record, lookedRecord{Until: looked.Began.Add(-clockSlack)})
}

// saveLooked notes how far the look came, unless another process has meanwhile.
func (s *Store) saveLooked(ctx context.Context, was Record, looked lookedRecord) error {
	looked.V = format
	return s.commit(ctx, func(c *change) error {
		c.CanWait = true
		c.Quiet = true
		records, err := s.get(ctx, lookedKey)
		if err != nil || records[0].Rev != was.Rev {
			return err
		}
		c.check(records[0])
		return c.put(lookedKey, looked)
	})
}

// unremembered is an ask without its entry.
type unremembered struct {
	ask, session string
	key          Key
	entry        memoryRecord
}

// lookThrough completes the asks of some sessions, and returns how many.
func (s *Store) lookThrough(ctx context.Context, sessions []string) (done int, err error) {
	projects, err := s.projectsOf(ctx, sessions)
	if err != nil || len(projects) == 0 {
		return 0, err
	}
	parts, err := s.partsOf(ctx, slices.DeleteFunc(sessions, func(id string) bool { return projects[id].Project == "" }))
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(parts, lookWrites) {
		missing, err := s.unremembering(ctx, projects, some)
		if err == nil && len(missing) > 0 {
			err = s.remember(ctx, missing)
		}
		if err != nil {
			return done, err
		}
		done += len(missing)
	}
	return done, nil
}

// unremembering lists the asks without their entries among those that an index
// names.
func (s *Store) unremembering(ctx context.Context, projects map[string]belonging, index []Key) ([]unremembered, error) {
	keys := make([]Key, len(index))
	for i, part := range index {
		keys[i] = askKey(lastPart(part))
	}
	records, err := s.getEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var asks []askRecord
	var entries []Key
	for i, r := range records {
		if r.err != nil || !r.Exists() {
			continue
		}
		record, err := decode[askRecord](s, r.Record)
		if err != nil || record.Plan != nil || !record.mayBeMemorable() {
			continue // what cannot be read is found by nobody
		}
		asks = append(asks, record)
		entries = append(entries, memoryKey(projects[sessionIn(index[i])].Project, record.Outcome.At, record.ID))
	}
	there, err := s.getEach(ctx, entries...)
	if err != nil {
		return nil, err
	}
	var list []unremembered
	for i, r := range there {
		if r.err != nil || r.Exists() {
			continue
		}
		spec, err := s.wholeOf(ctx, &asks[i])
		if _, one := aboutOne(err); one {
			continue
		}
		if err != nil {
			return nil, err
		}
		ask := asks[i].ask(&spec)
		if key, entry, ok := memory(projects[ask.Session], ask); ok {
			list = append(list, unremembered{ask.ID, ask.Session, key, entry})
		}
	}
	return list, nil
}

// mayBeMemorable is memorable and more, as far as the record alone tells.
func (a *askRecord) mayBeMemorable() bool {
	return memorable(a.Outcome.Outcome) && checkTime(a.Outcome.At) == nil && (a.Outcome.Body != nil || len(a.Outcome.Reply.Answers) > 0)
}

// wholeOf reads the long texts of an ask's record, and returns its form.
func (s *Store) wholeOf(ctx context.Context, record *askRecord) (questions.Spec, error) {
	if err := s.readBodies(ctx, record); err != nil {
		return questions.Spec{}, err
	}
	spec, err := s.readSpec(ctx, record)
	if err != nil {
		return questions.Spec{}, err
	}
	return *spec, nil
}

// projectsOf is the projects of the sessions that have one.
func (s *Store) projectsOf(ctx context.Context, sessions []string) (map[string]belonging, error) {
	keys := make([]Key, len(sessions))
	for i, id := range sessions {
		keys[i] = sessionKey(id)
	}
	records, err := s.getEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	projects := map[string]belonging{}
	for i, r := range records {
		if r.err != nil || !r.Exists() {
			continue
		}
		if record, err := decode[sessionRecord](s, r.Record); err == nil && !record.Project.IsZero() {
			projects[sessions[i]] = s.belonging(record.Session)
		}
	}
	return projects, nil
}

// remember adds the entries of asks whose sessions still are there.
func (s *Store) remember(ctx context.Context, asks []unremembered) error {
	keys := make([]Key, len(asks))
	for i, ask := range asks {
		keys[i] = sessionKey(ask.session)
	}
	return s.commit(ctx, func(c *change) error {
		c.CanWait = true
		c.Quiet = true
		owners, err := s.getEach(ctx, keys...)
		if err != nil {
			return err
		}
		for i, ask := range asks {
			if owners[i].err != nil || !owners[i].Exists() {
				continue
			}
			c.check(owners[i].Record) // or the entry would outlive it
			if err := c.put(ask.key, ask.entry); err != nil {
				return err
			}
		}
		return nil
	})
}
