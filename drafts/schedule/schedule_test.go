package schedule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/drafts/schedule"
)

func date(t testing.TB, s string) schedule.Date {
	t.Helper()
	d, err := schedule.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func days(n int) schedule.Days { return schedule.Days{Min: n, Likely: n, Max: n} }

func sub(id string, n int, after ...string) schedule.Subtask {
	return schedule.Subtask{ID: id, Name: "do " + id, Days: days(n), After: after}
}

// worked is the example of the contract, section 7.
func worked(t testing.TB) schedule.Plan {
	return schedule.Plan{
		Start: date(t, "2027-01-31"),
		Flags: schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 3},
		Phases: []schedule.Phase{
			{ID: "1", Tasks: []schedule.Task{
				{ID: "1.1", Subtasks: []schedule.Subtask{sub("1.1.1", 5), sub("1.1.2", 3)}},
				{ID: "1.2", Subtasks: []schedule.Subtask{sub("1.2.1", 4)}},
			}},
			{ID: "2", Tasks: []schedule.Task{
				{ID: "2.1", Subtasks: []schedule.Subtask{sub("2.1.1", 6)}},
				{ID: "2.2", Subtasks: []schedule.Subtask{sub("2.2.1", 2), sub("2.2.2", 8, "2.2.1SS+1")}},
				{ID: "2.3", After: []string{"2.1"}, Subtasks: []schedule.Subtask{sub("2.3.1", 3)}},
			}},
			{ID: "3", Tasks: []schedule.Task{
				{ID: "3.1", After: []string{"1.2"}, Subtasks: []schedule.Subtask{sub("3.1.1", 4)}},
				{ID: "3.2", Subtasks: []schedule.Subtask{sub("3.2.1", 2, "3.1.1FF-1")}},
			}},
		},
	}
}

func make1(t testing.TB, p schedule.Plan) schedule.Schedule {
	t.Helper()
	s, err := schedule.Make(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func find(t testing.TB, s schedule.Schedule, id string) schedule.Leaf {
	t.Helper()
	for _, l := range s.Leaves {
		if l.ID == id {
			return l
		}
	}
	t.Fatalf("there is no leaf %s", id)
	return schedule.Leaf{}
}

// Section 7, the worked table: ES, LS, float and start with P=2. Section 9, 25.
func TestTheWorkedTable(t *testing.T) {
	p := worked(t)
	p.Flags.Parallel = 2
	s := make1(t, p)
	var got []string
	for _, l := range s.Leaves {
		got = append(got, fmt.Sprintf("%s %d %d %d %d %d %v", l.ID, l.Days, l.ES, l.LS, l.Float(), l.Placed, l.After))
	}
	want := []string{
		"1.1.1 5 0 0 0 0 []", "1.1.2 3 5 5 0 5 [1.1.1]", "1.2.1 4 0 4 4 0 []", "2.1.1 6 8 8 0 8 []",
		"2.2.1 2 8 8 0 8 []", "2.2.2 8 9 9 0 10 [2.2.1SS+1]", "2.3.1 3 14 14 0 14 [2.1]",
		"3.1.1 4 17 17 0 18 [1.2]", "3.2.1 2 18 19 1 19 [3.1.1FF-1]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := strings.Join(s.Critical(), " "); got != "1.1.1 1.1.2 2.1.1 2.2.1 2.2.2 2.3.1 3.1.1" {
		t.Errorf("critical: %s", got)
	}
	first, last := s.Days(find(t, s, "3.1.1"))
	if first.String() != "2027-02-18" || last.String() != "2027-02-21" {
		t.Errorf("3.1.1 runs %s to %s", first, last)
	}
}

// Section 7: the ends of the example with other limits and without its edges.
func TestTheWorkedTableWithOtherFlags(t *testing.T) {
	for _, c := range []struct {
		flags schedule.Flags
		end   int
	}{
		{schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 20}, 21},
		{schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 3}, 21},
		{schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 2}, 22},
		{schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 1}, 37},
		{schedule.Flags{PhaseOrder: false, Edges: true, Parallel: 20}, 9},
		{schedule.Flags{PhaseOrder: false, Edges: true, Parallel: 2}, 19},
		{schedule.Flags{PhaseOrder: true, Edges: false, Parallel: 3}, 21},
		{schedule.Flags{PhaseOrder: true, Edges: false, Parallel: 2}, 23},
	} {
		p := worked(t)
		p.Flags = c.flags
		if s := make1(t, p); s.End != days(c.end) {
			t.Errorf("%+v ends %v, want %d", c.flags, s.End, c.end)
		}
	}
}

