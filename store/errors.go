package store

import (
	"fmt"
	"strings"

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

// AmbiguousError says that a part of an id fits several asks or sessions.
type AmbiguousError struct {
	What    string // "session"; empty means "ask"
	ID      string
	Matches []string // long ids
}

// Error gives the sentence. It names no more than a person reads.
func (e *AmbiguousError) Error() string {
	const most = 8
	what := e.What
	if what == "" {
		what = "ask"
	}
	named := strings.Join(e.Matches[:min(len(e.Matches), most)], ", ")
	if more := len(e.Matches) - most; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%q fits %d %ss; give more digits, or one of %s", e.ID, len(e.Matches), what, named)
}

// MaxOpen is how many asks of a session may be open.
const MaxOpen = 20

// TooManyError says that a session has as many open asks as it may have.
type TooManyError struct {
	Session string
	Open    int
}

// Error gives the sentence.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("%d asks of session %s are open, the most there may be", e.Open, e.Session)
}

// HeldError says that a live claim is in the way.
type HeldError struct {
	Claim Claim
}

// Error gives the sentence.
func (e *HeldError) Error() string {
	who := fmt.Sprintf("process %d", e.Claim.PID)
	// Any process that may write the store wrote these.
	if host := safe.New(e.Claim.Host); !host.Blank() {
		who += " on " + host.Line()
	}
	if note := safe.New(e.Claim.Note); !note.Blank() {
		who += " (" + note.Line() + ")"
	}
	return who + " has it already"
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

// damaged reports a record that does not hold what was written to it.
func (s *Store) damaged(key kv.Key, err error) error {
	place := s.dataDir
	if place == "" {
		place = "the store"
	}
	return &kv.Fault{
		Kind: kv.FaultDamaged,
		Path: place,
		Key:  key,
		What: fmt.Sprintf("holds a damaged record, %s (%v)", key, err),
		Do:   "mend the store with  planb doctor --repair",
		Err:  err,
	}
}
