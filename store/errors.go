package store

import (
	"errors"
	"fmt"
	"strings"

	"planb/store/ledger"
)

// Errors of every family of records.
type (
	// UnknownError says that something was never stored.
	UnknownError = ledger.UnknownError
	// FormatError says that a newer planb wrote what this one cannot read.
	FormatError = ledger.FormatError
	// HeldError says that a live claim is in the way.
	HeldError = ledger.HeldError
)

// AboutOneRecord reports whether err is about one record only, which is damaged or
// was written by a newer planb: everything else can be read.
func AboutOneRecord(err error) bool { return ledger.AboutOne(err) }

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

// ErrChanged says that a session is not as a person saw it when they decided.
var ErrChanged = errors.New("something changed in it since you looked, so it was not deleted")
