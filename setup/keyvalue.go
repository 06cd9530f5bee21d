package setup

import (
	"fmt"
	"strconv"
	"strings"

	"planb/setup/edit"
)

// parse parses a value from a variable, a flag or a command line: without
// TOML's quotes, a list with commas. Its error says what is allowed and calls
// the setting named.
func (k Key) parse(named, text string) (value, error) {
	v := value{text: text}
	fits := true
	switch k.kind {
	case kindSwitch:
		var err error
		v.on, err = strconv.ParseBool(strings.TrimSpace(text))
		fits = err == nil
	case kindList:
		for _, item := range strings.Split(text, ",") {
			v.list = append(v.list, strings.TrimSpace(item))
		}
	}
	if settings := Defaults(); !fits || !k.set(&settings, v) {
		return value{}, k.refuse(named, text, quote(text))
	}
	return v, nil
}

// variable parses the value of the key's variable.
func (k Key) variable(text string) (value, error) {
	if k.fromEnv == nil {
		return k.parse(k.Env, text)
	}
	return k.fromEnv(strings.TrimSpace(text))
}

// refuse returns the error for a value that is not allowed; got shows the
// value.
func (k Key) refuse(named, text, got string) error {
	choices := k.names()
	nearest, ok := Nearest(text, choices)
	switch {
	case !ok || text == "":
		return fmt.Errorf("%s is %s; allowed: %s", named, got, k.Allowed())
	case k.shownBy != "":
		return fmt.Errorf("%s is %s; did you mean %q? `%s` shows what is allowed", named, got, nearest, k.shownBy)
	}
	return fmt.Errorf("%s is %s; did you mean %q? Allowed: %s", named, got, nearest, k.Allowed())
}

// Choices returns the allowed values; none if the setting is free text.
func (k Key) Choices() []string {
	if k.kind == kindSwitch {
		return []string{"true", "false"}
	}
	return k.names()
}

// names returns the allowed values if they are names.
func (k Key) names() []string {
	if k.choices == nil {
		return nil
	}
	return k.choices()
}

func (k Key) IsList() bool { return k.kind == kindList }

// toml formats a value as in the file.
func (k Key) toml(v value) string {
	switch k.kind {
	case kindSwitch:
		return strconv.FormatBool(v.on)
	case kindList:
		return "[" + quoted(v.list) + "]"
	}
	return strconv.Quote(v.text)
}

func (k Key) plain(v value) any {
	switch k.kind {
	case kindSwitch:
		return v.on
	case kindList:
		return v.list
	}
	return v.text
}

// Default returns the key's default as TOML.
func (k Key) Default() string { return k.toml(k.get(Defaults())) }

// change returns the edit that sets the value.
func (k Key) change(text string) (edit.Change, error) {
	v, err := k.parse(k.Name, text)
	if err != nil {
		return edit.Change{}, err
	}
	path := strings.Split(k.Name, ".")
	switch k.kind {
	case kindSwitch:
		return edit.Set(v.on, path...), nil
	case kindList:
		return edit.Set(v.list, path...), nil
	}
	return edit.Set(strings.TrimSpace(v.text), path...), nil
}
