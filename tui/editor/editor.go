package editor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"planb/tui/cells"
	"planb/tui/keymap"
)

// attachBytes is the size above which pasted text becomes an attached piece: the screen
// shows one row for it, and Text returns it whole.
const attachBytes = 64 << 10

// Editor is a text that a person writes, with its caret.
//
// It takes the place of bubbles' textarea, which lays out and styles its whole text at each
// key: that took 10 ms at 20 KB and 49 ms at 100 KB, where this editor needs 0.1 ms
// (BenchmarkEditorKey). The textarea also keeps at most 10,000 lines and drops the rest of a
// paste without a word.
type Editor struct {
	lines    []editorLine // never empty
	row, col int          // the caret: a line and a byte offset in its text
	oneLine  bool         // line breaks become spaces
	goal     int          // cell the caret aims at while it moves up and down; -1 for none
	width    int          // cells of the last layout
	top      int          // first visible row of the last layout
	past     history
}

// editorLine is one line of an editor, or an attached piece.
type editorLine struct {
	text     string
	attached string // the attached piece that the line stands for; empty for none
	glued    bool   // there is no line break between this line and the one before
	starts   []int  // byte offsets where its rows begin, at the width startsAt
	startsAt int    // 0 if starts is stale
}

// New returns an empty editor. If oneLine is true, line breaks become spaces.
func New(oneLine bool) *Editor {
	return &Editor{oneLine: oneLine, goal: -1, lines: make([]editorLine, 1)}
}

// SetText replaces the text and forgets the history. The caret goes to the end. A text of
// more than attachBytes becomes an attached piece.
func (e *Editor) SetText(s string) {
	*e = *New(e.oneLine)
	e.paste(s)
}

// Text returns the whole text, with its attached pieces.
func (e *Editor) Text() string {
	if len(e.lines) == 1 {
		return e.lines[0].whole()
	}
	size := 0
	for i := range e.lines {
		size += len(e.lines[i].whole()) + 1
	}
	var out strings.Builder
	out.Grow(size)
	for i := range e.lines {
		if i > 0 && !e.lines[i].glued {
			out.WriteByte('\n')
		}
		out.WriteString(e.lines[i].whole())
	}
	return out.String()
}

// ForgetGoal lets the caret move up and down from its own cell.
func (e *Editor) ForgetGoal() { e.goal = -1 }

// ToStart puts the caret before the text.
func (e *Editor) ToStart() { e.set(spot{}) }

// ToEnd puts the caret behind the text, or before its last line if that is attached.
func (e *Editor) ToEnd() {
	last := len(e.lines) - 1
	e.set(spot{last, len(e.lines[last].text)})
}

// SingleLine reports whether line breaks become spaces.
func (e *Editor) SingleLine() bool { return e.oneLine }

func (l *editorLine) whole() string { return l.text + l.attached }

// Empty reports whether there is no text.
func (e *Editor) Empty() bool {
	return len(e.lines) == 1 && e.lines[0].text == "" && e.lines[0].attached == ""
}

// Act does one action. On the first row Up returns LeaveUp, and on the last Down returns
// LeaveDown.
func (e *Editor) Act(p keymap.Press) keymap.Effect {
	if p.Act != keymap.Up && p.Act != keymap.Down && p.Act != keymap.PageUp && p.Act != keymap.PageDown {
		e.goal = -1
	}
	switch p.Act {
	case keymap.Insert:
		return e.insertText(p.Text)
	case keymap.Space:
		return e.insertText(" ")
	case keymap.Enter, keymap.NewLine:
		if e.oneLine {
			return keymap.Ignored
		}
		return e.changing(stepAlone, func() { e.breakLine(false) })
	case keymap.Backspace:
		return e.delete(stepDeleted, e.before())
	case keymap.Delete:
		return e.delete(stepDeleted, e.after())
	case keymap.DeleteWord:
		return e.delete(stepAlone, e.wordBefore())
	case keymap.DeleteNextWord:
		return e.delete(stepAlone, e.wordAfter())
	case keymap.DeleteToStart:
		return e.delete(stepAlone, spot{e.row, 0})
	case keymap.DeleteToEnd:
		return e.delete(stepAlone, spot{e.row, len(e.line().text)})
	case keymap.UndoText:
		return e.undo()
	case keymap.RedoText:
		return e.redo()
	}
	e.past.open = false
	return e.move(p.Act)
}

