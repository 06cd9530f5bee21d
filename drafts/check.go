package drafts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/questions/lenient"
)

// Read reads what a model or a person sent for a step, and checks it against its
// shape and all that was accepted. The error is shape.Problems with all mistakes.
// tries is how often the step was refused before: lateness is accepted after
// MaxLateTries, because some dates cannot be kept.
func (d Draft) Read(step Step, raw []byte, tries int) (shape.Object, error) {
	o, err := step.Shape.Read(raw, d.Detail.caps())
	if err != nil {
		return nil, err
	}
	if problems := d.problems(step, o, reading{tries: tries}, d.With(step.ID, o).known()); len(problems) > 0 {
		return nil, problems
	}
	return o, nil
}

// MaxLateTries is how often an output is refused for what may be impossible to mend:
// a late schedule, or a number that code finds nowhere else.
const MaxLateTries = 2

// reading says on what occasion an output is checked.
type reading struct {
	tries int  // how often it was refused before
	again bool // it was accepted before, and is checked beside all others
	apart bool // only contradictions to other outputs are checked
}

// strict reports whether a mistake is refused that may be impossible to mend.
func (r reading) strict() bool { return r.tries < MaxLateTries }

// problems are the mistakes of an output that its shape cannot find.
func (d Draft) problems(step Step, o shape.Object, r reading, k known) shape.Problems {
	c := &checker{draft: d, step: step, out: o, reading: r, known: k}
	c.references()
	if step.Number >= firstChecked && step.Author == Model && !r.apart {
		c.texts()
	}
	if step.check != nil {
		step.check(c)
	}
	return c.found
}

// firstChecked is the number of the first step whose texts are the plan's own, and no
// copy of the prompt.
const firstChecked = 3

// checker checks one output against the others.
type checker struct {
	draft   Draft
	step    Step
	out     shape.Object
	reading reading
	known
	found shape.Problems
}

func (c *checker) add(path, got, allowed, example string) { c.found.Add(path, got, allowed, example) }

// known is what the checks of all steps look up. It is made once for all of them.
type known struct {
	patterns patterns
	ids      map[string][]string // of all outputs, by prefix
	banned   map[string]string   // words by the ids of their constraints
	said     string              // all that the person wrote, in lower case
	facts    []knownFact
}

// knownFact is a fact with a number, as texts name it.
type knownFact struct {
	key, words, unit string // in lower case
	number           float64
}

// known looks through all outputs.
func (d Draft) known() known {
	said := d.said()
	k := known{patterns: d.patterns(), ids: map[string][]string{}, banned: d.wordsOf("banned_word"), said: strings.ToLower(said)}
	for _, s := range Steps(d.Detail) {
		s.Shape.Walk(d.Output(s.ID), func(_ string, f shape.Field, value any) any {
			if id, ok := value.(string); ok && f.Kind == shape.ID {
				k.ids[f.Prefix] = append(k.ids[f.Prefix], id)
			}
			return value
		})
	}
	for _, fact := range d.Output("facts").Records("facts") {
		if number, ok := fact["number"].(float64); ok {
			key := fact.Text("key")
			k.facts = append(k.facts, knownFact{key, strings.ReplaceAll(key, "_", " "), strings.ToLower(fact.Text("unit")), number})
		}
	}
	return k
}

// references checks that every id that is referred to exists.
func (c *checker) references() {
	c.step.Shape.Walk(c.out, func(path string, f shape.Field, value any) any {
		if f.Kind != shape.Ref && f.Kind != shape.When {
			return value
		}
		id, _ := value.(string)
		prefix := f.Prefix
		if f.Kind == shape.When {
			prefix = strings.TrimRight(id, "0123456789 ")
		}
		day, err := schedule.ParseDate(id)
		if f.Kind == shape.When && err == nil && c.draft.Start.DaysUntil(day) < 0 {
			c.add(path, id, "a day from "+c.draft.Start.String()+" on", "")
		}
		refers := f.Kind == shape.Ref && prefix != "" || // tasks have no prefix; the checks of their steps look for those
			f.Kind == shape.When && prefix != "Month" && err != nil
		if refers && !slices.Contains(c.ids[prefix], id) {
			allowed, example := "none, as there is no "+prefix, ""
			if len(c.ids[prefix]) > 0 {
				allowed = "one of " + strings.Join(c.ids[prefix], ", ")
			}
			switch {
			case f.Kind == shape.When && len(c.ids[prefix]) > 0:
				allowed = "a day, a month, as Month 3, or " + allowed
			case f.Kind == shape.When:
				allowed, example = "a day, or a month, as Month 3; there is no "+id, "2027-06-18"
			}
			c.add(path, id, allowed, example)
		}
		return value
	})
}

