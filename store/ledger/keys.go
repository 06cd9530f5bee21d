package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"planb/store/kv"
)

// The keys that the ledger writes itself.
const (
	// FormatKey is the record with the format of the whole store.
	FormatKey kv.Key = "format"
	// ChunkKeys is the family of the chunks that records of all families share.
	ChunkKeys kv.Key = "x/"
	// SizeKeys is the index of how many bytes each of those chunks takes: no engine
	// tells a size without the value.
	SizeKeys kv.Key = "z/"
	// ClaimKeys is the family that all claims belong to.
	ClaimKeys kv.Key = "k/"
)

// Family is the key's first part with its slash, or a key without a slash itself.
func Family(key kv.Key) kv.Key {
	if i := strings.IndexByte(string(key), '/'); i >= 0 {
		return key[:i+1]
	}
	return key
}

// LastPart is what follows the key's last slash.
func LastPart(key kv.Key) string {
	return string(key[strings.LastIndexByte(string(key), '/')+1:])
}

// Parent is the part before the last: of s/<session>/<ask> the session.
func Parent(key kv.Key) string {
	parts := strings.Split(string(key), "/")
	return parts[max(len(parts)-2, 0)]
}

// Hash turns any text into a part of a key: the first half of its SHA-256 as 32
// hexadecimal digits.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Inverted is a part of a key that sorts the later of two times first: 16
// hexadecimal digits. The time must be one of the years 1970 to 2262.
func Inverted(at time.Time) kv.Key {
	return kv.Key(fmt.Sprintf("%016x", uint64(math.MaxInt64-at.UnixNano())))
}

// InvertedTime is the time in a part that Inverted made; zero for other parts.
func InvertedTime(part string) time.Time {
	n, err := strconv.ParseUint(part, 16, 64)
	if err != nil || n > math.MaxInt64 {
		return time.Time{}
	}
	return time.Unix(0, math.MaxInt64-int64(n)).UTC()
}
