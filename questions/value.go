package questions

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"planb/plainjson"
	"planb/questions/lenient"
	"planb/questions/safe"
)

// Value is one answer: a text (text, longtext, single), a list of texts
// (multi) or a number (scale). The zero Value is no answer. A Value never
// changes.
type Value struct {
	kind   valueKind
	text   string
	items  []string
	number float64
}

type valueKind uint8

const (
	noValue valueKind = iota
	textValue
	itemsValue
	numberValue
)

// TextValue returns a text answer.
func TextValue(s string) Value { return Value{kind: textValue, text: s} }

// ItemsValue returns a multi answer.
func ItemsValue(items ...string) Value { return Value{kind: itemsValue, items: slices.Clone(items)} }

// NumberValue returns a scale's answer. For NaN and infinities it returns the zero
// Value.
func NumberValue(n float64) Value {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return Value{}
	}
	return Value{kind: numberValue, number: n + 0} // + 0 turns -0 into 0
}

// IsZero reports whether there is no answer.
func (v Value) IsZero() bool { return v.kind == noValue }

// Text returns a text answer; ok is false for another type of answer.
func (v Value) Text() (text string, ok bool) { return v.text, v.kind == textValue }

// Items returns a multi answer; ok is false for another type of answer.
func (v Value) Items() (items []string, ok bool) { return slices.Clone(v.items), v.kind == itemsValue }

// Number returns a scale's answer; ok is false for another type of answer.
func (v Value) Number() (number float64, ok bool) { return v.number, v.kind == numberValue }

// InWords returns the parts of an answer as the form shows them: the chosen options by their
// labels, a text or a number. The answer to a review has a form of its own and no parts.
func (q Question) InWords(v Value) []safe.Text {
	if q.Kind == Review {
		return nil
	}
	var parts []safe.Text
	switch v.kind {
	case numberValue:
		return []safe.Text{safe.New(FormatNumber(v.number))}
	case textValue:
		parts = []safe.Text{safe.New(v.text)}
	case itemsValue:
		for _, item := range v.items {
			parts = append(parts, safe.New(item))
		}
	}
	for i, part := range parts {
		for _, option := range q.Options {
			if option.Value == part {
				parts[i] = option.Shown()
			}
		}
	}
	return parts
}

// Equal reports whether both are the same answer, item by item in order.
func (v Value) Equal(w Value) bool {
	return v.kind == w.kind && v.text == w.text && v.number == w.number && slices.Equal(v.items, w.items)
}

// String describes the answer for an error or a log. It quotes and cuts texts and
// replaces characters that a terminal would obey.
func (v Value) String() string {
	switch v.kind {
	case textValue:
		return lenient.Quote(v.text)
	case itemsValue:
		return "[" + lenient.QuoteAll(v.items) + "]"
	case numberValue:
		return "the number " + FormatNumber(v.number)
	}
	return "nothing"
}

// MarshalJSON writes a string, an array of strings or a number. It writes null for
// the zero Value.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case textValue:
		return plainjson.Marshal(v.text)
	case itemsValue:
		if v.items == nil {
			return []byte("[]"), nil
		}
		return plainjson.Marshal(v.items)
	case numberValue:
		return []byte(FormatNumber(v.number)), nil
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Value) UnmarshalJSON(data []byte) error {
	var content any
	if err := json.Unmarshal(data, &content); err != nil {
		return err
	}
	switch got := content.(type) {
	case nil:
		*v = Value{}
	case string:
		*v = TextValue(got)
	case float64:
		*v = NumberValue(got)
	case []any:
		items := make([]string, 0, len(got))
		for i, item := range got {
			text, ok := item.(string)
			if !ok {
				return fmt.Errorf("item %d of an answer is %s; allowed is a text", i, jsonType(item))
			}
			items = append(items, text)
		}
		*v = ItemsValue(items...)
	default:
		return fmt.Errorf("an answer is %s; allowed is a text, a list of texts or a number", jsonType(content))
	}
	return nil
}

func jsonType(content any) string {
	switch content.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	}
	return "an object"
}

// FormatNumber returns the shortest decimal form that reads back as n, without an
// exponent: 4, 2.5, 0.1.
func FormatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
