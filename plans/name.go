package plans

import (
	"errors"
	"fmt"
	"strings"
)

// MaxNameBytes limits a plan's name, so that its file has one everywhere.
const MaxNameBytes = 200

// Name is the name of a plan that is worked on as a file.
type Name string

// NameError says that a text is no plan's name.
type NameError struct{ Text string }

// Error says what names are made of, in the words of Aether's plan server.
func (e *NameError) Error() string {
	if len(e.Text) > MaxNameBytes {
		return fmt.Sprintf("Invalid planName of %d bytes; use at most %d", len(e.Text), MaxNameBytes)
	}
	return fmt.Sprintf("Invalid planName `%s`; use only letters, numbers, dashes, and underscores", e.Text)
}

// ParseName takes letters, digits, dashes and underscores, of ASCII, beginning
// and ending with a letter or digit; anything else is a *NameError. Such a name
// is a file's name on every system, and leads nowhere else.
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

// fileSuffix is what a plan's file has behind its name.
const fileSuffix = "-plan.md"

// File is the name of the plan's file.
func (n Name) File() string { return string(n) + fileSuffix }

// NameOfFile is the name of the plan a file of that name holds.
func NameOfFile(file string) (Name, error) {
	name, ok := strings.CutSuffix(file, fileSuffix)
	if !ok {
		return "", errors.New("it does not end in " + fileSuffix)
	}
	return ParseName(name)
}
