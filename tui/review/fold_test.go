package review

import (
	"slices"
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/form"
	"planb/tui/tuitest"
)

// tasksReviewed is what a person reads of a plan of tasks.
func tasksReviewed() string {
	return "# Open the shop\n\nIt opens in May.\n\n## Write the schema {#schema}\n\nAs in docs/schema.md.\n\n" +
		"```contract\nverification: command\ncommands:\n- go test ./...\n```\n\n" +
		"## Write the API {#api}\n\nafter: schema\nestimate: 1h30m\n\nTwo calls: list and buy.\n\n### Errors\n\nSay what went wrong.\n\n" +
		"## Sign the lease {#lease}\n\n```contract\nexecution: human\n```\n"
}

// tasksRig opens the review of a plan of tasks.
func tasksRig(t *testing.T, width, height int) *planRig {
	t.Helper()
	return tasksRigOf(t, review.OfTasks, width, height)
}

func tasksRigOf(t *testing.T, of review.Matter, width, height int) *planRig {
	t.Helper()
	return tasksRigOn(t, tasksReviewed(), of, width, height)
}

func tasksRigOn(t *testing.T, text string, of review.Matter, width, height int) *planRig {
	t.Helper()
	w := tuitest.NewWorld(t)
	in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), text, ""))
	plan := *in.Ask.Spec.Plan
	plan.Name = "tasks/01890a5d-ac96-774b-bcce-b302099a0000"
	in.Ask.Spec.Plan, in.Ask.Spec.Title = &plan, safe.New("Open the shop")
	in.Plan.Of = of
	return rigReview(t, in, width, height)
}

// TestAPlanOfTasksIsNamedOnce holds that the first line of a plan of tasks tells their number where
// its title would repeat the header, and the title as it is written.
func TestAPlanOfTasksIsNamedOnce(t *testing.T) {
	r := tasksRig(t, 80, 24)
	r.rowOf("3 tasks")
	if strings.Count(r.screen(), "Open the shop") != 1 {
		t.Errorf("the plan is not named once:\n%s", r.screen())
	}
	if r.keys("m"); strings.Count(r.screen(), "Open the shop") != 2 {
		t.Errorf("the text is not as it is written:\n%s", r.screen())
	}
}

// T20: each task of a plan is folded to its first line until Enter unfolds it.
func TestT20TasksAreFoldedUntilEnterOpensThem(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 24}} {
		r := tasksRig(t, size[0], size[1])
		hidden := func(texts ...string) {
			t.Helper()
			for _, text := range texts {
				if strings.Contains(r.screen(), text) {
					t.Errorf("at %d columns %q is shown:\n%s", size[0], text, r.screen())
				}
			}
		}
		hidden("docs/schema.md", "go test", "Two calls", "Errors", "human")
		hidden("{#")
		first := r.rowOf("Write the schema")
		if r.rowOf("Write the API") != first+1 || r.rowOf("Sign the lease") != first+2 {
			t.Errorf("at %d columns the tasks do not stand below each other:\n%s", size[0], r.screen())
		}
		if size[0] > 40 {
			r.rowOf("Write the API  api · after: schema · 1h30m")
			r.rowOf("Sign the lease  lease · for you")
		}
		r.keys("n n enter")
		r.rowOf("Two calls")
		r.rowOf("▾")
		hidden("docs/schema.md", "human")
		r.keys("n") // the heading in the task that is open
		r.keys("n enter")
		r.rowOf("execution     human")
		r.keys("N N N enter")
		r.rowOf("docs/schema.md")
		r.keys("enter n enter")
		hidden("docs/schema.md", "Two calls")
	}
}