// Section 7, 6: months are clamped to their last day.
func TestMonthsAreClamped(t *testing.T) {
	start := date(t, "2027-01-31")
	for n, want := range map[int]string{0: "2027-01-31", 1: "2027-02-28", 2: "2027-03-31", 3: "2027-04-30", 13: "2028-02-29", 24: "2029-01-31"} {
		if got := start.AddMonths(n).String(); got != want {
			t.Errorf("Month %d is %s, want %s", n, got, want)
		}
	}
	if n := start.DaysUntil(date(t, "2028-03-31")); n != 425 || start.AddDays(n).String() != "2028-03-31" {
		t.Errorf("%d days", n)
	}
	for _, bad := range []string{"", "2027-02-30", "31.1.2027", "1899-12-31", "3000-01-01", "2027-1-1"} {
		if d, err := schedule.ParseDate(bad); err == nil {
			t.Errorf("%q is read as %s", bad, d)
		}
	}
}

// chain is a phase of two tasks, the second after the first.
func chain(t testing.TB, first, second schedule.Task) schedule.Plan {
	first.ID, second.ID = "1.1", "1.2"
	return schedule.Plan{
		Start:  date(t, "2027-01-01"),
		Flags:  schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 3},
		Phases: []schedule.Phase{{ID: "1", Tasks: []schedule.Task{first, second}}},
	}
}

// Section 7, 2 and 4: each relation with a lag bounds the start of the leaf that
// waits, and the latest start of the leaf that is waited for.
func TestRelationsAndLags(t *testing.T) {
	for _, c := range []struct {
		after          string
		start, waits   int // days of both
		es, ls1, float int
	}{
		{"1.1.1", 10, 4, 10, 0, 0},
		{"1.1.1+3", 10, 4, 13, 0, 0},
		{"1.1.1FS-2", 10, 4, 8, 0, 0},
		{"1.1.1SS+1", 10, 4, 1, 0, 5}, // the first leaf itself ends last
		{"1.1.1SS+8", 10, 4, 8, 0, 0},
		{"1.1.1FF+2", 10, 4, 8, 0, 0},
		{"1.1.1FF-1", 10, 4, 5, 0, 1},
		{"1.1.1SF+6", 10, 4, 2, 0, 4},
		{"1.1.1SF-6", 10, 4, 0, 0, 6}, // never before day 0
		{"1.1.1SF+12", 10, 4, 8, 0, 0},
	} {
		p := chain(t,
			schedule.Task{Subtasks: []schedule.Subtask{sub("1.1.1", c.start)}},
			schedule.Task{Subtasks: []schedule.Subtask{sub("1.2.1", c.waits, c.after)}})
		s := make1(t, p)
		one, two := find(t, s, "1.1.1"), find(t, s, "1.2.1")
		if two.ES != c.es || one.LS != c.ls1 || two.Float() != c.float || two.Placed != c.es {
			t.Errorf("%s: ES %d, LS of the first %d, float %d, start %d; want %+v", c.after, two.ES, one.LS, two.Float(), two.Placed, c)
		}
	}
}

// Section 7, 2: a lag between tasks counts from the last of the leaves.
func TestALagBetweenTasks(t *testing.T) {
	p := chain(t, schedule.Task{Subtasks: []schedule.Subtask{sub("1.1.1", 5), sub("1.1.2", 3, "1.1.1SS")}},
		schedule.Task{Days: days(2), After: []string{"1.1+3"}})
	if l := find(t, make1(t, p), "1.2"); l.ES != 8 || l.Float() != 0 {
		t.Errorf("%+v", l)
	}
}

