package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"planb/plainjson"
)

// JSON is JSON with comments and trailing commas, as editors' configuration
// files have it.
type JSON struct{}

// maxNesting is more than any configuration needs, and safe for a recursive
// parser.
const maxNesting = 1000

// Decode implements Format. If an object has a name twice, the last one counts.
func (JSON) Decode(text []byte) (map[string]any, error) {
	if blank(text) {
		return map[string]any{}, nil
	}
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	if _, isObject := root.Value.(*hujson.Object); !isObject {
		return nil, &SyntaxError{lineOf(text, root.StartOffset), 1, "the file is JSON, but not an object { … }"}
	}
	data, err := decodeJSON(root)
	if err != nil {
		return nil, err
	}
	return data.(map[string]any), nil
}

// decodeJSON decodes a value. It modifies value.
func decodeJSON(value hujson.Value) (any, error) {
	value.Standardize()
	decoder := json.NewDecoder(bytes.NewReader(value.Pack()))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		return nil, &SyntaxError{1, 1, err.Error()}
	}
	return numbers(data), nil
}

// numbers turns the decoder's numbers into int64 if they are whole, else into
// float64.
func numbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			v[key] = numbers(below)
		}
	case []any:
		for i, below := range v {
			v[i] = numbers(below)
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
		return v.String() // beyond float64: compared as text
	}
	return value
}

// parseJSON parses a text that is not blank. The offsets in the result are
// offsets in text, even if that begins with a byte order mark.
func parseJSON(text []byte) (hujson.Value, error) {
	text = bytes.Clone(text) // the tree refers to the text
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		copy(text, "   ") // white space of the same length
	}
	if at := tooDeep(text); at >= 0 {
		return hujson.Value{}, &SyntaxError{lineOf(text, at), at - lineStart(text, at) + 1, fmt.Sprintf("nested more than %d deep", maxNesting)}
	}
	root, err := hujson.Parse(text)
	if err == nil {
		return root, nil
	}
	var e SyntaxError
	if _, scan := fmt.Sscanf(err.Error(), "hujson: line %d, column %d: ", &e.Line, &e.Column); scan != nil {
		return root, &SyntaxError{1, 1, err.Error()}
	}
	_, e.Reason, _ = strings.Cut(err.Error(), fmt.Sprintf("column %d: ", e.Column))
	return root, &e
}

// tooDeep returns the offset where brackets outside strings open more than
// maxNesting levels, else -1. It also counts brackets in comments, which never
// have so many.
func tooDeep(text []byte) int {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"' || inString && c == '\n':
			inString = !inString && c == '"'
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}

// encode formats a value as JSON and also TOML: TOML's strings allow all
// characters of JSON's except one, which encode escapes.
func encode(value any) string {
	var out strings.Builder
	switch v := value.(type) {
	case []any:
		out.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				out.WriteString(", ")
			}
			out.WriteString(encode(item))
		}
		out.WriteByte(']')
	default:
		text, err := plainjson.Marshal(v)
		if err != nil {
			panic("edit: " + err.Error()) // strings, bools and integers always encode
		}
		out.Write(text)
	}
	return strings.ReplaceAll(out.String(), "\x7f", `\u007f`)
}
