package markdown

import (
	"maps"
	"slices"
	"strings"
)

// Cited is what citations show: words in place of the ids of questions.
type Cited struct {
	words map[string]string // by the question's id
	key   string            // the same words, to be compared
}

// NewCited returns the Cited with these words, by the ids of questions. An id without words
// is shown itself.
func NewCited(words map[string]string) Cited {
	var key strings.Builder
	for _, id := range slices.Sorted(maps.Keys(words)) {
		key.WriteString(id + "\x00" + words[id] + "\x00")
	}
	return Cited{words, key.String()}
}
