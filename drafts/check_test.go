package drafts_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/shape"
)

// change sets a value in an output as JSON. The path is like a problem's; a nil
// value removes the field.
func change(t testing.TB, o any, path []any, value any) any {
	t.Helper()
	if len(path) == 0 {
		return value
	}
	switch at := path[0].(type) {
	case string:
		object := o.(map[string]any)
		if len(path) == 1 && value == nil {
			delete(object, at)
			return object
		}
		object[at] = change(t, object[at], path[1:], value)
		return object
	case int:
		list := o.([]any)
		list[at] = change(t, list[at], path[1:], value)
		return list
	}
	t.Fatalf("the path %v", path)
	return nil
}

func at(path ...any) []any { return path }

// gate is a milestone with a rule whose formula gives 2,562,000.
func gate(otherwise string) shape.Object {
	return shape.Object{"id": "M5", "name": "Shop carries itself", "by": "Month 18", "gate": true, "pass": "All wages are paid", "otherwise": otherwise, "formula": "reserve × 427"}
}

// Section 2, the code checks: what is wrong is refused in a line that names path,
// got and allowed, and nothing is stored.
func TestBadAnswersAreRefused(t *testing.T) {
	t.Parallel()
	long := strings.TrimSpace(strings.Repeat("word ", 49))
	for _, c := range []struct {
		step  string
		path  []any
		value any
		want  string
	}{
		// The shape: fields, words, lists, choices.
		{"brief", at("why"), long, "why: got 49 words; allowed at most 40"},
		{"brief", at("verdict"), "maybe", `verdict: got "maybe"; allowed one of usable, unusable`},
		{"brief", at("verdikt"), "usable", "verdikt: got a field that is not asked for; allowed verdict, which is probably meant"},
		{"brief", at("givens"), nil, ""},
		{"brief", at("title"), nil, "title: got nothing; allowed a text of at most 8 words"},
		{"brief", at("days", 0, "day"), "2027-02-30", `days[0].day: got "2027-02-30"; allowed a day of the calendar; example "2027-03-31"`},
		{"brief", at("constraints", 1, "id"), "C1", "constraints[1].id: got C1, as in constraints[0].id; allowed an id of its own"},
		{"scenarios", at("scenarios"), []any{}, "scenarios: got 0 items; allowed exactly 3"},
		{"scenarios", at("scenarios"), []any{map[string]any{}}, "scenarios: got 1 item; allowed exactly 3"},
		{"project", at("budget", 0, "amount"), "much", `budget[0].amount: got "much"; allowed a whole number; example 1`},
		// Quotes, checks and verdicts.
		{"brief", at("constraints", 0, "quote"), "spend little", `constraints[0].quote: got "spend little"; allowed words that stand in the prompt, letter by letter`},
		{"brief", at("days", 1, "quote"), "from March on", `days[1].quote: got "from March on"; allowed words that stand in the prompt, letter by letter`},
		{"brief", at("constraints", 0, "check", "value"), "little", `constraints[0].check.value: got "little"; allowed a number for max_cost; example "60000"`},
		{"brief", at("constraints", 0, "check", "value"), "EUR 60.000", ""},
		{"brief", at("constraints", 0, "check", "value"), "-60000", `constraints[0].check.value: got "-60000"; allowed a number for max_cost; example "60000"`},
		{"brief", at("constraints", 1, "check"), map[string]any{"op": "max_days", "value": "18 months"}, `constraints[1].check.value: got "18 months"; allowed a number for max_days; example "540"`},
		{"brief", at("constraints", 1, "check"), map[string]any{"op": "max_days", "value": "540 Tage"}, ""},
		{"brief", at("redline"), "refuse", ""},
		{"brief", at("reason"), "wish", "reason: got wish; allowed usable exactly if the verdict is usable"},
		// Settings, references, the recommended scenario.
		{"scenarios", at("scenarios", 1, "settings", "L4"), 4, "scenarios[1].settings.L4: got 4; allowed 1 to 2, L4 has 2 options; example 2"},
		{"scenarios", at("scenarios", 1, "settings", "L4"), nil, "scenarios[1].settings.L4: got nothing; allowed 1 to 2, as every scenario sets every lever; example 2"},
		{"scenarios", at("scenarios", 1, "settings", "L9"), 1, "scenarios[1].settings.L9: got a lever that there is not; allowed one of L1, L2, L3, L4"},
		{"scenarios", at("scenarios", 1, "stance"), "bold", "scenarios[1].stance: got bold again; allowed one scenario each: bold, balanced, careful"},
		{"scenarios", at("scenarios", 1, "doubts", 0, "state"), "violated", "recommended: got S2, which violates C3; allowed a scenario that violates no constraint"},
		{"scenarios", at("scenarios", 1, "doubts", 0, "id"), "C44", "scenarios[1].doubts[0].id: got C44; allowed one of C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11"},
		{"scenarios", at("recommended"), "S4", "recommended: got S4; allowed one of S1, S2, S3"},
		{"assumptions", at("assumptions", 1, "ask"), false, ""},
		{"assumptions", at("assumptions", 0, "ask"), true, "assumptions: got ask: true 6 times; allowed at most 5 times"},
		// Dates and words in texts.
		{"scenarios", at("why"), "Because of 3 August 2028.", `why: got the date "3 August 2028"; allowed a day from 2026-12-01 on, written so, or one of the prompt, as it stands there; example "2027-06-18"`},
		{"scenarios", at("why"), "Because of 2026-08-03.", `why: got the date "2026-08-03"; allowed a day from 2026-12-01 on, written so, or one of the prompt, as it stands there; example "2027-06-18"`},
		{"scenarios", at("why"), "It begins on 2028-08-03, in August 2028, and is done by 2031.", ""},
		{"scenarios", at("why"), "The programme Horizon 2031 keeps 15 February 2027, for 2000 EUR.", ""},
		{"scenarios", at("why"), "From August to September 47 days, and until September 12,000 litres.", ""},
		{"scenarios", at("why"), "A Startup in the best sense.", `why: got "startup"; allowed any other word: C8 forbids this one`},
		{"scenarios", at("why"), "Startups are something else.", ""},
		// Facts.
		{"facts", at("facts", 0, "key"), "budget", `facts: got no total_budget with a number; allowed a fact with the key total_budget and its number; example {"key":"total_budget","value":"…","number":12,…}`},
		{"facts", at("facts", 7, "number"), 14000, "facts[7].number: got 14000; allowed 14280, which rent_month × 12 gives"},
		{"facts", at("facts", 7, "formula"), "rent × 12", `facts[7].formula: got "rent × 12": "rent", which is no key of a fact with a number; allowed + − × ÷, ( ), max(a, b) and min(a, b) over keys of facts and numbers; example "rent_month × 12"`},
		{"facts", at("facts", 1, "unit"), "million EUR", `facts[1].unit: got "million EUR"; allowed a unit without such a word, and the whole number: texts and budget are compared with it; example "number":205696000,"unit":"HUF"`},
		{"facts", at("facts", 6, "key"), "wage_month", `facts[6].key: got "wage_month"; allowed a key of its own in snake_case; example "rent_month"`},
		{"facts", at("facts", 0, "number"), 70000, "facts: got a total_budget of 70000; allowed at most 60000 (C1)"},
		// The project.
		{"project", at("budget", 0, "amount"), 12000, "budget: got lines that sum to 61000; allowed 60000, the total_budget"},
		{"project", at("budget", 6, "reserve"), false, `budget: got no line with reserve: true; allowed a line for the reserve, usually 5 to 15 %; example {"line":"Reserve","amount":6000,"rests_on":"a tenth","mark":"estimate","by":"M5","reserve":true}`},
		{"project", at("success", 0, "by"), "Y9", "success[0].by: got Y9; allowed a day, a month, as Month 3, or one of Y1, Y2, Y3, Y4, Y5"},
		{"project", at("success", 0, "by"), "next spring", `success[0].by: got "next spring"; allowed a day, a month, or the id of a day or a milestone; example "2027-06-18|Y1|M1"`},
		// Thresholds.
		{"project", at("milestones", 4, "formula"), "reserve ÷ 3", "milestones[4].formula: got reserve ÷ 3, which gives 2000; allowed a formula that gives a number in pass or otherwise; read there: 3,000"},
		{"project", at("milestones", 4, "formula"), "reserve ÷ 2.0003", ""},
		{"project", at("milestones", 4), gate("2.6 million EUR are left."), ""},
		{"project", at("milestones", 4), gate("3 million EUR are left."), "milestones[4].formula: got reserve × 427, which gives 2562000; allowed a formula that gives a number in pass or otherwise; read there: 3 million"},
		{"project", at("milestones", 4, "otherwise"), "Below 2.9 of the 5 thousand", "milestones[4].formula: got reserve ÷ 2, which gives 3000; allowed a formula that gives a number in pass or otherwise; read there: 2.9, 5 thousand"},
		{"project", at("milestones", 4, "otherwise"), "Below 3.0 of the 5 thousand", ""},
		{"project", at("milestones", 4, "otherwise"), "About 2,990 EUR", ""},
		{"risks", at("rules", 0), shape.Object{"trigger": "More than 15.9 days", "then": "All three decide.", "formula": "rent_month ÷ repair_price", "who": "All three"}, ""},
		{"project", at("milestones", 4, "formula"), "0 - reserve ÷ 2", ""}, // which no text writes with its sign
		{"project", at("milestones", 4, "formula"), "savings ÷ 2", `milestones[4].formula: got "savings ÷ 2": "savings", which is no key of a fact with a number; ` +
			`allowed + − × ÷, ( ), max(a, b) and min(a, b) over keys of facts and numbers; example "rent_month × 12"`},
		{"risks", at("rules", 0), map[string]any{"trigger": "30 % of the money is left", "then": "All three decide.", "who": "All three", "formula": "fit_out ÷ 36667"}, ""},
		{"risks", at("rules", 0), map[string]any{"trigger": "Below 34 repairs", "then": "All three decide.", "who": "All three", "formula": "rent_month ÷ repair_price + wage_month ÷ 112"}, ""},
		{"risks", at("rules", 0), map[string]any{"trigger": "Below 34 repairs", "then": "All three decide.", "who": "All three", "formula": "rent_month ÷ repair_price"},
			"rules[0].formula: got rent_month ÷ repair_price, which gives 15.87; allowed a formula that gives a number in trigger or then; read there: 34"},
		// The calendar. Section 2: 3.2 ends 2028-08-21, due Y3 2028-03-31.
		{"wbs", at("phases", 0, "tasks", 2, "likely"), 35, ""},
		{"wbs", at("phases", 1, "tasks", 2, "max"), 200, ""},
		{"wbs", at("phases", 2, "tasks", 0), map[string]any{
			"id": "3.1", "name": "Test the counter with customers", "deliverable": "Price list", "owner": "Technician", "min": 50, "likely": 60, "max": 70, "after": []any{"2.1", "2.2", "2.3", "2.4"},
		}, "phases[2].tasks[1]: got 3.2 ends 2027-06-13, due Y4 2027-06-01; allowed 12 days earlier: less before it, or beside it"},
		{"wbs", at("phases", 2, "tasks", 0), map[string]any{
			"id": "3.1", "name": "Test the counter with customers", "deliverable": "Price list", "owner": "Technician", "min": 40, "likely": 49, "max": 70, "after": []any{"2.1", "2.2", "2.3", "2.4"},
		}, "phases[2].tasks[1]: got 3.2 ends 2027-06-02, due Y4 2027-06-01; allowed 1 day earlier: less before it, or beside it"},
		{"wbs", at("phases", 2, "tasks", 1, "after"), []any{"3.9"}, "phases[2].tasks[1].after: got 3.9, and there is no task 3.9; allowed one of 1.1, 1.2, 1.3, 2.1, 2.2, 2.3, 2.4, 3.1, 4.1, 4.2, 4.3"},
		{"wbs", at("phases", 2, "tasks", 1, "due"), "Y9", "phases[2].tasks[1].due: got Y9; allowed a day, a month, as Month 3, or one of Y1, Y2, Y3, Y4, Y5"},
		{"wbs", at("phases", 2, "tasks", 1, "max"), 2, "phases[2].tasks[1].days: got min 3, likely 5, max 2; allowed whole days with 1 ≤ min ≤ likely ≤ max ≤ 3650"},
		{"wbs", at("phases", 2, "tasks", 1, "makes"), nil, "phases: got no task with makes M3; allowed one task that makes M3 (Doors open)"},
		{"wbs", at("phases", 2, "tasks", 0, "makes"), "M3", "phases: got M3 made by 3.1 and 3.2; allowed one task that makes M3 (Doors open)"},
		// The premortem.
		{"premortem", at("failures", 0, "kind"), "market", "failures: got none of the kind process; allowed at least one each: process, technical, market"},
		{"premortem", at("failures", 0, "cause"), "B7", "failures[0].cause: got B7; allowed one of B1, B2, B3"},
		{"summary", at("focus"), "60,000 EUR with a reserve of 6,100", "focus: got 6,100, which stands in no other section; allowed a number of <inputs>, one that new tells, or none"},
		{"summary", at("chapters", 0, "tables"), []any{"budget"}, "chapters[2].tables[0]: got budget again; allowed each table once"},
		{"summary", at("chapters", 4, "tables"), []any{}, ""}, // a chapter may tell the gates itself
		{"summary", at("chapters", 0, "tables"), []any{"calculation_3"}, "chapters[0].tables[0]: got calculation_3; allowed calculation_1 to calculation_2: the numbers have no others"},
		{"summary", at("chapters", 0, "text", 0), "It costs 61,100 EUR.", "chapters[0].text[0]: got 61,100, which stands in no other section; allowed a number of <inputs>, one that new tells, or none"},
		{"summary", at("chapters", 0, "text", 0), "- One paragraph.", ""},
		{"summary", at("chapters", 0, "text"), []any{"It costs this.", "| What | EUR |", "| Fit-out | 11,000 |", "| Tools | 9,000 |", "| **Sum** | 20,000 |"}, ""},
		{"summary", at("chapters", 0, "text"), []any{"| What | EUR |", "| Fit-out | 11,000 |", "| Tools | 9,000 |", "| Sum | 26,000 |"}, "chapters[0].text[3]: got 26,000 as the sum of EUR; allowed 20,000, or other rows"},
		{"summary", at("chapters", 0, "text"), []any{"| What | EUR |", "| Grant | 12,000 |", "| Rent | −1,300 |", "| Total | 10,700 |"}, "chapters[0].text[3]: got 10,700, which stands in no other section; allowed a number of <inputs>, one that new tells, or none"},
		{"summary", at("chapters", 0, "text"), []any{"| What | EUR |", "| Fit-out | 11,000 | now |"}, "chapters[0].text[1]: got 3 cells; allowed 2, as the head has"},
		{"summary", at("chapters", 0, "text"), []any{"| What | EUR | When |", "| Fit-out | 11,000 | |", "| | 9,000 | |"}, ""}, // empty cells at the ends
		{"summary", at("chapters", 0, "text"), []any{"| What | EUR |", "A sentence."}, `chapters[0].text[0]: got "| What | EUR |"; allowed a head of at least two columns, and the rows of the table after it; example "| What | EUR |"`},
		{"summary", at("chapters", 0, "tables"), []any{"effects"}, "chapters: got 6 tables; allowed at most 5 in all, in the field tables"},
		{"summary", at("focus"), "From September 12,345 EUR are left", "focus: got 12,345, which stands in no other section; allowed a number of <inputs>, one that new tells, or none"},
		{"summary", at("focus"), "From September 20,800 EUR are left", ""},
		{"summary", at("focus"), "The work takes 4,990 hours in all", ""},
		{"summary", at("focus"), "On September 18, 6,000 EUR are left, and on 18 September, at 17.15, as well", ""},
		{"summary", at("focus"), "About 60 thousand EUR; 8 helpers; C4, Y4 and 42 hours", ""},
		{"wbs", at("phases", 2, "tasks", 0, "hours"), -1, "phases[2].tasks[0].hours: got -1; allowed a whole number from 0 to 9999; example 1"},
		{"wbs", at("phases", 1, "tasks", 2, "cost"), 47000, "phases: got tasks that cost 61100; allowed at most 60000, the total_budget"},
		{"wbs", at("phases", 0, "tasks", 1, "hours"), 500, "phases: got 524 hours in the month from 2026-12-01, most of them for 1.2 Have the floor and wiring inspected; " +
			"allowed at most 434; fewer hours, paid help, or another month"},
		// Answers, sources and tables.
		{"project", at("sources", 0, "amount"), 50000, "sources: got lines that sum to 50000; allowed at least 60000, the total_budget, without what is paid back; what nobody pays is a line with mark missing"},
		{"project", at("answers", 1, "id"), "Q1", `answers[1].id: got Q1 twice; allowed each one once`},
		{"facts", at("calculations", 0, "rows", 1), "75 EUR", "calculations[0].rows[1]: got 1 cell; allowed 3, as the head has"},
		{"facts", at("calculations", 0, "rows", 1), "75 EUR | 60", "calculations[0].rows[1]: got 2 cells; allowed 3, as the head has"},
		{"facts", at("calculations", 0, "head"), "Price", `calculations[0].head: got "Price"; allowed the heads of at least two columns with " | " between them; example "Variant | Cost | Price"`},
		{"facts", at("sensitivity", 0, "driver"), "price", `sensitivity[0].driver: got "price"; allowed the key of a fact with a number`},
		{"facts", at("sensitivity", 0, "watch"), "fit_out", "sensitivity[0].watch: got fit_out, which stays as it is; allowed a result that depends on repair_price through formulas, and another value in to"},
		{"summary", at("chapters", 0, "text", 0), "The ramp is 120 centimetres wide, as new tells.", ""},
		{"summary", at("repairs"), []any{map[string]any{"step": "project", "excerpt": "ten repairs", "replacement": "60 repairs", "why": "x"}},
			`repairs[0].excerpt: got "ten repairs"; allowed words of a text of project, letter by letter, or the place of a day or an amount that can be repaired; example "sources[0].by"`},
		{"summary", at("repairs"), []any{map[string]any{"step": "project", "excerpt": "60 repairs a month", "replacement": "100 repairs a month", "why": "the numbers say 100"}}, ""},
	} {
		refused(t, draftstest.UpTo(t, c.step), c.step, c.path, c.value, c.want)
	}
}

