package editor

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Query is a line that a person types to find or to filter something. Keys change it at its
// end only.
type Query struct {
	editor *Editor
	most   int // bytes
}

// NewQuery returns an empty query that keeps that many bytes. A longer paste is cut.
func NewQuery(most int) *Query { return &Query{New(true), most} }

// Text is what was typed.
func (q *Query) Text() string { return q.editor.Text() }

// Clear empties the query.
func (q *Query) Clear() { q.editor.SetText("") }

// Type does what a key means, or inserts the text of a key that has no action, or a paste. It
// reports whether the query changed.
func (q *Query) Type(act keymap.Action, text string) (changed bool) {
	before := q.Text()
	switch act {
	case keymap.Backspace, keymap.DeleteWord, keymap.DeleteToStart:
		q.editor.Act(keymap.Press{Act: act})
	case keymap.None:
		if text == "" { // a key that types nothing
			return false
		}
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
		q.editor.Act(keymap.Press{Act: keymap.Insert, Text: safe.New(text).Line()})
		q.shorten()
	}
	return q.Text() != before
}

// shorten cuts the query to its greatest length, between two characters.
func (q *Query) shorten() {
	text := q.Text()
	if len(text) <= q.most {
		return
	}
	end := 0
	for i := range text {
		if i > q.most {
			break
		}
		end = i
	}
	q.editor.SetText(text[:end])
}

// Draw draws the query behind a prompt, with a caret while it is typed. If the query is
// long, it shows the end, because the person types there. The cells of the line are those
// of the prompt and at most room.
func (q *Query) Draw(st *screen.Styles, prompt string, typing bool, room int) string {
	text, caret := q.Text(), ""
	if typing {
		caret = st.Accent.Render("▏")
		room--
	}
	if width := ansi.StringWidth(text); width > room {
		whole := text
		if text = ansi.TruncateLeft(whole, width-room+1, "…"); ansi.StringWidth(text) > room {
			text = ansi.TruncateLeft(whole, width-room+2, "…") // a wide character that is cut stays
		}
	}
	return st.Accent.Render(prompt) + st.Text.Render(text) + caret
}
