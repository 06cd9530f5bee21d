package store

import (
	"context"
	"slices"
	"time"
)

const (
	// lookStep is how many sessions a step looks through.
	lookStep = 8
	// lookWrites is how many writes of a commit are for entries.
	lookWrites = MaxBatchWrites - 10
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
		c.Quiet = true
		records, err := s.get(ctx, lookedKey)
		if err != nil || records[0].Rev != was.Rev {
			return err
		}
		c.check(records[0])
		return c.put(lookedKey, looked)
	})
}

// unremembered is an ask without its entries.
type unremembered struct {
	key     Key
	session string
	entries []Key
}

func (u unremembered) writes() int { return len(u.entries) + 1 }

// lookThrough completes the asks of some sessions, and returns how many.
func (s *Store) lookThrough(ctx context.Context, sessions []string) (done int, err error) {
	projects, err := s.projectsOf(ctx, sessions)
	if err != nil || len(projects) == 0 {
		return 0, err
	}
	parts, err := s.partsOf(ctx, slices.DeleteFunc(sessions, func(id string) bool { return projects[id] == "" }))
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(parts, maxWholeRecords) {
		missing, err := s.unremembering(ctx, projects, some)
		if err != nil {
			return done, err
		}
		for len(missing) > 0 {
			n, writes := 0, 0
			for n < len(missing) && (n == 0 || writes+missing[n].writes() <= lookWrites) {
				writes += missing[n].writes()
				n++
			}
			if err := s.remember(ctx, missing[:n]); err != nil {
				return done, err
			}
			missing, done = missing[n:], done+n
		}
	}
	return done, nil
}

// unremembering lists the asks without their entries among those that an index
// names.
func (s *Store) unremembering(ctx context.Context, projects map[string]string, index []Key) ([]unremembered, error) {
	keys := make([]Key, len(index))
	for i, entry := range index {
		keys[i] = askKey(lastPart(entry))
	}
	found, err := s.getEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var list []unremembered
	for i, r := range found {
		session := sessionIn(index[i])
		entries, err := s.missingMemories(ctx, projects[session], r)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 {
			list = append(list, unremembered{r.Key, session, entries})
		}
	}
	return list, nil
}

// projectsOf is the hashed projects of the sessions that have one.
func (s *Store) projectsOf(ctx context.Context, sessions []string) (map[string]string, error) {
	keys := make([]Key, len(sessions))
	for i, id := range sessions {
		keys[i] = sessionKey(id)
	}
	records, err := s.getEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	projects := map[string]string{}
	for i, r := range records {
		if r.err != nil || !r.Exists() {
			continue
		}
		if record, err := decode[sessionRecord](s, r.Record); err == nil && !record.Project.IsZero() {
			projects[sessions[i]] = projectHash(record.Session)
		}
	}
	return projects, nil
}

// missingMemories lists the entries of an ask that has none and could.
func (s *Store) missingMemories(ctx context.Context, project string, r found) ([]Key, error) {
	if r.err != nil || !r.Exists() {
		return nil, nil
	}
	record, err := decode[askRecord](s, r.Record)
	if err != nil || record.Remembered || record.Plan != nil || !remembered(record.Outcome.Outcome) {
		return nil, nil // what cannot be read was no answer, either
	}
	spec, err := s.wholeOf(ctx, &record)
	if _, one := aboutOne(err); one {
		return nil, nil
	}
	return memories(project, record.ID, spec, record.Outcome.Outcome), err
}

// remember adds the entries of asks that still are there.
func (s *Store) remember(ctx context.Context, batch []unremembered) error {
	keys := make([]Key, 0, 2*len(batch))
	for _, ask := range batch {
		keys = append(keys, ask.key, sessionKey(ask.session))
	}
	return s.commit(ctx, func(c *change) error {
		c.Quiet = true
		records, err := s.getEach(ctx, keys...)
		if err != nil {
			return err
		}
		for i, ask := range batch {
			r, owner := records[2*i], records[2*i+1]
			if r.err != nil || owner.err != nil || !r.Exists() || !owner.Exists() {
				continue
			}
			o, err := s.object(r.Record)
			if err != nil || o["remembered"] != nil {
				continue
			}
			if err := o.set("remembered", true); err != nil {
				return err
			}
			c.check(r.Record, owner.Record) // or the entries would outlive it
			if err := c.put(ask.key, o); err != nil {
				return err
			}
			if err := c.memorize(ask.entries); err != nil {
				return err
			}
		}
		return nil
	})
}
