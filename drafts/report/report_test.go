package report_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/report"
	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/questions/safe/safetest"
)

func html(t testing.TB, d drafts.Draft) string {
	t.Helper()
	page, err := report.HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// zipped returns the files of a draft out of its zip.
func zipped(t *testing.T, d drafts.Draft) map[string][]byte {
	t.Helper()
	data, err := report.Zip(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, contents := unzip(t, data)
	return contents
}

// unzip returns the files of a zip in their order, and their contents by name.
func unzip(t *testing.T, data []byte) (files []*zip.File, contents map[string][]byte) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	contents = map[string][]byte{}
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if contents[f.Name], err = io.ReadAll(opened); err != nil {
			t.Fatal(err)
		}
	}
	return r.File, contents
}

// Section 8 and 9: the golden page. Same records, same bytes; at most 400 KB.
func TestThePage(t *testing.T) {
	page := html(t, draftstest.UpTo(t, ""))
	if len(page) > 400<<10 {
		t.Errorf("%d bytes", len(page))
	}
	if again := html(t, draftstest.UpTo(t, "")); again != page {
		t.Error("the same records give another page")
	}
	golden.RequireEqual(t, masked(page))
}

// People read days in words, also where the appendix quotes what models wrote.
func TestDaysAreInWords(t *testing.T) {
	d := draftstest.FullUpTo(t, "")
	for name, text := range map[string]string{"the page": html(t, d), "the report": string(report.Markdown(d)), "the appendix": string(report.Appendix(d))} {
		if found := regexp.MustCompile(`.{0,40}\b\d{4}-\d{2}-\d{2}\b.{0,40}`).FindAllString(text, -1); found != nil {
			t.Errorf("%s has %q", name, found)
		}
	}
}

// Section 8: order and contents of report.md.
func TestTheMarkdown(t *testing.T) {
	golden.RequireEqual(t, masked(string(report.Markdown(draftstest.UpTo(t, "")))))
}

// The same for a full draft.
func TestTheMarkdownOfAFullDraft(t *testing.T) {
	golden.RequireEqual(t, masked(string(report.Markdown(draftstest.FullUpTo(t, "")))))
}

// masked hides the hashes, which change with every word of a task.
func masked(text string) []byte {
	return regexp.MustCompile(`\b[0-9a-f]{12}\b`).ReplaceAll([]byte(text), []byte("hash"))
}