// refused changes a good answer, and checks how it is refused. If want is empty, the answer
// must be accepted.
func refused(t *testing.T, d drafts.Draft, step string, path []any, value any, want string) {
	t.Helper()
	var o any
	if err := json.Unmarshal(draftstest.File(t, step+".json"), &o); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(change(t, o, path, value))
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Read(draftstest.Step(t, d, step), raw, 0)
	if want == "" {
		if err != nil {
			t.Errorf("%s %v = %v is refused: %v", step, path, value, err)
		}
		return
	}
	problems, ok := errors.AsType[shape.Problems](err)
	if !ok || !slices.Contains(strings.Split(problems.Error(), "\n"), want) || got != nil {
		t.Errorf("%s %v = %v:\ngot:  %v\nwant: %s", step, path, value, err, want)
	}
}

// The hours of each person are compared with their own: the facts name them, the owners of
// the tasks divide the hours equally.
func TestHoursOfEachPerson(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "wbs")
	facts := d.Output("facts")
	facts["facts"] = append(facts["facts"].([]any),
		shape.Object{"key": "hours_week_bookkeeper", "value": "14 hours", "number": 14.0, "kind": "user_constraint", "basis": "prompt"},
		shape.Object{"key": "hours_week_mechanic", "value": "42 hours", "number": 42.0, "kind": "user_constraint", "basis": "prompt"})
	step, answer := draftstest.Step(t, d, "wbs"), string(draftstest.File(t, "wbs.json"))
	const task, hours = `"name":"Write and send the grant application"`, `"hours":40,`
	if !strings.Contains(answer, task) || strings.Count(answer, hours) != 1 {
		t.Fatal("the workshop has another task 2.2")
	}
	for more, want := range map[string]string{
		`"hours":50`:                      "",
		`"hours":90`:                      "phases: got 96 hours of bookkeeper in the month from 2027-01-01, most of them for 2.2 Write and send the grant application; allowed at most 62; fewer hours, paid help, or another month",
		`"owner":"Technician","hours":90`: "",
		`"owner":"Bookkeeper and mechanic","hours":90`: "",
	} {
		changed := strings.Replace(answer, hours, more+",", 1)
		if strings.Contains(more, "owner") {
			at := strings.Index(changed, task)
			changed = changed[:at] + strings.Replace(changed[at:], `"owner":"Bookkeeper",`, "", 1)
		}
		_, err := d.Read(step, []byte(changed), 0)
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != want {
			t.Errorf("%s: got %s, want %s", more, got, want)
		}
	}
	draftstest.Accept(d, step, draftstest.Answer(t, d, step))
	schedule := draftstest.Step(t, d, "schedule")
	draftstest.Accept(d, schedule, draftstest.Answer(t, d, schedule))
	var got []string
	for _, w := range d.Workloads() {
		got = append(got, fmt.Sprintf("%s: %.0f, %.0f of %.0f", w.Who, w.Hours, w.Fullest.Hours, w.Fullest.Limit))
	}
	if want := []string{": 4990, 404 of 420", "bookkeeper: 70, 46 of 62", "mechanic: 540, 88 of 180"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What a formula may be, and what a wrong one is told. facts[16] is the reserve, 6000.
func TestFormulas(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "facts")
	for formula, wrong := range map[string]string{
		"total_budget ÷ 10":                                      "",
		"max(total_budget ÷ 10, 5000)":                           "",
		"max(5000, total_budget ÷ 10)":                           "",
		"min( total_budget ; 6000 )":                             "",
		"max (0, -5) + min(6000, max(total_budget, rent_month))": "",
		"max(0, total_budget - 100000) + 2 × min(3000, 4000)":    "",
		"max(total_budget)":                                      "max or min without a comma between two numbers",
		"min(6000, 7000, 8000)":                                  "max or min that is not closed after its second number",
		"min(total_budget, 12,000)":                              "max or min that is not closed after its second number",
		"max(6000,":                                              "a sign without a number after it",
		"max(6000, 5000":                                         "max or min that is not closed after its second number",
		"max(6000, tax)":                                         `"tax", which is no key of a fact with a number`,
		"max × 2":                                                `"max", which is no key of a fact with a number`,
		strings.Repeat("(", 30) + "max(1, 2":                     "too many parentheses",
	} {
		want := ""
		if wrong != "" {
			want = fmt.Sprintf(`facts[16].formula: got %q: %s; allowed + − × ÷, ( ), max(a, b) and min(a, b) over keys of facts and numbers; example "rent_month × 12"`, formula, wrong)
		}
		refused(t, d, "facts", at("facts", 16, "formula"), formula, want)
	}
	refused(t, d, "facts", at("facts", 16, "formula"), "max(7000, total_budget ÷ 10)", "facts[16].number: got 6000; allowed 7000, which max(7000, total_budget ÷ 10) gives")
}

