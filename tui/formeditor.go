package tui

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
)

// editorReady says that a text lies in a file for the person's editor.
type editorReady struct {
	form *form
	edit *editor // nil for the plan that is reviewed
	path string
	err  error
}

// editorDone brings the text back.
type editorDone struct {
	form *form
	edit *editor
	text string
	err  error
}

// openEditor opens the text with the focus in the person's editor.
func (f *form) openEditor() tea.Cmd {
	f.dialog = nil
	edit := f.state.text()
	if edit == nil {
		f.say(toneCalm, "There is no text here to edit.")
		return nil
	}
	if editorCommand(f.in.Environ) == "" {
		f.say(toneWarn, "No editor: set $VISUAL or $EDITOR.")
		return nil
	}
	text := edit.text()
	f.editing = true
	return func() tea.Msg {
		path, err := writeForEditor(text)
		return editorReady{form: f, edit: edit, path: path, err: err}
	}
}

// editorCommand is the command line of the person's editor, as an environment
// names it; empty if it does not.
func editorCommand(environ []string) string {
	if command := variable(environ, "VISUAL"); command != "" {
		return command
	}
	return variable(environ, "EDITOR")
}

// variable is the value of a variable in an environment. The last entry of a
// name counts, as it does for a process started with it.
func variable(environ []string, name string) string {
	value := ""
	for _, entry := range environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// writeForEditor puts a text into a file that nobody else can read.
func writeForEditor(text string) (path string, err error) {
	file, err := os.CreateTemp("", "planb-*.md") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// runEditor gives the terminal to the editor until it ends.
func (f *form) runEditor(msg editorReady) tea.Cmd {
	if msg.form != f {
		return nil
	}
	if msg.err != nil {
		f.editing = false
		f.say(toneBad, "The editor could not be opened: %s", safe.New(msg.err.Error()).Line())
		return nil
	}
	return tea.ExecProcess(editorProcess(f.in.Environ, msg.path), func(err error) tea.Msg {
		text, readErr := os.ReadFile(msg.path)
		return editorDone{
			form: f, edit: msg.edit, text: string(text),
			err: errors.Join(err, readErr, os.Remove(msg.path)),
		}
	})
}

// editorProcess runs the editor of an environment, in that environment, on a
// file. Its command line may have arguments of its own; like git, it leaves
// reading the line to the shell.
func editorProcess(environ []string, path string) *exec.Cmd {
	command := editorCommand(environ)
	words := []string{"sh", "-c", command + ` "$@"`, "planb", path}
	if runtime.GOOS == "windows" {
		words = append(strings.Fields(command), path)
	}
	process := exec.Command(words[0], words[1:]...)
	process.Env = environ
	return process
}

// takeEdited takes over what the editor left. After an error nothing changes.
func (f *form) takeEdited(msg editorDone) {
	if msg.form != f {
		return
	}
	f.editing = false
	if msg.err != nil {
		f.say(toneBad, "Nothing taken over from the editor: %s", safe.New(fmt.Sprint(msg.err)).Line())
		return
	}
	if msg.edit == nil {
		f.review.takeEdited(msg.text)
		return
	}
	text := strings.TrimSuffix(msg.text, "\n") // editors end the last line
	if text == msg.edit.text() {
		return
	}
	msg.edit.replaceAll(text)
	for _, e := range f.state.entries {
		e.version++
	}
	f.state.touch()
	if f.review != nil {
		f.review.sync()
	}
}
