package lenient

import (
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
)

// Reader reads fields of nodes. It understands the shapes that models write,
// and collects a Problem for everything else.
type Reader struct {
	Problems Problems
}

// Unwrap returns the list or object that was sent as a JSON string, even if it was
// wrapped twice. It returns every other node as it is.
func Unwrap(n Node) Node {
	const most = 3
	inner := n
	for range most {
		if inner.Kind != TextNode {
			break
		}
		parsed, err := Parse([]byte(inner.Text))
		if err != nil {
			return n
		}
		inner = parsed
	}
	if inner.Kind == ListNode || inner.Kind == ObjectNode {
		return inner
	}
	return n
}

// GotList describes a node that should have been a list. If the node is a string
// with broken JSON, GotList adds what is wrong with that JSON.
func GotList(n Node) string {
	if inner := strings.TrimSpace(n.Text); n.Kind == TextNode && strings.IndexAny(inner, "[{") == 0 {
		if _, err := Parse([]byte(inner)); err != nil {
			return n.String() + ", a string with " + err.Error()
		}
	}
	return n.String()
}

// Plain returns the text of a string, number or boolean.
func Plain(n Node) (string, bool) {
	switch n.Kind {
	case TextNode, NumberNode:
		return n.Text, true
	case BoolNode:
		return strconv.FormatBool(n.Truth), true
	}
	return "", false
}

// Text reads a text of at most limit bytes. A blank text counts as absent.
func (r *Reader) Text(at string, n Node, limit int) safe.Text {
	return r.text(func() string { return at }, n, limit)
}

// text is Text for a place that is only written where there is something to report.
func (r *Reader) text(at func() string, n Node, limit int) safe.Text {
	s, ok := Plain(n)
	if !ok {
		r.Problems.Add(at(), n.String(), "a text", "")
		return safe.Text{}
	}
	text := safe.New(s)
	if text.Blank() {
		return safe.Text{}
	}
	if len(s) > limit {
		r.Problems.Add(at(), fmt.Sprintf("a text of %d bytes", len(s)), fmt.Sprintf("at most %d bytes", limit), "")
	}
	return text
}

// Optional reads a text field that may be missing.
func (r *Reader) Optional(o *Object, name string, limit int) safe.Text {
	n, ok := o.Get(name)
	if !ok {
		return safe.Text{}
	}
	return r.text(func() string { return o.Place(name) }, n, limit)
}

// Needed reads a text field that must say something.
func (r *Reader) Needed(o *Object, name string, limit int, allowed, example string) safe.Text {
	n, ok := o.Get(name)
	if !ok {
		r.Problems.Add(o.Place(name), "nothing", allowed, example)
		return safe.Text{}
	}
	before := len(r.Problems)
	text := r.Optional(o, name, limit)
	if text.IsZero() && len(r.Problems) == before {
		r.Problems.Add(o.Place(name), n.String(), allowed, example)
	}
	return text
}

// Objects returns the items of a list that must have some. A single object counts as a list
// of one. allowed says what the list holds, and example is one item. Without items it
// reports a problem and returns none.
func (r *Reader) Objects(o *Object, name, allowed, example string) (items []Node, at string) {
	n, ok := o.Get(name)
	at = o.Place(name)
	if !ok {
		r.Problems.Add(at, "nothing", allowed, "["+example+"]")
		return nil, at
	}
	n = Unwrap(n)
	if n.Kind == ObjectNode {
		n = Node{Kind: ListNode, Items: []Node{n}}
	}
	if n.Kind != ListNode || len(n.Items) == 0 {
		r.Problems.Add(at, GotList(n), allowed, "["+example+"]")
		return nil, at
	}
	return n.Items, at
}

// Boolean reads a boolean field; an absent or blank one gives fallback.
func (r *Reader) Boolean(o *Object, name string, fallback bool) bool {
	n, ok := o.Get(name)
	if !ok || n.Blank() {
		return fallback
	}
	if said, isPlain := Plain(n); isPlain {
		switch strings.ToLower(strings.TrimSpace(said)) {
		case "true", "yes", "1":
			return true
		case "false", "no", "0":
			return false
		}
	}
	r.Problems.Add(o.Place(name), n.String(), "true or false", "")
	return fallback
}

// Number reads a number, or a string that holds one. The caller checks its size.
func Number(n Node) (float64, bool) {
	if n.Kind != NumberNode && n.Kind != TextNode {
		return 0, false
	}
	s := strings.TrimSpace(n.Text)
	if strings.Trim(s, "+-.0123456789eE") != "" { // no Inf, NaN, hexadecimal or underscores
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f + 0, err == nil // + 0 turns -0 into 0
}
