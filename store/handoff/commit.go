package handoff

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"planb/store"
)

const (
	// apart is between two revisions that away gives, so that what home gives
	// to others meanwhile stays below the next.
	apart = 1 << 16
	// above is how far above home's revision away begins. A random part makes
	// the revisions of two away stores, one after the other, differ also where
	// nothing of the first came home.
	above = 1 << 40
)

// errAway says that something lies away, so that home is not to be written yet.
var errAway = errors.New("something lies away")

// Commit implements store.Engine.
func (e *Engine) Commit(ctx context.Context, batch store.Batch) error {
	if err := batch.Validate(); err != nil {
		return err
	}
	if len(batch.Puts)+len(batch.Deletes) == 0 {
		return e.view(ctx, func(j *journal) error { return e.check(ctx, j, batch.Checks) })
	}
	if err := e.enter(ctx); err != nil {
		return err
	}
	for try := 0; ; try++ {
		why, err := e.spared(batch)
		if why == nil && err == nil {
			err = e.commitHome(ctx, batch)
			why = Unwritable(err)
		}
		if why != nil {
			err = e.commitAway(ctx, batch, why)
		}
		if !errors.Is(err, errAway) && !errors.Is(err, errMoved) {
			return err
		}
		if err := e.pause(ctx, try); err != nil {
			return err
		}
	}
}

// spared is why home is not tried with the batch, which is quiet, because
// something is away and home refused this process not long ago; nil otherwise.
func (e *Engine) spared(batch store.Batch) (*store.Fault, error) {
	why := e.tries.spared()
	if !batch.Quiet || why == nil {
		return nil, nil
	}
	there, err := e.away.Present()
	if !there || err != nil {
		return nil, err
	}
	return why, nil
}

// commitHome hands home what lies away, and then the batch. It is errAway if
// something went away meanwhile.
func (e *Engine) commitHome(ctx context.Context, batch store.Batch) error {
	if err := e.moveHome(ctx); err != nil {
		return err
	}
	err := e.home.CommitAs(ctx, batch, 0, func() error {
		there, err := e.away.Present()
		if there && err == nil {
			return errAway
		}
		return err
	})
	e.tries.note(err)
	return err
}

// check holds checks against both engines.
func (e *Engine) check(ctx context.Context, j *journal, checks []store.Check) error {
	keys := make([]store.Key, len(checks))
	for i, c := range checks {
		keys[i] = c.Key
	}
	got, err := e.get(ctx, j, keys)
	if err != nil {
		return err
	}
	for i, c := range checks {
		if got[i].Rev != c.Rev {
			return fmt.Errorf("%w: %s", store.ErrConflict, c.Key)
		}
	}
	return nil
}

// commitAway keeps the batch away, because of why. It is errMoved if away
// changed meanwhile.
func (e *Engine) commitAway(ctx context.Context, batch store.Batch, why *store.Fault) error {
	j, err := e.open(ctx, why)
	if err != nil {
		return err
	}
	// A conflict counts even if away changed since j was read: whatever differs
	// from the checks was so at a moment of this call.
	if len(batch.Checks) > 0 {
		if err := e.check(ctx, j, batch.Checks); err != nil {
			return err
		}
	}
	return e.append(ctx, j, entry{Batch: batch}, why)
}

// open makes the away store and its head unless they are there, and reads it.
func (e *Engine) open(ctx context.Context, why *store.Fault) (*journal, error) {
	if err := e.away.Make(ctx); err != nil {
		return nil, bothFail(why, err)
	}
	j, err := e.load(ctx)
	if err != nil {
		return nil, err
	}
	if j == nil {
		return nil, errMoved
	}
	if j.rev != 0 {
		return j, nil
	}
	// This also waits for every commit to home that began before there was an
	// away store, so once there is a head none of them is under way.
	last, err := e.home.Revision(ctx)
	if err != nil && !e.absent(err) {
		return nil, err
	}
	h := head{V: version, Reason: e.reason(why), Since: time.Now().UTC().Round(0)}
	value, err := h.value()
	if err != nil {
		return nil, err
	}
	rev := last + above + rand.N[int64](above)
	err = e.away.CommitAs(ctx, store.Batch{
		Checks: []store.Check{{Key: headKey}},
		Puts:   []store.Put{{Key: headKey, Value: value}},
		Quiet:  true,
	}, rev, nil)
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrUnclear) || gone(err) {
		return nil, errMoved
	}
	if err != nil {
		return nil, bothFail(why, err)
	}
	e.opts.Notice(fmt.Errorf("%w; until then everything is kept in %s", why, e.opts.AwayPath))
	return &journal{head: h, rev: rev, over: map[store.Key]store.Record{}}, nil
}

