package store

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"planb/store/kv"
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

func (s *Store) newID() (string, error) {
	id, err := s.uuid()
	if err != nil {
		return "", fmt.Errorf("no id can be made, because the machine gives no random bytes: %w", err)
	}
	return id.String(), nil
}

// uuid makes a UUID of version 7.
func (s *Store) uuid() (uuid.UUID, error) {
	if s.random == nil {
		return uuid.NewV7()
	}
	var id uuid.UUID
	if _, err := io.ReadFull(s.random, id[6:]); err != nil {
		return id, err
	}
	ms := uint64(s.clock().UnixMilli())
	binary.BigEndian.PutUint16(id[:], uint16(ms>>32))
	binary.BigEndian.PutUint32(id[2:], uint32(ms))
	id[6] = 7<<4 | id[6]&0x0f // the version
	id[8] = 2<<6 | id[8]&0x3f // the variant
	return id, nil
}

// newOp names an operation of this store.
func (s *Store) newOp() kv.OpID {
	if s.random == nil {
		return newOp()
	}
	var op kv.OpID
	if _, err := io.ReadFull(s.random, op[:]); err != nil {
		return newOp()
	}
	return op
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
