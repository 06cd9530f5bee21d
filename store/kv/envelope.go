package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// The layout of an envelope: version (1 byte, 1), revision (8), operation (16),
// CRC-32C (4) of the key, the 25 bytes before and the value, and the value. Numbers
// are big endian.
const (
	envelopeVersion = 1
	revAt           = 1
	opAt            = revAt + 8
	sumAt           = opAt + 16
	// EnvelopeBytes is how much longer an envelope is than the value in it.
	EnvelopeBytes = sumAt + 4
)

// Seal puts a record's value into an envelope. An engine keeps the envelope where
// what it is built on knows neither the operation that wrote a record nor checksums.
func Seal(r Record) []byte {
	out := make([]byte, EnvelopeBytes, EnvelopeBytes+len(r.Value))
	out[0] = envelopeVersion
	binary.BigEndian.PutUint64(out[revAt:], uint64(r.Rev))
	copy(out[opAt:], r.Op[:])
	out = append(out, r.Value...)
	binary.BigEndian.PutUint32(out[sumAt:], checksum(r.Key, out))
	return out
}

// Unseal reads what Seal wrote under the same key. The record's value shares
// memory with sealed.
func Unseal(k Key, sealed []byte) (Record, error) {
	if len(sealed) < EnvelopeBytes {
		return Record{}, fmt.Errorf("it has %d bytes, at least %d are expected", len(sealed), EnvelopeBytes)
	}
	if binary.BigEndian.Uint32(sealed[sumAt:]) != checksum(k, sealed) {
		return Record{}, errors.New("its checksum is wrong")
	}
	if sealed[0] != envelopeVersion {
		return Record{}, fmt.Errorf("its envelope has version %d, only %d is known", sealed[0], envelopeVersion)
	}
	r := Record{Key: k, Value: sealed[EnvelopeBytes:], Rev: int64(binary.BigEndian.Uint64(sealed[revAt:]))}
	copy(r.Op[:], sealed[opAt:])
	return r, nil
}

// checksum covers everything of an envelope but the checksum itself, and the
// key, so that a record found under another's key is noticed.
func checksum(k Key, sealed []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, []byte(k))
	sum = crc32.Update(sum, table, sealed[:sumAt])
	return crc32.Update(sum, table, sealed[EnvelopeBytes:])
}
