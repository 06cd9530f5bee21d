package editor

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/tui/keymap"
)

// keyed types a text letter by letter, as a person does.
func keyed(e *Editor, text string) *Editor {
	for _, c := range text {
		if c == '\n' {
			e.Act(keymap.Press{Act: keymap.Enter})
			continue
		}
		typed(e, string(c))
	}
	return e
}

func TestEditorUndoGoesWordByWord(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(*Editor)
		want []string // after each undo, from the newest
	}{
		{"words", func(e *Editor) { keyed(e, "one two three") }, []string{"one two |", "one |", "|"}},
		{"a line break stands alone", func(e *Editor) { keyed(e, "one\ntwo") }, []string{"one\n|", "one|", "|"}},
		{"a paste is one step", func(e *Editor) { keyed(e, "see ").Act(keymap.Press{Act: keymap.Insert, Text: "one two\nthree"}) }, []string{"see |", "|"}},
		{"what is typed behind a paste is another", func(e *Editor) { typed(e, "pasted"); keyed(e, "xy") }, []string{"pasted|", "|"}},
		{"letters deleted one by one", func(e *Editor) { backspaces(keyed(e, "one two"), 3) }, []string{"one two|", "one |", "|"}},
		{"deleted into another word", func(e *Editor) { backspaces(keyed(e, "one two"), 5) }, []string{"one|", "one two|", "one |", "|"}},
		{"a deleted word", func(e *Editor) { keyed(e, "one two").Act(keymap.Press{Act: keymap.DeleteWord}) }, []string{"one two|", "one |", "|"}},
		{"moving the caret parts what is typed", func(e *Editor) {
			keyed(e, "ac").Act(keymap.Press{Act: keymap.Left})
			keyed(e, "b")
		}, []string{"a|c", "|"}},
		{"joined lines", func(e *Editor) {
			keyed(e, "a\nb").Act(keymap.Press{Act: keymap.Home})
			backspaces(e, 1)
		}, []string{"a\n|b", "a\n|", "a|", "|"}},
		{"a word of several scripts", func(e *Editor) { keyed(e, "漢é👩‍🚀x") }, []string{"|"}},
		{"nothing done is no step", func(e *Editor) { backspaces(e, 2); keyed(e, "a").Act(keymap.Press{Act: keymap.Delete}) }, []string{"|"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := New(false)
			e.Layout(40, 10)
			test.do(e)
			final := marked(e)
			for i, want := range test.want {
				if e.Act(keymap.Press{Act: keymap.UndoText}) != keymap.Changed || marked(e) != want {
					t.Fatalf("undo %d: %q, want %q", i+1, marked(e), want)
				}
			}
			if e.Act(keymap.Press{Act: keymap.UndoText}) != keymap.Moved {
				t.Fatalf("there was more to undo: %q", marked(e))
			}
			for range test.want {
				e.Act(keymap.Press{Act: keymap.RedoText})
			}
			if got := marked(e); got != final {
				t.Errorf("all done again: %q, want %q", got, final)
			}
			if e.Act(keymap.Press{Act: keymap.RedoText}) != keymap.Moved {
				t.Error("there was more to redo")
			}
		})
	}
}

func backspaces(e *Editor, n int) {
	for range n {
		e.Act(keymap.Press{Act: keymap.Backspace})
	}
}

func TestEditorRedoEndsWithAChange(t *testing.T) {
	e := keyed(New(false), "one two")
	e.Act(keymap.Press{Act: keymap.UndoText})
	keyed(e, "x")
	if e.Act(keymap.Press{Act: keymap.RedoText}) == keymap.Changed || e.Text() != "one x" {
		t.Errorf("redone over what was typed since: %q", e.Text())
	}
}

// TestEditorTextOnAPieceGoesOnBehindIt holds that letters typed on an attached piece join the
// text behind it, so that undo gives back a line deleted above.
func TestEditorTextOnAPieceGoesOnBehindIt(t *testing.T) {
	large := strings.Repeat("large ", attachBytes/5)
	for _, before := range []string{"", "one"} {
		e := keyed(New(false), before+"two")
		e.set(spot{0, len(before)})
		e.Act(keymap.Press{Act: keymap.Insert, Text: large})
		if len(e.lines) > 3 || e.Text() != before+large+"two" {
			t.Errorf("pasted into the text: %d lines, %d bytes", len(e.lines), len(e.Text()))
		}
		e.Act(keymap.Press{Act: keymap.Left})
		keyed(e, "x ")
		if got := e.Text(); got != before+large+"x two" {
			t.Errorf("typed on the piece: %q", strings.ReplaceAll(got, large, "…"))
		}
		e.Act(keymap.Press{Act: keymap.TextStart})
		e.Act(keymap.Press{Act: keymap.Enter})
		was := e.Text()
		e.Act(keymap.Press{Act: keymap.Backspace})
		if e.Act(keymap.Press{Act: keymap.UndoText}); e.Text() != was {
			t.Errorf("undone: %q", strings.ReplaceAll(e.Text(), large, "…"))
		}
	}
}

