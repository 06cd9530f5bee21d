package kv

import (
	"context"
	"errors"
)

// FaultKind sorts faults by what a caller can do about them.
type FaultKind string

// The kinds of fault. Those for which Unwritable is true leave the data readable or
// untouched.
const (
	FaultMissing   FaultKind = "missing"     // the store is not where it was or should be
	FaultNotStore  FaultKind = "not a store" // something else lies at its path
	FaultDamaged   FaultKind = "damaged"     // cut short, overwritten, or a checksum is wrong
	FaultNewer     FaultKind = "newer"       // written by a newer planb than this one
	FaultHeld      FaultKind = "held"        // another process keeps the store to itself
	FaultReadOnly  FaultKind = "read-only"   // the file system takes no writes
	FaultDenied    FaultKind = "denied"      // the permissions refuse
	FaultFull      FaultKind = "full"        // no space, or a quota is reached
	FaultNotOwner  FaultKind = "not owner"   // the directory is another user's
	FaultExposed   FaultKind = "exposed"     // others can write to the directory
	FaultNetworkFS FaultKind = "network fs"  // a file system whose locks cannot be trusted
	FaultIO        FaultKind = "io"          // any other failure of the machine below
	// FaultUnreachable is for an engine behind a network: it does not answer.
	FaultUnreachable FaultKind = "unreachable"
)

// Fault says that the store cannot do its work, in a sentence for a person: it
// names the place, what is wrong with it and what to do. Nothing was written
// when an operation fails with a Fault, unless errors.Is(err, ErrUnclear).
type Fault struct {
	Kind FaultKind
	Path string // the file or directory it is about
	Key  Key    // the damaged record, if it is about one; others can be read
	What string // what is wrong, as a sentence's predicate: "is empty"
	Do   string // what to do about it
	Err  error  // the cause, if there is one
}

// Error gives the sentence: "<path> <what>; <do>".
func (f *Fault) Error() string {
	if f.Do == "" {
		return f.Path + " " + f.What
	}
	return f.Path + " " + f.What + "; " + f.Do
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Unwritable reports whether the place takes no writes while nothing is wrong
// with the data in it.
func (f *Fault) Unwritable() bool {
	switch f.Kind {
	case FaultReadOnly, FaultDenied, FaultFull, FaultNotOwner, FaultNetworkFS, FaultUnreachable:
		return true
	}
	return false
}

// Passing reports whether an error may be over by itself, or once a person has mended
// the machine, so that trying the same again makes sense: there is room on the disk
// again, the process that held the store has ended, a damaged store was restored. An
// error about what the store was given, or about one record, does not pass.
func Passing(err error) bool {
	if fault, ok := errors.AsType[*Fault](err); ok {
		return fault.Kind != FaultNewer && fault.Key == ""
	}
	return errors.Is(err, ErrConflict) || errors.Is(err, ErrUnclear) || errors.Is(err, context.DeadlineExceeded)
}
