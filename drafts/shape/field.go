package shape

import (
	"strconv"
	"strings"
)

// Shape is the declaration of an output: the fields of one JSON object.
type Shape []Field

// Field is the declaration of one field.
type Field struct {
	Name     string
	Kind     Kind
	Words    int      // of a text, at most
	Choices  []string // of a choice
	Prefix   string   // of an id and of a reference: "L" of L1
	Sample   string   // of an id or a time: an example that shows its form better than the usual one, such as 1.1
	Fields   Shape    // of a record; the one field of a map declares its values
	List     bool     // a list of what Kind says
	Lines    bool     // of a list of texts: a text with line breaks is several items
	Min, Max int      // items of a list, or the least and greatest number; 0 and 0 for any
	Brief    int      // most items in a brief draft; 0 for Max
	Optional bool
	Key      bool // stays in a digest
	Unread   bool // for checks and people only; later models do not read it
}

// Kind is the type of a field, or of the items of a list.
type Kind uint8

const (
	Text    Kind = iota
	Number       // whole
	Decimal      // any number
	Flag         // true or false
	Choice       // one of Choices
	ID           // Prefix and a number: "L1"; with an empty prefix numbers and dots: "1.2"
	Ref          // an id of another record
	Day          // "2027-01-31"
	When         // a day, a month, or the id of a day or a milestone: "2027-06-18", "Month 3", "Y3", "M2"
	Link         // the id of what is followed, with a lag in days or without: "2.1+3"
	Record       // an object with Fields
	Map          // an object with keys of its own
)

// Caps chooses the limits of lists.
type Caps uint8

const (
	Full Caps = iota
	Brief
)

// Plain is how many words a text may have that declares no number of its own.
const Plain = 25

// Most returns how many items a list may have.
func (f Field) Most(c Caps) int {
	if c == Brief && f.Brief > 0 {
		return f.Brief
	}
	return f.Max
}

// item returns the declaration of one item of a list.
func (f Field) item() Field {
	f.List, f.Min, f.Max, f.Brief, f.Optional = false, 0, 0, 0, false
	return f
}

// value returns the declaration of a map's values. If another version of planb stored an
// object where this one declares none, the values count as texts.
func (f Field) value() Field {
	if len(f.Fields) == 0 {
		return Field{}
	}
	return f.Fields[0]
}

// names lists the fields for an error.
func (s Shape) names() string {
	list := make([]string, 0, len(s))
	for _, f := range s {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}

// count words how many items a list has: "2–5", "exactly 3".
func (f Field) count(c Caps) string {
	most := f.Most(c)
	switch {
	case f.Min == most:
		return "exactly " + strconv.Itoa(most)
	case f.Min == 0:
		return "at most " + strconv.Itoa(most)
	}
	return strconv.Itoa(f.Min) + " to " + strconv.Itoa(most)
}
