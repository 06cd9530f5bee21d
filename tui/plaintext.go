package tui

import (
	"strings"
	"time"

	"planb/questions/safe"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// text asks for a text that mostly is one line: a line that ends with a backslash
// goes on in the next one, and /edit opens the person's editor on what is there
// already, under what it is about; //edit is that word. Given is false if nothing
// was typed.
func (t *plainTalk) text(want string, now safe.Text, about ...safe.Text) (said string, given bool, err error) {
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

// textUnless is what was typed behind a command, else the text that is asked for.
func (t *plainTalk) textUnless(given, want string, now safe.Text, about ...safe.Text) (string, error) {
	if given != "" {
		return given, nil
	}
	said, _, err := t.text(want, now, about...)
	return said, err
}

// field.GoesOn reads the lines that follow one which ends with a backslash. Two of them
// stand for one that is meant.
func (t *plainTalk) goesOn(line string) (string, error) {
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

// linesFrom reads lines until one that is only a dot, the first of which was read
// already. Two dots stand for one. With an error come the lines before it.
func (t *plainTalk) linesFrom(first string) (lines []string, err error) {
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

// editText has a text written in the person's editor, under what it is about; ok is
// false if there is nothing to take over from it, which was said then.
func (t *plainTalk) editText(now safe.Text, about ...safe.Text) (text string, ok bool, err error) {
	file := external.NewFile(now.Raw(), about...)
	text, ok, err = t.fromEditor(file.Content())
	return file.TakeBack(text), ok, err
}

// fromEditor is editText for the exact content of the editor's file.
func (t *plainTalk) fromEditor(content string) (edited string, ok bool, err error) {
	if external.Editor(t.environ) == "" {
		return "", false, t.say("%s", noEditor)
	}
	edited, err = t.runEditor(content)
	if err != nil {
		return "", false, t.say("Nothing is taken over from the editor: %s", wording.Sentence(err))
	}
	return edited, true, nil
}

const noEditor = "There is no editor: set $VISUAL or $EDITOR."

// runEditor has a text edited in a file of its own.
func (t *plainTalk) runEditor(content string) (string, error) {
	path, err := external.Write(t.answers, content)
	if err != nil {
		return "", err
	}
	visit := external.Visit{Environ: t.environ, Path: path, Written: content, Began: time.Now()}
	process := external.EditorProcess(t.environ, path)
	process.Stdin, process.Stdout, process.Stderr = t.terminal, t.out, t.out
	return visit.Left(process.Run())
}

// sure asks for a yes.
func (t *plainTalk) sure(question string) (bool, error) {
	line, err := t.ask(question)
	return strings.EqualFold(line, "yes") || strings.EqualFold(line, "y"), err
}
