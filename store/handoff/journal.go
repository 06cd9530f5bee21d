package handoff

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"planb/store"
)

// journal is what an away store holds, at one moment. It does not change.
type journal struct {
	head    head
	rev     int64 // of the head; zero: the store was made and has none yet
	entries []entry
	over    map[store.Key]store.Record // the latest of each key; Rev 0 where it was deleted
}

// errMoved says that away changed while something was done on it.
var errMoved = errors.New("the away store changed meanwhile")

// load reads the journal; nil if there is no away store.
func (e *Engine) load(ctx context.Context) (*journal, error) {
	for try := 0; ; try++ {
		j, err := e.loadOnce(ctx)
		if !errors.Is(err, errMoved) {
			return j, err
		}
		if err := e.pause(ctx, try); err != nil {
			return nil, err
		}
	}
}

func (e *Engine) loadOnce(ctx context.Context) (*journal, error) {
	there, err := e.away.Present()
	if err != nil || !there {
		return nil, err
	}
	before, err := e.headRecord(ctx)
	if err != nil {
		return nil, err
	}
	if known := e.known.Load(); known != nil && known.rev == before.Rev {
		return known, nil
	}
	j, err := e.readJournal(ctx)
	if err == nil && j.rev != 0 {
		e.known.Store(j)
	}
	return j, err
}

// readJournal reads it all: in one page as it is at one moment, else as it was
// throughout.
func (e *Engine) readJournal(ctx context.Context) (*journal, error) {
	j := &journal{over: map[store.Key]store.Record{}}
	known := e.known.Load().byRevision()
	for after := store.Key(""); ; {
		page, err := e.away.Scan(ctx, headKey, after, store.MaxPageRecords)
		if gone(err) {
			return nil, errMoved
		}
		if err != nil {
			return nil, err
		}
		first := after == ""
		for _, r := range page.Records {
			if err := e.take(ctx, j, r, known); err != nil {
				return nil, err
			}
			after = r.Key
		}
		if page.More {
			continue
		}
		if first {
			return j, nil
		}
		now, err := e.headRecord(ctx)
		if err == nil && now.Rev != j.rev {
			err = errMoved
		}
		return j, err
	}
}

// take puts a record of the away store into the journal. What was written under a
// revision does not change, so known entries are not read again.
func (e *Engine) take(ctx context.Context, j *journal, r store.Record, known map[int64]entry) error {
	var err error
	if r.Key == headKey {
		j.rev = r.Rev
		if j.head, err = readHead(r); err != nil {
			return e.unreadable(err)
		}
		return nil
	}
	en, is := known[r.Rev]
	if !is {
		en, err = read(r, func(keys []store.Key) ([]byte, error) { return e.readPieces(ctx, keys) })
	}
	if errors.Is(err, errMoved) {
		return err
	}
	if err != nil {
		return e.unreadable(err)
	}
	j.entries = append(j.entries, en)
	j.lay(en)
	return nil
}

// headRecord reads the head; errMoved if the away store is gone.
func (e *Engine) headRecord(ctx context.Context) (store.Record, error) {
	got, err := e.away.Get(ctx, headKey)
	if gone(err) {
		return store.Record{}, errMoved
	}
	if err != nil {
		return store.Record{}, err
	}
	return got[0], nil
}

// byRevision are the entries by their revisions.
func (j *journal) byRevision() map[int64]entry {
	if j == nil {
		return nil
	}
	all := make(map[int64]entry, len(j.entries))
	for _, en := range j.entries {
		all[en.rev] = en
	}
	return all
}

func (e *Engine) readPieces(ctx context.Context, keys []store.Key) ([]byte, error) {
	pieces, err := e.away.Get(ctx, keys...)
	if gone(err) {
		return nil, errMoved
	}
	if err != nil {
		return nil, err
	}
	var whole []byte
	for _, r := range pieces {
		if !r.Exists() {
			return nil, errMoved // it was handed home
		}
		whole = append(whole, r.Value...)
	}
	return whole, nil
}

func (e *Engine) unreadable(err error) error {
	return &store.Fault{
		Kind: store.FaultDamaged,
		Path: e.opts.AwayPath,
		What: fmt.Sprintf("holds what the store could not take, and can't be read: %v", err),
		Do:   "move it away to go on without, and keep it: answers may be in it",
		Err:  err,
	}
}

// lay puts a commit over what lies there already.
func (j *journal) lay(en entry) {
	for _, p := range en.Puts {
		j.over[p.Key] = store.Record{Key: p.Key, Value: p.Value, Rev: en.rev, Op: en.Op}
	}
	for _, k := range en.Deletes {
		j.over[k] = store.Record{Key: k}
	}
}

// with is the journal after one more commit, without the replaced ones.
func (j *journal) with(en entry, replaced []entry) *journal {
	next := &journal{head: j.head, rev: en.rev, over: maps.Clone(j.over)}
	for _, old := range j.entries {
		if !slices.ContainsFunc(replaced, func(r entry) bool { return r.rev == old.rev }) {
			next.entries = append(next.entries, old)
		}
	}
	// What the caller gave is the caller's to change.
	en.Checks, en.Puts, en.Deletes = slices.Clone(en.Checks), slices.Clone(en.Puts), slices.Clone(en.Deletes)
	for i, p := range en.Puts {
		en.Puts[i].Value = slices.Clone(p.Value)
	}
	next.entries = append(next.entries, en)
	next.lay(en)
	return next
}

// without is the journal after the entry was taken from it.
func (j *journal) without(en entry, h head, rev int64) *journal {
	next := &journal{head: h, rev: rev, over: map[store.Key]store.Record{}}
	for _, other := range j.entries {
		if other.rev != en.rev {
			next.entries = append(next.entries, other)
			next.lay(other)
		}
	}
	return next
}

// read is the record of the key as it lies away.
func (j *journal) read(k store.Key) (store.Record, bool) {
	if j == nil {
		return store.Record{}, false
	}
	r, there := j.over[k]
	r.Value = slices.Clone(r.Value)
	if there && r.Exists() && r.Value == nil {
		r.Value = []byte{}
	}
	return r, there
}

// gone reports that the away store was removed.
func gone(err error) bool {
	f, ok := errors.AsType[*store.Fault](err)
	return ok && f.Kind == store.FaultMissing
}
