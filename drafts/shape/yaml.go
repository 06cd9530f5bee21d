package shape

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"planb/questions/lenient"
)

// YAML returns an output as a person edits it: a field a line, with its limits as
// a comment, long texts over several lines. ReadYAML reads it back as the same
// output.
func (s Shape) YAML(o Object, c Caps) []byte {
	p := &printer{caps: c}
	for i, f := range s {
		if i > 0 {
			p.out.WriteByte('\n')
		}
		if value, found := o[f.Name]; found {
			p.field(0, f, value)
		} else {
			fmt.Fprintf(&p.out, "# %s: %s\n", f.Name, cmp.Or(p.limits(f), f.allowed()))
		}
	}
	return []byte(p.out.String())
}

type printer struct {
	out  strings.Builder
	caps Caps
}

// limits words what a field may be, for its comment.
func (p *printer) limits(f Field) string {
	if f.List {
		what := f.count(p.caps)
		if f.Kind != Record {
			what += ", each " + f.item().allowed()
		}
		return what
	}
	if f.Kind == Record || f.Kind == Map {
		return ""
	}
	return f.allowed()
}

func (p *printer) field(indent int, f Field, value any) {
	comment := p.limits(f)
	if indent > 0 && !f.List && f.Kind != Choice { // every item of a list would repeat them
		comment = ""
	}
	if comment != "" {
		fmt.Fprintf(&p.out, "%*s# %s\n", indent, "", comment)
	}
	fmt.Fprintf(&p.out, "%*s%s:", indent, "", f.Name)
	p.value(indent, f, value)
}

// value prints a value behind its key or its dash, with the end of the line.
func (p *printer) value(indent int, f Field, value any) {
	const step = 2
	switch value := value.(type) {
	case []any:
		if len(value) == 0 {
			p.out.WriteString(" []\n")
			return
		}
		p.out.WriteByte('\n')
		for _, item := range value {
			p.item(indent+step, f.item(), item)
		}
	case Object:
		if len(value) == 0 {
			p.out.WriteString(" {}\n")
			return
		}
		p.out.WriteByte('\n')
		if f.Kind == Record {
			p.record(indent+step, f.Fields, value)
			return
		}
		for _, key := range value.Keys() {
			fmt.Fprintf(&p.out, "%*s%s:", indent+step, "", quoted(key))
			p.value(indent+step, f.value(), value[key])
		}
	case string:
		p.text(indent+step, f, value)
	case float64:
		p.out.WriteString(" " + FormatNumber(value) + "\n")
	case bool:
		p.out.WriteString(" " + strconv.FormatBool(value) + "\n")
	}
}

func (p *printer) record(indent int, s Shape, o Object) {
	for _, f := range s {
		if value, found := o[f.Name]; found {
			p.field(indent, f, value)
		}
	}
}

func (p *printer) item(indent int, f Field, item any) {
	record, ok := item.(Object)
	if !ok || f.Kind != Record || len(record) == 0 {
		fmt.Fprintf(&p.out, "%*s-", indent, "")
		p.value(indent, f, item)
		return
	}
	inner := &printer{caps: p.caps}
	inner.record(indent+2, f.Fields, record)
	fmt.Fprintf(&p.out, "%*s- %s", indent, "", strings.TrimLeft(inner.out.String(), " "))
}

// text prints a text. A short one is quoted, a long one is folded at spaces, which
// reading undoes.
func (p *printer) text(indent int, f Field, text string) {
	const width = 78
	if f.Kind != Text {
		p.out.WriteString(" " + quoted(text) + "\n")
		return
	}
	if utf8.RuneCountInString(text)+indent < width || !foldable(text) {
		p.out.WriteString(" " + quotedYAML(text) + "\n")
		return
	}
	p.out.WriteString(" >-")
	column := width
	for word := range strings.SplitSeq(text, " ") {
		if column += 1 + utf8.RuneCountInString(word); column > width {
			fmt.Fprintf(&p.out, "\n%*s", indent, "")
			column = indent + utf8.RuneCountInString(word)
		} else {
			p.out.WriteByte(' ')
		}
		p.out.WriteString(word)
	}
	p.out.WriteByte('\n')
}

// foldable reports whether a text survives the folding of YAML: single spaces
// alone, and only characters that need no escape.
func foldable(text string) bool {
	for _, r := range text {
		if r != ' ' && (unicode.IsSpace(r) || !unicode.IsGraphic(r)) {
			return false
		}
	}
	return strings.Join(strings.Fields(text), " ") == text
}

// quotedYAML is a text in double quotes. It also escapes the characters that JSON allows
// and YAML does not.
func quotedYAML(text string) string {
	var out strings.Builder
	for _, r := range quoted(text) {
		switch {
		case unicode.IsGraphic(r) && r != '\u00a0':
			out.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			fmt.Fprintf(&out, `\U%08x`, r)
		}
	}
	return out.String()
}

// ReadYAML reads an edited output. Its error is Problems, as that of Read; the
// order of fields and the line breaks within texts do not matter.
func (s Shape) ReadYAML(text []byte, c Caps) (Object, error) {
	value, err := decodeYAML(text)
	if err != nil {
		var problems Problems
		problems.Add("", err.Error(), "YAML with the fields "+s.names(), "")
		return nil, problems
	}
	return s.read(value, c)
}

// maxYAMLBytes limits an edited text. Comments and line breaks make it longer than
// the output.
const maxYAMLBytes = 4 * MaxBytes

func decodeYAML(text []byte) (value any, err error) {
	switch {
	case len(text) > maxYAMLBytes:
		return nil, fmt.Errorf("%d bytes, more than %d", len(text), maxYAMLBytes)
	case !utf8.Valid(text):
		return nil, errors.New("text that is not UTF-8")
	}
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	var node, more yaml.Node
	if err := dec.Decode(&node); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("nothing")
		}
		return nil, fmt.Errorf("text that is not YAML (%s)", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	switch err := dec.Decode(&more); {
	case err == nil:
		return nil, errors.New("a second document after ---")
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("text that is not YAML (%s)", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return fromYAML(&node, 0)
}

// fromYAML turns a node into the value that JSON would give. All scalars become
// texts, which Read understands as numbers and flags where it expects them, so
// that the id 1.10 stays 1.10.
func fromYAML(n *yaml.Node, depth int) (any, error) {
	const deepest = 20
	if depth > deepest {
		return nil, fmt.Errorf("line %d nested deeper than %d", n.Line, deepest)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return fromYAML(n.Content[0], depth)
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			value, err := fromYAML(item, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if _, twice := object[key.Value]; twice || key.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("the field %s twice, in line %d", lenient.Quote(key.Value), key.Line)
			}
			value, err := fromYAML(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			object[key.Value] = value
		}
		return object, nil
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return nil, nil
		}
		return n.Value, nil
	}
	return nil, fmt.Errorf("an alias in line %d", n.Line)
}
