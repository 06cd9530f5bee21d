package lenient

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
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

var errDepth = fmt.Errorf("JSON nested deeper than %d", MaxDepth)

// itemsError is the limit that the number of values exceeds.
type itemsError int

func (e itemsError) Error() string { return fmt.Sprintf("JSON of more than %d values", int(e)) }

// Parse reads exactly one JSON value, of at most MaxInputItems values in all.
func Parse(raw []byte) (Node, error) { return ParseUpTo(raw, MaxInputItems) }

// ParseUpTo is Parse with another limit, for a file that a person chose.
func ParseUpTo(raw []byte, items int) (Node, error) {
	if !utf8.Valid(raw) {
		return Node{}, fmt.Errorf("text that is not UTF-8 from byte %d on", validPrefix(raw))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return Node{}, errors.New("nothing")
	}
	d := decode(raw)
	d.most = items
	n, err := d.node()
	if err != nil {
		return Node{}, reworded(err, raw)
	}
	if end := d.InputOffset(); d.ends() != nil {
		return Node{}, fmt.Errorf("more text after the end of the JSON, at byte %d", end)
	}
	return n, nil
}

// RawMember is a key of an object with its value as it was written.
type RawMember struct {
	Key   string
	Value json.RawMessage // a part of the object's bytes, without white space around it
}

// Members returns the members of a JSON object in their order, repeated ones too. It returns
// false for what is no object, for one that is not JSON or not UTF-8, and for one beyond the
// limits of Parse. It decodes no value.
func Members(raw []byte) (list []RawMember, ok bool) {
	if !utf8.Valid(raw) {
		return nil, false
	}
	d := decode(raw)
	if first, err := d.begin(); err != nil || first.Kind() != '{' {
		return nil, false
	}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		key := token.String()
		value := bytes.TrimLeft(raw[d.InputOffset():], " \t\r\n:")
		from := len(raw) - len(value)
		if d.skip() != nil {
			return nil, false
		}
		to := d.InputOffset()
		list = append(list, RawMember{key, raw[from:to:to]})
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	return list, d.ends() == nil
}

// reworded says for its reader why a text is no JSON.
func reworded(err error, raw []byte) error {
	if errors.Is(err, errDepth) || errors.As(err, new(itemsError)) {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("JSON that ends too early, after byte %d", len(raw))
	}
	var mistake *jsontext.SyntacticError
	if errors.As(err, &mistake) {
		return fmt.Errorf("text that is not JSON near byte %d (%w)", mistake.ByteOffset, mistake.Err)
	}
	return fmt.Errorf("text that is not JSON (%w)", err)
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

// decoder builds nodes and counts them, so that there are not more than most.
type decoder struct {
	*jsontext.Decoder
	items, most int
}

// decode reads JSON that is UTF-8. A lone surrogate in an escape is read as encoding/json
// reads it: as U+FFFD.
func decode(raw []byte) *decoder {
	return &decoder{jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), 0, MaxInputItems}
}

// ends returns an error if something comes behind the value.
func (d *decoder) ends() error {
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return cmp.Or(err, errors.New("more text"))
	}
	return nil
}

// begin reads the token with which a value begins, and counts the value.
func (d *decoder) begin() (jsontext.Token, error) {
	if d.items++; d.items > d.most {
		return jsontext.Token{}, itemsError(d.most)
	}
	depth := d.StackDepth()
	token, err := d.ReadToken()
	if err == nil && depth == MaxDepth && (token.Kind() == '[' || token.Kind() == '{') {
		return token, errDepth
	}
	return token, err
}

// skip reads a value without decoding it.
func (d *decoder) skip() error {
	for depth := d.StackDepth(); ; {
		inside, read := d.StackIndex(d.StackDepth())
		isKey := inside == '{' && read%2 == 0
		var err error
		if kind := d.PeekKind(); isKey || kind == ']' || kind == '}' {
			_, err = d.ReadToken()
		} else {
			_, err = d.begin()
		}
		if err != nil || d.StackDepth() == depth {
			return err
		}
	}
}

func (d *decoder) node() (Node, error) {
	token, err := d.begin()
	if err != nil {
		return Node{}, err
	}
	switch token.Kind() {
	case '"':
		return Node{Kind: TextNode, Text: token.String()}, nil
	case '0':
		return Node{Kind: NumberNode, Text: token.String()}, nil
	case 't', 'f':
		return Node{Kind: BoolNode, Truth: token.Bool()}, nil
	case '[':
		return d.list()
	case '{':
		return d.object()
	}
	return Node{}, nil
}

func (d *decoder) list() (Node, error) {
	list := Node{Kind: ListNode}
	for d.PeekKind() != ']' {
		item, err := d.node()
		if err != nil {
			return Node{}, err
		}
		list.Items = append(list.Items, item)
	}
	_, err := d.ReadToken()
	return list, err
}

func (d *decoder) object() (Node, error) {
	object := Node{Kind: ObjectNode}
	for d.PeekKind() != '}' {
		key, err := d.ReadToken()
		if err != nil {
			return Node{}, err
		}
		name := key.String()
		value, err := d.node()
		if err != nil {
			return Node{}, err
		}
		object.Members = append(object.Members, Member{name, value})
	}
	_, err := d.ReadToken()
	return object, err
}
