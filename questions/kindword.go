package questions

import (
	"fmt"
	"slices"

	"planb/questions/lenient"
)

// kind finds a question's kind: by its name, by a word that models use for it, by
// multiSelect, or by fields that only one kind has. found is nil if none of these
// gives a kind. loose is true if "kind" holds another word than the kind's name.
func (r *reader) kind(o *lenient.Object) (found rules, loose bool) {
	many, hasMany := o.Get(multiSelect)
	hasMany = hasMany && !many.Blank()
	multi := r.Boolean(o, multiSelect, false)
	choice := choiceRules{Single}
	if multi {
		choice = choiceRules{Multi}
	}
	n, given := o.Get("kind")
	if !given || n.Blank() {
		if hasMany {
			return choice, false
		}
		for _, kind := range kindRules() {
			if kind.implied(o) {
				return kind, false
			}
		}
		r.Problems.Add(o.Place("kind"), got(n, given), kindNames(), `"kind":"text"`)
		return nil, false
	}
	word, _ := lenient.Plain(n)
	kind, weak, ok := kindMeant(word)
	if !ok {
		r.Problems.Add(o.Place("kind"), n.String(), kindNames(), kindHint(word))
		if o.Has("options") {
			return choice, false // so the other mistakes in the question are reported, too
		}
		return nil, false
	}
	if weak && hasMany {
		return choice, false
	}
	if fits := kind.kind() == Multi; multi && !fits || hasMany && !multi && fits {
		r.Problems.Add(o.Place(multiSelect), many.String(), fmt.Sprintf("%t, since kind is %s", fits, kind.kind()), "")
	}
	return kind, !lenient.SameName(word, string(kind.kind()))
}

// kindFirst inserts a Problem about the kind at index from, before the other
// problems of the question. The agent's word for the kind may have meant another
// kind, and then the other problems follow from that.
func (r *reader) kindFirst(o *lenient.Object, kind rules, from int) {
	n, _ := o.Get("kind")
	r.Problems = slices.Insert(r.Problems, from, Problem{
		Where: o.Place("kind"), Got: n.String(), Allowed: kindNames(), Example: fmt.Sprintf(`"kind":%q`, kind.kind()),
	})
}

// got describes a field's value for a Problem.
func got(n lenient.Node, given bool) string {
	if !given {
		return "nothing"
	}
	return n.String()
}

// kindMeant finds the kind that a word names. weak is true if multiSelect may
// overrule the word.
func kindMeant(word string) (found rules, weak, ok bool) {
	for _, kind := range kindRules() {
		if lenient.SameName(word, string(kind.kind())) {
			return kind, false, true
		}
	}
	for _, kind := range kindRules() {
		firm, loosely := kind.words()
		named := func(w string) bool { return lenient.SameName(word, w) }
		if slices.ContainsFunc(firm, named) {
			return kind, false, true
		}
		if slices.ContainsFunc(loosely, named) {
			return kind, true, true
		}
	}
	return nil, false, false
}

// kindHint returns an example of a kind to use instead of an unknown word.
func kindHint(word string) string {
	meant := func(w string) bool { return lenient.SameName(word, w) }
	switch {
	case slices.ContainsFunc([]string{"boolean", "bool", "confirm", "yesno", "toggle"}, meant):
		return `"kind":"single","options":["yes","no"],"other":false`
	case meant("multiplechoice"):
		return `"kind":"single" to pick one, "kind":"multi" to pick several`
	}
	return `"kind":"text"`
}
