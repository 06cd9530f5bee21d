package drafts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// The rules of each step that its shape cannot say.

// checkBrief checks step 1: quotes stand in the prompt, code can decide the checks, and the
// verdict agrees with its reason.
func checkBrief(c *checker) {
	prompt := flat(c.draft.Prompt)
	quoted := func(list string) {
		for i, r := range c.out.Records(list) {
			if !strings.Contains(prompt, flat(r.Text("quote"))) {
				c.add(fmt.Sprintf("%s[%d].quote", list, i), lenient.Quote(r.Text("quote")), "words that stand in the prompt, letter by letter", "")
			}
		}
	}
	quoted("constraints")
	quoted("days")
	quoted("questions")
	for i, r := range c.out.Records("constraints") {
		check := r.Record("check")
		if op := check.Text("op"); op == "max_cost" || op == "max_days" {
			example := `"60000"`
			if op == "max_days" {
				example = `"540"`
			}
			if _, ok := checkNumber(op, check.Text("value")); !ok && !c.reading.again { // earlier drafts may have "18 months"
				c.add(fmt.Sprintf("constraints[%d].check.value", i), lenient.Quote(check.Text("value")), "a number for "+op, example)
			}
		}
	}
	usable := c.out.Text("verdict") == "usable"
	refused := c.out.Text("redline") == "refuse" // no reason of the list is about harm, so any will do
	if usable != (c.out.Text("reason") == "usable") && !refused {
		c.add("reason", c.out.Text("reason"), "usable exactly if the verdict is usable", "")
	}
}

// flat returns a text for comparing quotes: in lower case, with single spaces and
// plain quotation marks.
func flat(text string) string {
	plain := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'", "–", "-", "—", "-", "\u00a0", " ").Replace(text)
	return strings.ToLower(strings.Trim(strings.Join(strings.Fields(plain), " "), `."' `))
}

// checkScenarios checks step 3: settings name each lever and one of its options,
// the stances differ, and the recommended one violates nothing.
func checkScenarios(c *checker) {
	options := map[string]int{}
	var levers []string
	for _, l := range c.out.Records("levers") {
		levers = append(levers, l.Text("id"))
		options[l.Text("id")] = len(l.Texts("options"))
	}
	stances := map[string]bool{}
	for i, s := range c.out.Records("scenarios") {
		at := fmt.Sprintf("scenarios[%d]", i)
		settings := s.Record("settings")
		for _, lever := range levers {
			value, found := settings[lever].(float64)
			switch most := options[lever]; {
			case !found:
				c.add(at+".settings."+lever, "nothing", fmt.Sprintf("1 to %d, as every scenario sets every lever", most), "2")
			case value < 1 || int(value) > most:
				c.add(at+".settings."+lever, shape.FormatNumber(value), fmt.Sprintf("1 to %d, %s has %d options", most, lever, most), "2")
			}
		}
		for _, name := range settings.Keys() {
			if !slices.Contains(levers, name) {
				c.add(at+".settings."+name, "a lever that there is not", "one of "+strings.Join(levers, ", "), "")
			}
		}
		if stances[s.Text("stance")] {
			c.add(at+".stance", s.Text("stance")+" again", "one scenario each: bold, balanced, careful", "")
		}
		stances[s.Text("stance")] = true
		c.doubted(at+".doubts", s.Records("doubts"))
		for _, doubt := range s.Records("doubts") {
			if s.Text("id") == c.out.Text("recommended") && doubt.Text("state") == "violated" {
				c.add("recommended", fmt.Sprintf("%s, which violates %s", s.Text("id"), doubt.Text("id")), "a scenario that violates no constraint", "")
			}
		}
	}
}

// maxAsked is how many assumptions of a brief draft the person is asked about.
const maxAsked = 5

func checkAssumptions(c *checker) {
	asked := 0
	for _, a := range c.out.Records("assumptions") {
		if a.Flag("ask") {
			asked++
		}
	}
	if asked > maxAsked {
		c.add("assumptions", fmt.Sprintf("ask: true %d times", asked), fmt.Sprintf("at most %d times", maxAsked), "")
	}
}

