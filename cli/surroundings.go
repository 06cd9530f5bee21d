package cli

import (
	"fmt"
	"io"
	"os"

	"planb/store/project"
)

// ownProgram is the path of this program's file.
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
		return "", fmt.Errorf("the working directory is not there: %w", err)
	}
	return dir, nil
}

// projectDir is the directory that a command without a client works for.
func (p program) projectDir() (string, error) {
	working, err := workingDir()
	return project.Dir(nil, p.env.get, working), err
}

// readFile reads the file a person named; - is stdin.
func (p program) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(p.stdin)
	}
	return os.ReadFile(name)
}
