package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"planb/store"
)

// The layout of an envelope; the package comment describes it.
const (
	envelopeVersion = 1
	revAt           = 1
	opAt            = revAt + 8
	sumAt           = opAt + 16
	envelopeBytes   = sumAt + 4
)

// seal wraps a record's value for the file.
func seal(r store.Record) []byte {
	out := make([]byte, envelopeBytes, envelopeBytes+len(r.Value))
	out[0] = envelopeVersion
	binary.BigEndian.PutUint64(out[revAt:], uint64(r.Rev))
	copy(out[opAt:], r.Op[:])
	out = append(out, r.Value...)
	binary.BigEndian.PutUint32(out[sumAt:], checksum(r.Key, out))
	return out
}

// unseal reads what seal wrote under the same key. The record's value shares
// memory with sealed.
func unseal(k store.Key, sealed []byte) (store.Record, error) {
	if len(sealed) < envelopeBytes {
		return store.Record{}, fmt.Errorf("it has %d bytes, at least %d are expected", len(sealed), envelopeBytes)
	}
	if binary.BigEndian.Uint32(sealed[sumAt:]) != checksum(k, sealed) {
		return store.Record{}, errors.New("its checksum is wrong")
	}
	if sealed[0] != envelopeVersion {
		return store.Record{}, fmt.Errorf("its envelope has version %d, only %d is known", sealed[0], envelopeVersion)
	}
	r := store.Record{Key: k, Value: sealed[envelopeBytes:], Rev: int64(binary.BigEndian.Uint64(sealed[revAt:]))}
	copy(r.Op[:], sealed[opAt:])
	return r, nil
}

// checksum covers everything of an envelope but the checksum itself, and the
// key, so that a record found under another's key is noticed.
func checksum(k store.Key, sealed []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, []byte(k))
	sum = crc32.Update(sum, table, sealed[:sumAt])
	return crc32.Update(sum, table, sealed[envelopeBytes:])
}