// Section 8: the page loads nothing and has no script, whatever the texts are.
func TestHostileTextInThePage(t *testing.T) {
	attacks := []string{
		`<script>alert(1)</script>`, `</style></title><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `[x](javascript:alert(1))`,
		`![x](http://canary.invalid/x.png)`, `<iframe src=//canary.invalid>`, `{{.Policy}}`, "``` `\"><b>", `<svg onload=alert(1)>`, "| a | b |\n|---|---|",
	}
	for _, text := range safetest.Hostile() {
		attacks = append(attacks, text)
	}
	element := regexp.MustCompile(`(?i)<(script|img|iframe|object|embed|link|form|input|video|audio|base|svg onload|b>|meta http-equiv="refresh)`)
	for round := range 4 {
		d := draftstest.UpTo(t, "")
		next := round
		for _, s := range drafts.Steps(d.Detail) {
			s.Shape.Walk(d.Output(s.ID), func(_ string, f shape.Field, value any) any {
				if f.Kind != shape.Text {
					return value
				}
				next++
				return attacks[next%len(attacks)]
			})
			r := d.Records[s.ID]
			r.By, r.Model = attacks[(next+1)%len(attacks)], attacks[(next+2)%len(attacks)]
			d.Records[s.ID] = r
		}
		files := zipped(t, d)
		page, markdown := string(files["report.html"]), string(files["report.md"])
		if !strings.Contains(page, "</html>") || markdown == "" {
			t.Fatal("the zip has no whole report")
		}
		if found := element.FindString(page); found != "" {
			t.Errorf("the page has %s", found)
		}
		for _, bad := range []string{`href="javascript`, `src="`, "\x1b", "\u202e", "\u009b"} {
			if at := strings.Index(page, bad); at >= 0 {
				t.Errorf("the page has %q in %q", bad, page[max(0, at-60):at+60])
			}
		}
		if strings.ContainsAny(markdown, "\x1b\u202e\u009b") {
			t.Error("report.md has characters that a terminal obeys")
		}
	}
}

// Section 8: the report of an unfinished draft has a banner, at every step.
func TestUnfinishedReports(t *testing.T) {
	for i, s := range drafts.Steps(drafts.Brief) {
		d := draftstest.UpTo(t, s.ID)
		page := string(zipped(t, d)["report.html"])
		if want := fmt.Sprintf("Unfinished: %d of 12 steps are written.", i); !strings.Contains(page, want) {
			t.Errorf("before %s the page does not say %q", s.ID, want)
		}
	}
}

// Section 5 and 8: the banner counts estimates and what no person confirmed, and says
// what is late. For a whole draft it says no more.
func TestTheBanner(t *testing.T) {
	d := draftstest.UpTo(t, "")
	page := html(t, d)
	for _, want := range []string{"<li>Numbers that are estimates or guesses: 9 of 22; the list of all numbers marks them.</li>", "<li>Assumptions that no person confirmed: 3.</li>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the banner has not %s:\n%s", want, page[strings.Index(page, "banner\""):][:400])
		}
	}
	if strings.Contains(page, "Unfinished") || strings.Contains(page, "Late:") {
		t.Error("a whole draft is called unfinished or late")
	}
	d.Output("confirm")["by"] = drafts.Nobody
	d.Output("schedule").Records("deadlines")[0]["slack"] = -12.0
	d.Output("project").Records("sources")[0]["by"] = "Month 7"
	page = html(t, d)
	for _, want := range []string{"Assumptions that no person confirmed: 8.", "Late: M3 Doors open ends 24 April 2027, 12 days after its due date 1 June 2027."} {
		if !strings.Contains(page, want) {
			t.Errorf("the banner has not %q", want)
		}
	}
}

// What no person decided is told in words, and the stand-in has no name.
func TestTakenAsProposed(t *testing.T) {
	d := draftstest.UpTo(t, "")
	for _, gate := range []string{"choose", "confirm"} {
		d.Output(gate)["by"] = drafts.Nobody
		r := d.Records[gate]
		r.By = drafts.Nobody
		d.Records[gate] = r
	}
	text := string(report.Markdown(d)) + string(report.Appendix(d))
	for _, want := range []string{
		"**S2 Open small, register beside it** was taken as proposed; no person decided.", "\nAll of them were taken as proposed; no person decided.\n",
		"> Assumptions that no person confirmed: 8.\n", "\n| no person; taken as proposed |  | Chosen Scenario; Confirmed Assumptions |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has not %q", want)
		}
	}
	if strings.Contains(text, "by nobody") {
		t.Error("the report says that something was done by nobody")
	}
}

// Of many days that must be kept the report lists the tightest, and every late one.
func TestTheTightestDays(t *testing.T) {
	for late, want := range map[int]string{0: "Other days, with 12 days to spare or more: 8.", 11: "Other days, with 1 day to spare or more: 8.", 15: "Other days, with 0 days to spare or more: 5.", 20: ""} {
		d := draftstest.UpTo(t, "")
		var deadlines []any
		for n := range 20 {
			deadlines = append(deadlines, shape.Object{"id": "1.1", "name": fmt.Sprintf("Day %d.", n), "due": "2027-06-01", "last": "2027-05-01", "slack": float64(n - late), "late_at_max": 1.0})
		}
		d.Output("schedule")["deadlines"] = deadlines
		text := string(report.Appendix(d))
		if got := len(regexp.MustCompile(`(?m)^\| Day \d.*\| 1 day \|$`).FindAllString(text, -1)); got != max(12, late) {
			t.Errorf("%d late: %d are listed", late, got)
		}
		if strings.Contains(text, "Other days, with") != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%d late: not said: %q", late, want)
		}
	}
}

