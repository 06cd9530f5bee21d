package questions

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Value is one answer: a text (text, longtext, single), a list of texts
// (multi) or a number (scale). The zero Value is no answer.
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

// TextValue is a text answer.
func TextValue(s string) Value { return Value{kind: textValue, text: s} }

// ItemsValue is a multi answer.
func ItemsValue(items ...string) Value { return Value{kind: itemsValue, items: items} }

// NumberValue is a scale's answer.
func NumberValue(n float64) Value { return Value{kind: numberValue, number: n} }

// IsZero reports whether there is no answer.
func (v Value) IsZero() bool { return v.kind == noValue }

// Text returns a text answer; ok is false for another type.
func (v Value) Text() (text string, ok bool) { return v.text, v.kind == textValue }

// Items returns a multi answer; ok is false for another type.
func (v Value) Items() (items []string, ok bool) { return v.items, v.kind == itemsValue }

// Number returns a scale's answer; ok is false for another type.
func (v Value) Number() (number float64, ok bool) { return v.number, v.kind == numberValue }

// MarshalJSON writes a string, an array of strings or a number.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case textValue:
		return json.Marshal(v.text)
	case itemsValue:
		if v.items == nil {
			return []byte("[]"), nil
		}
		return json.Marshal(v.items)
	case numberValue:
		return []byte(FormatNumber(v.number)), nil
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Value) UnmarshalJSON(data []byte) error {
	var decoded any
	if err := json.Unmarshal(data, &decoded); err != nil {
		return err
	}
	switch got := decoded.(type) {
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
				return fmt.Errorf("an answer's item %d is %T, not a text", i, item)
			}
			items = append(items, text)
		}
		*v = ItemsValue(items...)
	default:
		return fmt.Errorf("an answer is %T, not a text, a list of texts or a number", decoded)
	}
	return nil
}

// FormatNumber writes a number as short as it can be read back, without an
// exponent: 4, 2.5, 0.1.
func FormatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
