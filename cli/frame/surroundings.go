package frame

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"planb/store/project"
)

// OwnProgram returns the path of this program's file.
func (p Program) OwnProgram() (string, error) {
	if p.File != "" {
		return p.File, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("planb can't find its own program file: %w", err)
	}
	return path, nil
}

// WorkingDir returns this process's working directory.
func WorkingDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the working directory can't be found: %w", err)
	}
	return dir, nil
}

// ProjectDir returns the project's directory for a command without a client.
func (p Program) ProjectDir() (string, error) {
	working, err := WorkingDir()
	return project.Dir(nil, p.Env.Get, working), err
}

// CommandName returns the command that starts this program again.
func CommandName() string {
	if _, err := exec.LookPath("planb"); err == nil {
		return "planb"
	}
	executable, err := os.Executable()
	if err != nil || strings.Contains(executable, "go-build") { // the directory that `go run` builds in and deletes
		return "go run ."
	}
	return executable
}
