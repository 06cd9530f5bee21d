package questions

import (
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
)

// reader turns nodes into a form. It understands the shapes that models write,
// and collects a Problem for everything else.
type reader struct {
	problems Problems
}

// unwrap returns the list or object that was sent as a JSON string, even if it was
// wrapped twice. It returns every other node as it is.
func unwrap(n node) node {
	const most = 3
	inner := n
	for range most {
		if inner.kind != textNode {
			break
		}
		parsed, err := parseNode([]byte(inner.text))
		if err != nil {
			return n
		}
		inner = parsed
	}
	if inner.kind == listNode || inner.kind == objectNode {
		return inner
	}
	return n
}

// listGot describes a node that should have been a list. If the node is a string
// with broken JSON, listGot adds what is wrong with that JSON.
func listGot(n node) string {
	if inner := strings.TrimSpace(n.text); n.kind == textNode && strings.IndexAny(inner, "[{") == 0 {
		if _, err := parseNode([]byte(inner)); err != nil {
			return n.String() + ", a string with " + err.Error()
		}
	}
	return n.String()
}

// plain returns the text of a string, number or boolean.
func plain(n node) (string, bool) {
	switch n.kind {
	case textNode, numberNode:
		return n.text, true
	case boolNode:
		return strconv.FormatBool(n.truth), true
	}
	return "", false
}

// text reads a text of at most limit bytes. A blank text counts as absent.
func (r *reader) text(at string, n node, limit int) safe.Text {
	s, ok := plain(n)
	if !ok {
		r.problems.add(at, n.String(), "a text", "")
		return safe.Text{}
	}
	text := safe.New(s)
	if text.Blank() {
		return safe.Text{}
	}
	if len(s) > limit {
		r.problems.add(at, fmt.Sprintf("a text of %d bytes", len(s)), fmt.Sprintf("at most %d bytes", limit), "")
	}
	return text
}

// optional reads a text field that may be missing.
func (r *reader) optional(o *object, name string, limit int) safe.Text {
	n, at, ok := o.get(name)
	if !ok {
		return safe.Text{}
	}
	return r.text(at, n, limit)
}

// needed reads a text field that must say something.
func (r *reader) needed(o *object, name string, limit int, allowed, example string) safe.Text {
	n, at, ok := o.get(name)
	if !ok {
		r.problems.add(at, "nothing", allowed, example)
		return safe.Text{}
	}
	before := len(r.problems)
	text := r.text(at, n, limit)
	if text.IsZero() && len(r.problems) == before {
		r.problems.add(at, n.String(), allowed, example)
	}
	return text
}

// boolean reads a boolean field; an absent or blank one gives fallback.
func (r *reader) boolean(o *object, name string, fallback bool) bool {
	n, at, ok := o.get(name)
	if !ok || n.blank() {
		return fallback
	}
	if said, isPlain := plain(n); isPlain {
		switch strings.ToLower(strings.TrimSpace(said)) {
		case "true", "yes", "1":
			return true
		case "false", "no", "0":
			return false
		}
	}
	r.problems.add(at, n.String(), "true or false", "")
	return fallback
}

// number reads a number, or a string that holds one. The caller checks its size.
func number(n node) (float64, bool) {
	if n.kind != numberNode && n.kind != textNode {
		return 0, false
	}
	s := strings.TrimSpace(n.text)
	if strings.Trim(s, "+-.0123456789eE") != "" { // no Inf, NaN, hexadecimal or underscores
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f + 0, err == nil // + 0 turns -0 into 0
}
