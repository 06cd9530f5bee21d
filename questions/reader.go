package questions

import (
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
)

// reader turns nodes into a form, understands what models mean by them, and
// collects what it cannot understand.
type reader struct {
	problems Problems
}

// unwrap opens JSON that was sent as a JSON string, also twice over, when
// what comes out is a list or an object. Other nodes stay as they are.
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

// listGot describes what is there in place of a list, with the reason if it is
// a string of JSON that cannot be read.
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

// text reads a text of at most limit bytes; blank counts as absent.
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

// truth reads a boolean field; absent or blank returns otherwise.
func (r *reader) truth(o *object, name string, otherwise bool) bool {
	n, at, ok := o.get(name)
	if !ok || n.blank() {
		return otherwise
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
	return otherwise
}

// number reads a number, also one written as a string. Its size is the
// caller's to check.
func number(n node) (float64, bool) {
	if n.kind != numberNode && n.kind != textNode {
		return 0, false
	}
	s := strings.TrimSpace(n.text)
	if strings.Trim(s, "+-.0123456789eE") != "" { // no Inf, NaN, hexadecimal or underscores
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f + 0, err == nil // + 0 makes -0 the 0 it is shown as
}
