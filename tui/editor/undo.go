package editor

import (
	"slices"
	"unicode/utf8"

	"planb/tui/keymap"
)

// Bounds of the steps that an editor keeps to undo and redo. It always keeps the newest
// step, so that even a large paste can be undone.
const (
	undoBytes = 8 << 20
	undoSteps = 1000
)

// history holds the steps that can be undone, and the undone steps that can be redone.
// One step is a typed word, a run of deleted letters or a paste.
type history struct {
	done, undone []textStep
	bytes        int  // of text in both
	open         bool // the next change may join the last step
}

// textStep is a change of adjacent lines.
type textStep struct {
	kind          stepKind
	at            int // the first line changed
	old, new      []editorLine
	before, after spot // the caret's places
}

// stepKind says whether a change may join the step before: only one of the same kind, and
// never stepAlone.
type stepKind uint8

const (
	stepAlone stepKind = iota // a paste, a line break, a deleted word
	stepTyped
	stepDeleted
)

// size returns the bytes of text that a step holds. It also counts lines that share their
// bytes with the editor's text.
func (s *textStep) size() int {
	n := 0
	for _, lines := range [2][]editorLine{s.old, s.new} {
		for i := range lines {
			n += len(lines[i].text) + len(lines[i].attached) + 64
		}
	}
	return n
}

// stepReach is the most lines above and below the caret's line that one action changes.
// Deleting an attached piece joins the lines around it, so an action can reach lines
// beyond the next one.
const stepReach = 3

// changing makes a change near the caret, and records it as a step.
func (e *Editor) changing(kind stepKind, do func()) keymap.Effect {
	from, behind := max(0, e.row-stepReach), max(0, len(e.lines)-e.row-stepReach-1)
	return e.remember(kind, from, behind, do)
}

// remember makes a change and records it as a step. The change must leave alone the lines
// before line from and the last behind lines.
func (e *Editor) remember(kind stepKind, from, behind int, do func()) keymap.Effect {
	s := textStep{kind: kind, at: from, old: slices.Clone(e.lines[from : len(e.lines)-behind]), before: spot{e.row, e.col}}
	do()
	s.new, s.after = slices.Clone(e.lines[from:len(e.lines)-behind]), spot{e.row, e.col}
	s.trim()
	if len(s.old) == 0 && len(s.new) == 0 {
		return keymap.Moved
	}
	e.past.add(s)
	return keymap.Changed
}

// ReplaceAll replaces the whole text, as one step that can be undone.
func (e *Editor) ReplaceAll(text string) {
	e.remember(stepAlone, 0, 0, func() {
		e.lines, e.row, e.col = make([]editorLine, 1), 0, 0
		e.paste(text)
	})
}

// Load replaces the whole text. Undo brings back what the person had written. In an
// editor that is empty and has no history, there is nothing to undo afterwards.
func (e *Editor) Load(text string) {
	if e.Empty() && len(e.past.done)+len(e.past.undone) == 0 {
		e.SetText(text)
		return
	}
	e.ReplaceAll(text)
}

// trim removes from a step the lines at both ends that did not change.
func (s *textStep) trim() {
	same := func(a, b editorLine) bool { return a.text == b.text && a.attached == b.attached && a.glued == b.glued }
	for len(s.old) > 0 && len(s.new) > 0 && same(s.old[0], s.new[0]) {
		s.old, s.new, s.at = s.old[1:], s.new[1:], s.at+1
	}
	for len(s.old) > 0 && len(s.new) > 0 && same(s.old[len(s.old)-1], s.new[len(s.new)-1]) {
		s.old, s.new = s.old[:len(s.old)-1], s.new[:len(s.new)-1]
	}
}

// add records a step. Undone steps can't be redone after it.
func (h *history) add(s textStep) {
	for i := range h.undone {
		h.bytes -= h.undone[i].size()
	}
	h.undone = nil
	if last := len(h.done) - 1; h.open && last >= 0 && h.done[last].goesOn(s) {
		h.bytes -= h.done[last].size()
		h.done[last].new, h.done[last].after = s.new, s.after
		h.bytes += h.done[last].size()
	} else {
		h.done = append(h.done, s)
		h.bytes += s.size()
	}
	h.open = s.kind != stepAlone
	for (h.bytes > undoBytes || len(h.done) > undoSteps) && len(h.done) > 1 {
		h.bytes -= h.done[0].size()
		h.done = slices.Delete(h.done, 0, 1)
	}
}

// goesOn reports whether a step belongs to the one before: the same kind of
// change, at the place where that ended, in the same word.
func (s *textStep) goesOn(next textStep) bool {
	inLine := len(s.old) == 1 && len(s.new) == 1 && len(next.old) == 1 && len(next.new) == 1 && s.at == next.at
	if !inLine || s.kind != next.kind || s.after != next.before {
		return false
	}
	var before, letter rune // the letter of the change before, and of this one
	switch s.kind {
	case stepTyped:
		before, _ = utf8.DecodeLastRuneInString(next.old[0].text[:next.before.col])
		letter, _ = utf8.DecodeRuneInString(next.new[0].text[next.before.col:])
	case stepDeleted:
		before, _ = utf8.DecodeRuneInString(s.old[0].text[s.after.col:])
		letter, _ = utf8.DecodeRuneInString(next.old[0].text[next.after.col:])
	default:
		return false
	}
	return letter == ' ' || before != ' '
}

// undo undoes the last step; redo does it again. With nothing to do they return Moved.
func (e *Editor) undo() keymap.Effect {
	h := &e.past
	if len(h.done) == 0 {
		return keymap.Moved
	}
	s := h.done[len(h.done)-1]
	h.done, h.undone, h.open = h.done[:len(h.done)-1], append(h.undone, s), false
	e.put(s.at, len(s.new), s.old, s.before)
	return keymap.Changed
}

func (e *Editor) redo() keymap.Effect {
	h := &e.past
	if len(h.undone) == 0 {
		return keymap.Moved
	}
	s := h.undone[len(h.undone)-1]
	h.undone, h.done, h.open = h.undone[:len(h.undone)-1], append(h.done, s), false
	e.put(s.at, len(s.old), s.new, s.after)
	return keymap.Changed
}

// put replaces count lines from line at on, and sets the caret.
func (e *Editor) put(at, count int, lines []editorLine, caret spot) {
	e.lines = slices.Replace(e.lines, at, at+count, lines...)
	for i := at; i < at+len(lines); i++ {
		e.lines[i].starts, e.lines[i].startsAt = nil, 0 // they may be of another width, and step and text share the slice
	}
	e.set(caret)
	e.goal = -1
}

// CanUndo reports whether there is anything to undo.
func (e *Editor) CanUndo() bool { return len(e.past.done) > 0 }

// CanRedo reports whether anything was undone that can be done again.
func (e *Editor) CanRedo() bool { return len(e.past.undone) > 0 }
