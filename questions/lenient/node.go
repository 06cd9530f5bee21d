package lenient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Node is a JSON value that keeps what encoding/json would lose and a reader of
// models' JSON needs: the order of keys, repeated keys, and numbers as they were
// written.
type Node struct {
	Kind    Kind
	Text    string // of a string or, as written, a number
	Truth   bool
	Items   []Node
	Members []Member
}

// Member is a key of an object with its value.
type Member struct {
	Key   string
	Value Node
}

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of a JSON value.
const (
	NullNode Kind = iota
	TextNode
	NumberNode
	BoolNode
	ListNode
	ObjectNode
)

// String describes the node for a Problem.
func (n Node) String() string {
	switch n.Kind {
	case TextNode:
		return Quote(n.Text)
	case NumberNode:
		if len(n.Text) > 40 {
			return "a number of " + fmt.Sprint(len(n.Text)) + " characters"
		}
		return "the number " + n.Text
	case BoolNode:
		return fmt.Sprint(n.Truth)
	case ListNode:
		return fmt.Sprintf("a list of %d", len(n.Items))
	case ObjectNode:
		keys := make([]string, 0, len(n.Members))
		for _, m := range n.Members {
			keys = append(keys, m.Key)
		}
		if len(keys) == 0 {
			return "an empty object"
		}
		return "an object with " + QuoteAll(keys)
	}
	return "null"
}

// Empty reports whether the node is null, "", false, 0, [] or {}. Models write
// these when they fill in every field of a schema.
func (n Node) Empty() bool {
	switch n.Kind {
	case NumberNode:
		return strings.Trim(n.Text, "-0.") == ""
	case BoolNode:
		return !n.Truth
	}
	return n.Blank()
}

// Blank reports whether the node is null, "", [] or {}.
func (n Node) Blank() bool {
	return n.Kind != NumberNode && n.Kind != BoolNode && n.Text == "" && len(n.Items) == 0 && len(n.Members) == 0
}

var (
	errDepth = fmt.Errorf("JSON nested deeper than %d", MaxDepth)
	errItems = fmt.Errorf("JSON of more than %d values", MaxInputItems)
)

// Parse reads exactly one JSON value.
func Parse(raw []byte) (Node, error) {
	if n, ok := quickly(raw); ok {
		return n, nil
	}
	return thoroughly(raw)
}

// thoroughly is Parse by encoding/json, which tells what is wrong.
func thoroughly(raw []byte) (Node, error) {
	if !utf8.Valid(raw) {
		return Node{}, fmt.Errorf("text that is not UTF-8 from byte %d on", validPrefix(raw))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return Node{}, errors.New("nothing")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	n, err := (&decoder{dec, 0}).node(0)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return Node{}, fmt.Errorf("JSON that ends too early, after byte %d", len(raw))
		}
		if errors.Is(err, errDepth) || errors.Is(err, errItems) {
			return Node{}, err
		}
		return Node{}, fmt.Errorf("text that is not JSON near byte %d (%w)", dec.InputOffset(), err)
	}
	end := dec.InputOffset()
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Node{}, fmt.Errorf("more text after the end of the JSON, at byte %d", end)
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

func (d *decoder) node(depth int) (Node, error) {
	if d.items++; d.items > MaxInputItems {
		return Node{}, errItems
	}
	token, err := d.Token()
	if err != nil {
		return Node{}, err
	}
	switch token := token.(type) {
	case string:
		return Node{Kind: TextNode, Text: token}, nil
	case json.Number:
		return Node{Kind: NumberNode, Text: token.String()}, nil
	case bool:
		return Node{Kind: BoolNode, Truth: token}, nil
	case json.Delim:
		if depth == MaxDepth {
			return Node{}, errDepth
		}
		if token == '[' {
			return d.list(depth + 1)
		}
		return d.object(depth + 1)
	}
	return Node{}, nil
}

func (d *decoder) list(depth int) (Node, error) {
	list := Node{Kind: ListNode}
	for d.More() {
		item, err := d.node(depth)
		if err != nil {
			return Node{}, err
		}
		list.Items = append(list.Items, item)
	}
	_, err := d.Token()
	return list, err
}

func (d *decoder) object(depth int) (Node, error) {
	object := Node{Kind: ObjectNode}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return Node{}, err
		}
		value, err := d.node(depth)
		if err != nil {
			return Node{}, err
		}
		name, _ := key.(string) // json.Decoder allows only strings as keys
		object.Members = append(object.Members, Member{name, value})
	}
	_, err := d.Token()
	return object, err
}
