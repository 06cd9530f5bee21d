package store

import (
	"context"
	"errors"
	"fmt"

	"planb/store/kv"
	"planb/store/ledger"
)

// Split is how a person divided the screen between the questions of a form and an
// illustration: how much the illustration has, in thousandths, so that it fits screens of
// other sizes. Zero is planb's own choice.
type Split struct {
	Beside int `json:"beside,omitempty"` // of the width, where it is beside the questions
	Below  int `json:"below,omitempty"`  // of the height, where it is below them
}

// wholeSplit is the whole screen.
const wholeSplit = 1000

func (p Split) valid() bool {
	return p.Beside >= 0 && p.Beside <= wholeSplit && p.Below >= 0 && p.Below <= wholeSplit
}

type splitRecord struct {
	ledger.Header
	Split
}

// Split returns the Split that KeepSplit kept last for the user of this store
// (Options.By); the zero Split if there is none.
func (s *Store) Split(ctx context.Context) (Split, error) {
	records, err := s.ledger.Get(ctx, splitKey(s.by))
	if err != nil || !records[0].Exists() {
		return Split{}, err
	}
	return s.split(records[0])
}

func (s *Store) split(r kv.Record) (Split, error) {
	record, err := ledger.Decode[splitRecord](s.ledger, r)
	if err != nil {
		return Split{}, err
	}
	if !record.valid() {
		return Split{}, s.ledger.Damaged(r.Key, fmt.Errorf("%d and %d are not between 0 and %d", record.Beside, record.Below, wholeSplit))
	}
	return record.Split, nil
}

// KeepSplit remembers a Split for the user of this store. It does not ring, and writes
// nothing if that Split is kept already. It replaces a damaged record. A record that a
// newer planb wrote stays, and is *FormatError.
func (s *Store) KeepSplit(ctx context.Context, split Split) error {
	if !split.valid() {
		return fmt.Errorf("the shares of a screen are %d and %d; they must be between 0 and %d", split.Beside, split.Below, wholeSplit)
	}
	return s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.Quiet = true
		records, err := s.ledger.Get(ctx, splitKey(s.by))
		if err != nil {
			return err
		}
		r, o := records[0], ledger.Object{}
		if r.Exists() {
			old, err := s.split(r)
			switch damaged := ledger.AboutOne(err); {
			case err == nil && old == split:
				return nil
			case err == nil:
				if o, err = s.ledger.Object(r); err != nil {
					return err
				}
			case !damaged || errors.As(err, new(*FormatError)):
				return err
			}
		}
		if err := o.Set("v", ledger.Format, "beside", split.Beside, "below", split.Below); err != nil {
			return err
		}
		c.Check(r)
		return c.Put(r.Key, o)
	})
}
