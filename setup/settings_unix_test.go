//go:build unix

package setup

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"planb/themes"
)

// Reading a pipe would block, and the server would not start.
func TestSettingsAreNotReadFromAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "config.toml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	file := ReadFile(pipe, themes.Collection{})
	if problems := file.Problems; len(file.values) > 0 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "it is a device, a pipe or a socket, not a file") {
		t.Errorf("%+v", file)
	}
}
