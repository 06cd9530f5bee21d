package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// arguments reads a tool's arguments and collects everything that is wrong
// with them, in sentences for the model.
type arguments struct {
	tool     string
	fields   map[string]json.RawMessage
	known    []string        // names asked for, in order
	read     map[string]bool // the fields that were meant
	problems []string
}

// readArguments takes a tool call's arguments: an object, the same as a JSON
// string, as some models write it, or nothing.
func readArguments(tool string, raw json.RawMessage) *arguments {
	a := &arguments{tool: tool, fields: map[string]json.RawMessage{}, read: map[string]bool{}}
	if len(raw) == 0 || string(raw) == "null" {
		return a
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if json.Unmarshal(raw, &a.fields) != nil || a.fields == nil {
		a.fields = map[string]json.RawMessage{}
		a.problem("The arguments must be a JSON object; got %s.", kindOf(raw))
	}
	return a
}

func (a *arguments) problem(format string, args ...any) {
	a.problems = append(a.problems, fmt.Sprintf(format, args...))
}

// raw returns an argument, under its name or another that models give it. In
// names, case, underscores and dashes make no difference. A null counts as
// absent; of one argument under two names the first one counts, and the other
// is reported.
func (a *arguments) raw(name string, also ...string) (json.RawMessage, bool) {
	a.known = append(a.known, name)
	for _, word := range append([]string{name}, also...) {
		for _, field := range slices.Sorted(maps.Keys(a.fields)) {
			if plainName(field) != plainName(word) {
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

// plainName is what two spellings of a name have in common.
func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// aside reads the same arguments, and keeps what is wrong with them to itself.
func (a *arguments) aside() *arguments {
	return &arguments{tool: a.tool, fields: a.fields, read: a.read}
}

// accept counts the names that were asked for aside among those the tool takes.
func (a *arguments) accept(aside *arguments) { a.known = append(a.known, aside.known...) }

// report adds what was found wrong aside.
func (a *arguments) report(aside *arguments) { a.problems = append(a.problems, aside.problems...) }

// text returns a string argument, "" if it is absent.
func (a *arguments) text(name string, also ...string) string {
	raw, ok := a.raw(name, also...)
	if !ok {
		return ""
	}
	return a.decoded(name, raw)
}

// decoded is a string argument's text. Bytes that are part of no character would
// silently become others.
func (a *arguments) decoded(name string, raw json.RawMessage) (text string) {
	if at := notUTF8(string(raw)); at >= 0 {
		_ = json.Unmarshal([]byte(string(raw[:at])+`"`), &text) // what is before them, to count it
		a.problem("%s is not UTF-8: its byte %d is 0x%02x.", name, len(text)+1, raw[at])
		return ""
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		a.problem("%s must be a string; got %s.", name, kindOf(raw))
	}
	return text
}

// required returns a string argument that must be there and not blank.
func (a *arguments) required(name, hint string, also ...string) string {
	before := len(a.problems)
	text := a.text(name, also...)
	if strings.TrimSpace(text) == "" && len(a.problems) == before {
		a.problem("%s is missing: %s.", name, hint)
	}
	return text
}

// given returns a string argument that must be there, and may be empty.
func (a *arguments) given(name, hint string, also ...string) string {
	raw, ok := a.raw(name, also...)
	if !ok {
		a.problem("%s is missing: %s.", name, hint)
		return ""
	}
	return a.decoded(name, raw)
}

// texts returns an argument that is a list of strings; a single string is taken as
// a list of one, or as the JSON of a list, as some models write it.
func (a *arguments) texts(name string) []string {
	raw, ok := a.raw(name)
	if !ok {
		return nil
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(raw, &one) != nil {
		a.problem("%s must be a list of strings; got %s.", name, kindOf(raw))
		return nil
	}
	if one == "" || json.Unmarshal([]byte(one), &list) == nil {
		return list
	}
	return []string{one}
}

// limit reports a text of more than most bytes.
func (a *arguments) limit(name, text string, most int) {
	if len(text) > most {
		a.problem("%s must have at most %d bytes; got %d.", name, most, len(text))
	}
}

// flag returns a boolean argument; "true" and "false" are understood too, and
// an empty string counts as absent.
func (a *arguments) flag(name string) bool {
	raw, ok := a.raw(name)
	if !ok || string(raw) == `""` {
		return false
	}
	var set bool
	if json.Unmarshal([]byte(strings.Trim(string(raw), `"`)), &set) != nil {
		a.problem("%s must be true or false; got %s.", name, kindOf(raw))
	}
	return set
}

// seconds returns an argument that is a number from 0 to most; ok is false if
// it is absent. A number in a string is understood too, and an empty one
// counts as absent.
func (a *arguments) seconds(name string, most float64, also ...string) (n float64, ok bool) {
	raw, ok := a.raw(name, also...)
	if !ok || string(raw) == `""` {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil || math.IsNaN(n) || n < 0 || n > most {
		a.problem("%s must be a number from 0 to %v; got %s.", name, most, kindOf(raw))
		return 0, false
	}
	return n, true
}

// finish reports arguments that were not asked for, and returns all problems,
// one on a line; "" if there are none.
func (a *arguments) finish() string {
	var unknown []string
	for name, raw := range a.fields {
		if !a.read[name] && string(raw) != "null" {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		a.problem("%s is no argument of %s; it takes %s.", cut(strconv.Quote(name)), a.tool, strings.Join(a.known, ", "))
	}
	return strings.Join(a.problems, "\n")
}

// kindOf shows what an argument is, short enough for an error.
func kindOf(raw json.RawMessage) string { return cut(string(raw)) }
