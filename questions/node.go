package questions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// node is a JSON value that keeps what encoding/json would lose and a form needs:
// the order of keys, repeated keys, and numbers as they were written.
type node struct {
	kind    nodeKind
	text    string // of a string or, as written, a number
	truth   bool
	items   []node
	members []member
}

type member struct {
	key   string
	value node
}

type nodeKind uint8

const (
	nullNode nodeKind = iota
	textNode
	numberNode
	boolNode
	listNode
	objectNode
)

// String describes the node for a Problem.
func (n node) String() string {
	switch n.kind {
	case textNode:
		return quote(n.text)
	case numberNode:
		if len(n.text) > 40 {
			return "a number of " + fmt.Sprint(len(n.text)) + " characters"
		}
		return "the number " + n.text
	case boolNode:
		return fmt.Sprint(n.truth)
	case listNode:
		return fmt.Sprintf("a list of %d", len(n.items))
	case objectNode:
		keys := make([]string, 0, len(n.members))
		for _, m := range n.members {
			keys = append(keys, m.key)
		}
		if len(keys) == 0 {
			return "an empty object"
		}
		return "an object with " + quoteAll(keys)
	}
	return "null"
}

// empty reports whether the node is null, "", false, 0, [] or {}. Models write
// these when they fill in every field of a schema.
func (n node) empty() bool {
	switch n.kind {
	case numberNode:
		return strings.Trim(n.text, "-0.") == ""
	case boolNode:
		return !n.truth
	}
	return n.blank()
}

// blank reports whether the node is null, "", [] or {}.
func (n node) blank() bool {
	return n.kind != numberNode && n.kind != boolNode && n.text == "" && len(n.items) == 0 && len(n.members) == 0
}

var (
	errDepth = fmt.Errorf("JSON nested deeper than %d", MaxDepth)
	errItems = fmt.Errorf("JSON of more than %d values", MaxInputItems)
)

// parseNode reads exactly one JSON value.
func parseNode(raw []byte) (node, error) {
	if !utf8.Valid(raw) {
		return node{}, fmt.Errorf("text that is not UTF-8 from byte %d on", validPrefix(raw))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return node{}, errors.New("nothing")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	n, err := (&decoder{dec, 0}).node(0)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return node{}, fmt.Errorf("JSON that ends too early, after byte %d", len(raw))
		}
		if errors.Is(err, errDepth) || errors.Is(err, errItems) {
			return node{}, err
		}
		return node{}, fmt.Errorf("text that is not JSON near byte %d (%w)", dec.InputOffset(), err)
	}
	end := dec.InputOffset()
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return node{}, fmt.Errorf("more text after the end of the JSON, at byte %d", end)
	}
	return n, nil
}

// validPrefix returns how many leading bytes are UTF-8.
func validPrefix(raw []byte) int {
	n := 0
	for n < len(raw) {
		r, size := utf8.DecodeRune(raw[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// decoder builds nodes and counts them, so that MaxInputItems holds.
type decoder struct {
	*json.Decoder
	items int
}

func (d *decoder) node(depth int) (node, error) {
	if d.items++; d.items > MaxInputItems {
		return node{}, errItems
	}
	token, err := d.Token()
	if err != nil {
		return node{}, err
	}
	switch token := token.(type) {
	case string:
		return node{kind: textNode, text: token}, nil
	case json.Number:
		return node{kind: numberNode, text: token.String()}, nil
	case bool:
		return node{kind: boolNode, truth: token}, nil
	case json.Delim:
		if depth == MaxDepth {
			return node{}, errDepth
		}
		if token == '[' {
			return d.list(depth + 1)
		}
		return d.object(depth + 1)
	}
	return node{}, nil
}

func (d *decoder) list(depth int) (node, error) {
	list := node{kind: listNode}
	for d.More() {
		item, err := d.node(depth)
		if err != nil {
			return node{}, err
		}
		list.items = append(list.items, item)
	}
	_, err := d.Token()
	return list, err
}

func (d *decoder) object(depth int) (node, error) {
	object := node{kind: objectNode}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return node{}, err
		}
		value, err := d.node(depth)
		if err != nil {
			return node{}, err
		}
		name, _ := key.(string) // json.Decoder allows only strings as keys
		object.members = append(object.members, member{name, value})
	}
	_, err := d.Token()
	return object, err
}
