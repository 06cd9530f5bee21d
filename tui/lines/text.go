package lines

import (
	"strings"
	"time"

	"planb/questions/safe"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// text asks for a text that is mostly one line. A line that ends with a backslash goes on
// in the next one. /edit opens the person's editor with the present text, and above it the
// text that it is about. //edit stands for the word /edit. given is false if nothing was
// typed.
func (t *talk) text(want string, now safe.Text, about ...safe.Text) (said string, given bool, err error) {
	for {
		line, err := t.ask(want)
		switch {
		case err != nil:
			return "", false, err
		case strings.EqualFold(line, "/edit"):
			if said, ok, err := t.editText(now, about...); ok || err != nil {
				return said, ok, err
			}
		case strings.EqualFold(line, "//edit"):
			return line[1:], true, nil
		default:
			said, err = t.goesOn(line)
			return said, said != "", err
		}
	}
}

// textUnless returns the text typed behind a command, or asks for one.
func (t *talk) textUnless(given, want string, now safe.Text, about ...safe.Text) (string, error) {
	if given != "" {
		return given, nil
	}
	said, _, err := t.text(want, now, about...)
	return said, err
}

// goesOn reads the lines that follow a line with a backslash at its end. Two backslashes
// stand for one in the text.
func (t *talk) goesOn(line string) (string, error) {
	var lines []string
	for {
		bare, more := strings.CutSuffix(line, `\`)
		if literal, twice := strings.CutSuffix(bare, `\`); more && twice {
			line, more = literal+`\`, false
		} else if more {
			line = bare
		}
		lines = append(lines, line)
		if !more {
			return strings.TrimSpace(strings.Join(lines, "\n")), nil
		}
		var err error
		if line, err = t.askExact("Next line:"); err != nil {
			return "", err
		}
	}
}

// linesFrom reads lines until one that is only a dot. The first line has been read
// already. Two dots stand for a line of one dot. It returns the lines before an error
// together with the error.
func (t *talk) linesFrom(first string) (lines []string, err error) {
	for line := first; strings.TrimSpace(line) != "."; {
		if strings.TrimSpace(line) == ".." {
			line = "."
		}
		lines = append(lines, line)
		if line, err = t.askExact(""); err != nil {
			return lines, err
		}
	}
	return lines, nil
}

// editText opens a text in the person's editor, below what it is about. If ok is false,
// nothing came back, and the person was told.
func (t *talk) editText(now safe.Text, about ...safe.Text) (text string, ok bool, err error) {
	file := external.NewFile(now.Raw(), about...)
	text, ok, err = t.fromEditor(file.Content())
	return file.TakeBack(text), ok, err
}

// fromEditor is editText for the whole content of the editor's file.
func (t *talk) fromEditor(content string) (edited string, ok bool, err error) {
	if external.Editor(t.terminal.Environ) == "" {
		return "", false, t.say("%s", noEditor)
	}
	edited, err = t.runEditor(content)
	if err != nil {
		return "", false, t.say("Nothing was read back from the editor: %s", wording.Sentence(err))
	}
	return edited, true, nil
}

const noEditor = "There is no editor: set $VISUAL or $EDITOR."

// runEditor opens a text in the editor, in a file of its own.
func (t *talk) runEditor(content string) (string, error) {
	path, err := external.Write(t.answers, content)
	if err != nil {
		return "", err
	}
	visit := external.Visit{Environ: t.terminal.Environ, Path: path, Written: content, Began: time.Now()}
	process := external.EditorProcess(t.terminal.Environ, path)
	process.Stdin, process.Stdout, process.Stderr = t.terminal.Input, t.terminal.Output, t.terminal.Output
	return visit.Left(process.Run())
}

// sure asks for a yes.
func (t *talk) sure(question string) (bool, error) {
	line, err := t.ask(question)
	return strings.EqualFold(line, "yes") || strings.EqualFold(line, "y"), err
}
