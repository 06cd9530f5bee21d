package runs

import (
	"context"
	"maps"
	"strings"
	"time"

	"planb/store/ledger"
)

// Writer is who writes a step of a plan now, as the claim of the step says.
type Writer struct {
	Name  string    // as a person knows it
	Since time.Time // zero if the claim does not say
}

// noteSince stands between the name and the time in the note of a claim.
const noteSince = " since "

// Note is what the claim of a step says of its writer. WriterOf reads it.
func (w Writer) Note() string { return w.Name + noteSince + w.Since.UTC().Format(time.RFC3339) }

// WriterOf returns the writer whom the claim of a step names.
func WriterOf(claim ledger.Claim) Writer {
	at := strings.LastIndex(claim.Note, noteSince)
	if at < 0 {
		return Writer{Name: claim.Note}
	}
	since, err := time.Parse(time.RFC3339, claim.Note[at+len(noteSince):])
	if err != nil {
		return Writer{Name: claim.Note}
	}
	return Writer{Name: claim.Note[:at], Since: since}
}

// Writers returns who writes single steps of a plan now, by the step.
func (s *Store) Writers(ctx context.Context, plan string) (map[string]Writer, error) {
	if plan == ExampleID {
		return nil, nil
	}
	live, err := s.claims.Live(ctx, stepClaims(plan))
	writers := map[string]Writer{}
	for key, claim := range maps.All(live) {
		writers[ledger.LastPart(key)] = WriterOf(claim)
	}
	if ledger.AboutOne(err) {
		err = nil // a claim is courtesy
	}
	return writers, err
}
