package questions

import (
	"fmt"
	"slices"
)

// kind finds a question's kind: by name, by a word models use for it, by
// multiSelect, or by fields that only one kind has. It is nil if nothing tells
// what the question could be. loose says that a word was understood which is no
// kind's name.
func (r *reader) kind(o *object) (found rules, loose bool) {
	many, atMany, hasMany := o.get(multiSelect)
	hasMany = hasMany && !many.blank()
	multi := r.truth(o, multiSelect, false)
	choice := choiceRules{Single}
	if multi {
		choice = choiceRules{Multi}
	}
	n, at, given := o.get("kind")
	if !given || n.blank() {
		if hasMany {
			return choice, false
		}
		for _, kind := range kindRules() {
			if kind.implied(o) {
				return kind, false
			}
		}
		r.problems.add(at, got(n, given), kindNames(), `"kind":"text"`)
		return nil, false
	}
	word, _ := plain(n)
	kind, overruled, ok := kindMeant(word)
	if !ok {
		r.problems.add(at, n.String(), kindNames(), kindHint(word))
		if o.has("options") {
			return choice, false // what else is wrong with it is told, too
		}
		return nil, false
	}
	if overruled && hasMany {
		return choice, false
	}
	if fits := kind.kind() == Multi; multi && !fits || hasMany && !multi && fits {
		r.problems.add(atMany, many.String(), fmt.Sprintf("%t, since kind is %s", fits, kind.kind()), "")
	}
	return kind, !sameName(word, string(kind.kind()))
}

// kindFirst puts before the problems of a question, from that one on, that its
// kind was told by a word which may have meant another.
func (r *reader) kindFirst(o *object, kind rules, from int) {
	n, at, _ := o.get("kind")
	r.problems = slices.Insert(r.problems, from, Problem{at, n.String(), kindNames(), fmt.Sprintf(`"kind":%q`, kind.kind())})
}

// got describes a field for a Problem.
func got(n node, given bool) string {
	if !given {
		return "nothing"
	}
	return n.String()
}

// kindMeant finds the kind that a word names; multiSelect may overrule it.
func kindMeant(word string) (found rules, overruled, ok bool) {
	for _, kind := range kindRules() {
		if sameName(word, string(kind.kind())) {
			return kind, false, true
		}
	}
	for _, kind := range kindRules() {
		firm, loosely := kind.words()
		named := func(w string) bool { return sameName(word, w) }
		if slices.ContainsFunc(firm, named) {
			return kind, false, true
		}
		if slices.ContainsFunc(loosely, named) {
			return kind, true, true
		}
	}
	return nil, false, false
}

// kindHint is an example for a word that names no kind but has a clear use.
func kindHint(word string) string {
	meant := func(w string) bool { return sameName(word, w) }
	switch {
	case slices.ContainsFunc([]string{"boolean", "bool", "confirm", "yesno", "toggle"}, meant):
		return `"kind":"single","options":["yes","no"],"other":false`
	case meant("multiplechoice"):
		return `"kind":"single" to pick one, "kind":"multi" to pick several`
	}
	return `"kind":"text"`
}