// maxFactsBytes limits the facts, which go into every later step.
const maxFactsBytes = 11_000

// checkFacts checks step 7: each fact that every plan needs is there, formulas give their
// numbers, and each amount of a constraint is a fact. It also checks the tables and the
// effects that are calculated from the facts.
func checkFacts(c *checker) {
	numbers := map[string]float64{}
	seen := map[string]bool{}
	var bound []float64
	facts := c.out.Records("facts")
	for i, f := range facts {
		name := f.Text("key")
		if seen[name] || !isKey(name) {
			c.add(fmt.Sprintf("facts[%d].key", i), lenient.Quote(name), "a key of its own in snake_case", `"rent_month"`)
		}
		seen[name] = true
		n, ok := f["number"].(float64)
		if !ok {
			continue
		}
		numbers[name] = n
		if f.Text("kind") == "user_constraint" {
			bound = append(bound, n)
		}
		if unit := f.Text("unit"); multiplies(unit) && !c.reading.again { // earlier drafts have such units
			c.add(fmt.Sprintf("facts[%d].unit", i), lenient.Quote(unit), "a unit without such a word, and the whole number: texts and budget are compared with it", `"number":205696000,"unit":"HUF"`)
		}
	}
	for _, f := range facts { // one fact can have several: "52 EUR for 400 beds"
		for _, field := range []string{"value", "basis"} {
			for _, q := range c.patterns.quantities(f.Text(field)) {
				bound = append(bound, q.values...)
			}
		}
	}
	for _, name := range []string{"total_budget", "duration_months"} {
		if _, ok := numbers[name]; !ok {
			c.add("facts", "no "+name+" with a number", "a fact with the key "+name+" and its number", fmt.Sprintf(`{"key":%q,"value":"…","number":12,…}`, name))
		}
	}
	for i, f := range facts {
		c.checkFormula(fmt.Sprintf("facts[%d]", i), f, numbers)
	}
	c.checkAmounts(bound)
	if most, id, ok := c.draft.maximum("max_cost"); ok && numbers["total_budget"] > most {
		c.add("facts", "a total_budget of "+shape.FormatNumber(numbers["total_budget"]), fmt.Sprintf("at most %s (%s)", shape.FormatNumber(most), id), "")
	}
	c.checkTables("calculations")
	c.checkSensitivity()
	if size := len(c.step.Shape.JSON(shape.Object{"facts": c.out["facts"]})); size > maxFactsBytes {
		c.add("facts", fmt.Sprintf("%d bytes", size), fmt.Sprintf("at most %d; fewer facts, or a shorter basis", maxFactsBytes), "")
	}
}

func isKey(name string) bool {
	for _, r := range name {
		if r != '_' && !unicode.IsLower(r) && !unicode.IsDigit(r) && (!unicode.IsLetter(r) || unicode.IsUpper(r)) {
			return false
		}
	}
	return name != "" && !unicode.IsDigit(rune(name[0]))
}

func (c *checker) checkFormula(path string, f shape.Object, numbers map[string]float64) {
	formula := f.Text("formula")
	if formula == "" {
		return
	}
	said, ok := f["number"].(float64)
	if !ok {
		c.add(path+".number", "nothing", "the number that the formula gives", "")
		return
	}
	if got, ok := c.evaluated(path, formula, numbers); ok && !near(got, said) {
		exact := shape.FormatNumber(round(got))
		if exact == shape.FormatNumber(said) { // a small number differs in its third digit
			exact = strconv.FormatFloat(got, 'g', 4, 64)
		}
		c.add(path+".number", shape.FormatNumber(said), fmt.Sprintf("%s, which %s gives", exact, formula), "")
	}
}

