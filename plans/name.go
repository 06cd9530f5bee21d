package plans

import (
	"errors"
	"fmt"
	"strings"
)

// MaxNameBytes limits a plan's name, so that its file name is valid on every
// system.
const MaxNameBytes = 200

// Name is the name of a plan that is kept as a file.
type Name string

// NameError says that a text cannot be a plan's name.
type NameError struct{ Text string }

// Error says which characters a name may have. The words are those of Aether,
// another plan server with the same tools, because agents may know them.
func (e *NameError) Error() string {
	if len(e.Text) > MaxNameBytes {
		return fmt.Sprintf("Invalid planName of %d bytes; use at most %d", len(e.Text), MaxNameBytes)
	}
	return fmt.Sprintf("Invalid planName `%s`; use only letters, numbers, dashes, and underscores", e.Text)
}

// ParseName accepts ASCII letters, digits, dashes and underscores; the first and
// the last character must be a letter or digit. Any other text is a *NameError.
// Such a name is a valid file name on every system and never leads to another
// directory.
func ParseName(text string) (Name, error) {
	ends := func(c byte) bool { return c == '-' || c == '_' }
	switch {
	case text == "", len(text) > MaxNameBytes, ends(text[0]), ends(text[len(text)-1]), strings.ContainsFunc(text, notInName):
		return "", &NameError{text}
	}
	return Name(text), nil
}

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

// fileSuffix follows the plan's name in the name of its file.
const fileSuffix = "-plan.md"

// File returns the name of the plan's file.
func (n Name) File() string { return string(n) + fileSuffix }

// NameOfFile returns the name of the plan that the file holds.
func NameOfFile(file string) (Name, error) {
	name, ok := strings.CutSuffix(file, fileSuffix)
	if !ok {
		return "", errors.New("it does not end in " + fileSuffix)
	}
	return ParseName(name)
}