// insertText inserts what was typed or pasted at the caret. One letter joins the undo step
// of its word; several at once are a paste, and a step of their own.
func (e *Editor) insertText(text string) keymap.Effect {
	if text == "" {
		return keymap.Moved
	}
	kind := stepAlone
	if cells.FirstCluster(text) == len(text) {
		kind = stepTyped
	}
	return e.changing(kind, func() { e.paste(text) })
}

func (e *Editor) delete(kind stepKind, to spot) keymap.Effect {
	return e.changing(kind, func() { e.deleteTo(to) })
}

// move does the actions that only move the caret.
func (e *Editor) move(act keymap.Action) keymap.Effect {
	switch act {
	case keymap.Left:
		e.set(e.before())
	case keymap.Right:
		e.set(e.after())
	case keymap.WordLeft:
		e.set(e.wordBefore())
	case keymap.WordRight:
		e.set(e.wordAfter())
	case keymap.Home, keymap.LineStart:
		e.col = 0
	case keymap.End, keymap.LineEnd:
		e.col = len(e.line().text)
	case keymap.TextStart:
		e.ToStart()
	case keymap.TextEnd:
		e.ToEnd()
	case keymap.Up:
		return e.vertical(-1, keymap.LeaveUp)
	case keymap.Down:
		return e.vertical(1, keymap.LeaveDown)
	case keymap.PageUp:
		e.vertical(-pageRows, keymap.Moved)
	case keymap.PageDown:
		e.vertical(pageRows, keymap.Moved)
	default:
		return keymap.Ignored
	}
	return keymap.Moved
}

// pageRows is how far PgUp and PgDn go inside a text.
const pageRows = 10

// spot is a place between two characters.
type spot struct{ row, col int }

func (e *Editor) set(s spot)        { e.row, e.col = s.row, s.col }
func (e *Editor) line() *editorLine { return &e.lines[e.row] }

// before returns the place one character to the left of the caret.
func (e *Editor) before() spot {
	if e.col > 0 {
		return spot{e.row, cells.LastCluster(e.line().text[:e.col])}
	}
	if e.row == 0 {
		return spot{}
	}
	return spot{e.row - 1, len(e.lines[e.row-1].text)}
}

// after returns the place one character to the right of the caret.
func (e *Editor) after() spot {
	if text := e.line().text; e.col < len(text) {
		return spot{e.row, e.col + cells.FirstCluster(text[e.col:])}
	}
	if e.row == len(e.lines)-1 {
		return spot{e.row, e.col}
	}
	return spot{e.row + 1, 0}
}

func (e *Editor) wordBefore() spot {
	if e.col == 0 {
		return e.before()
	}
	text, start, inside := e.line().text[:e.col], 0, false
	for at := 0; at < len(text); at += cells.FirstCluster(text[at:]) {
		before := inside
		if inside = inWord(text[at:]); inside && !before {
			start = at
		}
	}
	return spot{e.row, start}
}

func (e *Editor) wordAfter() spot {
	text := e.line().text
	if e.col == len(text) {
		return e.after()
	}
	at := e.col
	for _, word := range []bool{false, true} {
		for at < len(text) && inWord(text[at:]) == word {
			at += cells.FirstCluster(text[at:])
		}
	}
	return spot{e.row, at}
}

