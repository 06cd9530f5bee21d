package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"planb/store/project"
)

// ownProgram returns the path of this program's file.
func ownProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("planb can't find its own program file: %w", err)
	}
	return path, nil
}

func workingDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the working directory can't be found: %w", err)
	}
	return dir, nil
}

// projectDir returns the project's directory for a command without a client.
func (p base) projectDir() (string, error) {
	working, err := workingDir()
	return project.Dir(nil, p.env.get, working), err
}

// readFile reads a file; the name - is stdin.
func (p base) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(p.stdin)
	}
	return os.ReadFile(name)
}

// commandName returns the command that starts this program again.
func commandName() string {
	if _, err := exec.LookPath("planb"); err == nil {
		return "planb"
	}
	executable, err := os.Executable()
	if err != nil || strings.Contains(executable, "go-build") { // the directory that `go run` builds in and deletes
		return "go run ."
	}
	return executable
}
