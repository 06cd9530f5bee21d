package tasks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

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
func hashPlan(title, description safe.Text, nodes []keyed) Hash {
	slices.SortFunc(nodes, keyed.compare)
	hashes := make([]string, len(nodes))
	for i, node := range nodes {
		hashes[i] = node.hash.String()
	}
	c := make(canonical, 0, len(nodes)*(2*len(Hash{})+len(`"",`))+2*len(description.Raw())+2*len(title.Raw())+100)
	c.begin()
	c.text("description", description.Raw())
	c.list("nodes", hashes)
	c.text("title", title.Raw())
	c.end()
	return sha256.Sum256(c)
}

// keyed is a task's hash under its key.
type keyed struct {
	key  string
	hash Hash
}

func (k keyed) compare(other keyed) int {
	switch {
	case k.key < other.key:
		return -1
	case k.key > other.key:
		return 1
	}
	return 0
}