// Section 7, 2: not_before bounds ES, due bounds LS; the deadline has its slack at
// likely and its lateness at max.
func TestDuesAndMilestones(t *testing.T) {
	first := schedule.Task{Name: "permit", Days: schedule.Days{Min: 5, Likely: 10, Max: 30}, Due: date(t, "2027-01-12"), Makes: "M1"}
	second := schedule.Task{Name: "build", Days: schedule.Days{Min: 2, Likely: 4, Max: 6}, NotBefore: date(t, "2027-02-01"), Due: date(t, "2027-02-03"), Makes: "M2"}
	p := chain(t, first, second)
	p.Milestones = []schedule.Milestone{
		{ID: "M1", Name: "permitted", Due: date(t, "2027-01-10")},
		{ID: "M2", Name: "built", Due: date(t, "2027-03-01")},
		{ID: "M3", Name: "open", Due: date(t, "2027-03-01")},
	}
	s := make1(t, p)
	if one, two := find(t, s, "1.1"), find(t, s, "1.2"); one.LS != 2 || two.ES != 31 || two.LS != 30 || two.Float() != -1 || !two.Critical() {
		t.Errorf("%+v\n%+v", one, two)
	}
	var got []string
	for _, d := range s.Deadlines {
		got = append(got, fmt.Sprintf("%s %s: %s, due %s, slack %d, late at max %d, %t", d.ID, d.Name, d.Last, d.Due, d.Slack, d.LateMax, d.Late()))
	}
	want := []string{
		"1.1 permit: 2027-01-10, due 2027-01-12, slack 2, late at max 18, false",
		"1.2 build: 2027-02-04, due 2027-02-03, slack -1, late at max 3, true",
		"M1 permitted: 2027-01-10, due 2027-01-10, slack 0, late at max 20, false",
		"M2 built: 2027-02-04, due 2027-03-01, slack 25, late at max 0, false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
	if !slices.Equal(s.Notices, []string{"M3 is made by no task, so that its day cannot be checked."}) {
		t.Errorf("%q", s.Notices)
	}
	if s.End != (schedule.Days{Min: 33, Likely: 35, Max: 37}) {
		t.Errorf("ends %v", s.End)
	}
}

// Section 7, 2 and 5: waiting takes time, but no worker.
func TestWaitingNeedsNoWorker(t *testing.T) {
	p := chain(t, schedule.Task{Days: days(10)}, schedule.Task{Days: days(7)})
	p.Flags.Parallel = 1
	if s := make1(t, p); s.End.Likely != 17 {
		t.Errorf("two workers' tasks end on day %d", s.End.Likely)
	}
	p.Phases[0].Tasks[0].Wait = true
	s := make1(t, p)
	if l := find(t, s, "1.2"); s.End.Likely != 10 || l.Placed != 0 || l.Float() != 3 {
		t.Errorf("with a task that waits: %+v, end %d", l, s.End.Likely)
	}
}

// Section 7, 5: among leaves with the same latest start the least id by numbers
// comes first: 1.9 before 1.10.
func TestEqualLeavesAreOrderedByNumbers(t *testing.T) {
	p := schedule.Plan{Start: date(t, "2027-01-01"), Flags: schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 1}}
	phase := schedule.Phase{ID: "1"}
	for n := 12; n >= 1; n-- {
		phase.Tasks = append(phase.Tasks, schedule.Task{ID: fmt.Sprintf("1.%d", n), Days: days(1), Name: "the same name"})
	}
	p.Phases = []schedule.Phase{phase}
	for i, l := range make1(t, p).Leaves {
		if l.ID != fmt.Sprintf("1.%d", i+1) || l.Placed != i {
			t.Errorf("%s starts on day %d", l.ID, l.Placed)
		}
	}
}

// Section 7, 3: a backward edge between phases is dropped with a notice.
func TestBackwardEdgesAreDropped(t *testing.T) {
	p := worked(t)
	p.Phases[0].Tasks[1].After = []string{"3.1+2"}
	s := make1(t, p)
	if s.End.Likely != 21 || !slices.Equal(s.Notices, []string{"1.2 after 3.1 was dropped: phase 3 comes after phase 1."}) {
		t.Errorf("end %d, %q", s.End.Likely, s.Notices)
	}
}

