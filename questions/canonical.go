package questions

import (
	"crypto/sha256"
	"encoding/hex"
)

// Canonical returns the form as JSON: keys in the order of the fields here,
// no white space, defaults filled in, no HTML escaping. Equal forms have equal
// bytes, in every version of planb; Parse and json.Unmarshal read them back as
// the same form. It is nil for a Spec that no Parse returned and JSON cannot
// hold: one with a Range of NaN.
func (s Spec) Canonical() []byte {
	data, err := marshal(s)
	if err != nil {
		return nil
	}
	return data
}

// Digest returns the SHA-256 of Canonical in lower-case hexadecimal, by which
// the same ask is known again.
func (s Spec) Digest() string {
	sum := sha256.Sum256(s.Canonical())
	return hex.EncodeToString(sum[:])
}

// MarshalJSON writes the question with "other" also where it is false: left
// out of a choice it would be read as true.
func (q Question) MarshalJSON() ([]byte, error) {
	type plain Question
	if len(q.Options) == 0 {
		return marshal(plain(q))
	}
	return marshal(struct {
		plain
		Other bool `json:"other"`
	}{plain(q), q.Other})
}
