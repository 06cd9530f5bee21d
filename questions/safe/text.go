// Package safe holds text that came from outside and may be hostile.
package safe

import "encoding/json"

// Text is text that an agent or a person wrote. It keeps the exact bytes for
// storing and returning, and gives a screen only their cleaned form.
type Text struct{ raw string }

// New wraps raw.
func New(raw string) Text { return Text{raw} }

// Raw returns the exact bytes. They must never reach a terminal.
func (t Text) Raw() string { return t.raw }

// IsZero reports whether the text is empty.
func (t Text) IsZero() bool { return t.raw == "" }

// Line returns the text for one line of a screen: cleaned, with line breaks
// shown as a visible glyph.
func (t Text) Line() string { return t.raw }

// Block returns the text for a screen, cleaned, with its line breaks kept and tabs expanded.
func (t Text) Block() string { return t.raw }

// MarshalJSON writes the exact text as a JSON string.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.raw) }

// UnmarshalJSON reads a JSON string.
func (t *Text) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &t.raw) }
