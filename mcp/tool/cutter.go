package tool

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"planb/questions"
	"planb/questions/safe"
)

// Piece is a text of an outcome that can be fetched on its own.
type Piece struct {
	Name  string // of the question; feedback of a review; empty: the whole outcome
	File  string // what its readable copy is called
	Text  string
	shown int // how many of its characters a result has, if it has only the beginning
}

// WholePiece is a whole outcome, as a result without limit tells it.
func WholePiece(items []string) Piece {
	return Piece{File: "all.txt", Text: strings.Join(items, "\n")}
}

// ValuePiece is the answer to the question at that place of the form.
func ValuePiece(at int, id string, v questions.Value) Piece {
	name := fmt.Sprintf("%d-%s", at+1, strings.Map(fileRune, id))
	if text, ok := v.Text(); ok {
		return Piece{Name: id, File: name + ".txt", Text: text}
	}
	return Piece{Name: id, File: name + ".json", Text: JSON(v)}
}

// fileRune replaces a character that some file system refuses in names.
func fileRune(r rune) rune {
	if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-') {
		return r
	}
	return '_'
}

// Cutter shortens the texts of one outcome to so many characters each, and
// remembers what it cut.
type Cutter struct {
	most  int
	cut   []Piece
	loose bool // something was cut that is no piece of its own
}

// Uncut shortens nothing.
func Uncut() *Cutter { return &Cutter{most: math.MaxInt} }

// Piece returns the beginning of a text that can be fetched on its own.
func (c *Cutter) Piece(p Piece) string {
	if Characters(p.Text) <= c.most {
		return p.Text
	}
	begun := beginning(p.Text, c.most)
	p.shown = Characters(begun)
	c.cut = append(c.cut, p)
	return begun + "…"
}

// Text returns the beginning of a text that can be fetched only with the whole outcome.
func (c *Cutter) Text(text safe.Text) safe.Text {
	if Characters(text.Raw()) <= c.most {
		return text
	}
	c.loose = true
	return safe.New(beginning(text.Raw(), c.most) + "…")
}

// Reply returns a person's reply with its answers and notes shortened.
func (c *Cutter) Reply(spec questions.Spec, r questions.Reply) questions.Reply {
	short := questions.Reply{Answers: map[string]questions.Value{}, Note: c.Text(r.Note)}
	for i, q := range spec.Questions {
		if v := r.Answers[q.ID]; !v.IsZero() {
			short.Answers[q.ID] = c.value(i, q.ID, v)
		}
	}
	for id, note := range r.Notes {
		if short.Notes == nil {
			short.Notes = map[string]safe.Text{}
		}
		short.Notes[id] = c.Text(note)
	}
	return short
}

func (c *Cutter) value(at int, id string, v questions.Value) questions.Value {
	p := ValuePiece(at, id, v)
	if _, ok := v.Text(); ok {
		return questions.TextValue(c.Piece(p))
	}
	items, ok := v.Items()
	if !ok || Characters(p.Text) <= c.most {
		return v
	}
	c.cut = append(c.cut, p)
	return questions.ItemsValue(c.items(items)...)
}

// items are the first of a list, and the beginning of the one that is too much.
func (c *Cutter) items(list []string) []string {
	left := c.most
	for i, item := range list {
		if n := Characters(item); n <= left {
			left -= n
			continue
		}
		return append(list[:i:i], beginning(item, left)+"…")
	}
	return append(list, "…") // only the JSON around the items is too long
}
