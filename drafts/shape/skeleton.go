package shape

import (
	"fmt"
	"strings"
)

// Skeleton returns the shape as a model is shown it: JSON in which each value says
// what it may be. "8w" is a text of at most 8 words; "[2–5 × …]" a list of 2 to 5;
// "name?" a field that may be left out.
func (s Shape) Skeleton(c Caps) string {
	fields := make([]string, 0, len(s))
	for _, f := range s {
		mark := ""
		if f.Optional {
			mark = "?"
		}
		fields = append(fields, `"`+f.Name+mark+`":`+f.skeleton(c))
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func (f Field) skeleton(c Caps) string {
	if f.List {
		count := fmt.Sprintf("%d–%d", f.Min, f.Most(c))
		if f.Min == f.Most(c) {
			count = fmt.Sprint(f.Min)
		}
		return "[" + count + " × " + f.item().skeleton(c) + "]"
	}
	switch f.Kind {
	case Record:
		return f.Fields.Skeleton(c)
	case Map:
		key := `"…"`
		if f.Prefix != "" {
			key = `"` + f.Prefix + `1"`
		}
		return "{" + key + ":" + f.Fields[0].skeleton(c) + ",…}"
	case Text:
		return fmt.Sprintf(`"%dw"`, f.Words)
	case Number, Decimal:
		if f.Min < f.Max {
			return fmt.Sprintf("%d–%d", f.Min, f.Max)
		}
		if f.Kind == Number {
			return "whole number"
		}
		return "number"
	case Flag:
		return "true|false"
	case Choice:
		return `"` + strings.Join(f.Choices, "|") + `"`
	}
	return f.example()
}

// allowed words what a single value may be.
func (f Field) allowed() string {
	switch f.Kind {
	case Number:
		if f.Min < f.Max {
			return fmt.Sprintf("a whole number from %d to %d", f.Min, f.Max)
		}
		return "a whole number"
	case Decimal:
		return "a number"
	case Flag:
		return "true or false"
	case Choice:
		return "one of " + strings.Join(f.Choices, ", ")
	case ID, Ref:
		if f.Prefix == "" {
			return "an id of numbers and dots"
		}
		return "an id of " + f.Prefix + " and a number"
	case Day:
		return "a day of the calendar"
	case When:
		return "a day, a month, or the id of a day or a milestone"
	case Link:
		return "the id of what it follows, with a lag in days or without"
	case Record:
		return "an object with the fields " + f.Fields.names()
	case Map:
		return "an object"
	}
	return fmt.Sprintf("a text of at most %d words", f.Words)
}

// example returns a valid value as JSON; empty if the field needs no example.
func (f Field) example() string {
	if f.Sample != "" {
		return `"` + f.Sample + `"`
	}
	switch f.Kind {
	case ID, Ref:
		if f.Prefix == "" {
			return `"1.2"`
		}
		return `"` + f.Prefix + `1"`
	case Day:
		return `"2027-03-31"`
	case When:
		return `"2027-06-18|Y1|M1"`
	case Link:
		return `"2.1+3"`
	case Number, Decimal:
		return fmt.Sprint(max(1, f.Min))
	}
	return ""
}