// evaluated calculates the formula of a record; a mistake in it is a problem.
func (c *checker) evaluated(path, formula string, numbers map[string]float64) (float64, bool) {
	n, err := evaluate(formula, numbers)
	if err != nil {
		c.add(path+".formula", lenient.Quote(formula)+": "+err.Error(), "+ − × ÷, ( ), max(a, b) and min(a, b) over keys of facts and numbers", `"rent_month × 12"`)
	}
	return n, err == nil
}

// checkThresholds checks that a formula of a record gives a number that one of its texts
// has, so that a threshold follows from the numbers of the plan.
func (c *checker) checkThresholds(list string, fields ...string) {
	numbers, _ := formulasOf(c.draft.Output("facts"))
	for i, r := range c.out.Records(list) {
		formula := r.Text("formula")
		if formula == "" {
			continue
		}
		path := fmt.Sprintf("%s[%d]", list, i)
		n, ok := c.evaluated(path, formula, numbers)
		if !ok {
			continue
		}
		var told []string
		stands := false
		for _, field := range fields {
			for _, q := range c.patterns.quantities(r.Text(field)) {
				told, stands = append(told, q.text), stands || q.rounds(n) || q.rounds(n*100)
			}
		}
		if !stands {
			c.add(path+".formula", fmt.Sprintf("%s, which gives %s", formula, shape.FormatNumber(round(n))),
				fmt.Sprintf("a formula that gives a number in %s; read there: %s", strings.Join(fields, " or "), cmp.Or(strings.Join(told, ", "), "none in figures")), "")
		}
	}
}

func round(n float64) float64 { return math.Round(n*100) / 100 }

// checkAmounts checks that each amount of a constraint is a fact, or stands in one.
func (c *checker) checkAmounts(bound []float64) {
	for _, constraint := range c.draft.Output("brief").Records("constraints") {
		for _, q := range c.patterns.quantities(constraint.Text("text")) {
			found := slices.ContainsFunc(bound, func(n float64) bool { return q.means(n) || q.means(n*100) })
			if !found && !q.counts() {
				c.add("facts", fmt.Sprintf("nothing of the %s of %s", q.text, constraint.Text("id")),
					"a fact with this number and kind user_constraint, or one whose value or basis names it", "")
			}
		}
	}
}

