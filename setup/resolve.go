package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Source is the origin of a setting's value. A later one overrides an earlier
// one.
type Source int

const (
	FromDefault Source = iota
	FromFile
	FromEnvironment
	FromFlag
)

// String returns the word that `planb config --json` prints.
func (s Source) String() string {
	return [...]string{"default", "file", "environment", "flag"}[s]
}

// Effective is a setting with the value that applies.
type Effective struct {
	Key
	Value  string // as TOML
	Plain  any    // Value as a string, a bool or a []string
	Source Source
	Line   int // in the file, if the value is from there
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

// Resolved are the settings that apply.
type Resolved struct {
	Settings
	List []Effective // in the order of Keys
	Keys []KeySetting

	wrong map[string]error
}

// Check returns what is wrong with the variables and flags of the named
// settings, or of all if none is named. These errors stop a command, unlike
// those in the file: the person who set the variable or flag is there to
// correct it.
func (r Resolved) Check(names ...string) error {
	var list []error
	for _, e := range r.List {
		if err := r.wrong[e.Name]; err != nil && (len(names) == 0 || slices.Contains(names, e.Name)) {
			list = append(list, err)
		}
	}
	return errors.Join(list...)
}

// Resolve finds the value that applies for each setting: the flag, else the
// environment variable, else the file, else the default. flags holds the flags
// that were given, by name. A blank variable or flag counts as unset.
func (f File) Resolve(env func(string) string, flags map[string]string) Resolved {
	r := Resolved{Settings: Defaults(), Keys: f.Keys, wrong: map[string]error{}}
	for _, key := range Keys(f.themes) {
		r.List = append(r.List, r.resolve(key, f, env, flags))
	}
	return r
}

func (r *Resolved) resolve(key Key, f File, env func(string) string, flags map[string]string) Effective {
	e := Effective{Key: key}
	apply := func(v value, source Source) {
		if key.set(&r.Settings, v) {
			e.Source = source
		}
	}
	if v, ok := f.values[key.Name]; ok {
		apply(v.value, FromFile)
		e.Line = v.line
	}
	if text := env(key.Env); key.Env != "" && strings.TrimSpace(text) != "" {
		v, err := key.variable(text)
		if err != nil {
			r.wrong[key.Name] = err
		} else {
			apply(v, FromEnvironment)
		}
	}
	if text, given := flags[key.Flag]; key.Flag != "" && given && strings.TrimSpace(text) != "" {
		v, err := key.parse("--"+key.Flag, text)
		r.wrong[key.Name] = err // a flag also replaces the error of a wrong variable
		if err == nil {
			apply(v, FromFlag)
		}
	}
	v := key.get(r.Settings)
	e.Value, e.Plain = key.toml(v), key.plain(v)
	return e
}