// The tightest day is the one that is missed first if the work before it takes longer. A
// meeting has its day, however early that work ends.
func TestWhatTheTightestDayWaitsFor(t *testing.T) {
	const fixed = "2027-02-01" // of the meeting
	for name, c := range map[string]struct {
		maker     shape.Object // of the first day, which has no day to spare; the second has three
		notBefore string
		want      string
	}{
		"a day's work without a day of its own":  {maker: leafOn("2027-01-21", 1, "1.1"), want: "“First”, waits for:** 1.1 Prepare → 1.2 Make"},
		"that waits for nothing":                 {maker: leafOn("2027-01-01", 1), want: "“First”, waits for:** 1.2 Make"},
		"a meeting long after the work":          {maker: leafOn(fixed, 1, "1.1"), notBefore: fixed, want: "“Second”, waits for:** 1.1 Prepare → 1.3 Build"},
		"a meeting right after it":               {maker: leafOn("2027-01-21", 1, "1.1"), notBefore: "2027-01-21", want: "“First”, waits for:** 1.1 Prepare → 1.2 Make"},
		"a meeting soon after it":                {maker: leafOn("2027-01-23", 1, "1.1"), notBefore: "2027-01-23", want: "“First”, waits for:** 1.1 Prepare → (2 days to spare) → 1.2 Make"},
		"a meeting on the next day but one":      {maker: leafOn("2027-01-22", 1, "1.1"), notBefore: "2027-01-22", want: "“First”, waits for:** 1.1 Prepare → (1 day to spare) → 1.2 Make"},
		"a meeting that waits for nothing":       {maker: leafOn(fixed, 1), notBefore: fixed, want: "“Second”, waits for:** 1.1 Prepare → 1.3 Build"},
		"days of work that begin on a fixed one": {maker: leafOn(fixed, 5, "1.1"), notBefore: fixed, want: "“First”, waits for:** 1.1 Prepare → (11 days to spare) → 1.2 Make"},
	} {
		t.Run(name, func(t *testing.T) {
			d := draftstest.UpTo(t, "")
			prepare, build := leafOn("2027-01-01", 20), leafOn("2027-01-21", 10, "1.1")
			prepare["id"], prepare["name"], c.maker["id"], c.maker["name"], build["id"], build["name"] = "1.1", "Prepare", "1.2", "Make", "1.3", "Build"
			d.Output("schedule")["leaves"] = []any{prepare, c.maker, build}
			day := func(id, name string, slack float64) shape.Object {
				return shape.Object{"id": id, "name": name, "due": "2027-06-01", "last": "2027-06-01", "slack": slack, "late_at_max": 0.0}
			}
			d.Output("schedule")["deadlines"] = []any{day("1.2", "First", 0), day("1.3", "Second", 3)}
			task := func(id, notBefore string) shape.Object {
				return shape.Object{"id": id, "name": id, "not_before": notBefore}
			}
			d.Output("wbs")["phases"] = []any{shape.Object{"id": "1", "name": "Phase", "tasks": []any{task("1.1", ""), task("1.2", c.notBefore), task("1.3", "")}}}
			text := string(report.Appendix(d))
			if _, after, found := strings.Cut(text, "What the tightest day, "); !found || !strings.HasPrefix(after, c.want+"\n") {
				t.Errorf("it says %.120q, want %q", after, c.want)
			}
		})
	}
}

// leafOn is a leaf of the schedule that starts on a day.
func leafOn(start string, days int, after ...any) shape.Object {
	day, err := schedule.ParseDate(start)
	if err != nil {
		panic(err)
	}
	return shape.Object{"start": start, "end": day.AddDays(days - 1).String(), "days": float64(days), "after": after, "float": 0.0}
}

