package questions

import "strings"

// rules is everything that is special about one kind of question. A new kind
// is a constant of type Kind, a file kind_<name>.go with its rules, a line in
// kindRules, and what it needs to keep in Question and Field. Nothing else in
// this package tells the kinds apart, the shorthand multiSelect excepted.
type rules interface {
	kind() Kind

	// words are other names for the kind. The first return value holds those
	// that settle it, the second those that a multiSelect field may overrule.
	words() (firm, loose []string)

	// fields are those the kind has beside the ones of every question.
	fields() []field

	// implied reports whether a question without a kind must be of this one.
	implied(o *object) bool

	// read fills in the kind's fields from o.
	read(r *reader, o *object, q *Question)

	// readDefault reads a default in any of the shapes models give it; ok is
	// false if it has none of them. What it returns is checked like an answer.
	readDefault(q Question, n node) (v Value, ok bool)

	// check returns what is wrong with a non-zero answer, each Problem's place
	// relative to the answer.
	check(q Question, v Value) Problems

	// tidy makes equal answers the same: it takes an answer that has passed
	// check or may yet fail it.
	tidy(q Question, v Value) Value

	// value is the answer a half-filled field amounts to, zero if none.
	value(q Question, f Field) Value

	// field is the field that amounts to the answer.
	field(q Question, v Value) Field

	// family is what kinds have in common whose answers may be each other's;
	// empty for one whose answers are nobody else's.
	family() string

	// refit is as much of an answer to an earlier question of the family as
	// answers q, and whether that is all of it. What it returns is checked.
	refit(q, earlier Question, v Value) (fit Value, whole bool)

	// ownWords reports whether the person wrote the answer, or an item of it,
	// instead of choosing it.
	ownWords(q Question, v Value) bool
}

// kindRules returns the rules of every kind an agent may ask, in the order errors
// name them.
func kindRules() []rules {
	return []rules{
		textRules{Text}, textRules{LongText},
		choiceRules{Single}, choiceRules{Multi},
		scaleRules{},
	}
}

// rulesOf returns the rules of a kind; ok is false for one that is not known.
func rulesOf(k Kind) (found rules, ok bool) {
	for _, r := range append(kindRules(), reviewRules{}) {
		if r.kind() == k {
			return r, true
		}
	}
	return nil, false
}

// Kinds returns the kinds of question an agent may ask.
func Kinds() []Kind {
	var kinds []Kind
	for _, r := range kindRules() {
		kinds = append(kinds, r.kind())
	}
	return kinds
}

// kindNames lists the kinds for an error.
func kindNames() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
