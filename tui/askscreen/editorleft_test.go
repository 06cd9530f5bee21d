package askscreen

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"planb/store"
	"planb/tui/editor/external"
)

// leave leaves a file like a program that is killed while the person's editor is open.
func (w *world) leave(ask store.Ask, text, saved string) (path string) {
	w.T.Helper()
	path, err := external.Write(ask.ID, text)
	if err == nil {
		err = os.WriteFile(path, []byte(saved), 0o600)
	}
	if err != nil {
		w.T.Fatal(err)
	}
	return path
}

// TestWhatAnEditorWroteForAKilledFormIsToldOf holds that the next pane with the ask tells where
// the text is, until the person removes it.
func TestWhatAnEditorWroteForAKilledFormIsToldOf(t *testing.T) {
	w := newWorld(t)
	t.Setenv("TMPDIR", t.TempDir())
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	other := w.Ask(w.Session("Names", ""), "The old ship", "")
	left := w.leave(ask, "Veg\n", "Vega\n")
	for _, end := range []string{"b", "r"} {
		h := w.screen(Options{ID: ask.ID})
		d := drive(t, h, 80, 24)
		d.until("the form to open", func() bool { return h.phase == phaseOpen })
		unwrapped := strings.NewReplacer("│", "", " ", "", "\n", "").Replace(d.text())
		if !strings.Contains(unwrapped, "Youreditorhadatextofyours") || !strings.Contains(unwrapped, left) {
			t.Errorf("the form says nothing of %s:\n%s", left, d.text())
		}
		d.press(end)
		if end == "r" {
			d.until("the file to go", func() bool { return strings.Contains(seen(h), "Removed") })
		}
		d.press("V", "ctrl+c", "ctrl+c")
		d.end()
		if entry := must2(w.Store.Entry(t.Context(), ask.ID)); !strings.HasPrefix(entry.Fields["name"].Text.Raw(), "V") {
			t.Errorf("after %s the form takes no input: %+v", end, entry)
		}
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("the file is still there")
	}
	for _, ask := range []store.Ask{ask, other} {
		if left := external.LeftBehind(ask.ID); left != nil {
			t.Errorf("%s is told of", left)
		}
	}
}

// TestOnlyWhatWasWrittenIsToldOf holds that the form ignores files that no editor changed,
// files of other users, and everything that is not a plain file.
func TestOnlyWhatWasWrittenIsToldOf(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there, nor is TMPDIR asked")
	}
	w := newWorld(t)
	t.Setenv("TMPDIR", t.TempDir())
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	w.leave(ask, "Veg\n", "Veg\n")
	written := w.leave(ask, "Veg\n", "Vega\n")
	if err := os.Chmod(written, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(written, filepath.Join(os.TempDir(), "planb-"+store.ShortID(ask.ID)+"-0-link.md")); err != nil {
		t.Fatal(err)
	}
	if left := external.LeftBehind(ask.ID); left != nil {
		t.Errorf("%s is told of", left)
	}
	w.leave(ask, "Veg\n", "Vega\n")
	if left := external.LeftBehind(ask.ID); len(left) != 1 {
		t.Errorf("%s is told of, not one file", left)
	}
}
