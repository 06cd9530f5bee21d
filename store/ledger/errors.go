package ledger

import (
	"errors"
	"fmt"

	"planb/questions/safe"
	"planb/store/kv"
)

// UnknownError says that something was never stored.
type UnknownError struct {
	What string // "session", "ask", "plan"
	ID   string // as it was asked for
}

// Error gives the sentence.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no %s %q in this store", e.What, e.ID)
}

// FormatError says that a newer planb wrote what this one cannot read.
type FormatError struct {
	Store string // the data directory; may be empty
	Key   kv.Key // the record; empty for the whole store
	Got   int    // its format
	Known int    // the newest format this planb reads
}

// Error gives the sentence.
func (e *FormatError) Error() string {
	what := "the store"
	if e.Store != "" {
		what += " in " + e.Store
	}
	if e.Key != "" {
		what = "the record " + string(e.Key) + " of " + what
	}
	return fmt.Sprintf("%s was written by a newer planb (format %d, this one reads up to %d); update planb, nothing was changed", what, e.Got, e.Known)
}

// HeldError says that a live claim is in the way.
type HeldError struct {
	Claim Claim
}

// Error gives the sentence.
func (e *HeldError) Error() string {
	holder := fmt.Sprintf("process %d", e.Claim.PID)
	// Any process that may write the store wrote these.
	if host := safe.New(e.Claim.Host); !host.Blank() {
		holder += " on " + host.Line()
	}
	if note := safe.New(e.Claim.Note); !note.Blank() {
		holder += " (" + note.Line() + ")"
	}
	return holder + " has it already"
}

// Damaged is the error of a record that does not hold what was written to it.
func (l *Ledger) Damaged(key kv.Key, err error) error {
	place := l.dataDir
	if place == "" {
		place = "the store"
	}
	return &kv.Fault{
		Kind: kv.FaultDamaged,
		Path: place,
		Key:  key,
		What: fmt.Sprintf("holds a damaged record, %s (%v)", key, err),
		Do:   "repair the store with  planb doctor --repair",
		Err:  err,
	}
}

// AboutOne reports whether err is about one record only, which is damaged or was
// written by a newer planb: everything else can be read.
func AboutOne(err error) bool {
	_, one := oneRecord(err)
	return one
}

// oneRecord is the key of the record that the error is about, if it is about one.
func oneRecord(err error) (key kv.Key, one bool) {
	if fault, ok := errors.AsType[*kv.Fault](err); ok && fault.Kind == kv.FaultDamaged {
		return fault.Key, fault.Key != ""
	}
	if newer, ok := errors.AsType[*FormatError](err); ok {
		return newer.Key, newer.Key != ""
	}
	return "", false
}

// Cause is what is wrong with a record, without the sentence about the store.
func Cause(err error) error {
	if fault, ok := errors.AsType[*kv.Fault](err); ok && fault.Err != nil {
		return fault.Err
	}
	return err
}
