package plans

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"planb/questions/safe"
)

// Version describes one version of a plan. It does not hold the text.
type Version struct {
	Number  int       `json:"number"`         // 1, 2, 3 … within the session
	Name    Name      `json:"name,omitempty"` // of the plan, if it is kept as a file
	Title   safe.Text `json:"title,omitzero"` // as given; see Heading for plans without one
	Created time.Time `json:"created"`
	By      string    `json:"by,omitempty"` // who saved it: the agent's client
	Bytes   int       `json:"bytes"`        // length of the text in UTF-8
	Digest  string    `json:"digest"`       // of the text; see the function Digest
}

// New checks a plan's text and title and returns their version. The caller fills
// in Number, Created and By. A blank title counts as none. The error is a *Problem.
func New(text, title safe.Text) (Version, error) {
	if title.Blank() {
		title = safe.Text{}
	}
	if err := check(text, title); err != nil {
		return Version{}, err
	}
	return Version{Title: title, Bytes: len(text.Raw()), Digest: Digest(text)}, nil
}

// Next returns the number of the version after last. For a session without plans,
// last is the zero Version.
func Next(last Version) int { return last.Number + 1 }

// Same reports whether two versions have the same text, title and name. Saving the
// last version once more makes no new version. Going back to the text of an older
// version does make one.
func Same(a, b Version) bool {
	return a.Digest == b.Digest && a.Bytes == b.Bytes && a.Title == b.Title && a.Name == b.Name
}

// Digest returns the SHA-256 of a plan's exact bytes in lower-case
// hexadecimal.
func Digest(text safe.Text) string {
	sum := sha256.Sum256([]byte(text.Raw()))
	return hex.EncodeToString(sum[:])
}
