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
)

// maxSettingsBytes is far more than all settings with comments need.
const maxSettingsBytes = 64 << 10

// Problem is one thing that is wrong with a settings file. The setting it is
// about keeps its default.
type Problem struct {
	File   string
	Line   int    // from 1; 0 if it is about the file as a whole
	Reason string // what is there, and what may be there instead
}

// Error is the problem in one line, beginning with its place.
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Reason
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ": " + p.Reason
}

// File is what a settings file says.
type File struct {
	Path     string
	Exists   bool
	Problems []Problem
	Keys     []KeySetting // whose actions and keys are not checked yet

	values map[string]fileValue // by the names of settings
}

// fileValue is a value, and the line it stands in.
type fileValue struct {
	value
	line int
}

// ReadFile reads the file at path. It can always be worked with: what it does not
// say, or says wrongly, is not in it, and its mistakes are among its problems. A
// file that is not there says nothing; nor does the empty path name one.
func ReadFile(path string) File {
	if path == "" {
		return File{}
	}
	text, err := readSettingsFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{Path: path}
	}
	if err != nil {
		return File{Path: path, Exists: true, Problems: []Problem{{File: path, Reason: "the settings can't be read, so the defaults are used: " + err.Error()}}}
	}
	return parseSettings(path, text)
}

// readSettingsFile does not wait for what is not a plain file.
func readSettingsFile(path string) ([]byte, error) {
	text, _, err := files.Read(path, maxSettingsBytes)
	return text, withoutPath(err)
}

// withoutPath takes away the file's name, which the error's reader has seen already.
func withoutPath(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

func parseSettings(path string, text []byte) File {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // Windows editors write it
	if err := toml.Unmarshal(text, &map[string]any{}); err != nil {
		return File{Path: path, Exists: true, Problems: []Problem{notTOML(path, err)}}
	}
	return readSettings(path, text)
}

func notTOML(path string, err error) Problem {
	var decode *toml.DecodeError
	if !errors.As(err, &decode) {
		return Problem{File: path, Reason: "the settings are not TOML, so the defaults are used: " + err.Error()}
	}
	line, column := decode.Position()
	reason := strings.TrimPrefix(decode.Error(), "toml: ")
	return Problem{path, line, fmt.Sprintf("the settings are not TOML, so the defaults are used: %s (column %d)", reason, column)}
}