// inWord reports whether a text begins with a character of a word. The marks of a character are
// part of it, whatever it is: those of an emoji make no word.
func inWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// paste inserts text at the caret, a long one as an attached piece.
func (e *Editor) paste(s string) {
	s = strings.ToValidUTF8(s, "\uFFFD") // an answer is a JSON string
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n") // terminals paste line breaks as CR
	if e.oneLine {
		s = strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", " ")
	}
	if len(s) > attachBytes {
		e.attach(s)
		return
	}
	e.insertLines(strings.Split(s, "\n"))
}

// insertLines inserts lines at the caret, all in one step. One step for each line would move
// the rest of the text as often as there are lines.
func (e *Editor) insertLines(lines []string) {
	e.insert(lines[0])
	if len(lines) == 1 {
		return
	}
	e.breakLine(false)
	last := len(lines) - 1
	between := make([]editorLine, last-1)
	for i, line := range lines[1:last] {
		between[i].text = line
	}
	e.lines = slices.Insert(e.lines, e.row, between...)
	e.row += len(between)
	e.insert(lines[last])
}

// insert inserts text without line breaks at the caret.
func (e *Editor) insert(s string) {
	if s == "" {
		return
	}
	if e.line().attached != "" { // text beside an attached piece has a line of its own
		e.leavePiece()
	}
	l := e.line()
	l.text = l.text[:e.col] + s + l.text[e.col:]
	l.startsAt = 0
	e.col += len(s)
}

// breakLine splits the caret's line in two, with a line break between them unless glued is
// true. The caret goes to the second.
func (e *Editor) breakLine(glued bool) {
	l := e.line()
	rest := editorLine{text: l.text[e.col:], glued: glued}
	l.text, l.startsAt = l.text[:e.col], 0
	e.row++
	e.col = 0
	e.lines = slices.Insert(e.lines, e.row, rest)
}

// attach puts a long text at the caret as one piece.
func (e *Editor) attach(s string) {
	if l := e.line(); l.text != "" || l.attached != "" {
		e.breakLine(true)
	}
	if e.line().text != "" { // the text to the right of the caret goes on behind the piece
		e.breakLine(true)
		e.row--
	}
	e.line().attached, e.col = s, 0
	e.leavePiece()
}

// leavePiece puts the caret behind the attached piece it is on: into the line that goes on
// there, else into a new one. Two such lines never stand together, because a deletion would
// then join lines that undo does not look at.
func (e *Editor) leavePiece() {
	if next := e.row + 1; next < len(e.lines) && e.lines[next].glued && e.lines[next].attached == "" {
		e.set(spot{row: next})
		return
	}
	e.breakLine(true)
}

// deleteTo removes the text between the caret and a place beside it. On an attached piece it
// removes the piece.
func (e *Editor) deleteTo(to spot) {
	l := e.line()
	switch {
	case l.attached != "":
		l.attached = ""
		e.merge()
	case to == spot{e.row, e.col}:
	case to.row == e.row:
		from, end := min(to.col, e.col), max(to.col, e.col)
		l.text, l.startsAt = l.text[:from]+l.text[end:], 0
		e.col = from
	default:
		e.join(min(to.row, e.row))
	}
}

// join removes the line break between a line and the next. If there is none, one of the two
// is an attached piece, and join removes that.
func (e *Editor) join(row int) {
	upper, lower := &e.lines[row], &e.lines[row+1]
	switch {
	case !lower.glued:
		lower.glued = true
	case upper.attached != "":
		upper.attached = ""
	default:
		lower.attached = ""
	}
	e.merge()
}

// merge makes one line of glued neighbours without an attached piece.
func (e *Editor) merge() {
	for i := len(e.lines) - 1; i > 0; i-- {
		upper, lower := &e.lines[i-1], &e.lines[i]
		if !lower.glued || upper.attached != "" || lower.attached != "" {
			continue
		}
		if e.row == i {
			e.col += len(upper.text)
		}
		if e.row >= i {
			e.row--
		}
		upper.text, upper.startsAt = upper.text+lower.text, 0
		e.lines = append(e.lines[:i], e.lines[i+1:]...)
	}
}
