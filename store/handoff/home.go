package handoff

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"planb/store"
)

// MoveHome hands home what lies away. It fails with home's fault where home
// still takes no writes; Unwritable tells that from others.
func (e *Engine) MoveHome(ctx context.Context) error {
	if err := e.enter(ctx); err != nil {
		return err
	}
	return e.moveHome(ctx)
}

// moveHome hands home one commit after the other until there is no away store.
func (e *Engine) moveHome(ctx context.Context) error {
	moved := 0
	for try := 0; ; {
		j, err := e.load(ctx)
		if err != nil {
			return err
		}
		if j == nil {
			if moved > 0 {
				e.opts.Notice(fmt.Errorf("%s can be written again, what was kept in %s has moved there", e.opts.HomePath, e.opts.AwayPath))
				e.hub.fire()
			}
			return nil
		}
		if len(j.entries) == 0 {
			err = changed(e.away.Remove(ctx, store.Check{Key: headKey, Rev: j.rev}))
		} else {
			err = e.moveFirst(ctx, j)
		}
		switch {
		case errors.Is(err, errMoved):
			try++
			if err := e.pause(ctx, try); err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			moved += len(j.entries)
		}
	}
}

// moveFirst hands home the journal's first commit and takes it from away. It is
// errMoved if another process did.
func (e *Engine) moveFirst(ctx context.Context, j *journal) error {
	en, h := j.entries[0], j.head
	err := e.home.CommitAs(ctx, en.batchFor(h), en.rev, func() error { return e.first(ctx, en) })
	e.tries.note(err)
	if errors.Is(err, store.ErrConflict) {
		var settled bool
		if settled, h, err = e.settle(ctx, h, en); err == nil && !settled {
			return e.takeAway(ctx, j, h, nil) // to be tried again as h says
		}
	}
	if err != nil {
		return err
	}
	return e.takeAway(ctx, j, h, &en)
}

// changed is errMoved for the errors of an away store that others changed.
func changed(err error) error {
	if errors.Is(err, store.ErrConflict) || gone(err) {
		return errMoved
	}
	return err
}

// first is asked under home's lock: as long as away has the commit, nobody has
// written over it at home.
func (e *Engine) first(ctx context.Context, en entry) error {
	got, err := e.away.Get(ctx, entryKey(en.rev))
	if gone(err) || err == nil && !got[0].Exists() {
		return errMoved
	}
	return err
}

// batchFor is the commit for home, where the records that were taken for the
// same stand at home's revision.
func (en entry) batchFor(h head) store.Batch {
	batch := en.Batch
	batch.Checks = slices.Clone(en.Checks)
	for i, c := range batch.Checks {
		if t, is := h.Taken[c.Key]; is && c.Rev == t.Away {
			batch.Checks[i].Rev = t.Home
		}
	}
	batch.Checks = slices.DeleteFunc(batch.Checks, func(c store.Check) bool { return c.Rev == 0 && h.has(c.Key, en.rev) })
	batch.Puts = slices.DeleteFunc(slices.Clone(en.Puts), func(p store.Put) bool { return h.has(p.Key, en.rev) })
	return batch
}

// has reports whether home had already what the commit with that revision made.
func (h head) has(k store.Key, rev int64) bool {
	t, is := h.Taken[k]
	return is && t.Away == rev
}

// settle decides about a commit whose checks do not hold at home. settled says
// that it is done with; else it is to be tried again, as the head returned says.
func (e *Engine) settle(ctx context.Context, h head, en entry) (settled bool, _ head, err error) {
	batch := en.batchFor(h)
	keys := en.keys()
	for _, c := range batch.Checks {
		keys = append(keys, c.Key)
	}
	got, err := e.home.Get(ctx, keys...)
	if err != nil {
		return false, h, err
	}
	at := make(map[store.Key]store.Record, len(got))
	for _, r := range got {
		at[r.Key] = r
	}
	if err := e.first(ctx, en); err != nil {
		return false, h, err
	}
	if en.happened(batch, at) {
		return true, h, nil
	}
	if taken, some := e.same(h, en, at); some {
		return false, taken, nil
	}
	if holds(batch.Checks, at) {
		last, err := e.home.Revision(ctx)
		if err != nil {
			return false, h, err
		}
		if last < en.rev {
			return false, h, errMoved // another process was handing it home
		}
	}
	return true, h, e.keep(en, h, at)
}

// happened reports whether the records at home are the commit's doing.
func (en entry) happened(batch store.Batch, at map[store.Key]store.Record) bool {
	for _, p := range batch.Puts {
		if r := at[p.Key]; r.Op != en.Op || r.Rev != en.rev {
			return false
		}
	}
	for _, k := range batch.Deletes {
		if at[k].Exists() {
			return false
		}
	}
	return true
}

func holds(checks []store.Check, at map[store.Key]store.Record) bool {
	for _, c := range checks {
		if at[c.Key].Rev != c.Rev {
			return false
		}
	}
	return true
}

// same finds what the commit made anew and home had, meaning the same.
func (e *Engine) same(h head, en entry, at map[store.Key]store.Record) (head, bool) {
	if e.opts.Same == nil {
		return h, false
	}
	found := map[store.Key]taken{}
	for k, t := range h.Taken {
		found[k] = t
	}
	for _, p := range en.Puts {
		r := at[p.Key]
		anew := slices.Contains(en.Checks, store.Check{Key: p.Key})
		if anew && r.Exists() && !h.has(p.Key, en.rev) && e.opts.Same(p.Key, p.Value, r.Value) {
			found[p.Key] = taken{Away: en.rev, Home: r.Rev}
		}
	}
	some := len(found) > len(h.Taken)
	h.Taken = found
	return h, some
}

// takeAway writes the head and, if it is given, takes the entry away.
func (e *Engine) takeAway(ctx context.Context, j *journal, h head, en *entry) error {
	value, err := h.value()
	if err != nil {
		return err
	}
	last, err := e.away.Revision(ctx)
	if err != nil {
		return changed(err)
	}
	batch := store.Batch{
		Checks: []store.Check{{Key: headKey, Rev: j.rev}},
		Puts:   []store.Put{{Key: headKey, Value: value}},
		Quiet:  true,
	}
	if en != nil {
		batch.Deletes = append([]store.Key{entryKey(en.rev)}, en.pieces...)
	}
	rev := max(last, j.rev) + 1
	err = e.away.CommitAs(ctx, batch, rev, nil)
	if err == nil && en != nil {
		e.known.Store(j.without(*en, h, rev))
	}
	if f := Unwritable(err); f != nil {
		// Home has it; that away can't forget it must not look as if home were
		// unwritable.
		away := *f
		away.Kind = store.FaultIO
		return &away
	}
	return changed(err)
}
