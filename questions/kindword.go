package questions

import (
	"fmt"
	"slices"
)

// kind finds a question's kind: by name, by a word models use for it, by
// multiSelect, or by fields that only one kind has.
func (r *reader) kind(o *object) (rules, bool) {
	many, atMany, hasMany := o.get("multiSelect")
	hasMany = hasMany && !many.blank()
	multi := r.truth(o, "multiSelect", false)
	choice := choiceRules{Single}
	if multi {
		choice = choiceRules{Multi}
	}
	n, at, given := o.get("kind")
	if !given || n.blank() {
		if hasMany {
			return choice, true
		}
		for _, kind := range kindRules() {
			if kind.implied(o) {
				return kind, true
			}
		}
		r.problems.add(at, got(n, given), kindNames(), `"kind":"text"`)
		return nil, false
	}
	word, _ := plain(n)
	kind, loose, ok := kindMeant(word)
	if !ok {
		r.problems.add(at, n.String(), kindNames(), kindHint(word))
		return nil, false
	}
	if loose && hasMany {
		return choice, true
	}
	if fits := kind.kind() == Multi; multi && !fits || hasMany && !multi && fits {
		r.problems.add(atMany, many.String(), fmt.Sprintf("%t, since kind is %s", fits, kind.kind()), "")
	}
	return kind, true
}

// got describes a field for a Problem.
func got(n node, given bool) string {
	if !given {
		return "nothing"
	}
	return n.String()
}

// kindMeant finds the kind that a word names.
func kindMeant(word string) (found rules, loose, ok bool) {
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
