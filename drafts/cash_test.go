package drafts_test

import (
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/shape"
)

func source(from string, amount float64, mark, by string) any {
	return shape.Object{"from": from, "amount": amount, "rests_on": "x", "mark": mark, "by": by}
}

// loan is a source that is paid back.
func loan(from string, amount float64, by, back string) any {
	l := source(from, amount, "given", by).(shape.Object)
	l["back"] = back
	return l
}

// The money of the workshop, month by month: 21,860 in June, 7,140 in September, 25,000 in
// December, and a reserve of 6,000 that is not spent.
func TestMoneyByMonth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sources []any
		short   string
		rows    []string
	}{
		"all at once": {[]any{source("Own money", 60000, "given", "2026-12-01")}, "", []string{
			"| December 2026 |  |  | 60,000 | Own money | 60,000 |",
			"| June 2027 | 21,860 | Fit-out; Tools and stock of parts; Opening and advertising |  |  | 38,140 |",
			"| September 2027 | 7,140 | Rent until it carries itself |  |  | 31,000 |",
			"| December 2027 | 25,000 | Founding, audit, insurance; Support of two founders |  |  | 6,000 |",
		}},
		"too late": {[]any{source("Own money", 15000, "given", "2026-12-01"), source("Grant", 45000, "given", "Month 10"), source("Bazaar", 10, "guess", "Month 10")},
			"When “Fit-out” is due by 2027-06-01, more is due than has come in; the most is missing in September 2027: 14,000 EUR.", []string{
				"| June 2027 | 21,860 | Fit-out; Tools and stock of parts; Opening and advertising |  |  | **-6,860** |",
				"| October 2027 |  |  | 45,010 | Grant; Bazaar | 31,010 |",
				"\n**When “Fit-out” is due by 1 June 2027, more is due than has come in; the most is missing in September 2027: 14,000 EUR.**\n",
			}},
		"in the same month": {[]any{source("Grant", 60000, "given", "2027-06-30")}, "", nil},
		"from nobody": {[]any{source("Own money", 48000, "given", "2026-12-01"), source("Nobody yet", 12000, "missing", "2026-12-01")},
			"When “Support of two founders” is due by 2027-12-01, more is due than has come in; the most is missing in December 2027: 6,000 EUR.", []string{"| **-6,000** |"}},
		"by a milestone": {[]any{source("Grant", 60000, "given", "M4")},
			"When “Fit-out” is due by 2027-06-01, more is due than has come in; the most is missing in September 2027: 29,000 EUR.", nil},
		"bridged by a loan": {[]any{source("Own money", 15000, "given", "2026-12-01"), source("Grant", 45000, "given", "Month 10"), loan("Bank", 14000, "2027-05-01", "Month 11")}, "", []string{
			"| May 2027 |  |  | 14,000 | Bank | 29,000 |",
			"| November 2027 | 14,000 | Bank, paid back |  |  | 31,000 |",
		}},
		"bridged too briefly": {[]any{source("Own money", 15000, "given", "2026-12-01"), source("Grant", 45000, "given", "Month 10"), loan("Bank", 14000, "2027-05-01", "2027-08-01")},
			"When “Bank, paid back” is due by 2027-08-01, more is due than has come in; the most is missing in September 2027: 14,000 EUR.", nil},
	} {
		d := draftstest.UpTo(t, "")
		d.Output("project")["sources"] = c.sources
		if got := d.Shortage(); got != c.short {
			t.Errorf("%s: got %q, want %q", name, got, c.short)
		}
		text := d.Part("project", "cash")
		for _, row := range c.rows {
			if !strings.Contains(text, row) {
				t.Errorf("%s has not %q:\n%s", name, row, text)
			}
		}
		told := "money, added up by month: " + c.short
		text = frame(t, d, drafts.Ask{Step: "summary", Lease: "4f2a", Limit: drafts.FrameLimit})
		if strings.Contains(text, "money, added up by month: ") != (c.short != "") || c.short != "" && !strings.Contains(text, told) {
			t.Errorf("%s: the summary is not told %q", name, told)
		}
	}
}

// A summary may name what code found missing; a project whose money comes too late is told of
// it, and never refused.
func TestMissingMoneyIsTold(t *testing.T) {
	t.Parallel()
	late := []any{source("Own money", 22877, "given", "2026-12-01"), source("Grant", 37123, "given", "Month 10")}
	refused(t, draftstest.UpTo(t, "project"), "project", at("sources"), late, "")
	d := draftstest.UpTo(t, "summary")
	refused(t, d, "summary", at("focus"), "It lacks 6,123 EUR.", "focus: got 6,123, which stands in no other section; allowed a number of <inputs>, one that new tells, or none")
	d.Output("project")["sources"] = late
	refused(t, d, "summary", at("focus"), "It lacks 6,123 EUR.", "")
	for _, of := range []any{source("Loss", -5, "given", "Month 1"), source("Nothing", 0, "given", "Month 1")} {
		d.Output("project")["sources"], d.Output("project")["budget"] = []any{of}, []any{}
		if got := d.Shortage(); got != "" {
			t.Errorf("without a line that is due: %q", got)
		}
	}
}

// What is paid every month goes out and comes in in equal parts; the last day is in the budget's table.
func TestMoneyThatIsPaidEveryMonth(t *testing.T) {
	d := draftstest.UpTo(t, "")
	budget := d.Output("project").Records("budget")
	support := budget[len(budget)-2]
	support["line"], support["first"], support["by"], support["amount"] = "Support", "Month 1", "Month 4", 10_000.0
	d.Output("project")["sources"] = append(d.Output("project")["sources"].([]any),
		shape.Object{"from": "Patrons", "amount": 900.0, "rests_on": "x", "mark": "given", "first": "Month 1", "by": "Month 3"})
	cash := d.Part("project", "cash")
	if !strings.Contains(cash, "| 300 | Patrons |") {
		t.Errorf("no 300 a month of the patrons in:\n%s", cash)
	}
	for month, row := range map[string]string{"January": "| January 2027 | 2,500 | Support |", "April": "| April 2027 | 2,500 | Support |"} {
		if !strings.Contains(cash, row) {
			t.Errorf("%s is not in:\n%s", month, cash)
		}
	}
	if table := d.Part("project", "budget"); !strings.Contains(table, "monthly from 1 January 2027 to 1 April 2027") {
		t.Errorf("the budget says:\n%s", table)
	}
	refused(t, draftstest.UpTo(t, "project"), "project", at("sources"),
		[]any{source("Own money", 50000, "given", "2026-12-01"), loan("Bank", 10000, "2026-12-01", "Month 9")},
		"sources: got lines that sum to 50000; allowed at least 60000, the total_budget, without what is paid back; what nobody pays is a line with mark missing")
}

// A number of a table counts as its head says: 85 below "million" is 85 million.
func TestTheHeadOfATableMultiplies(t *testing.T) {
	d := draftstest.UpTo(t, "summary")
	refused(t, d, "summary", at("focus"), "It costs 85 million EUR.", "focus: got 85 million, which stands in no other section; allowed a number of <inputs>, one that new tells, or none")
	facts := d.Output("facts")
	facts["calculations"] = append(facts["calculations"].([]any), shape.Object{"title": "Costs", "head": "Case | Cost, million EUR", "rows": []any{"All | 85"}, "result": "x"})
	refused(t, d, "summary", at("focus"), "It costs 85 million EUR.", "")
}
