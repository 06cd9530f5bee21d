package form

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"planb/tui/editor/external"
	"planb/tui/tuitest"
)

// TestFormEditorThatFailsLosesNothing holds the message, the answer and the files that are
// left after editors that end in different ways.
func TestFormEditorThatFailsLosesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editors of this test are shell commands")
	}
	for name, test := range map[string]struct {
		editor, answer, says string
		left                 int // files
		took                 time.Duration
	}{
		"changes nothing":        {"true", `{"why":"old words"}`, "", 0, time.Hour},
		"goes on by itself":      {"true", `{"why":"old words"}`, "An editor with a window has to wait: code --wait", 0, 0},
		"leaves a pipe":          {`sh -c 'rm "$0"; mkfifo "$0"'`, `{"why":"old words"}`, "the editor left a pipe in its file's place", 0, 0},
		"leaves a device":        {`sh -c 'ln -sf /dev/zero "$0"'`, `{"why":"old words"}`, "the editor left a device in its file's place", 0, 0},
		"leaves a directory":     {`sh -c 'rm "$0"; mkdir "$0"'`, `{"why":"old words"}`, "the editor left a directory in its file's place", 0, 0},
		"leaves far too much":    {`sh -c 'dd if=/dev/zero of="$0" bs=1 count=0 seek=34603008 2>&-'`, `{"why":"old words"}`, "What you wrote there is kept in", 1, 0},
		"with words of its own":  {`sed -i -e "s/old words/new ones/" --`, `{"why":"new ones"}`, "", 0, 0},
		"is not there":           {"no-such-editor --wait", `{"why":"old words"}`, "no-such-editor --wait was not found; set $VISUAL or $EDITOR", 0, 0},
		"fails":                  {"false", `{"why":"old words"}`, "the editor ended with exit status 1", 0, 0},
		"fails after it wrote":   {`sh -c 'echo more >> "$0"; exit 3'`, `{"why":"old words"}`, "What you wrote there is kept in", 1, 0},
		"takes the file away":    {"rm", `{"why":"old words"}`, "the editor took its file away", 0, 0},
		"leaves it without text": {`sh -c ': > "$0"'`, `{}`, "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
			in.Environ = []string{"PATH=" + os.Getenv("PATH"), "EDITOR=" + test.editor}
			r := rig(t, in, 120, 24).keys("end").write("old words")
			ready := r.openEditor()().(EditorReady)
			if ready.Err != nil {
				t.Fatal(ready.Err)
			}
			visit := external.Visit{Environ: in.Environ, Path: ready.Path, Written: ready.written, Began: time.Now().Add(-test.took)}
			text, err := visit.Left(external.EditorProcess(in.Environ, ready.Path).Run())
			r.send(editorDone{form: r.Form, back: ready.back, text: text, err: err})
			if got := r.answersNow(); got != test.answer {
				t.Errorf("the answer is %s, want %s", got, test.answer)
			}
			if !strings.Contains(r.screen(), test.says) {
				t.Errorf("the screen does not say %q:\n%s", test.says, r.screen())
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != test.left {
				t.Errorf("files left: %v", left)
			}
		})
	}
}

// TestFormEditorIsToldWhatItIsAbout holds which texts can be opened in the person's editor, and
// the words above them in the file.
func TestFormEditorIsToldWhatItIsAbout(t *testing.T) {
	for keys, want := range map[string]string{
		"end":     "Anything else?",
		"right 4": "Which format?\n\nThe bank reads **all** of them.",
		"right n": "Your note on: Which format?",
	} {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		in.Environ = []string{"EDITOR=true"}
		r := rig(t, in, 80, 24).keys(keys)
		edit, about, _ := r.lends()
		if edit == nil || !strings.Contains(external.NewFile(edit.Text(), about...).Content(), "\n"+want+"\n") {
			t.Errorf("%s: the file does not say %q: %v", keys, want, about)
		}
	}
	r := longListRig(t, "single", 80)
	r.in.Environ = []string{"EDITOR=true"}
	if r.keys("/").openEditor() != nil {
		t.Error("a filter is edited elsewhere")
	}
}

// TestFormEditorInDialogs holds that a message, a reason and the note on the whole
// form can be written in an editor, with line breaks, and are kept at once.
func TestFormEditorInDialogs(t *testing.T) {
	for keys, kept := range map[string]func(letters) string{
		"esc m": func(l letters) string { return l.message.Raw() },
		"esc d": func(l letters) string { return l.message.Raw() },
		"N":     func(l letters) string { return l.note.Raw() },
	} {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		r := rig(t, in, 80, 24).keys(keys).write("begun")
		if r.keys("ctrl+g"); !strings.Contains(r.screen(), "No editor: set $VISUAL or $EDITOR.") || r.dialog == nil {
			t.Errorf("%s, without an editor:\n%s", keys, r.screen())
		}
		t.Setenv("TMPDIR", t.TempDir())
		r.in.Environ = []string{"EDITOR=true"}
		title := r.dialog.Title
		ready := r.openEditor()().(EditorReady)
		content, err := os.ReadFile(ready.Path)
		if err != nil || !strings.Contains(string(content), "\n"+title+"\n") {
			t.Errorf("%s: the file, which should be about %q, holds %q, %v", keys, title, content, err)
		}
		text := strings.Replace(string(content), "begun", "begun,\nand ended", 1)
		r.send(editorDone{form: r.Form, back: ready.back, text: text})
		if got := kept(r.letters); got != "begun,\nand ended" || !r.dialog.Writing() {
			t.Errorf("%s: kept is %q\n%s", keys, got, r.screen())
		}
		if r.keys("ctrl+z"); kept(r.letters) != "begun" {
			t.Errorf("%s: undone it is %q", keys, kept(r.letters))
		}
	}
	if r := richRig(t).keys("esc ctrl+g"); r.dialog == nil || r.loan.out {
		t.Errorf("the menu has no text to edit:\n%s", r.screen())
	}
}
