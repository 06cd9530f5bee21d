package drafts

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"planb/drafts/schedule"
)

// patterns find times and amounts in texts.
type patterns struct {
	relative pattern // Month 3, Y3, M2, C1, T4
	dates    []pattern
	year     pattern // a year of the calendar behind a word such as "by"
	clock    pattern
	unit     pattern // what makes 2.45 an amount, and no clock time
	named    pattern // numbers within names: COVID-19, A4
	amount   pattern
	months   map[string]bool

	fourDigits pattern // a year, within a date
}

// pattern is compiled when it is first asked for: most texts need few of them.
type pattern func() *regexp.Regexp

func lazy(expression string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// patterns returns them. They are not kept in package variables, which all drafts would
// share.
func (d Draft) patterns() patterns {
	sorted := slices.Sorted(slices.Values(months())) // what begins alike is then tried once
	month := `(?:` + strings.Join(sorted, "|") + `)`
	names := map[string]bool{}
	for _, name := range months() {
		names[name] = true
	}
	return patterns{
		months: names, fourDigits: lazy(`\d{4}`),
		relative: sync.OnceValue(relativeTime),
		dates: []pattern{
			lazy(`\b\d{4}-\d{2}-\d{2}\b`),
			lazy(`\b\d{1,2}[./]\s?\d{1,2}[./]\s?(?:\d{4}|\d{2})\b`),
			lazy(`\b(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?` + month + `(?:\s(?:de\s)?\d{4})?\b`),
			lazy(`\b` + month + `\s(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?:,?\s\d{4})?\b`),
			lazy(`\b` + month + `\.?\s(?:de\s)?(?:19|20)\d{2}\b`),
			lazy(`\bQ[1-4][\s/-]?(?:19|20)\d{2}\b`),
		},
		year: lazy(`(?i)\b(?:in|by|until|till|since|during|of|early|mid|late|spring|summer|autumn|fall|winter|` +
			`im|bis|seit|ab|anfang|mitte|ende|sommer|herbst|en|fin|début|depuis|desde|hasta)[\s-]((?:19|20)\d{2})\b`),
		clock: lazy(`\b(?:[01]?\d|2[0-3])(?:[:h][0-5]\d\b|\s?[ap]\.?m\b)|` + // 17.15 only behind a word: 21.25 places are an amount
			`(?:\b(?i:at|from|to|till?|until|by|before|after|around|um|ab|bis|von|vor|nach|gegen|alle|ore|om|tot|kl)\.?\s|à\s|[–-]\s?)(?:[01]?\d|2[0-3])\.[0-5]\d\b`),
		unit:   lazy(`^\s?(?:` + factorWords + `|[€$£%]|EUR|CHF|USD|GBP|(?i:euro|franc|dollar|pound|cent|per|prozent|kilo|met|km|kg|m²|ton|lit|day|week|month|year|hour|times|hectare|tag|woche|monat|jahr|stund))`),
		named:  lazy(`\p{L}-?\d+`),
		amount: lazy(`\d+(?:[.,'’\x{a0}\x{202f} ]\d{3}\b)*(?:[.,]\d+)?(?:\s?(?:` + factorWords + `)\b)?`),
	}
}

// Places in patterns.dates.
const (
	isoDate     = 0 // 2027-06-18
	dottedDate  = 1 // 18.6.2027
	dayOfMonth  = 2 // 18th of June, with a year or without
	monthAndDay = 3 // June 18, with a year or without
	monthOfYear = 4 // June 2027, which names no day
	quarterDate = 5 // Q3 2027
)

func relativeTime() *regexp.Regexp { return regexp.MustCompile(`\b(?:Month \d{1,4}|[YMCT]\d{1,4})\b`) }

// months are the names of the months in the languages that are most likely, with
// a capital where the language writes one, so that "may 5 people" is no date.
func months() []string {
	return strings.Fields(`January February March April May June July August September October November December
		Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Januar Jänner Februar Feber März Mai Juni Juli Oktober Dezember
		janvier février mars avril mai juin juillet août septembre octobre novembre décembre
		enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
		gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
		januari februari maart april mei juni juli augustus september oktober november december
		januar februar marts maj august augusti desember`)
}

// foreignDates returns the dates in a text that code cannot compare, because they are not
// written as 2027-06-18, and the dates before the start. It leaves out dates that stand in the
// prompt, which is in lower case, and days without a year, which come again each year.
func (p patterns) foreignDates(text, prompt string, start schedule.Date) (found []string) {
	traits := p.traits(text)
	for i, date := range p.dates {
		if !traits.dated(i) {
			continue
		}
		for _, at := range date().FindAllStringIndex(text, -1) {
			match, rest := text[at[0]:at[1]], text[at[1]:]
			amount := goesOn(match, rest)
			day, err := schedule.ParseDate(match)
			written := i == isoDate && err == nil && start.DaysUntil(day) >= 0
			yearly := (i == dayOfMonth || i == monthAndDay) && !p.fourDigits().MatchString(match)
			amount = amount || i == dayOfMonth && fraction(text[:at[0]])
			if !amount && !written && !yearly && i != monthOfYear && !strings.Contains(prompt, strings.ToLower(match)) {
				found = append(found, match)
			}
		}
	}
	return found
}

// fraction reports whether a text ends in a number and a decimal point: the 5 behind it is no
// day in "it would be 65.5. June is full".
func fraction(text string) bool {
	n := len(text)
	return n > 1 && (text[n-1] == '.' || text[n-1] == ',') && '0' <= text[n-2] && text[n-2] <= '9'
}

// quantity is an amount in a text, with the numbers that it may mean: 1.500 is
// 1500 or 1.5.
type quantity struct {
	text   string
	values []float64
}

// means reports whether a quantity is a number. It has no sign: a text says "41,512 are
// missing" as well as "minus 41,512".
func (q quantity) means(n float64) bool {
	n = math.Abs(n)
	return slices.ContainsFunc(q.values, func(v float64) bool { return near(v, n) })
}

// rounds reports whether a quantity means a number, the whole number next to it, or the
// number rounded to as many digits as the text has.
func (q quantity) rounds(n float64) bool {
	const about = 0.01 // "about 1,600" of 1,588
	n = math.Abs(n)
	digit := factorOf(q.text)
	if at := strings.LastIndexAny(q.text, ".,"); at >= 0 {
		for _, r := range q.text[at+1:] {
			if r >= '0' && r <= '9' {
				digit /= 10
			}
		}
	}
	fine := digit < 1 || factorOf(q.text) > 1 && 10*digit <= n // "2.6 million" of 2,560,000
	return slices.Contains(q.values, math.Ceil(n)) || slices.Contains(q.values, math.Floor(n)) ||
		slices.ContainsFunc(q.values, func(v float64) bool { return within(v, n, about) || fine && math.Abs(v-n) <= digit/2 })
}

// counts reports whether a quantity is a small whole number, as "twice in 5 years",
// which every text has.
func (q quantity) counts() bool {
	const small = 12
	return len(q.values) == 0 || slices.Max(q.values) <= small && slices.Max(q.values) == math.Trunc(slices.Max(q.values))
}

// near reports whether two numbers differ by at most half a percent.
func near(a, b float64) bool { return within(a, b, 0.005) }

// within reports whether a differs from b by at most a part of b.
func within(a, b, tolerance float64) bool {
	difference := a - b
	return difference <= tolerance*max(b, -b) && -difference <= tolerance*max(b, -b)
}

// quantities returns the amounts in a text. Days, clock times, ids and numbers within names
// do not count.
func (p patterns) quantities(text string) (list []quantity) {
	traits := p.traits(text)
	if !traits.digit {
		return nil
	}
	without := func(wanted bool, p pattern, kept func(match, rest string) bool) {
		if wanted {
			text = without(text, p(), kept)
		}
	}
	for i, date := range p.dates {
		without(traits.dated(i), date, goesOn)
	}
	traits = p.traits(text) // a date has a year
	without(traits.year, p.year, nil)
	without(traits.clock, p.clock, func(match, rest string) bool { return strings.Contains(match, ".") && p.unit().MatchString(rest) }) // 17.15 EUR
	without(traits.relative, p.relative, nil)
	without(traits.named, p.named, nil)
	found := p.amount().FindAllStringIndex(text, -1)
	for i, at := range found {
		match := text[at[0]:at[1]]
		if isYear(match) {
			continue
		}
		q := quantity{match, readings(match)}
		if i+1 < len(found) {
			times := borrowed(match, text[at[1]:found[i+1][0]], text[found[i+1][0]:found[i+1][1]])
			for _, v := range slices.Clone(q.values) {
				if times != 1 {
					q.values = append(q.values, v*times)
				}
			}
		}
		list = append(list, q)
	}
	return list
}

// borrowed returns the factor that an amount shares with the next one, as million in "2.3
// of the 3.8 million"; 1 if it shares none.
func borrowed(match, between, next string) float64 {
	const longest = 16
	if factorOf(match) != 1 || len(between) > longest || strings.ContainsAny(between, ".;:\n") {
		return 1
	}
	return factorOf(next)
}

// factorOf returns by what the word at the end of an amount multiplies it.
func factorOf(match string) float64 {
	return factor(strings.TrimSpace(strings.TrimLeftFunc(match, func(r rune) bool { return !unicode.IsLetter(r) })))
}

// isYear reports whether a number looks like a year. A price of 2000 is then
// overlooked, which is better than to ask for a fact about the year 1926.
func isYear(number string) bool {
	return len(number) == 4 && (strings.HasPrefix(number, "19") || strings.HasPrefix(number, "20"))
}

// goesOn reports whether the last number of a date goes on behind it, so that it is no day:
// "until September 12,000 litres".
func goesOn(_, rest string) bool {
	return len(rest) > 1 && strings.ContainsAny(rest[:1], ",.") && rest[1] >= '0' && rest[1] <= '9'
}

// without removes each match of a pattern from a text, unless kept returns true for it.
func without(text string, pattern *regexp.Regexp, kept func(match, rest string) bool) string {
	var out strings.Builder
	from := 0
	for _, at := range pattern.FindAllStringIndex(text, -1) {
		if kept != nil && kept(text[at[0]:at[1]], text[at[1]:]) {
			continue
		}
		out.WriteString(text[from:at[0]] + " ; ")
		from = at[1]
	}
	return out.String() + text[from:]
}

// factorWords are the words behind a number that multiply it.
const factorWords = `k|K|thousand|Tsd|Tausend|million|Million|Millionen|millions|Mio|mn|billion|billions|Mrd|Milliarden|bn`

// multiplies reports whether a unit begins with a word that multiplies its number.
func multiplies(unit string) bool {
	first, _, _ := strings.Cut(unit, " ")
	return slices.Contains(strings.Split(factorWords, "|"), first) && first != "k" && first != "K"
}

// factor returns by what a word behind a number multiplies it; 1 for no such word.
func factor(word string) float64 {
	switch word {
	case "":
		return 1
	case "k", "K", "thousand", "Tsd", "Tausend":
		return 1e3
	case "billion", "billions", "Mrd", "Milliarden", "bn":
		return 1e9
	}
	return 1e6
}

// likeliest returns the number that an amount most likely means: a mark that three digits follow
// divides thousands, unless it stands behind a 0 or behind the other mark. 1.500 is 1500, and 12.5
// is not 125.
func likeliest(match string) float64 {
	values := readings(match)
	if len(values) == 0 {
		return 0 // an amount has digits
	}
	number := strings.TrimRightFunc(match, func(r rune) bool { return r < '0' || r > '9' })
	at := strings.LastIndexAny(number, ".,")
	if at < 0 || len(values) < 2 {
		return values[0]
	}
	before, other := number[:at], "."
	if number[at] == '.' {
		other = ","
	}
	thousands := len(number)-at-1 == 3 && before != "0" && !strings.Contains(before, other)
	if thousands || strings.Contains(before, number[at:at+1]) {
		return values[0]
	}
	return values[1]
}

// readings returns the numbers that an amount may mean.
func readings(match string) (values []float64) {
	number := strings.TrimRightFunc(match, func(r rune) bool { return r < '0' || r > '9' })
	times := factor(strings.TrimSpace(match[len(number):]))
	add := func(text string) {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			values = append(values, n*times)
		}
	}
	bare := func(text string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(",.'’ \u00a0\u202f", r) {
				return -1
			}
			return r
		}, text)
	}
	add(bare(number))
	if at := strings.LastIndexAny(number, ".,"); at >= 0 { // the last mark as decimal point
		add(bare(number[:at]) + "." + number[at+1:])
	}
	for part := range strings.FieldsSeq(number) { // 3 120 may be two numbers
		if part != number {
			add(part)
		}
	}
	return values
}