// Section 7, 3: Make reports unknown ids, ids that wait for themselves and cycles, all
// at once. X9: a dependency is never ignored in silence.
func TestProblemsNameTheirIDs(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*schedule.Plan)
		want   string
	}{
		"unknown, itself and of another phase": {func(p *schedule.Plan) {
			p.Phases[1].Tasks[2].After = []string{"2.9", "2.3"}
			p.Phases[2].Tasks[1].Subtasks[0].After = []string{"3.2.1", "1.1.1", "3.1"}
		}, "2.3 after: got 2.9, and there is no task 2.9; allowed one of 1.1, 1.2, 2.1, 2.2\n" +
			"2.3 after: got itself; allowed one of 1.1, 1.2, 2.1, 2.2\n" +
			"3.2.1 after: got itself; allowed one of 3.1.1\n" +
			"3.2.1 after: got 1.1.1, which is in another phase; allowed one of 3.1.1\n" +
			"3.2.1 after: got 3.1, and there is no subtask 3.1; allowed one of 3.1.1"},
		"not a link": {func(p *schedule.Plan) {
			p.Phases[1].Tasks[2].After = []string{"2.1SS+1", "soon"}
			p.Phases[2].Tasks[1].Subtasks[0].After = []string{"3.1.1XX", "3.1.1+9999"}
		}, "2.3 after: got \"2.1SS+1\"; allowed the id of a task, with a lag in days or without, as 2.1 or 2.1+3\n" +
			"2.3 after: got \"soon\"; allowed the id of a task, with a lag in days or without, as 2.1 or 2.1+3\n" +
			"3.2.1 after: got \"3.1.1XX\"; allowed the id of a subtask, with FS, SS, FF or SF and a lag or without, as 2.2.1 or 2.2.1SS+1\n" +
			"3.2.1 after: got \"3.1.1+9999\"; allowed the id of a subtask, with FS, SS, FF or SF and a lag or without, as 2.2.1 or 2.2.1SS+1"},
		"a cycle of tasks and subtasks": {func(p *schedule.Plan) {
			p.Phases[1].Tasks[0].After = []string{"2.3"}
		}, "2.1.1 after: got a cycle: 2.1.1, then 2.3.1, then 2.1.1 again; allowed an order in which each comes before what waits for it"},
		"days, ids, flags": {func(p *schedule.Plan) {
			p.Flags.Parallel = 21
			p.Phases[0].Tasks[0].Subtasks[0].Days = schedule.Days{Min: 4, Likely: 3, Max: 3651}
			p.Phases[0].Tasks[1].ID = "1.1"
			p.Phases[2].Tasks[1].Subtasks[0].ID = "3.2.x"
		}, "the plan parallel: got 21; allowed 1 to 20\n" +
			"1.1 id: got 1.1 twice; allowed an id of its own\n" +
			"\"1.2.1\" id: got \"1.2.1\"; allowed 1.1., and a number, as 1.1.1\n" +
			"\"3.2.x\" id: got \"3.2.x\"; allowed 3.2., and a number, as 3.2.1\n" +
			"1.1.1 days: got min 4, likely 3, max 3651; allowed whole days with 1 ≤ min ≤ likely ≤ max ≤ 3650"},
		"a milestone": {func(p *schedule.Plan) {
			p.Milestones = []schedule.Milestone{{ID: "M1"}}
			p.Phases[0].Tasks[0].Makes = "M2"
		}, "1.1 makes: got M2; allowed one of M1"},
	} {
		p := worked(t)
		c.change(&p)
		s, err := schedule.Make(p)
		if err == nil {
			t.Errorf("%s: placed", name)
			continue
		}
		if err.Error() != c.want || len(s.Leaves) > 0 {
			t.Errorf("%s:\n%v\nwant:\n%s", name, err, c.want)
		}
	}
}

func TestLinksAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]schedule.Link{
		"2.1": {"2.1", "FS", 0}, "2.1+3": {"2.1", "FS", 3}, "2.2.1SS+1": {"2.2.1", "SS", 1},
		"3.1.1FF-1": {"3.1.1", "FF", -1}, "3.1.1SF": {"3.1.1", "SF", 0}, "1.1FS+3650": {"1.1", "FS", 3650},
	} {
		if got, ok := schedule.ParseLink(text); !ok || got != want {
			t.Errorf("%s is read as %+v, %t", text, got, ok)
		}
	}
	for _, bad := range []string{"", "a", "1.", ".1", "1..2", "01", "1.0", "1 + 2", "1+", "1-", "1SS1", "1+3651", "1++3", "1fs", "99999"} {
		if got, ok := schedule.ParseLink(bad); ok {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}

func FuzzParseLink(f *testing.F) {
	for _, seed := range []string{"2.1", "2.1+3", "2.2.1SS+1", "3.1.1FF-1", "1SF-0", "9.9.9.9", "1+", "١.٢"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		link, ok := schedule.ParseLink(text)
		if !ok {
			return
		}
		if again, ok := schedule.ParseLink(link.String()); !ok || again != link {
			t.Fatalf("%q is %+v, and that is %+v", text, link, again)
		}
	})
}