// Risks are sorted by how serious they are.
func TestRisksAreSorted(t *testing.T) {
	text := string(report.Appendix(draftstest.UpTo(t, "")))
	last := 0
	for _, id := range []string{"R1", "R2", "R5", "R3", "R4", "R6"} {
		at := strings.Index(text, "| **"+id+"** ")
		if at < last {
			t.Errorf("%s stands at %d, before the one with more weight", id, at)
		}
		last = at
	}
}

// Section 8 and 9: wbs.csv and schedule.csv as a spreadsheet reads them.
func TestTables(t *testing.T) {
	d := draftstest.UpTo(t, "")
	tasks := d.Output("wbs").Records("phases")[0].Records("tasks")
	tasks[0]["name"] = `=HYPERLINK("http://canary.invalid";"x")`
	tasks[1]["owner"] = "+49 341; 123"
	d.Output("schedule").Records("leaves")[0]["name"] = "@SUM(A1), and more"
	d.Output("schedule").Records("leaves")[1]["float"] = -4.0
	d.Output("schedule").Records("leaves")[2]["name"] = "-A1"
	read := func(data []byte, err error, comma rune) [][]string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(bytes.NewReader(data))
		r.Comma = comma
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	data, err := report.WBS(d)
	rows := read(data, err, ';')
	for i, want := range []string{
		"[Level 1 Level 2 Level 3 ID Days Role]", "[Secure the place   1  ]",
		`[Secure the place '=HYPERLINK("http://canary.invalid";"x")  1.1 28 Technician]`, "[Secure the place Have the floor and wiring inspected  1.2 14 '+49 341; 123]",
	} {
		if got := fmt.Sprint(rows[i]); got != want {
			t.Errorf("wbs.csv: got %s, want %s", got, want)
		}
	}
	data, err = report.WBS(draftstest.FullUpTo(t, ""))
	rows = read(data, err, ';')
	if got, want := fmt.Sprint(rows[3]), "[Secure the place Ask the trade office about electrical work Write to the office with the certificates 1.1.1 7 Technician (the user)]"; got != want {
		t.Errorf("wbs.csv: got %s, want %s", got, want)
	}
	data, err = report.Schedule(d)
	rows = read(data, err, ',')
	for i, want := range []string{
		"[id name start end days float critical after]", "[1.1 '@SUM(A1), and more 2026-12-01 2026-12-28 28 42 no ]",
		"[1.2 Have the floor and wiring inspected 2026-12-01 2026-12-14 14 -4 no ]", "[1.3 '-A1 2026-12-15 2027-01-04 21 35 no 1.2]",
	} {
		if got := fmt.Sprint(rows[i]); got != want {
			t.Errorf("schedule.csv: got %s, want %s", got, want)
		}
	}
}

