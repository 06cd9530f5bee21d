package tasks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"planb/questions/safe"
)

// Hash is a SHA-256: of a task, or of a whole plan. In JSON it is hexadecimal.
type Hash [sha256.Size]byte

// String returns the hash in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText writes the hash in hexadecimal.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText reads a hash in hexadecimal.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return errors.New("a hash has 64 hexadecimal digits")
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// Hash covers what a person approves of a task: nodeKey, title, description, both
// contracts, the estimate, and the tasks that it depends on.
func (s Seed) Hash() Hash { return s.hash(new(canonical)) }

// hash is Hash with a buffer that many seeds share.
func (s Seed) hash(buffer *canonical) Hash {
	*buffer = (*buffer)[:0]
	buffer.seed(s)
	return sha256.Sum256(*buffer)
}

// hashPlan covers a plan's title and description, and the hashes of its tasks in
// the order of their keys.
func hashPlan(title, description safe.Text, nodes []node) Hash {
	kept := make([]uint16, 0, len(nodes))
	for i := range nodes {
		if nodes[i].flags&dropped == 0 {
			kept = append(kept, uint16(i))
		}
	}
	slices.SortFunc(kept, func(a, b uint16) int { return strings.Compare(nodes[a].key, nodes[b].key) })
	c := make(canonical, 0, len(kept)*(2*len(Hash{})+len(`"",`))+2*len(description.Raw())+2*len(title.Raw())+100)
	c.begin()
	c.text("description", description.Raw())
	if len(kept) > 0 {
		c.name("nodes")
		c = append(c, '[')
		for _, i := range kept {
			c.separate()
			c = append(hex.AppendEncode(append(c, '"'), nodes[i].hash[:]), '"')
		}
		c = append(c, ']')
	}
	c.text("title", title.Raw())
	c.end()
	return sha256.Sum256(c)
}
