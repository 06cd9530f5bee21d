package editor

import (
	"slices"
	"unicode/utf8"

	"planb/tui/keymap"
)

// Bounds of what an editor keeps to undo and redo. The newest step is kept
// whatever its size: a large paste can always be taken back.
const (
	undoBytes = 8 << 20
	undoSteps = 1000
)

// history is what was done to an editor's text: steps that can be taken back,
// and steps taken back that can be done again. One step is a word typed, a run
// of letters deleted, a paste.
type history struct {
	done, undone []textStep
	bytes        int // of text in both
	open         bool
}

// textStep is a change of some lines that stand together.
type textStep struct {
	kind          stepKind
	at            int // the first line changed
	old, new      []editorLine
	before, after spot // the caret's places
}

// stepKind says which changes go on with the one before.
type stepKind uint8

const (
	stepAlone stepKind = iota // a paste, a line break, a deleted word
	stepTyped
	stepDeleted
)

// size is the bytes of text a step keeps. Lines share their bytes with the
// text as long as they stand in it; counted they are all the same.
func (s *textStep) size() int {
	n := 0
	for _, lines := range [2][]editorLine{s.old, s.new} {
		for i := range lines {
			n += len(lines[i].text) + len(lines[i].attached) + 64
		}
	}
	return n
}

// stepReach is how many lines above and below the caret's one action can
// change: those that an attached piece between them held apart.
const stepReach = 3

// changing does something to the text beside the caret, and remembers it.
func (e *Editor) changing(kind stepKind, do func()) keymap.Effect {
	from, behind := max(0, e.row-stepReach), max(0, len(e.lines)-e.row-stepReach-1)
	return e.remember(kind, from, behind, do)
}

// remember does something to the lines from one on, and leaves as many at the
// end as they are; what changed becomes a step.
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

// ReplaceAll makes a text the whole of the editor's, as one step.
func (e *Editor) ReplaceAll(text string) {
	e.remember(stepAlone, 0, 0, func() {
		e.lines, e.row, e.col = make([]editorLine, 1), 0, 0
		e.paste(text)
	})
}

// Load makes a text the whole of the editor's. What the person had written there
// can be had back; where nothing was done yet, it is what the editor begins with.
func (e *Editor) Load(text string) {
	if e.Empty() && len(e.past.done)+len(e.past.undone) == 0 {
		e.SetText(text)
		return
	}
	e.ReplaceAll(text)
}

// trim takes off what did not change.
func (s *textStep) trim() {
	same := func(a, b editorLine) bool { return a.text == b.text && a.attached == b.attached && a.glued == b.glued }
	for len(s.old) > 0 && len(s.new) > 0 && same(s.old[0], s.new[0]) {
		s.old, s.new, s.at = s.old[1:], s.new[1:], s.at+1
	}
	for len(s.old) > 0 && len(s.new) > 0 && same(s.old[len(s.old)-1], s.new[len(s.new)-1]) {
		s.old, s.new = s.old[:len(s.old)-1], s.new[:len(s.new)-1]
	}
}

// add keeps a step. What was taken back before can't be done again then.
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
	var was, is rune // the letter before in the order of doing, and this one
	switch s.kind {
	case stepTyped:
		was, _ = utf8.DecodeLastRuneInString(next.old[0].text[:next.before.col])
		is, _ = utf8.DecodeRuneInString(next.new[0].text[next.before.col:])
	case stepDeleted:
		was, _ = utf8.DecodeRuneInString(s.old[0].text[s.after.col:])
		is, _ = utf8.DecodeRuneInString(next.old[0].text[next.after.col:])
	default:
		return false
	}
	return is == ' ' || was != ' '
}

// undo takes the last step back, redo does it again. Nothing left to do is moved.
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

// put puts lines in the place of so many others.
func (e *Editor) put(at, count int, lines []editorLine, caret spot) {
	e.lines = slices.Replace(e.lines, at, at+count, lines...)
	for i := at; i < at+len(lines); i++ {
		e.lines[i].starts, e.lines[i].startsAt = nil, 0 // remembered for another width, and shared
	}
	e.set(caret)
	e.goal = -1
}

// CanUndo reports whether there is anything to undo.
func (e *Editor) CanUndo() bool { return len(e.past.done) > 0 }

// CanRedo reports whether anything was undone that can be done again.
func (e *Editor) CanRedo() bool { return len(e.past.undone) > 0 }
