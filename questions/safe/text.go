package safe

import (
	"encoding/json"
	"strconv"
	"unicode"

	"planb/plainjson"
)

// Text is text that an agent or a person wrote. It keeps the exact bytes for
// storing and returning, and cleans them for a screen. The zero Text is empty. Two
// Texts are equal with == if their bytes are equal.
type Text struct{ raw string }

// New wraps raw, whatever it holds.
func New(raw string) Text { return Text{raw} }

// Raw returns the exact bytes. They must never reach a terminal.
func (t Text) Raw() string { return t.raw }

// IsZero reports whether the text is empty.
func (t Text) IsZero() bool { return t.raw == "" }

// Blank reports whether a reader would see nothing: the text is empty, or all
// of it is white space and invisible characters.
func (t Text) Blank() bool {
	for _, r := range t.raw {
		if !unicode.IsSpace(r) && !isInvisible(r) {
			return false
		}
	}
	return true
}

// Line returns the text for one row of a screen: cleaned, each line break as
// ↵, each tab as one space.
func (t Text) Line() string { return clean(t.raw, oneLine) }

// Block returns the text for many rows of a screen: cleaned, with \n as line
// break and tabs expanded to every fourth column, as in Markdown.
func (t Text) Block() string { return clean(t.raw, manyLines) }

// String returns Line, so that a Text passed to fmt by mistake does no harm.
func (t Text) String() string { return t.Line() }

// GoString returns the text as Go syntax in visible ASCII, for %#v.
func (t Text) GoString() string { return "safe.New(" + strconv.QuoteToASCII(t.raw) + ")" }

// MarshalJSON writes the exact text as a JSON string. A byte that is not UTF-8
// becomes U+FFFD, because JSON has only Unicode.
func (t Text) MarshalJSON() ([]byte, error) { return plainjson.Marshal(t.raw) }

// UnmarshalJSON reads a JSON string.
func (t *Text) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &t.raw) }
