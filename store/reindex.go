package store

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"

	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Reindex puts the indexes of a damaged store in order: they lead to every session and
// ask that can be read, and to none that is lost. Asks and plans whose session is lost
// get a new one. Beside index entries it removes what LostAsks reads. No other process
// may use the store meanwhile.
func (s *Store) Reindex(ctx context.Context) error {
	r := &reindexing{s: s, sessions: map[string]*sessionFound{}, asks: map[string]bool{}, lates: map[string]int{}, want: map[kv.Key][]byte{}, queues: map[string][]string{}}
	for _, step := range []func(context.Context) error{s.Prepare, r.readSessions, r.readPlans, r.readLate, r.readAsks, r.putSessions, r.putQueues, r.dropFiles, r.dropLost, r.exchange, s.tasks.Reindex, s.drafts.Reindex, s.ledger.IndexChunks} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// reindexing is one call of Reindex.
type reindexing struct {
	s        *Store
	sessions map[string]*sessionFound
	gone     []string            // sessions that are still being swept away
	asks     map[string]bool     // by id, whether it can be read and its session is not gone
	lates    map[string]int      // replies that came too late, by ask
	want     map[kv.Key][]byte   // the indexes as they should be
	queues   map[string][]string // asks by place, the oldest first
	puts     []kv.Put
	deletes  []kv.Key
}

// sessionFound is a session's record, and how much of the session was found.
type sessionFound struct {
	ledger.Found
	record      sessionRecord
	asks, plans int
}

func (r *reindexing) readSessions(ctx context.Context) error {
	records, err := r.s.ledger.GetEach(ctx, goneKey)
	if err != nil {
		return err
	}
	if gone, err := ledger.DecodeFound[goneRecord](r.s.ledger, records[0]); err == nil {
		r.gone = gone.Sessions
	}
	return r.s.ledger.Each(ctx, sessionKeys, func(f ledger.Found) error {
		session := &sessionFound{Found: f}
		session.record, session.Err = ledger.DecodeFound[sessionRecord](r.s.ledger, f)
		r.sessions[ledger.LastPart(f.Key)] = session
		return nil
	})
}

// of returns the session with that id. If its record is lost, of makes the session
// anew.
func (r *reindexing) of(id string) *sessionFound {
	session := r.sessions[id]
	if session == nil {
		session = &sessionFound{Found: ledger.Found{Record: kv.Record{Key: sessionKey(id)}}}
		session.record.Header = ledger.NewHeader()
		session.record.ID, session.record.Created = id, ledger.TimeOf(id)
		session.record.Title = safe.New("Recovered: its own record was lost")
		r.sessions[id] = session
	}
	return session
}

func (r *reindexing) readPlans(ctx context.Context) error {
	return r.s.ledger.Each(ctx, planKeys, func(f ledger.Found) error {
		if slices.Contains(r.gone, ledger.Parent(f.Key)) {
			return nil
		}
		session := r.of(ledger.Parent(f.Key))
		if number, err := strconv.Atoi(ledger.LastPart(f.Key)); err == nil {
			session.plans = max(session.plans, number)
		}
		if plan, err := ledger.DecodeFound[planRecord](r.s.ledger, f); err == nil && !session.Exists() && plan.Created.After(session.record.Updated) {
			session.record.Updated = plan.Created
		}
		return nil
	})
}

func (r *reindexing) readLate(ctx context.Context) error {
	return r.s.ledger.Each(ctx, lateKeys, func(f ledger.Found) error {
		r.lates[ledger.Parent(f.Key)]++
		return nil
	})
}

func (r *reindexing) readAsks(ctx context.Context) error {
	var asks []Ask
	err := r.s.ledger.Each(ctx, askKeys, func(f ledger.Found) error {
		ask, err := ledger.DecodeFound[askRecord](r.s.ledger, f)
		readable := err == nil && !slices.Contains(r.gone, ask.Session)
		if r.asks[ledger.LastPart(f.Key)] = readable; !readable {
			return nil
		}
		asks = append(asks, ask.ask(nil))
		if late := r.lates[ask.ID]; late != ask.Lates {
			return r.correct(f.Record, "lates", late)
		}
		return nil
	})
	if err != nil {
		return err
	}
	oldestFirst(asks)
	for _, ask := range asks {
		session := r.of(ask.Session)
		session.asks++
		if !session.Exists() && ask.Created.After(session.record.Updated) {
			session.record.Updated, session.record.Client = ask.Created, ask.Client
		}
		if err := r.index(ask, r.s.belonging(session.record.Session)); err != nil {
			return err
		}
	}
	return nil
}

// index notes the index entries that lead to the ask.
func (r *reindexing) index(ask Ask, project belonging) error {
	if ask.Open() && ask.Place != "" {
		r.queues[ask.Place] = append(r.queues[ask.Place], ask.ID)
	}
	return r.wants(indexes(ask, project)...)
}

func (r *reindexing) wants(entries ...indexEntry) error {
	for _, e := range entries {
		data, err := ledger.Encode(e.value)
		if err != nil {
			return err
		}
		r.want[e.key] = data
	}
	return nil
}

// putSessions corrects the counts of the sessions, and makes those that are lost.
func (r *reindexing) putSessions(context.Context) error {
	for id, session := range r.sessions {
		if session.Err != nil {
			continue // a newer planb's
		}
		if session.record.Created.IsZero() {
			session.record.Created = r.s.ledger.Clock()
		}
		if session.record.Updated.IsZero() {
			session.record.Updated = session.record.Created
		}
		if err := r.wants(indexEntry{changedKey(session.record.Updated, id), mark{}}); err != nil {
			return err
		}
		if session.Exists() && session.record.Asks == session.asks && session.record.Plans == session.plans {
			continue
		}
		if session.Exists() {
			if err := r.correct(session.Record, "asks", session.asks, "plans", session.plans); err != nil {
				return err
			}
			continue
		}
		session.record.Asks, session.record.Plans = session.asks, session.plans
		data, err := ledger.Encode(session.record)
		if err != nil {
			return err
		}
		r.puts = append(r.puts, kv.Put{Key: session.Key, Value: data})
	}
	return nil
}

// correct sets fields of a record, given as names and values in turn.
func (r *reindexing) correct(record kv.Record, fields ...any) error {
	o, err := r.s.ledger.Object(record)
	if err != nil {
		return err
	}
	if err := o.Set(fields...); err != nil {
		return err
	}
	data, err := ledger.Encode(o)
	if err != nil {
		return err
	}
	r.puts = append(r.puts, kv.Put{Key: record.Key, Value: data})
	return nil
}

func (r *reindexing) putQueues(context.Context) error {
	for place, asks := range r.queues {
		if err := r.wants(indexEntry{queueKey(place), queueRecord{ledger.NewHeader(), place, asks}}); err != nil {
			return err
		}
	}
	return nil
}

// dropFiles forgets plan files whose version is lost: the next text of such a file
// is a new version.
func (r *reindexing) dropFiles(ctx context.Context) error {
	return r.s.ledger.Each(ctx, fileKeys, func(f ledger.Found) error {
		file, err := ledger.DecodeFound[fileRecord](r.s.ledger, f)
		if err != nil {
			return nil
		}
		records, err := r.s.ledger.GetEach(ctx, planKey(file.Session, file.Number))
		if err != nil {
			return err
		}
		plan, err := ledger.DecodeFound[planRecord](r.s.ledger, records[0])
		if records[0].Err == nil && !records[0].Exists() || err == nil && plan.Digest != file.Digest {
			r.deletes = append(r.deletes, f.Key)
		}
		return nil
	})
}

// dropLost removes the entries of lost asks, and the replies that came too late for them.
func (r *reindexing) dropLost(ctx context.Context) error {
	lost, err := r.s.ofLostAsks(ctx)
	for _, keys := range lost {
		r.deletes = append(r.deletes, keys...)
	}
	return err
}

// exchange writes index entries that are missing or wrong, and deletes entries that
// lead to nothing. An entry that leads to an ask of a newer planb stays.
func (r *reindexing) exchange(ctx context.Context) error {
	for _, family := range append(askIndexes(), changedKeys, queueKeys) {
		err := r.s.ledger.Each(ctx, family, func(f ledger.Found) error {
			want, wanted := r.want[f.Key]
			switch {
			case f.Err == nil && wanted && (bytes.Equal(f.Value, want) || family == queueKeys && r.sameQueue(f.Record)):
				delete(r.want, f.Key)
			case !wanted && !r.newer(f):
				r.deletes = append(r.deletes, f.Key)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.want)) {
		r.puts = append(r.puts, kv.Put{Key: key, Value: r.want[key]})
	}
	if err := r.s.ledger.DropAll(ctx, r.deletes); err != nil {
		return err
	}
	return r.s.ledger.PutAll(ctx, r.puts)
}

// sameQueue reports whether a queue has exactly the asks that belong into it, in any
// order.
func (r *reindexing) sameQueue(record kv.Record) bool {
	queue, err := ledger.Decode[queueRecord](r.s.ledger, record)
	if err != nil || queueKey(queue.Place) != record.Key {
		return false
	}
	return slices.Equal(slices.Sorted(slices.Values(queue.Asks)), slices.Sorted(slices.Values(r.queues[queue.Place])))
}

// newer reports whether an index entry leads to a record that is there and that this
// planb cannot read.
func (r *reindexing) newer(f ledger.Found) bool {
	id := ledger.LastPart(f.Key)
	if readable, there := r.asks[id]; there {
		return !readable
	}
	session := r.sessions[id]
	return session != nil && session.Err != nil
}