// The same for the steps that only a full draft has.
func TestBadAnswersOfAFullDraftAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		step  string
		path  []any
		value any
		want  string
	}{
		{"premise", at("attacks", 0, "lens"), "society", "attacks[3].lens: got society again; allowed each once: purpose, feasibility, economics, society, escalation"},
		{"experts", at("conditions"), []any{}, "conditions: got 0 items; allowed at least 1, as go is conditions"},
		{"experts", at("go"), "go", ""},
		{"documents", at("create", 0, "owner"), "T9", "create[0].owner: got T9; allowed one of T1, T2, T3, T4, T5"},
		{"tasks.1", at("tasks", 0, "id"), "1.9", "tasks[0].id: got 1.9; allowed the id of a task of the phase"},
		{"tasks.1", at("tasks", 1, "id"), "1.1", "tasks: got nothing for the task 1.2; allowed each task of the phase once"},
		{"tasks.1", at("tasks", 0, "id"), "2", "tasks[0].id: got 2; allowed the id of a task of the phase"},
		{"tasks.2", at("tasks", 2, "subtasks", 1, "after"), []any{"2.9.1"}, "tasks[2].subtasks[1].after: got 2.9.1, and there is no subtask 2.9.1; " +
			"allowed one of 2.1.1, 2.1.2, 2.2.1, 2.2.2, 2.3.1, 2.3.3, 2.4.1, 2.4.2"},
		{"tasks.3", at("tasks", 0, "subtasks", 0, "max"), 1, "tasks[0].subtasks[0].days: got min 3, likely 5, max 1; allowed whole days with 1 ≤ min ≤ likely ≤ max ≤ 3650"},
		{"tasks.3", at("tasks", 1, "subtasks", 1), map[string]any{"id": "3.2.2", "name": "Open the first week", "min": 50, "likely": 60, "max": 70},
			"tasks[1]: got 3.2 ends 2027-06-17, due Y4 2027-06-01; allowed 16 days earlier: less before it, or beside it"},
		{"audit", at("items", 1, "topic"), "physics", "items[1].topic: got physics again; allowed each once: physics, proof, buzzwords, risks, time, money, budget, optimism, " +
			"depth, evidence, deliverables, gold_plating, staff, law, upkeep, constraints, dependencies, parties, adaptation, other"},
		{"audit", at("adherence", 0, "id"), "C2", "adherence: got no score for C1; allowed a score for each constraint"},
		{"lint", at("conflicts", 0, "excerpt"), "twelve machines a week", `conflicts[0].excerpt: got "twelve machines a week"; allowed words of a text of pitch, letter by letter, or the place of a day or an amount that can be repaired; example "sources[0].by"`},
		{"lint", at("conflicts", 0, "step"), "pitches", `conflicts[0].step: got "pitches"; allowed the id of a section; example "project"`},
		{"lint", at("conflicts"), []any{}, ""},
	} {
		refused(t, draftstest.FullUpTo(t, c.step), c.step, c.path, c.value, c.want)
	}
}

