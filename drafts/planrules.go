package drafts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// What is checked of the plan that the person reads: its length, its tables, and that each of
// its numbers stands in another section.

// checkSummary checks step 22. Its numbers must stand in other sections, because the person
// decides by them.
func checkSummary(c *checker) {
	if !c.reading.again { // an earlier planb asked for no chapters
		c.checkChapters()
	}
	if !c.reading.strict() {
		return
	}
	if !c.reading.again { // later edits may have changed the sections
		c.checkRepairs("repairs")
	}
	c.checkNumbers("focus", "decisions", "next", "chapters")
}

// checkNumbers checks that each number in the texts of some fields stands in another section,
// or that the writer names it as new.
func (c *checker) checkNumbers(fields ...string) {
	known := c.draft.numbers(c.patterns)
	for _, name := range []string{"summary", rereadID} {
		for _, added := range c.draft.Output(name).Records("new") {
			known = c.patterns.numbers(known, added.Text("value")+" "+added.Text("rests_on"))
		}
	}
	for _, added := range c.out.Records("new") {
		known = c.patterns.numbers(known, added.Text("value")+" "+added.Text("rests_on"))
	}
	for _, tested := range c.out.Records("tested") { // the results of new calculations
		known = c.patterns.numbers(known, tested.Text("by"))
	}
	c.step.Shape.Walk(c.out, func(path string, f shape.Field, value any) any {
		text, _ := value.(string)
		field, _, _ := strings.Cut(path, "[")
		if f.Kind != shape.Text || !slices.Contains(fields, field) || strings.HasSuffix(path, ".excerpt") || strings.HasSuffix(path, ".why") {
			return value
		}
		for _, q := range c.patterns.quantities(text) {
			if !known.has(q) {
				c.add(path, q.text+", which stands in no other section", "a number of <inputs>, one that new tells, or none", "")
			}
		}
		return value
	})
}

// checkTexts checks the texts of the chapters: that they have at most so many words together,
// of which a tenth more pass (see tooLong in drafts/shape), and the tables that their writer
// made.
func (c *checker) checkTexts(most int) {
	length := 0
	for i, chapter := range c.out.Records("chapters") {
		texts := chapter.Texts("text")
		for at, text := range texts {
			length += shape.CountWords(text)
			if at == 0 || !strings.HasPrefix(texts[at-1], "|") {
				c.checkOwnTable(fmt.Sprintf("chapters[%d].text", i), at, texts[at:at+tableRows(texts[at:])])
			}
		}
	}
	if length > most+most/10 {
		c.add("chapters", shape.Grouped(float64(length))+" words", "at most "+shape.Grouped(float64(most))+" in all", "")
	}
}

// checkChapters checks the chapters, which are the plan: their texts, and that each table
// stands in one of them.
func (c *checker) checkChapters() {
	c.checkTexts(maxPlanWords)
	shown := map[string]bool{}
	for i, chapter := range c.out.Records("chapters") {
		for k, table := range chapter.Texts("tables") {
			path := fmt.Sprintf("chapters[%d].tables[%d]", i, k)
			number, calculation := strings.CutPrefix(table, "calculation_")
			switch n := len(c.draft.Output("facts").Records("calculations")); {
			case shown[table]:
				c.add(path, table+" again", "each table once", "")
			case calculation && number > strconv.Itoa(n):
				c.add(path, table, fmt.Sprintf("calculation_1 to calculation_%d: the numbers have no others", n), "")
			}
			shown[table] = true
		}
	}
	if !shown["budget"] {
		c.add("chapters", "no chapter with the table budget", "one chapter with it", `"tables":["budget"]`)
	}
	if len(shown) > maxPlanTables {
		c.add("chapters", fmt.Sprintf("%d tables", len(shown)), fmt.Sprintf("at most %d in all, in the field tables", maxPlanTables), "")
	}
}

// checkOwnTable checks a table that the writer of a chapter made; first is the place of its
// head among the texts. Its rows have as many cells as the head, and a last row that is
// called a sum is one.
func (c *checker) checkOwnTable(path string, first int, rows []string) {
	if len(rows) == 0 {
		return
	}
	head := cells(rows[0])
	if len(rows) < 2 || len(head) < 2 {
		c.add(fmt.Sprintf("%s[%d]", path, first), lenient.Quote(rows[0]), "a head of at least two columns, and the rows of the table after it", `"| What | EUR |"`)
		return
	}
	for i, row := range rows {
		if n := len(cells(row)); n != len(head) {
			c.add(fmt.Sprintf("%s[%d]", path, first+i), shape.Counted(n, "cell"), fmt.Sprintf("%d, as the head has", len(head)), "")
			return
		}
	}
	last := len(rows) - 1
	if name := strings.ToLower(strings.Trim(cells(rows[last])[0], "*: ")); name != "sum" && name != "total" {
		return
	}
	for k := 1; k < len(head); k++ {
		amounts, ok := c.patterns.column(rows[1:], k)
		if !ok || cells(rows[last])[k] == "" {
			continue
		}
		sum := 0.0
		for _, n := range amounts[:len(amounts)-1] {
			sum += n
		}
		if said := amounts[len(amounts)-1]; !near(said, sum) {
			c.add(fmt.Sprintf("%s[%d]", path, first+last), shape.Grouped(said)+" as the sum of "+head[k], shape.Grouped(round(sum))+", or other rows", "")
		}
	}
}

