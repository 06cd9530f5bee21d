package pane

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// shellPath runs scripts; every system that has these terminals has it there.
const shellPath = "/bin/sh"

// script is a command as a file for /bin/sh. It is for terminals that take one
// string for a command, and split it by rules of their own or type it into
// whatever shell the person uses: all they are told is the file's path, which is
// the same word to each of them. In the file, one known shell reads the words,
// each of them quoted. The first thing it does is to remove the file.
type script struct{ path string }

// writeScript writes the command's words to a new file that only this user reads.
func writeScript(command Command, opener string) (script, error) {
	words, err := withEnv(command, opener, "")
	if err != nil {
		return script{}, err
	}
	text, err := scriptText(command.Dir, words)
	if err != nil {
		return script{}, err
	}
	file, err := os.CreateTemp("", "planb-form-")
	if err != nil {
		return script{}, fmt.Errorf("the command for the new window can't be written: %w", err)
	}
	s := script{path: file.Name()}
	if !isPlain(s.path) {
		err = fmt.Errorf("%s would have to be quoted for the terminal; set TMPDIR to a directory with a plainer name", s.path)
	} else {
		_, err = file.WriteString(text)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		s.remove()
		return script{}, err
	}
	return s, nil
}

// words run the script; no shell and no terminal finds anything in them to quote.
func (s script) words() []string { return []string{shellPath, s.path} }

// remove is for a script that nothing will run.
func (s script) remove() {
	_ = os.Remove(s.path) // it is as small as it is harmless
}

// scriptText replaces the shell by the command, in that directory if it is there.
func scriptText(dir string, words []string) (string, error) {
	var text strings.Builder
	text.WriteString("rm -f -- \"$0\"\n")
	if dir != "" {
		if !strings.HasPrefix(dir, "/") || strings.ContainsRune(dir, 0) {
			return "", fmt.Errorf("a pane's directory needs an absolute path, got %q", dir)
		}
		text.WriteString("cd -- " + quoted(dir) + " 2>/dev/null\n")
	}
	text.WriteString("exec")
	for _, word := range words {
		if strings.ContainsRune(word, 0) {
			return "", errors.New("a pane's command or its environment contains a zero byte")
		}
		text.WriteString(" " + quoted(word))
	}
	text.WriteString("\n")
	return text.String(), nil
}

// quoted is a word as /bin/sh reads it: between single quotes only a single
// quote means anything.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isPlain reports whether a word means itself to every shell, also to cmd.exe,
// and is no option.
func isPlain(word string) bool {
	return word != "" && word[0] != '-' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == ""
}
