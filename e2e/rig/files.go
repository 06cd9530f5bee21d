package rig

import (
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"planb/questions"
)

// NextPart finds, in a result too long for one piece, the arguments of the call
// that returns the next part.
var NextPart = regexp.MustCompile(`get_answer (\{\\?"askId.*?\})\.`)

// WriteFile writes a file and creates the directories above it.
func WriteFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// WriteProgram writes a program that can be run as soon as it returns. Any other test of
// this process may be starting one meanwhile: its child would hold the file open for
// writing until it becomes that other program, and Linux runs no file that is open for
// writing ("text file busy").
func WriteProgram(path, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(text), 0o700)
}

// SpecPath returns the path of an example form.
func SpecPath(name string) string { return filepath.Join("testdata", "specs", name) }

// ReadSpec returns the JSON of an example form.
func ReadSpec(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(SpecPath(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ReadFile returns the content of a file.
func ReadFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Example returns an example form, parsed.
func Example(t *testing.T, name string) questions.Spec {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "specs", name))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := questions.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return spec
}
