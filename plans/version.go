package plans

import (
	"time"

	"planb/questions/safe"
)

// Version describes one saved version of a plan.
type Version struct {
	Number  int       `json:"number"` // 1, 2, 3 … without gaps
	Title   safe.Text `json:"title,omitzero"`
	Created time.Time `json:"created"`
	Bytes   int       `json:"bytes"`  // of the text, UTF-8
	Digest  string    `json:"digest"` // hex SHA-256 of the text
}
