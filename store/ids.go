package store

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

const (
	shortDigits    = 8
	minShortDigits = 4 // of what FindAsk looks for
)

// ShortID is what a person types instead of an ask's id: its last eight hex
// digits.
func ShortID(id string) string {
	if len(id) <= shortDigits {
		return id
	}
	return id[len(id)-shortDigits:]
}

func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("no id can be made, because the machine gives no random bytes: %w", err)
	}
	return id.String(), nil
}

// timeOf is when a UUID of version 7 was made; zero for others.
func timeOf(id string) time.Time {
	parsed, err := uuid.Parse(id)
	if err != nil || parsed.Version() != 7 {
		return time.Time{}
	}
	sec, nsec := parsed.Time().UnixTime()
	return time.Unix(sec, nsec).UTC()
}

// canonicalID returns the one form in which an id is part of a key; ok is false
// for what is no UUID and so names nothing.
func canonicalID(id string) (canonical string, ok bool) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return "", false
	}
	return parsed.String(), true
}