// reason says in a few words why home takes no writes.
func (e *Engine) reason(why *store.Fault) string {
	switch why.Kind {
	case store.FaultFull:
		return "the disk of " + e.opts.HomePath + " is full"
	case store.FaultReadOnly:
		return "the file system of " + e.opts.HomePath + " is read-only"
	default:
		return "the permissions of " + e.opts.HomePath + " allow no writing"
	}
}

// append writes the entry after those of j, if away is still as j says.
func (e *Engine) append(ctx context.Context, j *journal, en entry, why *store.Fault) error {
	en, replaced := j.replace(en)
	w, err := e.spill(ctx, &en)
	if err != nil {
		return appendFailed(why, err)
	}
	last, err := e.away.Revision(ctx)
	if err != nil {
		return appendFailed(why, err)
	}
	en.rev = max(last, j.rev) + apart
	headValue, err := j.head.value()
	if err != nil {
		return err
	}
	value, err := encode(w)
	if err != nil {
		return err
	}
	batch := store.Batch{
		Op:     en.Op,
		Checks: []store.Check{{Key: headKey, Rev: j.rev}},
		Puts:   []store.Put{{Key: headKey, Value: headValue}, {Key: entryKey(en.rev), Value: value}},
		Quiet:  en.Quiet,
	}
	for _, old := range replaced {
		batch.Deletes = append(batch.Deletes, entryKey(old.rev))
		batch.Deletes = append(batch.Deletes, old.pieces...)
	}
	if err := e.away.CommitAs(ctx, batch, en.rev, nil); err != nil {
		return appendFailed(why, err)
	}
	e.known.Store(j.with(en, replaced))
	if !en.Quiet {
		e.hub.fire()
	}
	return nil
}

// appendFailed sorts the error of writing away.
func appendFailed(why *store.Fault, err error) error {
	if errors.Is(err, store.ErrConflict) || gone(err) {
		return errMoved
	}
	return bothFail(why, err)
}

// bothFail is the sentence of two places that take no writes. Another error than
// a fault, such as the end of a context, says what it says.
func bothFail(home *store.Fault, away error) error {
	if _, faulty := errors.AsType[*store.Fault](away); !faulty || errors.Is(away, store.ErrUnclear) {
		return away
	}
	f := *home
	f.Err = errors.Join(home.Err, away)
	f.What += fmt.Sprintf(", and it can't be kept elsewhere meanwhile either (%v)", away)
	return &f
}

// spill writes what is too long for one commit beside the head, ahead of it.
// Pieces that nothing refers to in the end go with the away store.
func (e *Engine) spill(ctx context.Context, en *entry) (written, error) {
	data, err := encode(en.Batch)
	if err != nil {
		return written{}, err
	}
	if len(data) <= spillBytes {
		return written{V: version, Batch: data}, nil
	}
	id := fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
	for n := 0; len(data) > 0; n++ {
		key, size := pieceKey(id, n), min(len(data), pieceBytes)
		err := e.away.Commit(ctx, store.Batch{
			Op:    en.Op,
			Puts:  []store.Put{{Key: key, Value: data[:size]}},
			Quiet: true,
		})
		if err != nil {
			return written{}, err
		}
		en.pieces = append(en.pieces, key)
		data = data[size:]
	}
	return written{V: version, Pieces: en.pieces}, nil
}
