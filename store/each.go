package store

import (
	"context"
	"errors"

	"planb/store/kv"
)

// found is one record of a list, or why that one cannot be read.
type found struct {
	kv.Record
	err error
}

// aboutOne reports whether err is about one record only: the others can be read.
func aboutOne(err error) (key kv.Key, one bool) {
	if fault := new(kv.Fault); errors.As(err, &fault) && fault.Kind == kv.FaultDamaged {
		return fault.Key, fault.Key != ""
	}
	if newer := new(FormatError); errors.As(err, &newer) {
		return newer.Key, newer.Key != ""
	}
	return "", false
}

// AboutOneRecord reports whether err is about one record only, which is damaged
// or a newer planb's: everything else can be read.
func AboutOneRecord(err error) bool {
	_, one := aboutOne(err)
	return one
}

// decodeFound is decode for a record of a list.
func decodeFound[T interface{ version() int }](s *Store, r found) (T, error) {
	if r.err != nil {
		var none T
		return none, r.err
	}
	return decode[T](s, r.Record)
}

// beside does what belongs to a change but is not its purpose: with a record that
// cannot be read nothing is done, and the change goes on. The record must be
// read before do writes anything.
func beside(r found, do func(kv.Record) error) error {
	err := r.err
	if err == nil {
		err = do(r.Record)
	}
	if _, one := aboutOne(err); one {
		return nil
	}
	return err
}

// getEach is get for what is listed side by side: a record that cannot be read
// does not hide the others.
func (s *Store) getEach(ctx context.Context, keys ...kv.Key) ([]found, error) {
	records, err := s.get(ctx, keys...)
	if _, one := aboutOne(err); one {
		return s.getApart(ctx, keys)
	}
	if err != nil {
		return nil, err
	}
	list := make([]found, len(records))
	for i, r := range records {
		list[i] = found{Record: r}
	}
	return list, nil
}

// getApart reads records one by one.
func (s *Store) getApart(ctx context.Context, keys []kv.Key) ([]found, error) {
	list := make([]found, len(keys))
	for i, key := range keys {
		records, err := s.get(ctx, key)
		if damaged, one := aboutOne(err); one && damaged == key {
			list[i] = found{kv.Record{Key: key}, err}
		} else if err != nil {
			return nil, err
		} else {
			list[i] = found{Record: records[0]}
		}
	}
	return list, nil
}

// pageEach is a page of a scan; a record that cannot be read is in it.
func (s *Store) pageEach(ctx context.Context, prefix, after kv.Key, limit int) (list []found, more bool, err error) {
	page, err := s.engine.Scan(ctx, prefix, after, limit)
	list = make([]found, 0, len(page.Records)+1)
	for _, r := range page.Records {
		list = append(list, found{Record: r})
	}
	if key, one := aboutOne(err); one {
		return append(list, found{kv.Record{Key: key}, err}), true, nil
	}
	return list, page.More, err
}

// scanEach reads every record under the prefix, those that cannot be read too.
func (s *Store) scanEach(ctx context.Context, prefix kv.Key) ([]found, error) {
	var list []found
	for after := kv.Key(""); ; {
		some, more, err := s.pageEach(ctx, prefix, after, kv.MaxPageRecords)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
		if !more || len(some) == 0 {
			return list, nil
		}
		after = some[len(some)-1].Key
	}
}
