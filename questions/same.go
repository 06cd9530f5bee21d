package questions

import (
	"slices"
	"strings"
	"unicode"

	"planb/questions/safe"
)

// An answer is remembered for the question it was given to. Whether a question
// is one that was asked before nobody can know: agents word it anew, number
// their ids anew, and use one id for many things. So what is taken for the same
// is only ever shown to a person, never filled in, and these rules would rather
// show nothing than another question's answer:
//
//   - the answers must be of one family of kinds: written, chosen, or a number;
//   - the same words are the same question, whatever its id;
//   - with the same id other words may do: where the id says what is asked for,
//     a word or an option in common; where it says nothing ("q1", "name"), at
//     least half of the words that carry meaning.

// SameAs reports whether this is the question that was asked before.
func (q Question) SameAs(earlier Question) bool {
	is, ok := rulesOf(q.Kind)
	was, known := rulesOf(earlier.Kind)
	if !ok || !known || is.family() == "" || is.family() != was.family() {
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
	if telling(q.ID) {
		return common > 0 || q.sharesOption(earlier)
	}
	return common > 0 && 2*common >= all
}

// Wording is a text's words alone: in lower case, without punctuation and
// emoji, one space apart. Texts of which it is the same say the same. It is to be
// compared and never shown.
func Wording(text safe.Text) string {
	var out strings.Builder
	apart := false
	for _, r := range text.Raw() {
		switch {
		case r == '\'' || r == '’': // don't, dont
			continue
		case !wordly(r):
			apart = true
			continue
		}
		if (apart || unspaced(r)) && out.Len() > 0 {
			out.WriteByte(' ')
		}
		apart = unspaced(r)
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// wordly reports whether a character is part of a word. Signs that tell C++ from
// C# and 5 % from 5 $ are.
func wordly(r rune) bool {
	return r == '#' || r == '%' || unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.N, unicode.Sm, unicode.Sc) &&
		!unicode.Is(unicode.Variation_Selector, r) // those of emoji
}

// unspaced reports whether a character belongs to a script without spaces
// between words: there each stands for itself.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// significant is the words that say what is asked for, each once.
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

// askingWords are words that questions have whatever they ask for.
func askingWords() []string {
	return strings.Fields(`a an and any are as at be by called can choose could do does else for from get have how i if in into is it
		its like many me more much my no not of on one or our pick please prefer select should that the there these this those to
		use used using want we what whats when where which who why will with would yes you your`)
}

// overlap counts the words that both lists have, and those that one of them has.
func overlap(a, b []string) (common, all int) {
	for _, word := range a {
		if slices.Contains(b, word) {
			common++
		}
	}
	return common, len(a) + len(b) - common
}

// telling reports whether an id says what is asked for. Ids that are only
// counted, or that any form may have, do not.
func telling(id string) bool {
	word := strings.TrimRight(strings.ToLower(id), "0123456789-_ .")
	if len(word) < 3 {
		return false
	}
	return !slices.Contains(strings.Fields(`answer choice choices comment comments confirm confirmation decision description details
		else feedback field go goal go_ahead input item kind label level mode name note notes number ok okay option options other
		param plan preference priority proceed question questions ready response scope select selection setting size start step
		style text title type value version`), word)
}

// sharesOption reports whether both questions offer the same thing.
func (q Question) sharesOption(earlier Question) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return earlier.optionLike(o) >= 0 })
}

// optionLike is the option that says the same, -1 if there is none or if there
// are several.
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

// Refit is as much of an answer to an earlier question as answers this one: an
// option that is not offered any more is not, nor a number on a scale with other
// ends. What the person wrote under "Other…" needs one here. Whole is whether
// that is all of the answer; without any fit is the zero Value.
func (q Question) Refit(earlier Question, answer Value) (fit Value, whole bool) {
	kind, ok := rulesOf(q.Kind)
	was, known := rulesOf(earlier.Kind)
	if !ok || !known || kind.family() == "" || kind.family() != was.family() {
		return Value{}, false
	}
	fit, whole = kind.refit(q, earlier, answer)
	if fit.IsZero() || len(kind.check(q, fit)) > 0 {
		return Value{}, false
	}
	return fit, whole
}