// T22: an approval without some tasks says how many on its button, and what becomes of the plan and
// of them: no plan of tasks is "not approved as a whole".
func TestT22AnApprovalWithoutTasks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of                  review.Matter
		keys, title, button string
		says                []string
		verdict, feedback   string
	}{
		{review.OfTasks, "n n h", "Approve v1 without 1 task", "Approve without 1 task",
			[]string{"The plan becomes active. The task that you hold back stays locked, and what waits for it keeps waiting."},
			"Approved without 1 task", "Except (locked): api."},
		{review.OfTasks, "n n h N h", "Approve v1 without 2 tasks", "Approve without 2 tasks",
			[]string{"The plan becomes active. The 2 tasks that you hold back stay locked, and what waits for them keeps waiting."},
			"Approved without 2 tasks", "Except (locked): schema, api."},
		{review.OfChanges, "n n h", "Approve v1 without 1 task", "Approve without 1 task",
			[]string{"The other changes are approved, exactly as they are. A task that you hold back stays as it was approved before; one that was not approved stays locked."},
			"Approved without 1 task", "Except: api. What was approved of them before stays as it was; what was not stays locked."},
	} {
		for _, width := range []int{120, 80} {
			r := tasksRigOf(t, test.of, width, 24)
			r.keys(test.keys)
			if hint := r.screen(); !strings.Contains(hint, "Held back: “Write the ") || strings.Contains(hint, "{#") {
				t.Errorf("the title of what is held back has the key:\n%s", hint)
			}
			r.keys("ctrl+s")
			for _, want := range []string{test.button, "held back"} {
				if !strings.Contains(r.screen(), want) {
					t.Errorf("the decision does not say %q:\n%s", want, r.screen())
				}
			}
			r.keys("esc a")
			if got := r.Dialog(); got != test.title {
				t.Errorf("the dialog is titled %q, want %q", got, test.title)
			}
			if words := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "┃", " ").Replace(r.screen())), " "); !strings.Contains(words, test.says[0]) || !strings.Contains(words, test.button) || strings.Contains(words, "as a whole is not") {
				t.Errorf("the dialog does not say %q and %q:\n%s", test.says[0], test.button, r.screen())
			}
			r.keys("enter")
			sent, ok := tuitest.Last[form.SettleRequested](r.Holder)
			if !ok {
				t.Fatalf("nothing was sent:\n%s", r.screen())
			}
			text, _ := sent.Outcome.Reply.Answers[questions.ReviewID].Text()
			if words := review.InWords(text); words.Verdict != test.verdict || words.Feedback.Raw() != test.feedback {
				t.Errorf("sent is %q, %q, want %q, %q", words.Verdict, words.Feedback.Raw(), test.verdict, test.feedback)
			}
		}
	}
	r := tasksRigOf(t, review.OfTasks, 80, 24)
	r.keys("n n h A")
	if got := r.Dialog(); got != "Approve v1 with notes, without 1 task" {
		t.Errorf("with notes the dialog is titled %q", got)
	}
}

// The cursor reaches every task and nothing that is folded; what is searched for opens.
func TestTheCursorPassesFoldedTasks(t *testing.T) {
	t.Parallel()
	r := tasksRig(t, 80, 24)
	var stops []int
	for range 8 {
		stops = append(stops, r.body.State.Cursor.Line)
		r.keys("down")
	}
	if want := []int{1, 3, 5, 15, 26, 26, 26, 26}; !slices.Equal(stops, want) {
		t.Errorf("the cursor stops at %v, want %v", stops, want)
	}
	r.keys("home")
	for range 6 {
		r.keys("}")
	}
	r.keys("end")
	if line := r.body.State.Cursor.Line; line != 26 {
		t.Errorf("the end is line %d", line)
	}
	r.keys("/ b u y enter esc")
	r.rowOf("Two calls: list and buy.")
}