// Section 2, lint: a replacement whose excerpt occurs once is a repair, told beside the
// step; nothing becomes dirty by it. A serious conflict that is no repair is counted.
func TestRepairs(t *testing.T) {
	t.Parallel()
	d := draftstest.FullUpTo(t, "")
	if got := d.Repairs("pitch"); len(got) != 1 || d.Unrepaired() != 0 {
		t.Errorf("got %v, %d left", got, d.Unrepaired())
	}
	if text := d.Markdown("pitch"); strings.Contains(text, "twelve machines a day") || !strings.Contains(text, "a hundred machines a month leave it repaired") {
		t.Errorf("the repair is not made:\n%s", text)
	}
	if o := d.Output("pitch"); !strings.Contains(fmt.Sprint(o), "twelve machines a day") {
		t.Errorf("the repair has changed the output: %v", o)
	}
	delete(d.Records, "lint.2")
	conflict := d.Output("lint").Records("conflicts")[0]
	conflict["excerpt"], conflict["severity"] = "the", "high"
	if got := d.Repairs("pitch"); len(got) != 0 || d.Unrepaired() != 1 {
		t.Errorf("words that occur often are repaired: %v", got)
	}
	conflict["step"], conflict["excerpt"] = "confirm", "not longer"
	if got := d.Repairs("confirm"); len(got) != 0 {
		t.Errorf("a person's words are repaired: %v", got)
	}
}