// Section 8: the zip's order, times and manifest; same records, same bytes.
func TestTheZip(t *testing.T) {
	withCalls := func() drafts.Draft {
		d := draftstest.UpTo(t, "")
		d.Attempts = []drafts.Attempt{{At: "2026-11-20T08:59:00Z", Step: "brief", Model: "model-b", Outcome: "status 503", Took: 12, In: 7}}
		return d
	}
	d := withCalls()
	failure := []byte(`{"failed_step":"facts"}` + "\n")
	data, err := report.Zip(d, failure)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := report.Zip(withCalls(), failure); err != nil || !bytes.Equal(again, data) {
		t.Errorf("the same records give another zip (%v)", err)
	}
	files, contents := unzip(t, data)
	var list strings.Builder
	for _, f := range files {
		fmt.Fprintln(&list, f.Modified.UTC().Format("2006-01-02 15:04"), f.Name)
	}
	var manifest []struct {
		Path, SHA256, Step, By string
		Size                   int
	}
	if err := json.Unmarshal(contents["manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest) != len(files)-1 {
		t.Errorf("%d of %d files are in the manifest", len(manifest), len(files)-1)
	}
	for i, e := range manifest {
		if files[i].Name != e.Path || drafts.Sum(contents[e.Path]) != e.SHA256 || len(contents[e.Path]) != e.Size {
			t.Errorf("the manifest says %+v", e)
		}
	}
	if !bytes.Equal(contents["plan.txt"], draftstest.File(t, "prompt.txt")) || !bytes.Equal(contents["run_error.json"], failure) {
		t.Error("the prompt or the error has other bytes")
	}
	failed, calls, _ := strings.Cut(string(contents["usage.jsonl"]), "\n")
	if want := `{"ts":"2026-11-20T08:59:00Z","step":"brief","by":"model-b","model":"model-b","outcome":"status 503","ms":12,"tokens_in":7}`; failed != want {
		t.Errorf("the usage begins with %s, want %s", failed, want)
	}
	brief, _, _ := strings.Cut(calls, "\n")
	if want := fmt.Sprintf(`{"ts":"2026-11-20T09:00:00Z","step":"brief","by":"Codex","model":"model-a","bytes":%d,"outcome":"accepted","tries":1,"ms":20000}`, len(contents["steps/01-brief.json"])); brief != want {
		t.Errorf("the usage goes on with %s, want %s", brief, want)
	}
	if n := bytes.Count(contents["usage.jsonl"], []byte("\n")); n != 12 {
		t.Errorf("%d calls of a model", n)
	}
	list.Write(contents["plan.json"])
	golden.RequireEqual(t, []byte(list.String()))
}

// A chart of one day, of many years, and of leaves that wait.
func TestCharts(t *testing.T) {
	for name, c := range map[string]struct {
		days       int
		end, words string
	}{"a day": {1, "2026-12-01", "1 December 2026, 1 day"}, "years": {3650, "2036-11-27", "27 November 2036, 3650 days"}} {
		d := draftstest.UpTo(t, "")
		leaf := d.Output("schedule").Records("leaves")[0]
		leaf["days"], leaf["end"], leaf["wait"] = float64(c.days), c.end, true
		d.Output("schedule")["leaves"] = []any{leaf}
		page := html(t, d)
		if n := strings.Count(page, `class="month"`); n < 1 || n > 40 {
			t.Errorf("%s: %d months are marked", name, n)
		}
		want := fmt.Sprintf(`<title>1.1 Ask the trade office about electrical work: 1 December 2026 to %s, waits for others</title>`, c.words)
		if !strings.Contains(page, want) {
			t.Errorf("%s: the bar does not say %s", name, want)
		}
	}
}

// Section 10: a report within 150 ms, a zip within 250 ms.
func BenchmarkHTML(b *testing.B) {
	d := draftstest.UpTo(b, "")
	for b.Loop() {
		html(b, d)
	}
}

func BenchmarkZip(b *testing.B) {
	d := draftstest.UpTo(b, "")
	for b.Loop() {
		if _, err := report.Zip(d, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// A word that the user forbade stands nowhere in the report, not even where the constraint
// says so.
func TestForbiddenWordsAreNotSaid(t *testing.T) {
	d := draftstest.UpTo(t, "")
	word := ""
	for _, c := range d.Output("brief").Records("constraints") {
		if c.Record("check").Text("op") == "banned_word" {
			word = strings.ToLower(c.Record("check").Text("value"))
		}
	}
	if word == "" || !strings.Contains(strings.ToLower(d.Markdown("brief")), word) {
		t.Fatal("the prompt forbids no word")
	}
	for name, text := range map[string]string{"the page": html(t, d), "the report": string(report.Markdown(d)), "the appendix": string(report.Appendix(d))} {
		if strings.Contains(strings.ToLower(text), word) {
			t.Errorf("%s says %q", name, word)
		}
	}
	if text := string(report.Appendix(d)); !strings.Contains(text, word[:1]+"…") {
		t.Error("the appendix does not tell the constraint")
	}
}
