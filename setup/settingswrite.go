package setup

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/setup/configfile"
	"planb/setup/edit"
	"planb/themes"
)

// SetSetting gives one setting in the file at path a value. The text of the value is as on
// a command line, without TOML's quotes; for keys.SCREEN.ACTION it is keys with spaces
// between them. The caller checks that there is such an action. The themes are those that
// the setting theme may name.
//
// Everything else in the file stays as it is, comments and order too. If the
// setting is there as a comment, that line is used. A missing file is created.
// On an error the file is unchanged; the error names the setting, or the line
// that is not TOML.
func SetSetting(path, name, text string, themes themes.Collection) error {
	change, err := changeOf(name, text, Keys(themes))
	if err != nil {
		return InputError{err}
	}
	return rewriteSettings(path, func(file []byte) ([]byte, error) {
		return edit.Apply(edit.TOML{}, uncomment(file, name), change)
	})
}

// ChangeList changes a list in the file at path. change gets the list that is there; an
// empty one is removed. If several processes do so at once, no change is lost.
func ChangeList(path, name string, change func(list []string) []string, themes themes.Collection) error {
	key, err := keyNamed(name, Keys(themes))
	if err != nil {
		return InputError{err}
	}
	return rewriteSettings(path, func(file []byte) ([]byte, error) {
		list := change(slices.Clone(parseSettings(path, file, themes).values[name].list))
		if settings := Defaults(); !key.set(&settings, value{list: list}) {
			return nil, InputError{key.refuse(name, "", List(list))}
		}
		if len(list) == 0 {
			return edit.Apply(edit.TOML{}, file, edit.Remove(strings.Split(name, ".")...))
		}
		return edit.Apply(edit.TOML{}, uncomment(file, name), edit.Set(list, strings.Split(name, ".")...))
	})
}

// InputError says what is wrong with the given name or value of a setting.
type InputError struct{ Reason error }

func (e InputError) Error() string { return e.Reason.Error() }

func (e InputError) Unwrap() error { return e.Reason }

func changeOf(name, text string, keys []Key) (edit.Change, error) {
	if path, ok := keyPath(name); ok {
		keys := strings.Fields(text)
		if len(keys) == 1 {
			return edit.Set(keys[0], path...), nil
		}
		return edit.Set(keys, path...), nil
	}
	key, err := keyNamed(name, keys)
	if err != nil {
		return edit.Change{}, err
	}
	return key.change(text)
}

// keyPath returns the path of keys.ACTION or keys.SCREEN.ACTION.
func keyPath(name string) ([]string, bool) {
	path := strings.Split(name, ".")
	return path, path[0] == keysTable && len(path) > 1 && len(path) <= 3
}

// UnsetSetting removes a setting from the file at path, so that its default
// applies again. It reports whether the file had it.
func UnsetSetting(path, name string) (had bool, err error) {
	keys, isKey := keyPath(name)
	if !isKey {
		if _, err := keyNamed(name, Keys(themes.Collection{})); err != nil {
			return false, InputError{err}
		}
	}
	err = rewriteSettings(path, func(file []byte) ([]byte, error) {
		if settings := screenIn(file, keys); isKey && len(settings) > 0 {
			return nil, InputError{fmt.Errorf("%s is a table, not a setting; it has %s", name, strings.Join(settings, ", "))}
		}
		after, err := edit.Apply(edit.TOML{}, file, edit.Remove(strings.Split(name, ".")...))
		had = string(after) != string(file)
		return after, err
	})
	return had, err
}

// screenIn returns the settings of the screen that the path names; none if it names no screen
// that is in the file.
func screenIn(file []byte, path []string) (names []string) {
	data, err := edit.TOML{}.Decode(file)
	if err != nil || len(path) != 2 {
		return nil // an error is one of the change, too
	}
	keys, _ := data[path[0]].(map[string]any)
	screen, _ := keys[path[1]].(map[string]any)
	for _, action := range slices.Sorted(maps.Keys(screen)) {
		names = append(names, strings.Join(path, ".")+"."+action)
	}
	return names
}

// rewriteSettings changes the file at path. If several processes do so at once,
// no change is lost.
func rewriteSettings(path string, change func([]byte) ([]byte, error)) error {
	return configfile.Alone(path, func() error { return rewriteOnce(path, change) })
}

func rewriteOnce(path string, change func([]byte) ([]byte, error)) error {
	rewrite, err := configfile.Plan(path, func(file []byte) ([]byte, error) {
		if len(file) > maxSettingsBytes {
			return nil, fmt.Errorf("%s has %d bytes, and planb reads at most %d; nothing was changed", path, len(file), maxSettingsBytes)
		}
		after, err := change(file)
		var syntax *edit.SyntaxError
		var conflict *edit.ConflictError
		switch {
		case errors.As(err, &syntax):
			err = fmt.Errorf("%s:%d: the settings are not TOML, so nothing was changed: %s", path, syntax.Line, notTOMLBecause(file, syntax.Line, syntax.Column, syntax.Reason))
		case errors.As(err, &conflict):
			err = fmt.Errorf("%s: %w", path, err)
		}
		return after, err
	})
	if err != nil || !rewrite.Changed() {
		return err
	}
	return rewrite.Overwrite()
}

func keyNamed(name string, keys []Key) (Key, error) {
	for _, key := range keys {
		if key.Name == name {
			return key, nil
		}
	}
	return Key{}, fmt.Errorf("there is no setting %s%s", quote(name), suggestSetting(name, keys))
}

// uncomment turns the comment that shows a setting into the setting, so that a file
// made from the example keeps its order. It looks only in the setting's own section,
// and does nothing if the section has the setting.
func uncomment(file []byte, name string) []byte {
	table, key := "", name
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		table, key = name[:dot], name[dot+1:]
	}
	data, err := edit.TOML{}.Decode(file)
	if err != nil || has(data, strings.Split(name, ".")) {
		return file
	}
	section := ""
	var before strings.Builder
	for line := range strings.Lines(string(file)) {
		trimmed := strings.TrimSpace(line)
		if header, ok := strings.CutPrefix(trimmed, "["); ok {
			section = strings.TrimSpace(strings.TrimSuffix(header, "]"))
		}
		comment, isComment := strings.CutPrefix(trimmed, "#")
		left, _, assigns := strings.Cut(comment, "=")
		if isComment && assigns && section == table && strings.TrimSpace(left) == key {
			return replaceLine(file, before.Len(), len(line), strings.TrimSpace(comment))
		}
		before.WriteString(line)
	}
	return file
}

// replaceLine replaces a line by text, if the result is valid TOML.
func replaceLine(file []byte, at, length int, text string) []byte {
	line := string(file[at : at+length])
	ending := line[len(strings.TrimRight(line, "\r\n")):]
	after := string(file[:at]) + text + ending + string(file[at+length:])
	if _, err := (edit.TOML{}).Decode([]byte(after)); err != nil {
		return file
	}
	return []byte(after)
}

// has reports whether decoded data has a value at the path.
func has(data map[string]any, path []string) bool {
	below, there := data[path[0]]
	if table, ok := below.(map[string]any); ok && len(path) > 1 {
		return has(table, path[1:])
	}
	return there
}