// Section 2: each amount of a constraint is a fact; days, clock times, years and
// numbers within names are no amounts.
func TestWhatIsAnAmount(t *testing.T) {
	t.Parallel()
	s := draftstest.Step(t, draftstest.Empty(t), "facts")
	for text, missing := range map[string]string{
		"at most 60.000 Euro":                          "", // 60,000 in another notation
		"at most 60 000 €":                             "",
		"at most 60k":                                  "",
		"at most 0.06 million":                         "",
		"at most 0.06 million euros":                   "",
		"at most 0.0121 million":                       "0.0121 million",
		"at most 3.45 million euros":                   "3.45 million",
		"at most 3,4 Mio. Euro":                        "3,4 Mio",
		"at most 17.15 EUR an hour":                    "17.15",
		"at most 61,000 EUR":                           "61,000",
		"no fewer than 21.25 sold places":              "21.25",
		"only 3.5 tons":                                "3.5",
		"no page of the years before 1926":             "",
		"open from 15 June to 3 August, 8:30 to 17.15": "",
		"at 9 am on 2027-02-15, by Y4 or Month 3":      "",
		"COVID-19 and A4 are names":                    "",
		"at most 14 hours beside the job":              "",
		"a share of 20 percent":                        "20",
	} {
		d := draftstest.UpTo(t, "facts")
		d.Output("brief")["constraints"] = []any{shape.Object{"id": "C1", "kind": "must", "text": text, "quote": "x"}}
		_, err := d.Read(s, draftstest.File(t, "facts.json"), 0)
		want := fmt.Sprintf("nothing of the %s of C1", missing)
		if missing == "" && err != nil || missing != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Section 2: after two tries a late plan is accepted, and the lateness is told.
func TestALatePlanIsAcceptedAfterTwoTries(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "wbs")
	s := draftstest.Step(t, d, "wbs")
	late := []byte(strings.Replace(string(draftstest.File(t, "wbs.json")), `"min":7,"likely":10,"max":14`, `"min":50,"likely":60,"max":70`, 1))
	for tries, accepted := range map[int]bool{0: false, 1: false, 2: true, 5: true} {
		if _, err := d.Read(s, late, tries); (err == nil) != accepted {
			t.Errorf("after %d tries: %v", tries, err)
		}
	}
	o, err := d.Read(s, late, drafts.MaxLateTries)
	if err != nil {
		t.Fatal(err)
	}
	draftstest.Accept(d, s, o)
	code := draftstest.Step(t, d, "schedule")
	o, err = d.Write(code)
	if err != nil {
		t.Fatal(err)
	}
	draftstest.Accept(d, code, o)
	want := "M3 Doors open ends 2027-06-13, 12 days after its due date 2027-06-01."
	if got := d.Late(); len(got) != 2 || got[0] != want {
		t.Errorf("got %q, want %q and another milestone", got, want)
	}
	slack := o.Records("deadlines")[0].Number("slack")
	for _, l := range o.Records("deadlines") {
		if l.Number("slack") < slack {
			t.Errorf("%s is later than what stands before it", l.Text("id"))
		}
		slack = l.Number("slack")
	}
	if findings := d.Lint(); len(findings) != 3 || findings[0].Step != "wbs" {
		t.Errorf("lint: %v", findings)
	}
}

// Section 2: max_days is checked against the schedule, required words against all
// texts, at the latest when everything is there.
func TestChecksOfTheSchedule(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	constraints := d.Output("brief").Records("constraints")
	constraints[1]["check"] = shape.Object{"op": "max_days", "value": "400"}
	constraints[2]["check"] = shape.Object{"op": "required_word", "value": "cooperative"}
	constraints[3]["check"] = shape.Object{"op": "required_word", "value": "photovoltaics"}
	var got []string
	for _, f := range d.Lint() {
		got = append(got, f.Step+" "+f.String())
	}
	want := []string{
		"wbs phases: got an end after 475 days; allowed at most 400 (C2)",
		`brief C4: got no section with the word "photovoltaics"; allowed the word at least once`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// What the last step put right is no contradiction any more.
func TestLintReadsWhatWasPutRight(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	d.Output("risks").Records("risks")[0]["impact"] = "A total budget of 70,000 EUR"
	if len(d.Lint()) != 1 {
		t.Fatalf("before: %v", d.Lint())
	}
	d.Output("summary")["repairs"] = []any{shape.Object{"step": "risks", "excerpt": "70,000", "replacement": "60,000", "why": "the facts say so"}}
	if found := d.Lint(); len(found) != 0 {
		t.Errorf("found %v", found)
	}
}

// A number beside the words of a fact is no contradiction if the prompt or another fact
// has it: "a total budget of at least 12,000" may be the grant.
func TestLintLeavesOtherFactsBesideTheWordsOfOne(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"The total budget less at most 12,000 EUR", "A total budget of 60,000 EUR", "the total budget in 140 square metres"} {
		d := draftstest.UpTo(t, "")
		d.Output("summary")["focus"] = said
		for _, f := range d.Lint() {
			if strings.Contains(f.Got, "beside") {
				t.Errorf("%q: %s", said, f)
			}
		}
	}
}

// A chapter may have a table that its writer made. Columns of numbers are aligned at the right.
func TestATableOfTheWriter(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	d.Output("summary").Records("chapters")[0]["text"] = []any{"Before it.", "| What | Who | EUR |", "| Fit-out | All | 11,000 |", "| A grant | The city | −12,000 |", "- An item."}
	const want = "Before it.\n\n| What | Who | EUR |\n|---|---|---:|\n| Fit-out | All | 11,000 |\n| A grant | The city | −12,000 |\n\n- An item."
	if got := d.Chapters()[0].Markdown; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The sum of decimals is checked as decimals.
func TestATableOfDecimals(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "summary")
	step := draftstest.Step(t, d, "summary")
	o, err := d.Read(step, draftstest.File(t, "summary.json"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ one, other, sum, want string }{
		{"12.5", "7.5", "20", ""}, {"12,5", "7,25", "19,75", ""}, {"1.500", "2.500", "4.000", ""}, {"1.500,50", "0,50", "1.501", ""}, {"0.125", "0.250", "0.375", ""},
		{"12.5", "7.5", "200", "chapters[0].text[3]: got 200 as the sum of EUR; allowed 20, or other rows"},
	} {
		o.Records("chapters")[0]["text"] = []any{"| What | EUR |", "| A | " + c.one + " |", "| B | " + c.other + " |", "| Total | " + c.sum + " |"}
		_, err := d.Read(step, step.Shape.JSON(o), drafts.MaxLateTries)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A stored row of another length than the head, as a repair may leave it, loses nothing but its
// last cells.
func TestATableWithARaggedRow(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	d.Output("summary").Records("chapters")[0]["text"] = []any{"| What | EUR |", "| Fit-out |", "| Tools | 9,000 | now |"}
	const want = "| What | EUR |\n|---|---:|\n| Fit-out |  |\n| Tools | 9,000 |"
	if got := d.Chapters()[0].Markdown; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A forbidden word is hidden also where its first or last letter is no letter of English.
func TestAForbiddenWordIsHidden(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	checks := d.Output("brief").Records("constraints")
	checks[0]["check"] = shape.Object{"op": "banned_word", "value": "Überflieger"}
	checks[1]["check"] = shape.Object{"op": "banned_word", "value": "art"}
	checks[2]["check"] = shape.Object{"op": "banned_word", "value": "art café"}
	const want = "Kein Ü…, an A…, a…. The S…; Überfliegers and Quärt and part of a… cafés stay"
	got := d.Unsaid()("Kein Überflieger, an ART CAFÉ, art. The Startup; Überfliegers and Quärt and part of art cafés stay")
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A limit of money counts as it is written: 60.000 and 60 thousand are no 60.
func TestALimitOfMoney(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"60000", "60,000 EUR", "60.000 EUR", "EUR 60.000,00", "60 thousand EUR", "0.06 million EUR"} {
		d := draftstest.UpTo(t, "facts")
		d.Output("brief").Records("constraints")[0].Record("check")["value"] = limit
		refused(t, d, "facts", at("facts", 0, "number"), 60000, "")
		refused(t, d, "facts", at("facts", 0, "number"), 70000, "facts: got a total_budget of 70000; allowed at most 60000 (C1)")
	}
}

// The words of all chapters together count against the limit of the plan.
func TestThePlanIsShort(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "summary")
	step := draftstest.Step(t, d, "summary")
	plan := d.With("summary", nil)
	o, err := plan.Read(step, draftstest.File(t, "summary.json"), 0)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.TrimSpace(strings.Repeat("word ", 160))
	for i := range 6 {
		o.Records("chapters")[i]["text"] = []any{long, long, long, long}
	}
	if _, err = plan.Read(step, step.Shape.JSON(o), 0); err != nil {
		t.Errorf("a tenth more words: %v", err)
	}
	o.Records("chapters")[0]["text"] = []any{long, long, long, long, long}
	for _, tries := range []int{0, drafts.MaxLateTries} {
		_, err = plan.Read(step, step.Shape.JSON(o), tries)
		const want = "chapters: got 4,068 words; allowed at most 3,600 in all"
		if err == nil || err.Error() != want {
			t.Errorf("after %d tries: got %v, want %s", tries, err, want)
		}
	}
}

// The plan is read again: what its second answer changes stands in the report, and what was
// accepted stays as it is.
func TestThePlanIsReadAgain(t *testing.T) {
	t.Parallel()
	const said, instead = "They are not dropped to save money", "Whoever leads an evening comes two hours later"
	d := draftstest.UpTo(t, "")
	if text := d.Markdown("summary"); !strings.Contains(text, said) || !strings.Contains(text, instead) {
		t.Errorf("the change is not made:\n%s", text)
	}
	if text := fmt.Sprint(d.Output("summary")); strings.Contains(text, instead) {
		t.Errorf("the change has changed the output: %s", text)
	}
	changes, change := at("changes"), func(step, excerpt, replacement string) []any {
		return []any{map[string]any{"step": step, "excerpt": excerpt, "replacement": replacement, "why": "x"}}
	}
	for _, c := range []struct {
		path  []any
		value any
		want  string
	}{
		{changes, change("summary", "They are dropped", "x"), `changes[0].excerpt: got "They are dropped"; allowed words of a text of summary, letter by letter, or the place of a day or an amount that can be repaired; example "sources[0].by"`},
		{changes, change("summary", "open evenings", "x"), "changes[0].excerpt: got words that stand 2 times in summary; allowed words that occur once: more of the sentence"},
		{changes, change("summary.2", "98", "x"), `changes[0].step: got "summary.2"; allowed the id of a section; example "project"`},
		{changes, change("summary", said, "They are not dropped, as 7,777 EUR are there"), "changes[0].replacement: got 7,777, which stands in no other section; allowed a number of <inputs>, one that new tells, or none"},
		{changes, change("summary", said, "They bring 54,000 EUR"), ""},
		{changes, []any{map[string]any{"step": "summary", "excerpt": said, "replacement": "They stay", "why": "no 7,777"}}, ""},
		{changes, change("project", "sources[0].by", "2027-01-15"), ""},
		{changes, change("project", "sources[9].by", "2027-01-15"), `changes[0].excerpt: got "sources[9].by"; allowed words of a text of project, letter by letter, or the place of a day or an amount that can be repaired; example "sources[0].by"`},
		{changes, change("project", "milestones[0].by", "2027-01-15"), `changes[0].excerpt: got "milestones[0].by"; allowed words of a text of project, letter by letter, or the place of a day or an amount that can be repaired; example "sources[0].by"`},
		{changes, change("risks", "risks[1].by", "2027-02-15"), ""},
		{changes, change("summary", "next[0].by", "2026-12-09"), ""},
		{changes, change("risks", "risks[1].by", "soon"), `changes: got risks with a mistake then: risks[1].by: got "soon"; allowed a day, a month, or the id of a day or a milestone; example "2027-06-18|Y1|M1"; allowed replacements within the limits of its fields`},
		{changes, change("project", "sources[0].by", "soon"), `changes: got project with a mistake then: sources[0].by: got "soon"; allowed a day, a month, or the id of a day or a milestone; example "2027-06-18|Y1|M1"; allowed replacements within the limits of its fields`},
		{changes, change("project", "budget[0].amount", "12,000"), "changes: got project with a mistake then: budget: got lines that sum to 61000; allowed 60000, the total_budget; allowed replacements within the limits of its fields"},
		{changes, []any{}, ""},
	} {
		refused(t, draftstest.UpTo(t, "summary.2"), "summary.2", c.path, c.value, c.want)
	}
	for _, amount := range []string{"59,000", "59.000 EUR", "59,000 EUR, as the bank says", "59,000.00 EUR", "59 thousand"} {
		d.Output("summary.2")["changes"] = []any{shape.Object{"step": "project", "excerpt": "sources[0].amount", "replacement": amount, "why": "x"}}
		if text := d.Part("project", "sources"); !strings.Contains(text, "| 59,000 |") || d.Output("project").Records("sources")[0].Number("amount") != 60_000 {
			t.Errorf("%s: the amount that was put right is not shown, or is stored:\n%s", amount, text)
		}
	}
	answer := string(draftstest.File(t, "summary.2.json"))
	tested, _, _ := strings.Cut(answer, `"changes"`)
	wrong := strings.Replace(tested, `"holds":true`, `"holds":false`, 1) + `"changes":[],"new":[]}`
	d = draftstest.UpTo(t, "summary.2")
	const want = "changes: got none; allowed what puts right the claims that do not hold: 1"
	if _, err := d.Read(draftstest.Step(t, d, "summary.2"), []byte(wrong), 0); err == nil || err.Error() != want {
		t.Errorf("a claim that does not hold and is not put right: got %v, want %s", err, want)
	}
}

// A summary that an earlier planb took has no chapters, and contradicts nothing.
func TestASummaryWithoutChaptersContradictsNothing(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	delete(d.Output("summary"), "chapters")
	if found := d.Lint(); len(found) != 0 {
		t.Errorf("found %v", found)
	}
}

// Section 2, lint: an edit that contradicts another section is found, whatever was
// right before.
func TestLintFindsWhatAnEditBroke(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(drafts.Draft)
		want string
	}{
		"another number": {func(d drafts.Draft) { d.Output("summary")["focus"] = "A total budget of 70,000 EUR, with the reserve" },
			`summary focus: got 70,000 beside "total budget"; allowed 60000, the fact total_budget`},
		"a sum": {func(d drafts.Draft) { d.Output("project").Records("budget")[0]["amount"] = 1.0 },
			"project budget: got lines that sum to 49001; allowed 60000, the total_budget"},
		"a dangling id": {func(d drafts.Draft) { d.Output("brief")["days"] = []any{} },
			"project milestones[0].by: got Y1; allowed a day, or a month, as Month 3; there is no Y1; example 2027-06-18"},
	} {
		d := draftstest.UpTo(t, "")
		c.edit(d)
		var got []string
		for _, f := range d.Lint() {
			got = append(got, f.Step+" "+f.String())
		}
		if !slices.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Every step of a model is refused when it is empty, prose or nothing at all, with
// problems and never with an output.
func TestNonsenseIsRefused(t *testing.T) {
	t.Parallel()
	for _, s := range drafts.Steps(drafts.Brief) {
		if s.Author != drafts.Model {
			continue
		}
		d := draftstest.UpTo(t, s.ID)
		for _, raw := range []string{"", " ", "{}", "[]", "null", "Sure! Here it is.", `{"why":"x"`, "\xff", `{} {}`, `"{}"`, strings.Repeat("[", 30_000)} {
			o, err := d.Read(s, []byte(raw), 0)
			if _, ok := errors.AsType[shape.Problems](err); !ok || o != nil {
				t.Errorf("%s: %.20q gives %v and %v", s.ID, raw, o, err)
			}
		}
	}
}

// Section 3 of the texts: what models write anyway is understood.
func TestOtherShapesAreUnderstood(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "risks")
	s := draftstest.Step(t, d, "risks")
	plain := draftstest.File(t, "risks.json")
	want, err := d.Read(s, plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	inString, err := json.Marshal(string(plain))
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string]string{
		"a JSON string": string(inString), "a fence": "```json\n" + string(plain) + "```\n", "another case": strings.ReplaceAll(string(plain), `"medium"`, `"Medium"`),
		"line breaks": strings.ReplaceAll(string(plain), ". ", ".\\n "),
	} {
		got, err := d.Read(s, []byte(raw), 0)
		if err != nil || string(s.Shape.JSON(got)) != string(s.Shape.JSON(want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Section 2, gates: code copies what the person chose; what they said nothing of
// is kept.
func TestGates(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "choose")
	o, err := d.Choose(drafts.Choice{Scenario: "S2", By: "anna@home"})
	if err != nil {
		t.Fatal(err)
	}
	levers := o.Record("scenario").Record("levers")
	want := shape.Object{
		"Legal start": "Trade as a partnership until the cooperative is registered", "First offer": "Both from the first day",
		"Fit-out of the bakery": "Only what the opening needs: ramp, benches, counter", "Who leaves the job when": "The user two months before the opening, Mira when her contract ends",
	}
	if !maps.Equal(levers, want) || o.Record("scenario").Records("doubts")[0].Text("id") != "C3" {
		t.Errorf("%v", o)
	}
	own, err := d.Choose(drafts.Choice{Own: "Like S2, but with bicycles only.", Answers: map[string]string{"Prices": "60 EUR"}, By: "anna@home"})
	if err != nil || own.Record("scenario").Text("logic") != "Like S2, but with bicycles only." || own.Record("answers").Text("Prices") != "60 EUR" {
		t.Errorf("%v, %v", own, err)
	}
	if _, err := d.Choose(drafts.Choice{Scenario: "S9", By: "anna@home"}); err == nil {
		t.Error("a scenario that there is not is chosen")
	}
	d = draftstest.UpTo(t, "confirm")
	o, err = d.Confirm(drafts.Confirmation{Changed: map[string]string{"A2": "50 EUR"}, Dropped: []string{"A8"}, Wrong: "The garden is missing.", By: "anna@home"})
	if err != nil {
		t.Fatal(err)
	}
	list := o.Records("assumptions")
	if len(list) != 8 || list[0].Text("state") != "kept" || list[1].Text("text") != "50 EUR" || list[1].Text("state") != "changed" || list[7].Text("state") != "dropped" || o.Text("wrong") != "The garden is missing." {
		t.Errorf("%v", o)
	}
	if _, err := d.Confirm(drafts.Confirmation{Changed: map[string]string{"A99": "x"}, By: "anna@home"}); err == nil {
		t.Error("an assumption that there is not is changed")
	}
}

// A person reads days in words, and nothing else changes.
func TestDays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2028-05-08": "8 May 2028",
		"Open 2027-06-01 (the opening), not 2027-05-31.":     "Open 1 June 2027 (the opening), not 31 May 2027.",
		"2026-12-01–2026-12-28":                              "1 December 2026–28 December 2026",
		"2027-02-30, 12027-02-03, 2027-02-031":               "2027-02-30, 12027-02-03, 2027-02-031",
		"offer-2027-02-03.pdf, 2027-02-03.pdf, a/2027-02-03": "offer-2027-02-03.pdf, 2027-02-03.pdf, a/2027-02-03",
		"2027-02-03T10:00":                                   "2027-02-03T10:00",
		"bis zum 2027-02-03.":                                "bis zum 3 February 2027.",
		"二〇2027-02-03日":                                      "二〇3 February 2027日",
		"2027-02":                                            "2027-02",
	} {
		if got := drafts.Days(text); got != want || drafts.Days(got) != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Section 2: code writes out what models write relatively.
func TestTimesAreWrittenOut(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	for text, want := range map[string]string{
		"Open in Month 3.":       "Open in Month 3 (2027-03-01).",
		"by Y4 or Y99, not Y4":   "by 2027-06-01 (the opening) or Y99, not 2027-06-01",
		"Y4":                     "2027-06-01",
		"Month 3":                "2027-03-01",
		"M3":                     "2027-06-01",
		"an M3 screw":            "an M3 screw",
		"no month at all, 3 kg.": "no month at all, 3 kg.",
	} {
		if got := d.WriteOut(text); got != want {
			t.Errorf("%q is written out as %q, want %q", text, got, want)
		}
	}
}

// A day that comes again each year, a count of days and a number at the end of a sentence
// are no dates; a day with a year is one.
func TestWhatIsADate(t *testing.T) {
	t.Parallel()
	s := draftstest.Step(t, draftstest.UpTo(t, "scenarios"), "scenarios")
	for text, date := range map[string]string{
		"Snow lies until 15 August of each year.":                 "",
		"Loads fly on 17 days of August and 30 of September.":     "",
		"The hut has beds for 60. November is quiet.":             "",
		"The hut has beds for 60. November 2028 is quiet.":        "",
		"Without them it would be 65.5. November 2028 is full.":   "",
		"The office answers by 2027-06-18.":                       "",
		"The office answers by 1 October 2027.":                   "1 October 2027",
		"The office answers by October 1st, 2027.":                "October 1st, 2027",
		"The office answers by 1.10.2027 and not by 30 of June.":  "1.10.2027",
		"The office answers by 12. Dezember 2027, 12,000 francs.": "12. Dezember 2027",
		"Het kantoor antwoordt op 3 maart 2027.":                  "3 maart 2027",
		"Het kantoor antwoordt op 3 april 2027.":                  "3 april 2027",
		"Het kantoor antwoordt op 3 mei 2027.":                    "3 mei 2027",
		"Het kantoor antwoordt op 3 september 2027.":              "3 september 2027",
		"Het kantoor antwoordt op 3 november 2027.":               "3 november 2027",
		"Het kantoor antwoordt op 3 december 2027.":               "3 december 2027",
		"Het is er vol tot 3 mei van elk jaar, en in mei 2027.":   "",
		"Das Büro antwortet am 7. Jänner 2027.":                   "7. Jänner 2027",
		"Das Büro antwortet am 7. Feber 2027.":                    "7. Feber 2027",
		"Kontoret svarer den 3. januar 2027.":                     "3. januar 2027",
		"Kontoret svarer den 3. februar 2027.":                    "3. februar 2027",
		"Kontoret svarer den 3. marts 2027.":                      "3. marts 2027",
		"Kontoret svarer den 3. maj 2027.":                        "3. maj 2027",
		"Kontoret svarer den 3. august 2027.":                     "3. august 2027",
		"Kontoret svarer den 3. augusti 2027.":                    "3. augusti 2027",
		"Kontoret svarer den 3. desember 2027.":                   "3. desember 2027",
	} {
		var o map[string]any
		if err := json.Unmarshal(draftstest.File(t, "scenarios.json"), &o); err != nil {
			t.Fatal(err)
		}
		o["why"] = text
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = draftstest.UpTo(t, "scenarios").Read(s, raw, 0)
		if want := fmt.Sprintf("got the date %q", date); (err != nil) != (date != "") || date != "" && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
