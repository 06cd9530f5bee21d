package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"planb/questions/lenient"
)

// Arguments reads a tool's arguments and collects everything that is wrong
// with them, in sentences for the model.
type Arguments struct {
	Tool     string
	fields   map[string]json.RawMessage
	known    []string        // names asked for, in order
	read     map[string]bool // the fields that a name asked for has found
	Problems []string
}

// ReadArguments reads the arguments of a tool's call: an object, a JSON string that holds
// one, as some models write it, or nothing.
func ReadArguments(tool string, raw json.RawMessage) *Arguments {
	a := &Arguments{Tool: tool, fields: map[string]json.RawMessage{}, read: map[string]bool{}}
	if len(raw) == 0 || string(raw) == "null" {
		return a
	}
	if members, ok := lenient.Members(raw); ok { // in one pass, without a copy of the values
		for _, m := range members {
			a.fields[m.Key] = m.Value
		}
		return a
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if json.Unmarshal(raw, &a.fields) != nil || a.fields == nil {
		a.fields = map[string]json.RawMessage{}
		a.Problem("The arguments must be a JSON object; got %s.", Shown(raw))
	}
	return a
}

// Problem notes what is wrong, in a sentence for the model.
func (a *Arguments) Problem(format string, args ...any) {
	a.Problems = append(a.Problems, fmt.Sprintf(format, args...))
}

// Raw returns an argument by its name, or by another name that models give it. Names are
// the same as lenient.SameName has it. A null counts as absent. If an argument has two
// names, the first counts and Finish reports the other.
func (a *Arguments) Raw(name string, also ...string) (json.RawMessage, bool) {
	a.known = append(a.known, name)
	for _, word := range append([]string{name}, also...) {
		for _, field := range slices.Sorted(maps.Keys(a.fields)) {
			if !lenient.SameName(field, word) {
				continue
			}
			a.read[field] = true
			if raw := a.fields[field]; string(raw) != "null" {
				return raw, true
			}
		}
	}
	return nil, false
}

// Aside returns a second reader of the same arguments, with problems of its own.
func (a *Arguments) Aside() *Arguments {
	return &Arguments{Tool: a.Tool, fields: a.fields, read: a.read}
}

// Accept adds the names that the second reader asked for to those that the tool knows.
func (a *Arguments) Accept(aside *Arguments) { a.known = append(a.known, aside.known...) }

// Report adds the problems of the second reader.
func (a *Arguments) Report(aside *Arguments) { a.Problems = append(a.Problems, aside.Problems...) }

// Text returns a string argument, "" if it is absent.
func (a *Arguments) Text(name string, also ...string) string {
	raw, ok := a.Raw(name, also...)
	if !ok {
		return ""
	}
	return a.decoded(name, raw)
}

// decoded is the text of a string argument. It refuses what is not UTF-8, because the JSON
// decoder would silently replace it.
func (a *Arguments) decoded(name string, raw json.RawMessage) (text string) {
	if at := NotUTF8(string(raw)); at >= 0 {
		_ = json.Unmarshal([]byte(string(raw[:at])+`"`), &text) // the text before, to count its bytes
		a.Problem("%s is not UTF-8: its byte %d is 0x%02x.", name, len(text)+1, raw[at])
		return ""
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		a.Problem("%s must be a string; got %s.", name, Shown(raw))
	}
	return text
}

// Required returns a string argument that must be there and not blank.
func (a *Arguments) Required(name, hint string, also ...string) string {
	before := len(a.Problems)
	text := a.Text(name, also...)
	if strings.TrimSpace(text) == "" && len(a.Problems) == before {
		a.Problem("%s is missing: %s.", name, hint)
	}
	return text
}

// Given returns a string argument that must be there, and may be empty.
func (a *Arguments) Given(name, hint string, also ...string) string {
	raw, ok := a.Raw(name, also...)
	if !ok {
		a.Problem("%s is missing: %s.", name, hint)
		return ""
	}
	return a.decoded(name, raw)
}

// Texts returns an argument that is a list of strings; a single string is taken as
// a list of one, or as the JSON of a list, as some models write it.
func (a *Arguments) Texts(name string) []string {
	raw, ok := a.Raw(name)
	if !ok {
		return nil
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(raw, &one) != nil {
		a.Problem("%s must be a list of strings; got %s.", name, Shown(raw))
		return nil
	}
	if one == "" || json.Unmarshal([]byte(one), &list) == nil {
		return list
	}
	return []string{one}
}

// Limit reports a text that has more than most bytes.
func (a *Arguments) Limit(name, text string, most int) {
	if len(text) > most {
		a.Problem("%s must have at most %d bytes; got %d.", name, most, len(text))
	}
}

// Flag returns a boolean argument. It also understands "true" and "false", and an empty
// string counts as absent.
func (a *Arguments) Flag(name string) bool {
	raw, ok := a.Raw(name)
	if !ok || string(raw) == `""` {
		return false
	}
	var set bool
	if json.Unmarshal([]byte(strings.Trim(string(raw), `"`)), &set) != nil {
		a.Problem("%s must be true or false; got %s.", name, Shown(raw))
	}
	return set
}

// Number returns an argument that is a number from 0 to most; ok is false if it is absent.
// It also understands a number in a string, and an empty string counts as absent.
func (a *Arguments) Number(name string, most float64, also ...string) (n float64, ok bool) {
	raw, ok := a.Raw(name, also...)
	if !ok || string(raw) == `""` {
		return 0, false
	}
	given, err := lenient.Parse(raw)
	n, isNumber := lenient.Number(given)
	if err != nil || !isNumber || n < 0 || n > most {
		a.Problem("%s must be a number from 0 to %.0f; got %s.", name, most, Shown(raw))
		return 0, false
	}
	return n, true
}

// Finish reports the arguments that were not asked for, and returns all problems, each on a
// line; "" if there are none.
func (a *Arguments) Finish() string {
	var unknown []string
	for name, raw := range a.fields {
		if !a.read[name] && string(raw) != "null" {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	takes := strings.Join(a.known, ", ")
	if takes == "" {
		takes = "none"
	}
	for _, name := range unknown {
		a.Problem("%s is no argument of %s; it takes %s.", Shortened(strconv.Quote(name)), a.Tool, takes)
	}
	return strings.Join(a.Problems, "\n")
}

// Shown is the beginning of an argument, short enough for an error.
func Shown(raw json.RawMessage) string { return Shortened(string(raw)) }