// TestEditorUndoTakesEverythingBack presses any keys and pastes, also long ones. It holds that
// undo leads back through states the text had to the first, and redo again to the last.
func TestEditorUndoTakesEverythingBack(t *testing.T) {
	acts := []keymap.Action{
		keymap.Enter, keymap.Backspace, keymap.Delete, keymap.DeleteWord, keymap.DeleteNextWord, keymap.DeleteToStart, keymap.DeleteToEnd, keymap.Space,
		keymap.Left, keymap.Right, keymap.Up, keymap.Down, keymap.Home, keymap.End, keymap.TextStart, keymap.TextEnd, keymap.WordLeft, keymap.WordRight,
	}
	large := strings.Repeat("large ", attachBytes/5)
	rapid.Check(t, func(t *rapid.T) {
		e := New(rapid.Bool().Draw(t, "one line"))
		e.Layout(12, 4)
		states := map[string]bool{"": true}
		do := func(p keymap.Press) {
			e.Act(p)
			states[e.Text()] = true
		}
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1, 2, 3:
				for _, c := range rapid.StringMatching(`[ab é]{1,4}`).Draw(t, "typed") {
					do(keymap.Press{Act: keymap.Insert, Text: string(c)})
				}
			case 4:
				do(keymap.Press{Act: keymap.Insert, Text: rapid.SampledFrom([]string{"x y", "l1\nl2", "\n", "a b c", large}).Draw(t, "pasted")})
			case 5:
				do(keymap.Press{Act: rapid.SampledFrom([]keymap.Action{keymap.UndoText, keymap.RedoText}).Draw(t, "back or forth")})
			default:
				do(keymap.Press{Act: rapid.SampledFrom(acts).Draw(t, "key")})
			}
		}
		for e.Act(keymap.Press{Act: keymap.RedoText}) == keymap.Changed {
		}
		final := e.Text()
		for e.Act(keymap.Press{Act: keymap.UndoText}) == keymap.Changed {
			if !states[e.Text()] {
				t.Fatalf("undo led to %d bytes that never were", len(e.Text()))
			}
			checkEditor(t, e)
		}
		if e.Text() != "" {
			t.Fatalf("all undone: %d bytes are left", len(e.Text()))
		}
		for e.Act(keymap.Press{Act: keymap.RedoText}) == keymap.Changed {
			checkEditor(t, e)
		}
		if e.Text() != final {
			t.Fatalf("all done again: %d bytes, want %d", len(e.Text()), len(final))
		}
	})
}

// checkEditor checks what is true of each editor: the caret is in its text, and an attached
// piece has a line of its own.
func checkEditor(t *rapid.T, e *Editor) {
	if e.row < 0 || e.row >= len(e.lines) || e.col < 0 || e.col > len(e.line().text) {
		t.Fatalf("the caret is at %d,%d of %d lines", e.row, e.col, len(e.lines))
	}
	for i := range e.lines {
		if l := &e.lines[i]; l.attached != "" && l.text != "" {
			t.Fatalf("line %d has %q beside an attached piece", i, l.text)
		}
	}
	e.Layout(12, 4)
}

// TestEditorUndoIsBounded holds that the history of a text that changes for hours stays within
// its bounds, and that undo still takes back the newest step.
func TestEditorUndoIsBounded(t *testing.T) {
	e := typed(New(false), strings.Repeat("words ", 8<<10))
	for range 400 {
		keyed(e, "x ")
	}
	if e.past.bytes > undoBytes {
		t.Errorf("%d bytes are kept, want at most %d", e.past.bytes, undoBytes)
	}
	short := New(true)
	for range 2 * undoSteps {
		keyed(short, "x ")
	}
	if n := len(short.past.done); n != undoSteps {
		t.Errorf("%d steps are kept, want %d", n, undoSteps)
	}
	kept := 0
	for i := range e.past.done {
		kept += e.past.done[i].size()
	}
	if kept != e.past.bytes {
		t.Errorf("%d bytes are counted, %d are kept", e.past.bytes, kept)
	}
	blob := strings.Repeat("b", undoBytes+1)
	before := e.Text()
	typed(e, blob)
	if e.Act(keymap.Press{Act: keymap.UndoText}); e.Text() != before {
		t.Error("a paste larger than the bound can't be taken back")
	}
	if e.Act(keymap.Press{Act: keymap.RedoText}); e.Text() != before+blob {
		t.Error("and not done again")
	}
}

func TestEditorReplacedAsAWholeIsOneStep(t *testing.T) {
	e := keyed(New(false), "mine")
	e.ReplaceAll("from\nelsewhere")
	if got := marked(e); got != "from\nelsewhere|" {
		t.Fatalf("%q", got)
	}
	if e.Act(keymap.Press{Act: keymap.UndoText}); marked(e) != "mine|" {
		t.Errorf("undone: %q", marked(e))
	}
	if e.SetText("new"); e.Act(keymap.Press{Act: keymap.UndoText}) == keymap.Changed {
		t.Error("what was loaded can be undone")
	}
}
