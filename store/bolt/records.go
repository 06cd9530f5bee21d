package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

// format is the number of the file format this package writes; it reads no
// newer one.
const format = 1

// Names in the file. They are read-only bytes for bbolt.
const (
	planbBucket   = "planb"
	recordsBucket = "records"
	formatKey     = "format"
)

// Get implements kv.Engine.
func (e *Engine) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	if err := kv.ValidateGet(keys); err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return []kv.Record{}, ctx.Err()
	}
	got := make([]kv.Record, len(keys))
	err := e.view(ctx, func(b buckets) error {
		size := 0
		for i, k := range keys {
			r, err := b.get(k)
			if err != nil {
				return err
			}
			if size += len(r.Value); size > kv.MaxGetBytes {
				return kv.ErrTooMuch
			}
			got[i] = r
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return got, nil
}

// Scan implements kv.Engine. When it meets a damaged record, it returns the
// records before it and a fault that names its key, after which the next scan
// can start.
func (e *Engine) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	if err := kv.ValidateScan(prefix, after, limit); err != nil {
		return kv.Page{}, err
	}
	var page kv.Page
	err := e.view(ctx, func(b buckets) error {
		var err error
		page, err = b.scan(prefix, after, limit)
		return err
	})
	return page, err
}

// Commit implements kv.Engine.
func (e *Engine) Commit(ctx context.Context, batch kv.Batch) error {
	if err := batch.Validate(); err != nil {
		return err
	}
	if len(batch.Puts)+len(batch.Deletes) == 0 {
		return e.view(ctx, func(b buckets) error { return b.check(batch.Checks) })
	}
	return e.update(ctx, batch, func(b buckets) (int64, error) {
		if err := b.check(batch.Checks); err != nil {
			return 0, err
		}
		return b.apply(batch)
	})
}

// written lists the keys a batch writes and deletes.
func written(batch kv.Batch) []kv.Key {
	keys := slices.Clone(batch.Deletes)
	for _, put := range batch.Puts {
		keys = append(keys, put.Key)
	}
	return keys
}

// buckets are the two buckets of a file, within one transaction.
type buckets struct {
	path    string
	planb   *bbolt.Bucket
	records *bbolt.Bucket
}

// bucketsOf finds the buckets, in a file of a format this package knows.
func bucketsOf(path string, tx *bbolt.Tx) (buckets, error) {
	b := buckets{path, tx.Bucket([]byte(planbBucket)), tx.Bucket([]byte(recordsBucket))}
	if b.planb == nil || b.records == nil {
		return b, notStore(path, "is a bbolt file, but not planb's")
	}
	number := b.planb.Get([]byte(formatKey))
	if len(number) != 8 {
		return b, damaged(path, fmt.Sprintf("its format number has %d bytes where 8 are expected", len(number)))
	}
	if n := binary.BigEndian.Uint64(number); n != format {
		return b, otherFormat(path, n)
	}
	return b, nil
}

// create makes the buckets of an empty store.
func create(tx *bbolt.Tx) error {
	planb, err := tx.CreateBucket([]byte(planbBucket))
	if err != nil {
		return err
	}
	if _, err := tx.CreateBucket([]byte(recordsBucket)); err != nil {
		return err
	}
	return planb.Put([]byte(formatKey), binary.BigEndian.AppendUint64(nil, format))
}

// loud is the revision of the last commit that was not quiet.
func (b buckets) loud() int64 { return int64(b.planb.Sequence()) }

func (b buckets) get(k kv.Key) (kv.Record, error) {
	sealed := b.records.Get([]byte(k))
	if sealed == nil {
		return kv.Record{Key: k}, nil
	}
	return b.open(k, sealed)
}

// open reads an envelope of the file into a record of the caller's own.
func (b buckets) open(k kv.Key, sealed []byte) (kv.Record, error) {
	r, err := kv.Unseal(k, sealed)
	if err != nil {
		return kv.Record{}, damagedRecord(b.path, k, err)
	}
	r.Value = append([]byte{}, r.Value...)
	return r, nil
}

func (b buckets) scan(prefix, after kv.Key, limit int) (kv.Page, error) {
	var page kv.Page
	size := 0
	c := b.records.Cursor()
	k, v := c.Seek([]byte(max(prefix, after)))
	if after != "" && string(k) == string(after) {
		k, v = c.Next()
	}
	for ; k != nil && bytes.HasPrefix(k, []byte(prefix)); k, v = c.Next() {
		size += len(k) + max(0, len(v)-kv.EnvelopeBytes)
		if len(page.Records) == limit || len(page.Records) > 0 && size > kv.MaxPageBytes {
			page.More = true
			break
		}
		r, err := b.open(kv.Key(k), v)
		if err != nil {
			return page, err
		}
		page.Records = append(page.Records, r)
	}
	return page, nil
}

func (b buckets) check(checks []kv.Check) error {
	for _, c := range checks {
		r, err := b.get(c.Key)
		if err != nil {
			return err
		}
		if r.Rev != c.Rev {
			return fmt.Errorf("%w: %s", kv.ErrConflict, c.Key)
		}
	}
	return nil
}

// apply writes the batch and returns the revision it has.
func (b buckets) apply(batch kv.Batch) (int64, error) {
	rev := int64(b.records.Sequence()) + 1
	if err := b.records.SetSequence(uint64(rev)); err != nil {
		return 0, err
	}
	for _, p := range batch.Puts {
		sealed := kv.Seal(kv.Record{Key: p.Key, Value: p.Value, Rev: rev, Op: batch.Op})
		if err := b.records.Put([]byte(p.Key), sealed); err != nil {
			return 0, err
		}
	}
	for _, k := range batch.Deletes {
		if err := b.records.Delete([]byte(k)); err != nil {
			return 0, err
		}
	}
	if !batch.Quiet {
		return rev, b.planb.SetSequence(uint64(rev))
	}
	return rev, nil
}
