package tuitest

import (
	"context"
	"sync/atomic"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
)

// Disk is a store whose disk is full until SetFull says otherwise. It takes neither
// entries nor outcomes then.
type Disk struct {
	*store.Store
	full atomic.Bool
}

// FullDisk is a disk that is full.
func FullDisk(s *store.Store) *Disk {
	d := &Disk{Store: s}
	d.full.Store(true)
	return d
}

// SetFull fills the disk, or makes room on it.
func (d *Disk) SetFull(full bool) { d.full.Store(full) }

// MergeEntry fails while the disk is full.
func (d *Disk) MergeEntry(ctx context.Context, id string, entry questions.Entry, merge func(questions.Entry) questions.Entry) error {
	if d.full.Load() {
		return fault()
	}
	return d.Store.MergeEntry(ctx, id, entry, merge)
}

// Settle fails while the disk is full.
func (d *Disk) Settle(ctx context.Context, id string, o questions.Outcome) (store.Ask, error) {
	if d.full.Load() {
		return store.Ask{}, fault()
	}
	return d.Store.Settle(ctx, id, o)
}

func fault() error {
	return &kv.Fault{Kind: kv.FaultFull, Path: "planb.db", What: "cannot be written, because its disk is full"}
}
