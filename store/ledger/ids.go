package ledger

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"planb/store/kv"
)

// NewID makes a new id, a UUID of version 7.
func (l *Ledger) NewID() (string, error) {
	id, err := l.uuid()
	if err != nil {
		return "", fmt.Errorf("no id can be made, because the machine gives no random bytes: %w", err)
	}
	return id.String(), nil
}

func (l *Ledger) uuid() (uuid.UUID, error) {
	if l.random == nil {
		return uuid.NewV7()
	}
	var id uuid.UUID
	if _, err := io.ReadFull(l.random, id[6:]); err != nil {
		return id, err
	}
	ms := uint64(l.Clock().UnixMilli())
	binary.BigEndian.PutUint16(id[:], uint16(ms>>32))
	binary.BigEndian.PutUint32(id[2:], uint32(ms))
	id[6] = 7<<4 | id[6]&0x0f // the version
	id[8] = 2<<6 | id[8]&0x3f // the variant
	return id, nil
}

// newOp names an operation of this ledger.
func (l *Ledger) newOp() kv.OpID {
	if l.random == nil {
		return randomOp()
	}
	var op kv.OpID
	if _, err := io.ReadFull(l.random, op[:]); err != nil {
		return randomOp()
	}
	return op
}

func randomOp() kv.OpID {
	var op kv.OpID
	rand.Read(op[:]) // never fails
	return op
}

// TimeOf is when a UUID of version 7 was made; zero for other ids.
func TimeOf(id string) time.Time {
	parsed, err := uuid.Parse(id)
	if err != nil || parsed.Version() != 7 {
		return time.Time{}
	}
	sec, nsec := parsed.Time().UnixTime()
	return time.Unix(sec, nsec).UTC()
}

// CanonicalID returns the one form in which an id is part of a key. A text that is
// no UUID names nothing: ok is false.
func CanonicalID(id string) (canonical string, ok bool) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return "", false
	}
	return parsed.String(), true
}
