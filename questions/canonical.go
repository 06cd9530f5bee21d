package questions

import (
	"crypto/sha256"
	"encoding/hex"

	"planb/plainjson"
)

// Canonical returns the form as JSON: keys in the order of the struct fields,
// no white space, defaults filled in, no HTML escaping. Equal forms have equal
// bytes, in every version of planb. Parse and json.Unmarshal read those bytes
// back as the same form. Canonical returns nil for a Spec that JSON cannot hold,
// such as one with a NaN in its Range; Parse never returns such a Spec.
func (s Spec) Canonical() []byte {
	data, err := plainjson.Marshal(s)
	if err != nil {
		return nil
	}
	return data
}

// Digest returns the SHA-256 of Canonical in lower-case hexadecimal. Two asks
// with the same digest have the same form.
func (s Spec) Digest() string {
	sum := sha256.Sum256(s.Canonical())
	return hex.EncodeToString(sum[:])
}

// MarshalJSON writes the question. A choice always has "other", even if it is
// false: Parse reads a missing "other" as true.
func (q Question) MarshalJSON() ([]byte, error) {
	type plain Question
	if len(q.Options) == 0 {
		return plainjson.Marshal(plain(q))
	}
	return plainjson.Marshal(struct {
		plain
		Other bool `json:"other"`
	}{plain(q), q.Other})
}
