package pane

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// shellPath runs scripts; all systems with these terminals have it.
const shellPath = "/bin/sh"

// script is a file for /bin/sh that runs a command. It is for terminals that
// take a command as one string, and split it by their own rules or type it into
// the person's shell, whichever that is. They get only the file's path, which
// is one plain word to all of them. In the file every word is quoted for one
// known shell. The script first removes its own file.
type script struct{ path string }

// writeScript writes the command to a new file that only this user can read.
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

// words returns the words that run the script; none of them needs quoting.
func (s script) words() []string { return []string{shellPath, s.path} }

// remove removes a script that will not be run.
func (s script) remove() {
	_ = os.Remove(s.path) // a leftover file is small and harmless
}

// scriptText returns a script that replaces the shell by the command, in that
// directory if it exists.
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

// quoted quotes a word for /bin/sh: between single quotes only a single quote
// has a meaning.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isPlain reports whether every shell, cmd.exe too, takes a word unchanged, and
// it is no option.
func isPlain(word string) bool {
	return word != "" && word[0] != '-' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == ""
}
