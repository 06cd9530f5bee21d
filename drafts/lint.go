package drafts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// Finding is something that the outputs contradict in each other.
type Finding struct {
	Step string
	shape.Problem
}

// Lint reads all outputs once more, together: every check of every step, words that must
// occur, wrong numbers beside the words of a fact, and wrong days beside the name of a task. A
// person's edit of one section can contradict another section that was right before. Repaired
// words count as repaired.
func (d Draft) Lint() (list []Finding) {
	d = d.asRepaired(Step{})
	return append(d.contradictions(reading{again: true}), d.missingWords()...)
}

func (d Draft) contradictions(r reading) (list []Finding) {
	k := d.known()
	for _, s := range d.Steps() {
		o := d.Output(s.ID)
		if o == nil || s.Author == Code {
			continue
		}
		for _, p := range d.problems(s, o, r, k) {
			list = append(list, Finding{s.ID, p})
		}
		if s.Number > firstChecked {
			list = append(append(list, d.otherNumbers(s, o, k)...), d.otherDays(s, o, k)...)
		}
	}
	return list
}

// missingWords finds the required words that no text has.
func (d Draft) missingWords() (list []Finding) {
	required := d.wordsOf("required_word")
	for _, id := range slices.Sorted(maps.Keys(required)) {
		found := false
		for _, s := range d.Steps() {
			if s.Number < firstChecked || d.Output(s.ID) == nil {
				continue
			}
			s.Shape.Walk(d.Output(s.ID), func(_ string, _ shape.Field, value any) any {
				text, _ := value.(string)
				found = found || containsWord(text, required[id])
				return value
			})
		}
		if !found {
			list = append(list, Finding{"brief", shape.Problem{
				Path: id, Got: "no section with the word " + lenient.Quote(required[id]), Allowed: "the word at least once",
			}})
		}
	}
	return list
}

// otherNumbers finds numbers right behind the words of a fact's key that are not
// the fact's number: "total budget of 70,000" where total_budget is 60,000. A number
// that the prompt or another fact has says something else: "a second part of at least
// 44,051", "wrong characters in 100".
func (d Draft) otherNumbers(s Step, o shape.Object, k known) (list []Finding) {
	if s.Number <= factsNumber {
		return nil
	}
	var agreed numbers
	s.Shape.Walk(o, func(path string, f shape.Field, value any) any {
		text, ok := value.(string)
		if field, _, _ := strings.Cut(path, "["); !ok || f.Kind != shape.Text || slices.Contains(quoting(), field) {
			return value
		}
		lower := strings.ToLower(text)
		for _, fact := range k.facts {
			behind, found := behindWords(lower, fact.words)
			if !found {
				continue
			}
			said := k.patterns.quantities(behind)
			if fact.unit != "" && !strings.Contains(behind, fact.unit) {
				continue // 60 houses beside "change over" are not its 2 days
			}
			if agreed == nil && len(said) > 0 {
				agreed = d.agreed(k.patterns)
			}
			if len(said) > 0 && !slices.ContainsFunc(said, func(q quantity) bool { return slices.ContainsFunc(agreed, q.means) }) {
				list = append(list, Finding{s.ID, shape.Problem{
					Path: path, Got: fmt.Sprintf("%s beside %q", said[0].text, fact.words),
					Allowed: fmt.Sprintf("%s, the fact %s", shape.FormatNumber(fact.number), fact.key),
				}})
			}
		}
		return value
	})
	return list
}

// quoting names the fields whose texts repeat what another section says, right or wrong.
func quoting() []string { return []string{"repairs", "tested", "changes", "conflicts"} }

// agreed are the numbers of the prompt, of the person's answers and of the facts.
func (d Draft) agreed(p patterns) (all numbers) {
	all = p.numbers(all, d.said())
	if facts, ok := d.Step("facts"); ok {
		all = p.numbersOf(all, facts, d.Output(facts.ID))
	}
	return all
}

// behindWords returns what a sentence says right behind some words, all in lower case.
// One word alone is too common to mean a fact.
func behindWords(text, words string) (string, bool) {
	const reach = 24 // bytes
	at := strings.Index(text, words)
	if at < 0 || !strings.Contains(words, " ") || !hasWord(text, words) {
		return "", false
	}
	rest := text[at+len(words):]
	if end := strings.IndexAny(rest, ".;:!?"); end >= 0 && (end+1 == len(rest) || rest[end+1] == ' ') {
		rest = rest[:end]
	}
	if len(rest) > reach {
		end := reach
		for end < len(rest) && rest[end] != ' ' { // a number is not cut in two
			end++
		}
		rest = rest[:end]
	}
	return rest, true
}