// A comment on a folded task stands below its heading; a task with comments in it is open
// when the person comes back.
func TestCommentsOnFoldedTasks(t *testing.T) {
	t.Parallel()
	r := tasksRig(t, 80, 24)
	r.keys("n n c W h y ? ctrl+s")
	if strings.Contains(r.screen(), "Two calls") || r.rowOf("Why?") < r.rowOf("Write the API") || r.rowOf("Why?") > r.rowOf("Sign the lease") {
		t.Errorf("a comment on a folded task:\n%s", r.screen())
	}
	r.keys("h") // from the comment: the section is held back
	if got := r.body.State.Review.Withheld; len(got) != 1 || got[0] != 15 {
		t.Errorf("held back are %v", got)
	}
	r.keys("up enter down down down c W h o ? ctrl+s")
	entry := r.entry()

	w := tuitest.NewWorld(t)
	in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tasksReviewed(), ""))
	in.Ask.Spec.Plan = &questions.PlanRef{Name: "tasks/x", Number: 1, Digest: plans.Digest(safe.New(tasksReviewed()))}
	in.Entry = entry
	again := rigReview(t, in, 80, 30)
	again.rowOf("Two calls")
	again.rowOf("Who?")
}

// The facts and the contract of a task stand in two columns. What is said of a row is said of
// its lines, and the text as it is written stays as it was.
func TestDetailsOfATaskStandInTwoColumns(t *testing.T) {
	t.Parallel()
	for width, rows := range map[int][]string{
		80: {"8   after     schema", "9   estimate  1h30m", "12   files     • api/", "14             • docs/list.md",
			"15   output    Two calls, and a page that says what each of them takes and", "               gives", "note: not a fact"},
		40: {"after     schema", "files     • api/", "          • docs/list.md", "output    Two calls, and a page that", "          says what each of them"},
		20: {"after: schema"},
	} {
		w := tuitest.NewWorld(t)
		text := "# Open the shop\n\n## Write the schema {#schema}\n\n## Write the API {#api}\n\n\nafter: schema\nestimate: 1h30m\n\n" +
			"```contract\nfiles:\n- api/\n- docs/list.md\noutput: Two calls, and a page that says what each of them takes and gives\n```\n\n" +
			"## Sign {#sign}\n\nAn example:\n\n```yaml\nfiles:\n- a\n```\n\nnote: not **a** fact\n"
		in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), text, ""))
		plan := *in.Ask.Spec.Plan
		plan.Name = "tasks/01890a5d-ac96-774b-bcce-b302099a0000"
		in.Ask.Spec.Plan = &plan
		r := rigReview(t, in, width, 40)
		r.keys("n n enter n enter N")
		for _, row := range rows {
			r.rowOf(row)
		}
		if width < 40 {
			continue
		}
		r.rowOf("- a") // an example is no contract
		r.keys("down down down c W h y ? ctrl+s")
		if c := r.body.State.Review.Comments; len(c) != 1 || c[0].From != 12 || c[0].To != 13 {
			t.Errorf("at %d columns the comment is on %+v, want lines 12 to 13", width, c)
		}
		r.keys("m")
		r.rowOf("- docs/list.md")
	}
}

// TestALongTitleOfAFoldedTaskSaysThatItGoesOn holds that a folded task whose title takes more than
// one row shows that there is more of it.
func TestALongTitleOfAFoldedTaskSaysThatItGoesOn(t *testing.T) {
	text := "# Ship it\n\n## Build the binaries for linux, darwin and windows, with checksums that a person can compare {#build}\n\n" +
		"after: sign\n\n## Sign them {#sign}\n\nWith both keys.\n"
	for _, width := range []int{80, 60, 40} {
		r := tasksRigOn(t, text, review.OfTasks, width, 24)
		line := func(of string) string { return strings.TrimRight(strings.Split(r.screen(), "\n")[r.rowOf(of)], " ") }
		for range 2 { // as it is read, and as it is written
			if line := line("Build the binaries"); !strings.HasSuffix(line, "…") {
				t.Errorf("at %d columns nothing says that the title goes on: %q", width, line)
			}
			if line := line("Sign them"); strings.Contains(line, "…") {
				t.Errorf("at %d columns a title that is whole is said to go on: %q", width, line)
			}
			r.keys("m")
		}
	}
}
