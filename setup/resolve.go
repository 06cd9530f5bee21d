package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Source is where the value of a setting comes from, the strongest last.
type Source int

// The sources.
const (
	FromDefault Source = iota
	FromFile
	FromEnvironment
	FromFlag
)

// String is the source in a word, as `planb config --json` has it.
func (s Source) String() string {
	return [...]string{"default", "file", "environment", "flag"}[s]
}

// Effective is a setting with the value that counts.
type Effective struct {
	Key
	Value  string // as TOML
	Plain  any    // the same as a string, a bool or a []string
	Source Source
	Line   int // of the file, if it comes from there
}

// From says where the value comes from: "default", "line 3", "PLANB_WAIT",
// "--wait".
func (e Effective) From() string {
	switch e.Source {
	case FromFile:
		return fmt.Sprintf("line %d", e.Line)
	case FromEnvironment:
		return e.Env
	case FromFlag:
		return "--" + e.Flag
	}
	return "default"
}

// Resolved are the settings that count.
type Resolved struct {
	Settings
	List []Effective // in the order of Keys
	Keys []KeySetting

	wrong map[string]error
}

// Check is what is wrong with a variable or a flag of the named settings, or of
// all if none is named. What is wrong with them is not passed over as in a file:
// who has set them is there to mend them.
func (r Resolved) Check(names ...string) error {
	var list []error
	for _, e := range r.List {
		if err := r.wrong[e.Name]; err != nil && (len(names) == 0 || slices.Contains(names, e.Name)) {
			list = append(list, err)
		}
	}
	return errors.Join(list...)
}

// Resolve finds what counts for each setting: the flag, else the environment
// variable, else the file, else the default. Flags are by the names of flags, and
// only those that were given. A blank variable or flag counts as unset.
func (f File) Resolve(env func(string) string, flags map[string]string) Resolved {
	r := Resolved{Settings: Defaults(), Keys: f.Keys, wrong: map[string]error{}}
	for _, key := range Keys() {
		r.List = append(r.List, r.resolve(key, f, env, flags))
	}
	return r
}

func (r *Resolved) resolve(key Key, f File, env func(string) string, flags map[string]string) Effective {
	e := Effective{Key: key}
	take := func(v value, source Source) {
		if key.set(&r.Settings, v) {
			e.Source = source
		}
	}
	if v, ok := f.values[key.Name]; ok {
		take(v.value, FromFile)
		e.Line = v.line
	}
	if text := env(key.Env); key.Env != "" && strings.TrimSpace(text) != "" {
		v, err := key.variable(text)
		if err != nil {
			r.wrong[key.Name] = err
		} else {
			take(v, FromEnvironment)
		}
	}
	if text, given := flags[key.Flag]; key.Flag != "" && given && strings.TrimSpace(text) != "" {
		v, err := key.parse("--"+key.Flag, text)
		r.wrong[key.Name] = err // whatever is wrong with the weaker ones
		if err == nil {
			take(v, FromFlag)
		}
	}
	v := key.get(r.Settings)
	e.Value, e.Plain = key.toml(v), key.plain(v)
	return e
}
