package ledger

import (
	"context"
	"errors"
	"fmt"

	"planb/store/kv"
)

// Found is one record of a list, or why that record cannot be read.
type Found struct {
	kv.Record
	Err error
}

// Get reads records: one for each key, in their order, and a missing one with Rev 0.
// Up to 98 keys and 4 MiB are one snapshot; more are several. A record that cannot be
// read is an error of the whole.
//
// Every snapshot includes the format record, so that a newer store is never taken for
// one of this format or for an empty one. Records that Tombstones hide are as if they
// did not exist.
func (l *Ledger) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	found, err := l.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	records := make([]kv.Record, len(found))
	for i, f := range found {
		if f.Err != nil {
			return nil, f.Err
		}
		records[i] = f.Record
	}
	return records, nil
}

// GetEach is Get for a list: a record that cannot be read does not hide the others.
// Each such record costs one read more.
func (l *Ledger) GetEach(ctx context.Context, keys ...kv.Key) ([]Found, error) {
	step := kv.MaxRecordsInGet - 2
	list := make([]Found, 0, len(keys))
	for first := true; first || len(list) < len(keys); first = false {
		rest := keys[len(list):]
		some := rest[:min(step, len(rest))]
		found, err := l.snapshot(ctx, some)
		if errors.Is(err, kv.ErrTooMuch) && len(some) > 1 {
			step = len(some) / 2
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// snapshot reads the format record, the list of tombstones and the keys at one
// moment. It reads again without a record that turns out to be damaged.
func (l *Ledger) snapshot(ctx context.Context, keys []kv.Key) ([]Found, error) {
	damaged := map[kv.Key]error{}
	for {
		asked := make([]kv.Key, 0, len(keys)+2)
		for _, key := range append([]kv.Key{FormatKey, l.tombstones.Key}, keys...) {
			if key != "" && damaged[key] == nil {
				asked = append(asked, key)
			}
		}
		records, err := l.engine.Get(ctx, asked...)
		if key, one := oneRecord(err); one && key != FormatKey && damaged[key] == nil {
			damaged[key] = err
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(records) != len(asked) {
			return nil, fmt.Errorf("the engine returned %d records for %d keys", len(records), len(asked))
		}
		if err := l.acceptFormat(records[0]); err != nil {
			return nil, err
		}
		return l.found(keys, records[1:], damaged), nil
	}
}

// found gives each key its record or why that cannot be read. The records begin with
// the list of tombstones, if there is one that can be read.
func (l *Ledger) found(keys []kv.Key, records []kv.Record, damaged map[kv.Key]error) []Found {
	hidden := func(kv.Record) bool { return false }
	if t := l.tombstones; t.Key != "" && damaged[t.Key] == nil {
		if records[0].Exists() {
			if hides := t.Hidden(records[0]); hides != nil {
				hidden = hides
			}
		}
		records = records[1:]
	} // A damaged list hides nothing: then records that are being swept away are seen.
	list := make([]Found, len(keys))
	for i, key := range keys {
		list[i] = Found{kv.Record{Key: key}, damaged[key]}
		if list[i].Err != nil {
			continue
		}
		if r := records[0]; !r.Exists() || !hidden(r) {
			list[i].Record = r
		}
		records = records[1:]
	}
	return list
}

// Bare reads one record as it is, even if Tombstones hide it.
func (l *Ledger) Bare(ctx context.Context, key kv.Key) (Found, error) {
	records, err := l.engine.Get(ctx, key)
	if damaged, one := oneRecord(err); one && damaged == key {
		return Found{kv.Record{Key: key}, err}, nil
	}
	if err != nil {
		return Found{}, err
	}
	return Found{Record: records[0]}, nil
}

// Page is one page of a scan; see kv.Engine.Scan. It includes records that cannot be
// read, and those that Tombstones hide.
func (l *Ledger) Page(ctx context.Context, prefix, after kv.Key, limit int) (list []Found, more bool, err error) {
	page, err := l.engine.Scan(ctx, prefix, after, limit)
	list = make([]Found, 0, len(page.Records)+1)
	for _, r := range page.Records {
		list = append(list, Found{Record: r})
	}
	if key, one := oneRecord(err); one {
		return append(list, Found{kv.Record{Key: key}, err}), true, nil
	}
	return list, page.More, err
}

// Each calls do with every record under the prefix in the order of the keys, page by
// page, until do returns an error. It includes what Page includes.
func (l *Ledger) Each(ctx context.Context, prefix kv.Key, do func(Found) error) error {
	return l.eachAfter(ctx, prefix, "", do)
}

// eachAfter is Each for the records behind a key.
func (l *Ledger) eachAfter(ctx context.Context, prefix, after kv.Key, do func(Found) error) error {
	for {
		some, more, err := l.Page(ctx, prefix, after, kv.MaxPageRecords)
		if err != nil {
			return err
		}
		for _, f := range some {
			if err := do(f); err != nil {
				return err
			}
		}
		if !more || len(some) == 0 {
			return nil
		}
		after = some[len(some)-1].Key
	}
}

// List returns what Each goes through.
func (l *Ledger) List(ctx context.Context, prefix kv.Key) ([]Found, error) {
	var list []Found
	err := l.Each(ctx, prefix, func(f Found) error {
		list = append(list, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Beside does a side effect of a change. If the record of the side effect cannot be
// read, Beside leaves it out, and the change goes on. do must read the record before it
// writes anything.
func Beside(f Found, do func(kv.Record) error) error {
	err := f.Err
	if err == nil {
		err = do(f.Record)
	}
	if AboutOne(err) {
		return nil
	}
	return err
}
