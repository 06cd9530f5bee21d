package questions

import (
	"slices"
	"strings"
	"unicode"

	"planb/questions/safe"
)

// planb remembers the answer to a question. Whether a later question is the same
// one is a guess: agents change the words, renumber their ids, and use one id for
// many things. So planb only shows the remembered answer to the person and never
// fills it in. The rules below are strict, because the answer to another question
// is worse than none:
//
//   - The answers must be of one family of kinds: written, chosen, or a number.
//   - Questions with the same words are the same, whatever their ids.
//   - Questions with the same id may differ in words. If the id says what is asked
//     for, one common word or option is enough. If it does not ("q1", "name"), at
//     least half of the meaningful words must be common.

// SameAs reports whether q probably asks what earlier asked.
func (q Question) SameAs(earlier Question) bool {
	if _, ok := q.commonRules(earlier); !ok {
		return false
	}
	words, before := Wording(q.Label), Wording(earlier.Label)
	if words != "" && words == before {
		return true
	}
	if q.ID != earlier.ID {
		return false
	}
	a, b := significant(words), significant(before)
	common, all := overlap(a, b)
	if isDescriptive(q.ID) {
		return common > 0 || q.sharesOption(earlier)
	}
	return common > 0 && 2*common >= all
}

// Wording returns a text's words: in lower case, one space apart, without
// punctuation and emoji. Two texts with the same Wording say the same. The result
// is for comparing, never for showing.
func Wording(text safe.Text) string {
	var out strings.Builder
	apart := false
	for _, r := range text.Raw() {
		switch {
		case r == '\'' || r == '’': // don't, dont
			continue
		case !isWordRune(r):
			apart = true
			continue
		}
		if (apart || isUnspaced(r)) && out.Len() > 0 {
			out.WriteByte(' ')
		}
		apart = isUnspaced(r)
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// isWordRune reports whether a character is part of a word. So are the signs that
// distinguish C++ from C# and 5 % from 5 $.
func isWordRune(r rune) bool {
	return r == '#' || r == '%' || unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.N, unicode.Sm, unicode.Sc) &&
		!unicode.Is(unicode.Variation_Selector, r) // these are marks, but belong to emoji
}

// isUnspaced reports whether a character belongs to a script without spaces
// between words. There each character counts as a word.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// significant returns the words that say what is asked for, each once.
func significant(words string) []string {
	var list []string
	asking := askingWords()
	for word := range strings.FieldsSeq(words) {
		if !slices.Contains(asking, word) && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// askingWords returns words that occur in questions about anything.
func askingWords() []string {
	return strings.Fields(`a an and any are as at be by called can choose could do does else for from get have how i if in into is it
		its like many me more much my no not of on one or our pick please prefer select should that the there these this those to
		use used using want we what whats when where which who why will with would yes you your`)
}

// overlap returns how many words both lists have, and how many different words
// there are in all.
func overlap(a, b []string) (common, all int) {
	for _, word := range a {
		if slices.Contains(b, word) {
			common++
		}
	}
	return common, len(a) + len(b) - common
}

// isDescriptive reports whether an id says what is asked for. A mere number does
// not, nor an id that any form may have.
func isDescriptive(id string) bool {
	word := strings.TrimRight(strings.ToLower(id), "0123456789-_ .")
	if len(word) < 3 {
		return false
	}
	return !slices.Contains(strings.Fields(`answer choice choices comment comments confirm confirmation decision description details
		else feedback field go goal go_ahead input item kind label level mode name note notes number ok okay option options other
		param plan preference priority proceed question questions ready response scope select selection setting size start step
		style text title type value version`), word)
}

// sharesOption reports whether both questions offer some option.
func (q Question) sharesOption(earlier Question) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return earlier.optionLike(o) >= 0 })
}

// optionLike returns the index of the option that says the same as o: the one
// with its value, else the only one with the same words. It is -1 if there is
// none, or several.
func (q Question) optionLike(o Option) int {
	if at := q.option(o.Value.Raw()); at >= 0 {
		return at
	}
	found := -1
	for i, own := range q.Options {
		if !alike(own.Value, o.Value) && !alike(own.Shown(), o.Shown()) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func alike(a, b safe.Text) bool {
	words := Wording(a)
	return words != "" && words == Wording(b)
}

// commonRules returns the rules of q if its kind and that of the other question
// are of one family.
func (q Question) commonRules(other Question) (rules, bool) {
	own, ok := rulesOf(q.Kind)
	others, known := rulesOf(other.Kind)
	return own, ok && known && own.family() != "" && own.family() == others.family()
}

// Refit returns the part of the answer to an earlier question that also answers
// q. It leaves out an option that q does not offer, and a number from a scale with
// other ends. A text written under "Other…" fits only if q has "Other…", too. fit
// is zero if no part fits; whole reports whether all of the answer fits.
func (q Question) Refit(earlier Question, answer Value) (fit Value, whole bool) {
	kind, ok := q.commonRules(earlier)
	if !ok {
		return Value{}, false
	}
	fit, whole = kind.refit(q, earlier, answer)
	if fit.IsZero() || len(kind.check(q, fit)) > 0 {
		return Value{}, false
	}
	return fit, whole
}
