package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"planb/files"
	"planb/themes"
)

// maxSettingsBytes is far more than all settings with comments need.
const maxSettingsBytes = 64 << 10

// Problem is one mistake in a settings file. The setting it concerns keeps its
// default.
type Problem struct {
	File   string
	Line   int    // from 1; 0 if the whole file is meant
	Reason string // what is there, and what is allowed there
}

// Error returns the problem in one line, which begins with its place.
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Reason
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ": " + p.Reason
}

// File is the content of a settings file.
type File struct {
	Path     string
	Exists   bool
	Problems []Problem
	Keys     []KeySetting // not yet checked against the screens' actions

	values map[string]fileValue // by the names of settings
	themes themes.Collection
}

// fileValue is a value and its line.
type fileValue struct {
	value
	line int
}

// ReadFile reads the settings file at path. It always returns a usable File:
// wrong settings are left out, and Problems names them. If path is empty or the
// file does not exist, the File is empty. The themes are those that the setting
// theme may name.
func ReadFile(path string, themes themes.Collection) File {
	if path == "" {
		return File{themes: themes}
	}
	text, err := readSettingsFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{Path: path, themes: themes}
	}
	if err != nil {
		return File{Path: path, Exists: true, themes: themes, Problems: []Problem{{File: path, Reason: "the settings can't be read, so the defaults are used: " + err.Error()}}}
	}
	return parseSettings(path, text, themes)
}

// readSettingsFile does not block on a pipe or another special file.
func readSettingsFile(path string) ([]byte, error) {
	text, _, err := files.Read(path, maxSettingsBytes)
	return text, withoutPath(err)
}

// withoutPath removes the file's name, which the caller prints.
func withoutPath(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

func parseSettings(path string, text []byte, themes themes.Collection) File {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // Windows editors write a byte order mark
	if err := toml.Unmarshal(text, &map[string]any{}); err != nil {
		return File{Path: path, Exists: true, themes: themes, Problems: []Problem{notTOML(path, text, err)}}
	}
	return readSettings(path, text, themes)
}

func notTOML(path string, text []byte, err error) Problem {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return Problem{File: path, Reason: "the settings are not TOML, so the defaults are used: " + err.Error()}
	}
	line, column := decode.Position()
	reason := strings.TrimPrefix(decode.Error(), "toml: ")
	return Problem{path, line, "the settings are not TOML, so the defaults are used: " + notTOMLBecause(text, line, column, reason)}
}

// notTOMLBecause says why a file is not TOML. The parser says of a text without quotes what number
// or keyword it could have been; so planb says instead what to write.
func notTOMLBecause(file []byte, line, column int, reason string) string {
	lines := strings.Split(string(file), "\n")
	name, value, assigns := strings.Cut(lines[line-1], "=")
	value, _, _ = strings.Cut(value, "#")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if assigns && value != "" && !strings.ContainsAny(name+value, "\"'[{") {
		quoted := name + " = " + quote(value)
		lines[line-1] = quoted
		var still *toml.DecodeError
		err := toml.Unmarshal([]byte(strings.Join(lines, "\n")), &map[string]any{})
		if errors.As(err, &still) {
			if at, _ := still.Position(); at != line {
				err = nil
			}
		}
		if err == nil {
			return "a text needs quotes: " + quoted
		}
	}
	return fmt.Sprintf("%s (column %d)", reason, column)
}
