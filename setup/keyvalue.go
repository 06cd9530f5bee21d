package setup

import (
	"fmt"
	"strconv"
	"strings"

	"planb/setup/edit"
)

// parse reads a value as it stands in a variable, behind a flag or on a command
// line: without the quotes of TOML, a list with commas between. The error says
// what is allowed, for what is called named.
func (k Key) parse(named, text string) (value, error) {
	v := value{text: text}
	fits := true
	switch k.kind {
	case aSwitch:
		var err error
		v.on, err = strconv.ParseBool(strings.TrimSpace(text))
		fits = err == nil
	case aList:
		for _, item := range strings.Split(text, ",") {
			v.list = append(v.list, strings.TrimSpace(item))
		}
	}
	if settings := Defaults(); !fits || !k.set(&settings, v) {
		return value{}, k.refuse(named, text, quote(text))
	}
	return v, nil
}

// variable reads the value of the key's variable.
func (k Key) variable(text string) (value, error) {
	if k.fromEnv == nil {
		return k.parse(k.Env, text)
	}
	return k.fromEnv(strings.TrimSpace(text))
}

// fewChoices is how many are listed to somebody who was probably near one.
const fewChoices = 12

// refuse is the error for a value that is not allowed, shown as got.
func (k Key) refuse(named, text, got string) error {
	nearest, ok := Nearest(text, k.choices)
	switch {
	case !ok || text == "":
		return fmt.Errorf("%s is %s; allowed: %s", named, got, k.Allowed)
	case len(k.choices) > fewChoices:
		return fmt.Errorf("%s is %s (did you mean %q?); `planb config` lists what is allowed", named, got, nearest)
	}
	return fmt.Errorf("%s is %s (did you mean %q?); allowed: %s", named, got, nearest, k.Allowed)
}

// Choices are the values there are; none where a text may be anything.
func (k Key) Choices() []string {
	if k.kind == aSwitch {
		return []string{"true", "false"}
	}
	return k.choices
}

// IsList reports whether the setting is a list.
func (k Key) IsList() bool { return k.kind == aList }

// toml is a value as the file has it.
func (k Key) toml(v value) string {
	switch k.kind {
	case aSwitch:
		return strconv.FormatBool(v.on)
	case aList:
		return "[" + quoted(v.list) + "]"
	}
	return strconv.Quote(v.text)
}

func (k Key) plain(v value) any {
	switch k.kind {
	case aSwitch:
		return v.on
	case aList:
		return v.list
	}
	return v.text
}

// Default is the value the key has when it is not set, as TOML.
func (k Key) Default() string { return k.toml(k.get(Defaults())) }

// change is the edit that gives the setting a value.
func (k Key) change(text string) (edit.Change, error) {
	v, err := k.parse(k.Name, text)
	if err != nil {
		return edit.Change{}, err
	}
	path := strings.Split(k.Name, ".")
	switch k.kind {
	case aSwitch:
		return edit.Set(v.on, path...), nil
	case aList:
		return edit.Set(v.list, path...), nil
	}
	return edit.Set(strings.TrimSpace(v.text), path...), nil
}