// texts checks what holds for every text: dates that code can read, no forbidden words.
func (c *checker) texts() {
	c.step.Shape.Walk(c.out, func(path string, f shape.Field, value any) any {
		text, ok := value.(string)
		if !ok || f.Kind != shape.Text {
			return value
		}
		for _, date := range c.patterns.foreignDates(text, c.said, c.draft.Start) {
			c.add(path, "the date "+lenient.Quote(date), "a day from "+c.draft.Start.String()+" on, written so, or one of the prompt, as it stands there", `"2027-06-18"`)
		}
		for id, word := range c.banned {
			if containsWord(text, word) {
				c.add(path, lenient.Quote(word), fmt.Sprintf("any other word: %s forbids this one", id), "")
			}
		}
		return value
	})
}

// said returns all that the person wrote: the prompt and the answers.
func (d Draft) said() string {
	text := d.Prompt
	for _, id := range []string{"choose", "confirm"} {
		if s, ok := d.Step(id); ok && d.Output(id) != nil {
			text += "\n" + strings.Join(s.Shape.Lines(d.Output(id), shape.Whole), "\n")
		}
	}
	return text
}

// wordsOf returns the words of all checks with an operation, by the id of their
// constraint.
func (d Draft) wordsOf(op string) map[string]string {
	words := map[string]string{}
	for _, constraint := range d.Output("brief").Records("constraints") {
		if check := constraint.Record("check"); check.Text("op") == op {
			words[constraint.Text("id")] = check.Text("value")
		}
	}
	return words
}

// containsWord reports whether a text contains a word or several, as whole words
// in any case.
func containsWord(text, word string) bool {
	return hasWord(strings.ToLower(text), strings.ToLower(strings.Trim(word, `"'“”„ `)))
}

// hasWord is containsWord for a text and words that are in lower case.
func hasWord(text, word string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		if !letterAt(text, at-1, true) && !letterAt(text, at+len(word), false) {
			return true
		}
		from = at + len(word)
	}
}

// letterAt reports whether the character that ends before byte at (or begins
// there) is a letter or a digit. before counts at as the last byte of it.
func letterAt(text string, at int, before bool) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	if before {
		r, _ = utf8.DecodeLastRuneInString(text[:at+1])
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// maximum returns the least value of all checks with an operation, and the
// constraint that has it.
func (d Draft) maximum(op string) (least float64, id string, found bool) {
	for _, constraint := range d.Output("brief").Records("constraints") {
		check := constraint.Record("check")
		if check.Text("op") != op {
			continue
		}
		n, ok := checkNumber(op, check.Text("value"))
		if ok && (!found || n < least) {
			least, id, found = n, constraint.Text("id"), true
		}
	}
	return least, id, found
}

// checkNumber reads the value of a check that is a number: "60000", "60.000 EUR", "540 days". It
// refuses days that are counted in another unit, such as "18 months".
func checkNumber(op, value string) (float64, bool) {
	number := Draft{}.patterns().amount().FindString(value)
	before, after, _ := strings.Cut(value, number)
	if number == "" || strings.ContainsAny(before, "-−") || strings.ContainsAny(after, "0123456789") {
		return 0, false
	}
	unit := strings.ToLower(strings.Trim(after, " ."))
	if op == "max_days" && unit != "" && !slices.Contains(dayWords(), unit) {
		return 0, false
	}
	return likeliest(number), true
}

// dayWords are the words for days in the languages of months.
func dayWords() []string {
	return strings.Fields("d day days tag tage tagen jour jours día días giorno giorni dag dagen dage dager dagar")
}

// doubted checks that no two records of a list are about the same one.
func (c *checker) doubted(path string, doubts []shape.Object) {
	seen := map[string]bool{}
	for i, doubt := range doubts {
		id := doubt.Text("id")
		if seen[id] {
			c.add(fmt.Sprintf("%s[%d].id", path, i), id+" twice", "each one once", "")
		}
		seen[id] = true
	}
}
