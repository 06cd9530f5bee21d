package handoff

import (
	"context"
	"errors"
	"slices"
	"strings"

	"planb/store"
)

// Get implements store.Engine.
func (e *Engine) Get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	if err := store.ValidateGet(keys); err != nil {
		return nil, err
	}
	var got []store.Record
	err := e.view(ctx, func(j *journal) error {
		var err error
		got, err = e.get(ctx, j, keys)
		return err
	})
	if err != nil {
		return nil, err
	}
	return got, nil
}

// view runs do over one state of both engines: again, as long as away changes
// meanwhile. What do finds wrong counts only if it did not change.
func (e *Engine) view(ctx context.Context, do func(*journal) error) error {
	if err := e.enter(ctx); err != nil {
		return err
	}
	for try := 0; ; try++ {
		j, err := e.load(ctx)
		if err != nil {
			return err
		}
		failed := do(j)
		if failed != nil && (ctx.Err() != nil || errors.Is(failed, store.ErrClosed)) {
			return failed
		}
		still, err := e.still(ctx, j)
		if err != nil {
			return err
		}
		if still {
			return failed
		}
		if err := e.pause(ctx, try); err != nil {
			return err
		}
	}
}

// still reports whether away is as it was when j was read.
func (e *Engine) still(ctx context.Context, j *journal) (bool, error) {
	there, err := e.away.Present()
	if err != nil || !there || j == nil {
		return err == nil && !there && j == nil, err
	}
	now, err := e.headRecord(ctx)
	if errors.Is(err, errMoved) {
		return false, nil
	}
	return err == nil && now.Rev == j.rev, err
}

// get reads home, overlaid by the journal.
func (e *Engine) get(ctx context.Context, j *journal, keys []store.Key) ([]store.Record, error) {
	got, err := e.home.Get(ctx, keys...)
	if err != nil && e.absent(err) {
		got, err = make([]store.Record, len(keys)), nil
		for i, k := range keys {
			got[i] = store.Record{Key: k}
		}
	}
	if err != nil || j == nil {
		return got, err
	}
	for i, k := range keys {
		if r, over := j.read(k); over {
			got[i] = r
		}
	}
	return got, nil
}

// absent reports whether err says only that home was never made, and can't or
// must not be now.
func (e *Engine) absent(err error) bool {
	if Unwritable(err) == nil && !gone(err) {
		return false
	}
	there, unseen := e.home.Present()
	return unseen == nil && !there
}

// Scan implements store.Engine.
func (e *Engine) Scan(ctx context.Context, prefix, after store.Key, limit int) (store.Page, error) {
	if err := store.ValidateScan(prefix, after, limit); err != nil {
		return store.Page{}, err
	}
	var page store.Page
	err := e.view(ctx, func(j *journal) error {
		var err error
		if j == nil || len(j.over) == 0 {
			page, err = e.scanHome(ctx, prefix, after, limit)
		} else {
			page, err = e.scanBoth(ctx, j, prefix, after, limit)
		}
		return err
	})
	return page, err
}

func (e *Engine) scanHome(ctx context.Context, prefix, after store.Key, limit int) (store.Page, error) {
	page, err := e.home.Scan(ctx, prefix, after, limit)
	if err != nil && e.absent(err) {
		return store.Page{}, nil
	}
	return page, err
}

// scanBoth merges home's pages with the journal's records. When home has a
// damaged record, the page ends before it.
func (e *Engine) scanBoth(ctx context.Context, j *journal, prefix, after store.Key, limit int) (store.Page, error) {
	over := j.under(prefix, after)
	var page store.Page
	size := 0
	full := func(r store.Record) bool {
		size += len(r.Key) + len(r.Value)
		if len(page.Records) == limit || len(page.Records) > 0 && size > store.MaxPageBytes {
			page.More = true
			return true
		}
		page.Records = append(page.Records, r)
		return false
	}
	for {
		below, err := e.scanHome(ctx, prefix, after, limit)
		for _, r := range below.Records {
			for len(over) > 0 && over[0] < r.Key {
				if mine, _ := j.read(over[0]); mine.Exists() && full(mine) {
					return page, nil
				}
				over = over[1:]
			}
			if mine, hides := j.read(r.Key); hides {
				over = over[1:]
				r = mine
			}
			if r.Exists() && full(r) {
				return page, nil
			}
			after = max(after, r.Key)
		}
		if err != nil {
			return page, err
		}
		if !below.More {
			break
		}
	}
	for _, k := range over {
		if mine, _ := j.read(k); mine.Exists() && full(mine) {
			break
		}
	}
	return page, nil
}

// under lists the journal's keys with the prefix that are greater than after, in
// order.
func (j *journal) under(prefix, after store.Key) []store.Key {
	var keys []store.Key
	for k := range j.over {
		if k > after && strings.HasPrefix(string(k), string(prefix)) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}
