package tasks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planb/cli/ink"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
)

// workedOnView is a plan with a task in every state, and titles of all scripts.
func workedOnView(t *testing.T) view {
	t.Helper()
	proposal, err := rules.ReadProposal([]byte(`{"title":"Retries of the webhook sender","tasks":[
		{"nodeKey":"schema","title":"Write the schema"},
		{"nodeKey":"queue","title":"Keep undelivered events for 24 hours","dependsOn":["schema"],"priority":1,"estimateMinutes":90},
		{"nodeKey":"review","title":"計画を立てる 🦊","verificationContract":{"kind":"manual"},"priority":0},
		{"nodeKey":"sign","title":"Sign it","executionContract":{"kind":"human"}},
		{"nodeKey":"sender-of-the-webhooks","title":"Send them again, each try twice as late as the one before","dependsOn":["queue","review"],"estimateMinutes":600},
		{"nodeKey":"evil","title":"Evil \u001b[31mtitle"},
		{"nodeKey":"old","title":"Keep the old sender"}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	plan := proposal.Plan()
	graph, err := rules.Build(plan)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)
	marks := rules.NewMarks(plan.Tasks)
	for n, state := range map[int]rules.State{1: rules.Done, 2: rules.InProgress, 3: rules.NeedsReview, 7: rules.Cancelled} {
		marks.Set(n, state)
	}
	w := kept.Whole{
		Plan: kept.Plan{
			ID: "019f0000-0000-7000-8000-00003f9a0000", Title: plan.Title, Status: rules.PlanActive, Tasks: 7, Updated: now.Add(-5 * time.Minute),
		},
		Graph: graph, Approved: graph, Marks: marks,
		Claims: map[int]kept.Claim{2: {Claim: rules.Claim{Worker: "Claude Code", At: now.Add(-12 * time.Minute)}, State: rules.InProgress}},
	}
	v := desk{now: now}.look(w)
	for _, task := range plan.Tasks {
		v.texts[task.Number] = task
	}
	return v
}

// The columns stand below each other, whatever scripts the titles have, and give way on a
// narrow terminal.
func TestTasksOnATerminal(t *testing.T) {
	v := workedOnView(t)
	proposed := v
	proposed.Whole.Plan.Status, proposed.Whole.Plan.Title = rules.PlanProposed, safe.New("Another plan")
	list := []listedPlan{{v.plan(), &v}, {proposed.plan(), &proposed}, {unreadable(kept.Plan{ID: "019f0000-0000-7000-8000-000012340000"}, fmt.Errorf("its record is damaged")), nil}}
	ready := []kept.Actionable{{ID: v.TaskID(6), Key: "evil", Title: v.names(6), Priority: 2, PathMinutes: 30}, {ID: v.TaskID(5), Key: "sender-of-the-webhooks", Title: v.names(5), PathMinutes: 600, Unblocks: 3}}
	done := []doneTask{
		{Short: "3f9a00.1", Title: v.names(1), By: "Claude Code", At: v.Now.Add(-time.Hour), Summary: safe.New("Two tables, with an index on the time of the next try, so that the sender finds them")},
		{Short: "3f9a00.7", Title: v.names(3), By: "ann@desk", At: v.Now.AddDate(0, 0, -1)},
	}
	for _, width := range []int{120, 80, 60} {
		k := ink.Ink{Width: width, Terminal: true}
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			golden.RequireEqual(t, "planb tasks\n\n"+planTable(k, list, 2)+"\nplanb tasks 3f9a00\n\n"+planHead(k, v)+"\n"+taskTable(k, v, v.inTurn())+
				"\nplanb tasks ready\n\n"+readyTable(k, ready)+"\nplanb tasks done\n\n"+doneText(k, done, v.Now))
		})
	}
}

func TestThePlansThatHaveEndedAreCounted(t *testing.T) {
	v := workedOnView(t)
	for hidden, want := range map[int]string{1: "1 has ended:  planb tasks --ended", 2: "2 have ended:  planb tasks --ended"} {
		if got := ansi.Strip(planTable(ink.Ink{Width: 80, Terminal: true}, []listedPlan{{v.plan(), &v}}, hidden)); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// What an agent reads when it begins has less than 200 tokens, however long titles are.
func TestPrimeIsShort(t *testing.T) {
	long := shownTask{Short: "3f9a00.10000", Title: safe.New(fmt.Sprintf("%0300d", 1))}
	p := primed{Next: []shownTask{long}, Ready: 9999, User: 9999, plans: 9999}
	p.Draft = &unfinished{ID: "019f0000-0000-7000-8000-00003f9a0001", Title: long.Title, Done: 23, Of: 24}
	for range 900 {
		p.Work = append(p.Work, workedOn{long, fmt.Sprintf("%0300d", 2)})
	}
	const mostBytes = 4 * 200 // English has some four bytes a token
	if text := p.text(); len(text) > mostBytes {
		t.Errorf("%d bytes, at most %d:\n%s", len(text), mostBytes, text)
	}
}

// A task on a terminal names the tasks around it by their titles, and says all of a report.
func TestATaskOnATerminal(t *testing.T) {
	v := workedOnView(t)
	w := shownWhole{shownTask: v.task(5), now: v.Now, titles: v.titles()}
	w.Execution.Files = []safe.Text{safe.New("sender/")}
	w.Attempts = []kept.Attempt{{Worker: "Codex", At: v.Now.Add(-time.Hour), End: kept.EndedDone, Report: &rules.Report{
		Summary: safe.New("Ten tries, each twice as late as the one before, and a line in the log for each that failed"),
	}}}
	golden.RequireEqual(t, taskHead(ink.Ink{Width: 80, Terminal: true}, v, w)+ink.Ink{Width: 80, Terminal: true}.Markdown(w.page(), 0))
}

// What a task is done by ends with a colon only where a list follows.
func TestATaskIsDoneWhen(t *testing.T) {
	one := []safe.Text{safe.New("One")}
	for want, c := range map[string]rules.Verification{
		"You accept it.":                                              {Kind: rules.Manual},
		"You accept it:\n\n- One":                                     {Kind: rules.Manual, Criteria: one},
		"There is evidence for each criterion:\n\n- One":              {Kind: rules.Evidence, Criteria: one},
		"Each command has exited 0, as its agent reports:\n\n- `One`": {Kind: rules.Command, Commands: one},
		"Each command has exited 0, as its agent reports, and each criterion has evidence:\n\n- `One`\n- One": {
			Kind: rules.Command, Commands: one, Criteria: one,
		},
		"Its agent says so, with a summary.": {Kind: rules.None},
	} {
		if got := strings.TrimRight((shownWhole{Verification: c}).page().Raw(), "\n"); got != "### Done when\n\n"+want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What an agent said that is stuck stands above the page of its task, and not once more among the
// attempts. What it said before stands there.
func TestAStuckAgentIsQuotedOnce(t *testing.T) {
	v := workedOnView(t)
	stuck := kept.Attempt{Worker: "Codex", End: kept.EndedStuck, Notes: []kept.Note{{Text: safe.New("Reading the code.")}, {Text: safe.New("Which limit?")}}}
	past := kept.Past{Attempts: []kept.Attempt{{Worker: "Claude Code", End: kept.EndedByAgent, Notes: []kept.Note{{Text: safe.New("Not mine.")}}}, stuck}, Count: 2}
	for quoted, unreported := range map[bool]map[int]kept.Attempt{true: {3: stuck}, false: nil} {
		v.unreported = unreported
		w := v.whole(3, past)
		text := taskHead(ink.Ink{Width: 80}, v, w) + w.page().Raw()
		for _, said := range []string{"Not mine.", "Reading the code.", "Which limit?"} {
			if n := strings.Count(text, said); n != 1 {
				t.Errorf("quoted above: %v; %q is said %d times:\n%s", quoted, said, n, text)
			}
		}
	}
}