// isAmount reports whether a cell is empty or has a number and at most one word, its unit.
func (p patterns) isAmount(row string, column int) bool {
	list := cells(row)
	if column >= len(list) || list[column] == "" {
		return true
	}
	cell := strings.TrimLeft(strings.TrimRight(list[column], "* "), "* -−")
	number := p.amount().FindString(cell)
	unit, found := strings.CutPrefix(cell, number)
	unit = strings.TrimSpace(unit)
	return number != "" && found && !strings.ContainsAny(unit, " 0123456789") && !p.months[unit]
}

// column returns the numbers in a column of rows that a model wrote, 0 for an empty cell. It
// reports false if a cell has something else, or if all are empty.
func (p patterns) column(rows []string, column int) (numbers []float64, ok bool) {
	for _, row := range rows {
		list := cells(row)
		if column >= len(list) {
			return nil, false
		}
		cell := strings.ReplaceAll(strings.Trim(list[column], "* "), "−", "-")
		number, minus := strings.CutPrefix(cell, "-")
		switch found := p.amount().FindString(number); {
		case number == "" && !minus:
			numbers = append(numbers, 0)
			continue
		case found == "" || found != number:
			return nil, false
		default:
			n := likeliest(found)
			if minus {
				n = -n
			}
			numbers, ok = append(numbers, n), true
		}
	}
	return numbers, ok
}

// numbers are all numbers of a draft.
type numbers []float64

// has reports whether a quantity is one of the numbers, as it is, as a percentage
// of one, or rounded. Small numbers count things, and every plan has them.
func (ns numbers) has(q quantity) bool {
	const rounding = 0.01
	return q.counts() || slices.ContainsFunc(q.values, func(v float64) bool {
		return slices.ContainsFunc(ns, func(n float64) bool {
			n = math.Abs(n)
			return within(v, n, rounding) || n < 1 && within(v, n*100, rounding)
		})
	})
}

// numbers adds the numbers in a text, line by line: a pattern takes many times as long for a
// whole prompt as for its lines.
func (p patterns) numbers(all numbers, text string) numbers {
	for line := range strings.SplitSeq(text, "\n") {
		for _, q := range p.quantities(line) {
			all = append(all, q.values...)
		}
	}
	return all
}

// headed adds the numbers in the rows of a table whose head says by what they are multiplied:
// 85 below "Cost, million".
func (p patterns) headed(all numbers, table shape.Object) numbers {
	for word := range strings.FieldsFuncSeq(table.Text("head"), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !multiplies(word) {
			continue
		}
		for _, row := range table.Texts("rows") {
			for _, n := range p.numbers(nil, row) {
				all = append(all, n*factor(word))
			}
		}
	}
	return all
}

// numbersOf adds the numbers of an output, and those in its texts.
func (p patterns) numbersOf(all numbers, s Step, o shape.Object) numbers {
	s.Shape.Walk(o, func(_ string, _ shape.Field, value any) any {
		switch value := value.(type) {
		case float64:
			all = append(all, max(value, -value))
		case string:
			all = p.numbers(all, value)
		}
		return value
	})
	return all
}

// numbers returns all numbers of the prompt, of all outputs but the summary, and of
// what code adds up.
func (d Draft) numbers(p patterns) (all numbers) {
	all = p.numbers(all, d.Prompt)
	for _, s := range d.Steps() {
		if s.Number != summaryNumber && d.Output(s.ID) != nil {
			all = p.numbersOf(all, s, d.Output(s.ID))
		}
	}
	for _, table := range d.Output("facts").Records("calculations") {
		all = p.headed(all, table)
	}
	for _, effect := range d.sensitivity() {
		for _, n := range []float64{effect.To, effect.After, effect.Before, effect.After - effect.Before} {
			all = append(all, math.Abs(n))
		}
	}
	for _, load := range d.loads() {
		all = append(all, math.Round(load.Hours), math.Round(load.Limit))
	}
	for _, w := range d.Workloads() {
		all = append(all, math.Round(w.Hours))
	}
	if _, short := d.shortage(d.Output("project")); short > 0 {
		all = append(all, short)
	}
	income, cost, _ := d.balance()
	return append(all, income, cost, max(income-cost, cost-income))
}