// cells divides a line of a table that a model wrote, with a bar at its ends or without.
func cells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	list := strings.Split(strings.TrimSuffix(line, "|"), "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// checkTables checks that the rows of each table have as many cells as its head.
func (c *checker) checkTables(name string) {
	for i, table := range c.out.Records(name) {
		head := len(cells(table.Text("head")))
		if head < 2 {
			c.add(fmt.Sprintf("%s[%d].head", name, i), lenient.Quote(table.Text("head")), `the heads of at least two columns with " | " between them`, `"Variant | Cost | Price"`)
			continue
		}
		for k, row := range table.Texts("rows") {
			if n := len(cells(row)); n != head {
				c.add(fmt.Sprintf("%s[%d].rows[%d]", name, i, k), shape.Counted(n, "cell"), fmt.Sprintf("%d, as the head has", head), "")
			}
		}
	}
}

// checkSensitivity checks that the keys have numbers, and that the result depends on
// what is varied.
func (c *checker) checkSensitivity() {
	numbers, formulas := formulasOf(c.out)
	for i, vary := range c.out.Records("sensitivity") {
		at := fmt.Sprintf("sensitivity[%d]", i)
		known := true
		for _, field := range []string{"driver", "watch"} {
			if _, ok := numbers[vary.Text(field)]; !ok {
				known = false
				c.add(at+"."+field, lenient.Quote(vary.Text(field)), "the key of a fact with a number", "")
			}
		}
		if !known {
			continue
		}
		before, after := numbers, varied(numbers, formulas, vary.Text("driver"), vary.Number("to"))
		if watch := vary.Text("watch"); near(before[watch], after[watch]) && len(c.found) == 0 {
			c.add(at+".watch", watch+", which stays as it is", "a result that depends on "+vary.Text("driver")+" through formulas, and another value in to", "")
		}
	}
}

// checkProject checks step 8: the budget adds up and has a reserve, the sources reach
// it, and each question of the brief is answered.
func checkProject(c *checker) {
	total, known := c.draft.fact("total_budget")
	reserve, sum := 0, 0.0
	for _, line := range c.out.Records("budget") {
		sum += line.Number("amount")
		if line.Flag("reserve") {
			reserve++
		}
	}
	if known && (sum-total > 0.5 || total-sum > 0.5) {
		c.add("budget", "lines that sum to "+shape.FormatNumber(sum), shape.FormatNumber(total)+", the total_budget", "")
	}
	if reserve == 0 {
		c.add("budget", "no line with reserve: true", "a line for the reserve, usually 5 to 15 %",
			`{"line":"Reserve","amount":6000,"rests_on":"a tenth","mark":"estimate","by":"M5","reserve":true}`)
	}
	sum = 0
	for _, source := range c.out.Records("sources") {
		if source.Text("back") == "" { // a loan that only bridges pays nothing in the end
			sum += source.Number("amount")
		}
	}
	if known && total-sum > 0.5 {
		c.add("sources", "lines that sum to "+shape.FormatNumber(sum), "at least "+shape.FormatNumber(total)+", the total_budget, without what is paid back; what nobody pays is a line with mark missing", "")
	}
	answers := c.out.Records("answers")
	c.doubted("answers", answers)
	for _, question := range c.draft.Output("brief").Records("questions") {
		if _, ok := byID(answers, question.Text("id")); !ok {
			c.add("answers", "no answer to "+question.Text("id")+", "+lenient.Quote(question.Text("text")), "one for each question of the brief", "")
		}
	}
	c.doubted("doubts", c.out.Records("doubts"))
	c.checkThresholds("milestones", "pass", "otherwise")
}

// fact returns the number of a fact.
func (d Draft) fact(key string) (float64, bool) {
	for _, f := range d.Output("facts").Records("facts") {
		if f.Text("key") == key {
			n, ok := f["number"].(float64)
			return n, ok
		}
	}
	return 0, false
}

// balance adds up what one year brings and costs after the start; ok is false if
// the project names neither.
func (d Draft) balance() (income, cost float64, ok bool) {
	for _, line := range d.Output("project").Records("running") {
		ok = true
		if line.Text("kind") == "income" {
			income += line.Number("amount")
		} else {
			cost += line.Number("amount")
		}
	}
	return income, cost, ok
}

// each checks that the records of a list have each of the choices once.
func (c *checker) each(name, field string, choices ...string) {
	seen := map[string]bool{}
	for i, r := range c.out.Records(name) {
		value := r.Text(field)
		if seen[value] {
			c.add(fmt.Sprintf("%s[%d].%s", name, i, field), value+" again", "each once: "+strings.Join(choices, ", "), "")
		}
		seen[value] = true
	}
	for _, choice := range choices {
		if !seen[choice] {
			c.add(name, "none with the "+field+" "+choice, "each once: "+strings.Join(choices, ", "), "")
		}
	}
}

// checkAudit checks step 23: each topic and each constraint once.
func checkAudit(c *checker) {
	c.each("items", "topic", auditTopics()...)
	c.doubted("adherence", c.out.Records("adherence"))
	scored := c.out.Records("adherence")
	for _, constraint := range c.draft.Output("brief").Records("constraints") {
		if _, ok := byID(scored, constraint.Text("id")); !ok {
			c.add("adherence", "no score for "+constraint.Text("id"), "a score for each constraint", "")
		}
	}
}

func checkPremortem(c *checker) {
	kinds := map[string]bool{}
	for _, f := range c.out.Records("failures") {
		kinds[f.Text("kind")] = true
	}
	for _, kind := range []string{"process", "technical", "market"} {
		if !kinds[kind] {
			c.add("failures", "none of the kind "+kind, "at least one each: process, technical, market", "")
		}
	}
}
