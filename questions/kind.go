package questions

import "planb/questions/lenient"

import "strings"

// rules holds everything that is special about one kind of question. A new kind
// needs a constant of type Kind, a file kind_<name>.go with its rules, a line in
// kindRules, and its own fields in Question and Field. No other code in this
// package tells the kinds apart, except for the shorthand multiSelect.
type rules interface {
	kind() Kind

	// words returns other names for the kind. A firm word decides the kind. A
	// multiSelect field may overrule a loose one.
	words() (firm, loose []string)

	// fields returns the kind's own fields, without those of every question.
	fields() []lenient.Field

	// implied reports whether a question without "kind" must be of this kind.
	implied(o *lenient.Object) bool

	// read fills in the kind's fields from o.
	read(r *reader, o *lenient.Object, q *Question)

	// readDefault reads a default in any shape that models use; ok is false for
	// any other shape. The caller checks the value like an answer.
	readDefault(q Question, n lenient.Node) (v Value, ok bool)

	// check returns the mistakes in a non-zero answer. Each Problem's place is
	// relative to the answer.
	check(q Question, v Value) Problems

	// tidy gives equal answers one form. The answer need not have passed check.
	tidy(q Question, v Value) Value

	// value returns the answer in a half-filled field; zero if there is none.
	value(q Question, f Field) Value

	// field returns the field whose value is v.
	field(q Question, v Value) Field

	// family names the group of kinds that can use each other's answers; empty
	// for a kind that shares its answers with no other.
	family() string

	// refit returns the part of an answer to an earlier question of the family
	// that also answers q; whole is true if that is all of it. The caller checks
	// the result.
	refit(q, earlier Question, v Value) (fit Value, whole bool)

	// ownWords reports whether the person wrote the answer, or one item of it,
	// instead of choosing it.
	ownWords(q Question, v Value) bool
}

// kindRules returns the rules of every kind that an agent may ask. Errors name
// the kinds in this order.
func kindRules() []rules {
	return []rules{
		textRules{Text}, textRules{LongText},
		choiceRules{Single}, choiceRules{Multi},
		scaleRules{},
	}
}

// rulesOf returns the rules of a kind; ok is false for an unknown kind.
func rulesOf(k Kind) (found rules, ok bool) {
	for _, r := range append(kindRules(), reviewRules{}) {
		if r.kind() == k {
			return r, true
		}
	}
	return nil, false
}

// Kinds returns the kinds of question that an agent may ask.
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
