package mcp

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"planb/questions"
	"planb/questions/safe"
)

// piece is a text of an outcome that can be fetched on its own.
type piece struct {
	name  string // of the question; feedback of a review; empty: the whole outcome
	file  string // what its readable copy is called
	text  string
	shown int // characters of it that a result has, if it has the beginning
}

// wholePiece is all that was said, as a result without limit tells it.
func wholePiece(items []string) piece {
	return piece{file: "all.txt", text: strings.Join(items, "\n")}
}

// valuePiece is the answer to the question at that place of the form.
func valuePiece(at int, id string, v questions.Value) piece {
	name := fmt.Sprintf("%d-%s", at+1, strings.Map(fileRune, id))
	if text, ok := v.Text(); ok {
		return piece{name: id, file: name + ".txt", text: text}
	}
	return piece{name: id, file: name + ".json", text: jsonOf(v)}
}

// fileRune is a character of a name that every file system takes.
func fileRune(r rune) rune {
	if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-') {
		return r
	}
	return '_'
}

// cutter shortens the texts of one outcome to so many characters each, and
// remembers what it cut.
type cutter struct {
	most  int
	cut   []piece
	loose bool // something was cut that is no piece of its own
}

// uncut shortens nothing.
func uncut() *cutter { return &cutter{most: math.MaxInt} }

// piece returns the beginning of a text that can be fetched on its own.
func (c *cutter) piece(p piece) string {
	if characters(p.text) <= c.most {
		return p.text
	}
	begun := beginning(p.text, c.most)
	p.shown = characters(begun)
	c.cut = append(c.cut, p)
	return begun + "…"
}

// text returns the beginning of a text that is fetched with all the others only.
func (c *cutter) text(text safe.Text) safe.Text {
	if characters(text.Raw()) <= c.most {
		return text
	}
	c.loose = true
	return safe.New(beginning(text.Raw(), c.most) + "…")
}

// reply is what a person sent, with its answers and notes shortened.
func (c *cutter) reply(spec questions.Spec, r questions.Reply) questions.Reply {
	short := questions.Reply{Answers: map[string]questions.Value{}, Note: c.text(r.Note)}
	for i, q := range spec.Questions {
		if v := r.Answers[q.ID]; !v.IsZero() {
			short.Answers[q.ID] = c.value(i, q.ID, v)
		}
	}
	for id, note := range r.Notes {
		if short.Notes == nil {
			short.Notes = map[string]safe.Text{}
		}
		short.Notes[id] = c.text(note)
	}
	return short
}

func (c *cutter) value(at int, id string, v questions.Value) questions.Value {
	p := valuePiece(at, id, v)
	if _, ok := v.Text(); ok {
		return questions.TextValue(c.piece(p))
	}
	items, ok := v.Items()
	if !ok || characters(p.text) <= c.most {
		return v
	}
	c.cut = append(c.cut, p)
	return questions.ItemsValue(c.items(items)...)
}

// items are the first of a list, and the beginning of the one that is too much.
func (c *cutter) items(list []string) []string {
	left := c.most
	for i, item := range list {
		if n := characters(item); n <= left {
			left -= n
			continue
		}
		return append(list[:i:i], beginning(item, left)+"…")
	}
	return append(list, "…") // what JSON puts around them is too much
}
