package questions

import (
	"strings"
	"unicode/utf8"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// textRules holds the rules of Text and LongText: the person writes. The only
// difference is that Text has a single line.
type textRules struct{ k Kind }

func (t textRules) kind() Kind { return t.k }

func (t textRules) words() (firm, loose []string) {
	if t.k == Text {
		return []string{"string", "input", "shorttext", "short", "line", "free", "freetext", "open"}, nil
	}
	return []string{"textarea", "multiline", "paragraph", "long", "essay", "markdown"}, nil
}

func (t textRules) fields() []lenient.Field {
	return []lenient.Field{lenient.Named("placeholder")}
}

func (t textRules) implied(*lenient.Object) bool { return false }

func (t textRules) read(r *reader, o *lenient.Object, q *Question) {
	q.Placeholder = r.Optional(o, "placeholder", MaxPlaceholderBytes)
}

func (t textRules) readDefault(_ Question, n lenient.Node) (Value, bool) {
	s, ok := lenient.Plain(n)
	return TextValue(s), ok
}

func (t textRules) check(_ Question, v Value) Problems {
	text, ok := v.Text()
	switch {
	case !ok:
		return Problems{{Got: v.String(), Allowed: "a text", Example: `"as you like"`}}
	case safe.New(text).Blank():
		return Problems{{Got: "a blank text", Allowed: "a text, or no answer at all"}}
	case !utf8.ValidString(text):
		return Problems{{Got: "text that is not UTF-8", Allowed: "UTF-8"}}
	case t.k == Text && strings.ContainsAny(text, "\r\n"):
		return Problems{{Got: "a text of several lines", Allowed: "one line, or kind longtext for more"}}
	}
	return nil
}

func (t textRules) tidy(_ Question, v Value) Value {
	if text, ok := v.Text(); ok && safe.New(text).Blank() {
		return Value{}
	}
	return v
}

func (t textRules) value(q Question, f Field) Value { return t.tidy(q, TextValue(f.Text.Raw())) }

func (t textRules) field(_ Question, v Value) Field {
	text, _ := v.Text()
	return Field{Text: safe.New(text)}
}

func (t textRules) family() string { return "text" }

func (t textRules) refit(_, _ Question, v Value) (Value, bool) { return v, true }

func (t textRules) ownWords(Question, Value) bool { return false }
