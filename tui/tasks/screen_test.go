package tasks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// shown is the screen of a plan.
func shown(t testing.TB, r *tuitest.Rig) *Screen {
	t.Helper()
	s, ok := r.Stack[0].(*Screen)
	if !ok {
		t.Fatalf("%T is shown", r.Stack[0])
	}
	return s
}

// key is the nodeKey of the task under the cursor.
func key(s *Screen) string {
	if n := s.task(); n != 0 {
		return s.state.plan.key(n)
	}
	return ""
}

func TestWhereTheCursorGoes(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"":                        "migrate", // it needs the person
		"down":                    "bank",
		"down down":               "bank",
		"left":                    "api",
		"left left":               "limits",
		"left left left":          "limits",
		"right":                   "passkey",
		"right end":               "remove",
		"right G home":            "passkey",
		"right right":             "schema",
		"right right right":       "schema",
		"l down":                  "client",
		"right down tab":          "client", // the graph has the same cursor
		"right down tab up":       "passkey",
		"tab home":                "schema",
		"tab end tab":             "remove",
		"/ b a n k enter":         "bank",
		"/ b a n k esc":           "bank",
		"/ z z z":                 "",
		"/ c o o k i e enter":     "remove",
		"right right / t o k e n": "bank", // it needs the person
		"right w enter":           "api",  // what it waits for
		"right end w down":        "remove",
		"right end w down esc":    "remove",
	} {
		r := begun(t).open(120, 40, themes.None())
		r.Keys(keys)
		if got := key(shown(t, r)); got != want {
			t.Errorf("%q leads to %q, want %q\n%s", keys, got, want, r.Text())
		}
	}
}

// The page that tells why a task is not ready names everybody who can do something about it,
// the person first.
func TestWhoCanUnblockATask(t *testing.T) {
	t.Parallel()
	d := newDesk(t, rewrite, rules.PlanActive).set(rules.Done, "config").claim("Claude Code", 12, "migrate")
	p := d.plans[0]
	p.Paused, p.Approved = true, withoutTask(t, d, "docs")
	p.Held = []int{d.number("passkey")}
	d.plans[0] = p
	r := d.open(120, 40, themes.None())
	r.Keys("/ c o o k i e enter w")
	rest := r.Text()
	for _, want := range []string{
		"Remove the cookie code", "What it waits for", "Load test with 10,000 sessions", "see above", "Who can unblock it",
		"let the plan go on, which is paused", "which you held back", "approve “Documentation", "completes “Write the migration of signed-in users”",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is not shown, or not behind what comes before it:\n%s", want, r.Text())
		}
		rest = after
	}
	d.plans[0].Paused = false
	r = d.open(120, 40, themes.None())
	r.Keys("/ s e s s i o n s enter w")
	r.Shows("Any agent    claims “Write the schema of tokens”")
	r = begun(t).open(120, 40, themes.None())
	r.Keys("right w")
	r.Shows("What it waits for", "Claude Code · 12 min")
	r.Hides("Who can unblock it") // the row above says that
}

// A task that only the person can do is marked as theirs before it is their turn, too: in the list
// to approve, its graph and its preview, and on the board.
func TestATaskForThePersonIsMarkedWhileItWaits(t *testing.T) {
	t.Parallel()
	const waits = "# Shop\n\n## Write the schema {#schema}\n\n## Sign the lease {#lease}\n\nafter: schema\n\n```contract\nexecution: human\n```\n"
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 16}} {
		for _, status := range []rules.Status{rules.PlanProposed, rules.PlanActive} {
			d := newDesk(t, waits, status)
			r := d.open(size[0], size[1], themes.None())
			for r.Keys("right right right"); ; { // to the blocked ones
				r.Shows("Sign the lease", "for you")
				if shown(t, r).graphed {
					break
				}
				r.Keys("tab")
			}
			if size[0] > 40 {
				r = tuitest.Open(t, NewList(d.deps()), size[0], size[1], themes.None())
				r.Shows("Sign the lease", "for you")
			}
		}
	}
}

// Changes of an active plan that wait for the person are counted with what needs them, and named on
// the board, its cards and pages, in the list of plans and for the inbox. The plan goes on meanwhile.
func TestChangesThatWaitForAnApproval(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 24}, {80, 16}} {
		d := newDesk(t, rewrite, rules.PlanActive).claim("Claude Code", 12, "schema")
		d.plans[0].Amended = tuitest.Moment
		d.waits = []kept.WaitingChange{
			{Key: "audit", Title: safe.New("Log each sign-in"), Kind: kept.ChangeAdds},
			{Number: d.number("config"), Key: "config", Title: safe.New("Move all configuration"), Kind: kept.ChangeRewords},
			{Number: d.number("schema"), Key: "schema", Title: safe.New("Write the schema"), Kind: kept.ChangeRewords},
			{Number: d.number("docs"), Key: "docs", Title: safe.New("Documentation"), Kind: kept.ChangeCancels},
		}
		d.set(rules.Done, "bank")
		r := d.open(size[0], size[1], themes.None())
		r.Shows("Needs you  4", "4 changes to approve", "a reviews them", "a approve")
		if s := shown(t, r); s.state.at != needsYou || s.task() != 0 {
			t.Errorf("the cursor is in column %d, on task %d", s.state.at, s.task())
		}
		if size[1] > 16 {
			r.Shows("“Log each sign-in” new, “Move all configuration” reworded")
		}
		r.Keys("left left")
		r.Shows("change to approve")
		r.Keys("/ c o n f i g enter")
		if size[1] > 16 {
			r.Shows("Ready for any agent. A change of it waits for your approval")
		}
		r.Keys("esc")
		if s := shown(t, r); s.state.plan.column(d.number("config")) != ready || s.state.plan.column(d.number("schema")) != working {
			t.Error("the tasks do not go on as they were approved")
		}
		r = d.open(size[0], size[1], themes.None())
		r.Keys("left")
		r.Shows("Claud", "· change")
		r.Keys("enter")
		r.Shows("A change of it waits for your")
		list := tuitest.Open(t, NewList(d.deps()), size[0], size[1], themes.None())
		list.Shows("4 need you", "a approve")
		if size[0] > 80 {
			list.Shows("4 changes to approve")
		}
		needs, err := d.deps().Needs(t.Context())
		if err != nil || len(needs) != 1 || needs[0].Words() != "4 to approve" || len(needs[0].Tasks) != 4 || needs[0].Tasks[0] != (Needed{planID + "/audit", "Log each sign-in", "new, to be approved"}) {
			t.Errorf("the inbox gets %+v, %v", needs, err)
		}
		if left := needs[0].WithoutApproval(); left.Approve != 0 || len(left.Tasks) != 0 {
			t.Errorf("without what is under review it gets %+v", left)
		}
		reading, err := d.deps().Read(t.Context(), planID)
		if want := "4 changes to approve: “Log each sign-in” new, “Move all configuration” reworded, “Write the schema” reworded and 1 more."; err != nil || reading.Changes() != want {
			t.Errorf("line by line it says %q, %v", reading.Changes(), err)
		}
		if needs := reading.Columns()[1]; needs.Name != "Needs you" || needs.Count != 4 {
			t.Errorf("line by line the column is %+v", needs)
		}
	}
}

// Asked why a task waits that waits for no other one, the board does not repeat the line above,
// but names the key. Where no such line is shown, it says why.
func TestWhyATaskWaitsForThePersonIsSaidOnce(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string][2]string{
		"w":           {"Waits for you to accept it", "It waits for no other task: space accepts it or sends it back."},
		"down w":      {"Is for you to do", "It waits for no other task: space says that you have done it."},
		"left left w": {"Ready for any agent", "It waits for no other task."},
	} {
		for _, height := range []int{24, 40} {
			r := begun(t).open(120, height, themes.None())
			r.Keys(keys)
			r.Shows(want[1])
			if n := strings.Count(r.Text(), want[0]); n != 1 {
				t.Errorf("after %q it says %q %d times:\n%s", keys, want[0], n, r.Text())
			}
		}
		r := begun(t).open(80, 16, themes.None())
		r.Keys(keys)
		r.Shows(want[0] + ".")
	}
}

// The page that tells why a task is not ready says nothing twice, and cuts nothing for what it says
// elsewhere.
func TestWhyATaskWaitsIsSaidOnce(t *testing.T) {
	t.Parallel()
	for width, hint := range map[int]string{80: "key on the board", 120: "press space on the board"} {
		r := begun(t).open(width, 24, themes.None())
		r.Keys("/ c o o k i e enter w")
		r.Shows("Load test with", "also for people who have two devices", "see above", "accept “Write the migration of signed-in users”", hint)
		r.Hides("after ", "…")
	}
}

// The graph counts the tasks in view as the header does, and cancelled ones apart.
func TestTheGraphCountsWhatIsInView(t *testing.T) {
	t.Parallel()
	r := begun(t).open(80, 24, themes.None())
	r.Keys("tab home")
	r.Shows("2/11 done", " of 11, 1 cancelled ")
	r = begun(t).open(80, 18, themes.None())
	r.Keys("tab end")
	r.Shows("–11 of 11 ")
}

// A reason that is longer than a line has two below the graph, and below the list to approve.
func TestALongReasonHasTwoLines(t *testing.T) {
	t.Parallel()
	r := begun(t).open(80, 24, themes.None())
	r.Keys("tab end up up")
	r.Shows("Load test with 10,000 sessions", "“Write the migration of", "(needs you)")
	r = newDesk(t, rewrite, rules.PlanProposed).open(80, 24, themes.None())
	r.Keys("tab end up up")
	r.Shows("Once approved, it waits for “Sign-in with a passkey", "“Write the migration of signed-in users”")
}

func TestTheCursorFollowsItsTask(t *testing.T) {
	t.Parallel()
	d := begun(t)
	r := d.open(80, 24, themes.None())
	r.Keys("right")
	s := shown(t, r)
	d.set(rules.Done, "api")
	d.plans[0].Marks = append(rules.Marks(nil), d.plans[0].Marks...)
	d.set(rules.InProgress, "passkey")
	r.Run(s.reads.Read())
	if key(s) != "passkey" || s.state.at != working {
		t.Errorf("the cursor is on %q in %s", key(s), s.state.at.name())
	}
	r.Shows("3/11 done")
}

// A task that was done before its plan was proposed is done on its page, too, and not the
// person's to do.
func TestATaskDoneBeforeTheProposalIsDone(t *testing.T) {
	t.Parallel()
	for want, state := range map[string]rules.State{"✓ done": rules.Done, "cancelled": rules.Cancelled} {
		r := newDesk(t, rewrite, rules.PlanProposed).set(state, "schema").open(80, 24, themes.None())
		for key(shown(t, r)) != "schema" {
			r.Keys("down")
		}
		r.Keys("enter")
		r.Shows(want + " · P")
		r.Hides("for you to do")
	}
}

// Of the tasks that could begin at once, those to approve stand before those that were done
// before the proposal, and the cursor begins on one of them.
func TestTheListToApproveBeginsWithWhatIsToDo(t *testing.T) {
	t.Parallel()
	const chores = "# Chores\n\n## Buy milk {#milk}\n\n## Mend the bicycle {#bicycle}\n\n## Ride it {#ride}\n\nafter: bicycle\n"
	for _, state := range []rules.State{rules.Done, rules.Cancelled} {
		r := newDesk(t, chores, rules.PlanProposed).set(state, "milk").open(80, 24, themes.None())
		for _, want := range []string{"bicycle", "milk", "ride"} {
			if got := key(shown(t, r)); got != want {
				t.Errorf("with a task that is %s, there stands %q where %q is expected", state, got, want)
			}
			r.Keys("down")
		}
	}
}

// A proposed plan is one list of what the person approves, each task behind those that it waits
// for, at every width. Its approval turns that into a board.
func TestAProposedPlanIsAListToApprove(t *testing.T) {
	t.Parallel()
	d := newDesk(t, rewrite, rules.PlanProposed)
	for width, after := range map[int]string{40: "after API for tok", 80: "after api ", 120: "after API for tok"} {
		r := d.open(width, 40, themes.None())
		r.Keys("tab")
		r.Shows("12 tasks", "● To approve", "◆ critical path", after)
		r.Hides("To approve  12")
		if width >= 80 {
			r.Shows("7 h 50 min")
		}
		r.Hides("Blocked", "Needs you", "done")
		r.Keys("left right home")
		s, seen := shown(t, r), map[string]bool{}
		for range d.texts[planID] {
			for _, e := range s.state.plan.Graph.Edges(s.task()) {
				if on := s.state.plan.key(e.On); !seen[on] {
					t.Errorf("%d columns: %s stands before %s, which it waits for", width, key(s), on)
				}
			}
			seen[key(s)] = true
			r.Keys("down")
		}
		if len(seen) != 12 {
			t.Errorf("%d columns: the cursor reaches %d tasks", width, len(seen))
		}
	}
	r := d.open(80, 24, themes.None())
	r.Keys("tab down down down down")
	r.Shows("Once approved, it waits for “Write the schema of tokens” and “Move")
	d.plans[0].Status, d.plans[0].Approved = rules.PlanActive, d.plans[0].Graph
	s := shown(t, r)
	before := key(s)
	r.Run(s.reads.Read())
	if key(s) != before || s.state.at != blocked {
		t.Errorf("after the approval the cursor is on %q in %s, and was on %q", key(s), s.state.at.name(), before)
	}
	r.Shows("Blocked  8", "Needs you  1")
}

// A column says how many more cards there are than fit, and shows none in part.
func TestAColumnSaysHowManyMoreCardsThereAre(t *testing.T) {
	t.Parallel()
	d := begun(t)
	list := d.texts[planID][:0:0]
	for i := range 20 {
		task := d.texts[planID][0]
		task.Number, task.Key, task.Title = i+1, fmt.Sprint("t", i), safe.New(fmt.Sprintf("Page %d of the old handbook", i+1))
		list = append(list, task)
	}
	id := "0190a1b2-0000-7000-8000-0000aaaa0000"
	d.add(rules.Plan{Title: safe.New("Move the docs"), Tasks: list}, id, rules.PlanActive)
	for _, height := range []int{18, 19, 24, 30, 31, 32} {
		r := tuitest.Open(t, New(d.deps(), id), 120, height, themes.None())
		for range list {
			text := r.Text()
			whole := strings.Count(text, "P1 · ~1 h")
			if titles := strings.Count(text, "○ Page"); titles != whole {
				t.Errorf("%d lines: %d cards have a title, %d are whole:\n%s", height, titles, whole, text)
			}
			s := shown(t, r)
			height := s.cardHeight(ready, 1, s.cardRoom(ready))
			above := (s.state.lists[ready].Top + height - 1) / height
			if more := len(list) - above - whole; more > 0 {
				r.Shows(fmt.Sprintf("+%d more", more))
			} else {
				r.Hides("more")
			}
			r.Keys("down")
		}
	}
}

// A card names the task that it waits for on a second line where the board has room for that, and
// takes as many lines as the board reckons with.
func TestAHintHasTwoLinesWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	r := begun(t).open(120, 40, themes.None())
	r.Shows("with a passkey,… +1")
	r.Hides("after API for to")
	for name, d := range map[string]*desk{"active": begun(t), "proposed": newDesk(t, rewrite, rules.PlanProposed)} {
		for _, height := range []int{16, 24, 40} {
			for width := 40; width <= 130; width += 3 {
				r := d.open(width, height, themes.None())
				s := shown(t, r)
				for c := range columns {
					for i, n := range s.state.cards[c] {
						place := slot{column: c, width: s.cardRoom(c) + leadCells + 2}
						if s.inRows(c) {
							continue
						}
						if got, want := len(s.card(place, i)), s.cardHeight(c, n, s.cardRoom(c)); got != want {
							t.Errorf("%s, %d×%d: the card of %s has %d lines, want %d", name, width, height, s.state.plan.key(n), got, want)
						}
					}
				}
			}
		}
	}
}

// A title is whole where all cards of its column still fit, and cut else.
func TestATitleIsWholeWhereItsColumnHasRoom(t *testing.T) {
	t.Parallel()
	r := begun(t).open(120, 40, themes.None())
	r.Shows("passkey, also for ", "people who have two", "devices", "Remove the cookie")
	r.Hides("also for …", "more")
	r = begun(t).open(120, 34, themes.None())
	r.Shows("passkey, also for …", "Remove the cookie")
	r.Hides("people who have two", "more")
}

// A filter says how many tasks pass it and what of them it matches, and opens on a narrow board the
// columns that have some.
func TestAFilterShowsItsHits(t *testing.T) {
	t.Parallel()
	for keys, first := range map[string]string{"": "migrate", "left left": "errors", "right right": "schema"} {
		r := begun(t).open(80, 24, themes.None())
		r.Keys(keys + " / t o k e n")
		r.Shows("3 of 11 tasks", "API for tokens", "Ask the bank", "✓ Done 1")
		r.Hides("Blocked  0")
		if !strings.Contains(r.Content(), shown(t, r).page.Look.Styles.Match.Render("token")) {
			t.Errorf("%q: what matches is not marked:\n%q", keys, r.Content())
		}
		r.Keys("tab")
		r.Shows("3 of 11 tasks")
		if r.Keys("esc"); key(shown(t, r)) != "bank" {
			t.Errorf("%q, from %s: without the filter the cursor is on %q", keys, first, key(shown(t, r)))
		}
	}
	r := begun(t).open(80, 24, themes.None())
	r.Keys("/ z z z")
	r.Shows("0 of 11 tasks")
}

// A task stands where the person looks for it, and its card says why.
func TestWhereTasksStand(t *testing.T) {
	t.Parallel()
	d := begun(t)
	p := d.plans[0]
	p.Held = []int{d.number("limits")}
	p.Approved = withoutTask(t, d, "docs")
	d.plans[0] = p
	r := d.open(120, 40, themes.None())
	s := shown(t, r)
	for key, want := range map[string]struct {
		column column
		hint   string
	}{
		"schema": {finished, ""}, "errors": {finished, "cancelled"}, "api": {working, "Claude Code · 12 min"},
		"migrate": {needsYou, "to be accepted"}, "bank": {needsYou, "for you to do"}, "docs": {needsYou, "to be approved"},
		"limits": {blocked, "you held it back"}, "passkey": {blocked, "after API for tokens"}, "load": {blocked, "after Sign-in with a pas… +1"},
	} {
		n := d.number(key)
		if got, hint := s.state.plan.column(n), s.state.plan.hint(n, 28); got != want.column || hint != want.hint {
			t.Errorf("%s stands in %s: %q, want %q", key, got.name(), hint, want.hint)
		}
	}
}

// Once agents may work, an estimate is told from the time that one has worked.
func TestAnEstimateIsToldFromTheTimeWorked(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]*desk{"~3 h": begun(t), "3 h": newDesk(t, rewrite, rules.PlanProposed)} {
		s := shown(t, tuitest.Open(t, New(d.deps(), planID), 120, 40, themes.None()))
		if got := s.state.plan.estimate(d.number("passkey")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A hint keeps to its room, and says how many tasks more there are even where it cuts the title.
func TestAHintFitsItsRoom(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*desk{"active": begun(t), "proposed": newDesk(t, rewrite, rules.PlanProposed)} {
		r := d.open(120, 40, themes.None())
		p := shown(t, r).state.plan
		for room := 14; room < 60; room++ {
			for _, n := range p.tasks() {
				hint := p.hint(n, room)
				_, after, waits := strings.Cut(hint, "after ")
				switch {
				case ansi.StringWidth(hint) > room:
					t.Errorf("%s, %d cells, %s: %q", name, room, p.key(n), hint)
				case !waits && len(p.Graph.Edges(n)) > 0 && p.column(n) == blocked:
					t.Errorf("%s, %d cells, %s: %q does not say what it waits for", name, room, p.key(n), hint)
				case waits && (strings.HasPrefix(after, "…") || p.key(n) == "load" && !strings.HasSuffix(hint, " +1")):
					t.Errorf("%s, %d cells, %s: %q says too little", name, room, p.key(n), hint)
				}
			}
		}
	}
}

// In the graph a task of the critical path has the sign that the line above the graph explains,
// and is bold only under the cursor. The heading of a layer is no row of a task.
func TestTheGraphTellsFocusCriticalPathAndLayersApart(t *testing.T) {
	t.Parallel()
	r := begun(t).open(80, 40, themes.None())
	r.Keys("tab")
	r.Shows("◆ Critical path: ", "◆ API for tokens", "◆ Load test with 10,000 sessions", "◆ Remove the cookie code", "Step 2 · 3 tasks ────")
	r.Hides("◆ Client library", "◆ Rate limits")
	if strings.Contains(r.Content(), "\x1b[1mLoad test") {
		t.Errorf("a task without the cursor is bold:\n%q", r.Content())
	}
	if r.Keys("end up up"); !strings.Contains(r.Content(), "\x1b[1;7mLoad test") {
		t.Errorf("the task under the cursor is not bold:\n%q", r.Content())
	}
}

// withoutTask is the graph of the plan without a task: that one is not approved.
func withoutTask(t *testing.T, d *desk, key string) *rules.Graph {
	t.Helper()
	p := rules.Plan{Title: d.plans[0].Title}
	for _, task := range d.texts[planID] {
		if task.Key == key {
			task.Title = safe.New("Something else")
		}
		p.Tasks = append(p.Tasks, task)
	}
	return tuitest.Must(rules.Build(p))
}

func TestAPlanThatIsNotThere(t *testing.T) {
	t.Parallel()
	r := tuitest.Open(t, New((&desk{t: t}).deps(), planID), 80, 24, themes.None())
	r.Shows("There is no such plan of tasks.")
	r.Keys("down enter w tab / x esc")
}

// A task that is named opens at once: planb tasks accept leads to what its agent reported. Behind it
// is the plan, with the cursor on the task.
func TestThePageOfATaskThatIsNamedOpens(t *testing.T) {
	t.Parallel()
	d := begun(t)
	id := tuitest.Must(rules.TaskID(planID, d.number("docs")))
	r := tuitest.Open(t, New(d.deps(), id), 80, 24, themes.None())
	if page, ok := r.Top().(*Task); !ok || page.n != d.number("docs") {
		t.Fatalf("%T is open:\n%s", r.Top(), r.Text())
	}
	r.Keys("esc")
	if got := key(shown(t, r)); got != "docs" {
		t.Errorf("the cursor is on %q", got)
	}
}

func TestTheListOfPlans(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.add(rules.Plan{Title: safe.New("Move the docs"), Tasks: d.texts[planID][:2]}, "0190a1b2-0000-7000-8000-0000aaaa0000", rules.PlanProposed)
	d.add(rules.Plan{Title: safe.New("Old work"), Tasks: d.texts[planID][:2]}, "0190a1b2-0000-7000-8000-0000bbbb0000", rules.PlanDone)
	r := tuitest.Open(t, NewList(d.deps()), 80, 24, themes.None())
	text := r.Text()
	order := []string{"Waiting for your approval", "Move the docs", "In work", "Auth rewrite", "Ended", "Old work"}
	for i := 1; i < len(order); i++ {
		if strings.Index(text, order[i-1]) > strings.Index(text, order[i]) {
			t.Errorf("%q stands behind %q:\n%s", order[i-1], order[i], text)
		}
	}
	r.Hides("active", "proposed")
	r.Shows("Move the docs", "2 tasks", "● 2 need you · shop", "2/11") // of a proposed plan nothing can be done
	r.Keys("enter")
	r.Shows("proposed", "nothing begins before you approve it", "Critical path")
	r.Keys("esc down enter")
	r.Shows("Needs you", "2/11 done")
}

// The preview says of the plan under the cursor which tasks stand where, of a large one those
// that come first.
func TestThePreviewOfAPlan(t *testing.T) {
	t.Parallel()
	d := begun(t)
	tuitest.Open(t, NewList(d.deps()), 120, 40, themes.None()).Shows("Sign-in with a passkey, also for people", "  after API for tokens")
	var many []rules.Task
	for i := range 40 {
		task := d.texts[planID][0] // it waits for no other
		task.Number, task.Key, task.Title = i+1, fmt.Sprint("t", i), safe.New(fmt.Sprint("Page ", i))
		many = append(many, task)
	}
	d.add(rules.Plan{Title: safe.New("Move the docs"), Tasks: many}, "0190a1b2-0000-7000-8000-0000aaaa0000", rules.PlanActive)
	r := tuitest.Open(t, NewList(d.deps()), 120, 40, themes.None())
	for _, title := range []string{"● 2 need you · shop", "Ready, 12 of 40"} {
		r.Shows(title)
		r.Keys("down")
	}
	r.Send(tea.MouseClickMsg{X: 80, Y: 4, Button: tea.MouseLeft}) // in the preview: nothing is there to choose
	r.Shows("Ready, 12 of 40")
	alone := &desk{t: t, texts: map[string][]rules.Task{}}
	alone.add(rules.Plan{Title: safe.New("Move the docs"), Tasks: many}, planID, rules.PlanActive)
	low := tuitest.Open(t, NewList(alone.deps()), 80, 24, themes.None())
	listed := strings.Count(low.Text(), "○ Page ")
	low.Shows(fmt.Sprintf("  %d more", 40-listed))
}

// Nothing that an agent sends reaches the terminal as it is.
func TestHostileText(t *testing.T) {
	t.Parallel()
	for i, hostile := range safetest.Hostile() {
		contract := rules.Execution{Kind: rules.Unblocked, Files: []safe.Text{safe.New(hostile)}, Output: safe.New(hostile)}
		verification := rules.Verification{Kind: rules.Manual, Criteria: []safe.Text{safe.New(hostile)}, Commands: []safe.Text{safe.New(hostile)}}
		d := newDesk(t, rewrite, rules.PlanActive)
		list := d.texts[planID]
		for n := range list {
			list[n].Title, list[n].Description = safe.New(hostile), safe.New(hostile)
			list[n].Execution, list[n].Verification = contract, verification
		}
		d.plans[0].Title = safe.New(hostile)
		d.claim(hostile, 3, "api").set(rules.NeedsReview, "schema")
		report := &rules.Report{Summary: safe.New(hostile), Evidence: []rules.Proof{
			{Criterion: hostile, Text: safe.New(hostile)}, {Command: safe.New(hostile), Output: &hostile},
		}}
		d.past = map[string]kept.Past{"schema": {Count: 1, Attempts: []kept.Attempt{{
			Worker: hostile, Ended: tuitest.Moment, End: kept.Ending(hostile), Notes: []kept.Note{{Text: safe.New(hostile)}}, Report: report,
			Comment: safe.New(hostile), Completed: kept.Repository{Head: hostile, Branch: hostile},
		}}, Late: []kept.Late{{Worker: hostile, Report: report}}}}
		for _, size := range [][2]int{{40, 16}, {80, 24}, {120, 40}} {
			r := d.open(size[0], size[1], themes.Default(true))
			for _, keys := range []string{"", "enter", "end", "esc right", "w", "esc tab", "end"} {
				r.Keys(keys)
				tuitest.OnlySGR(t, i+" "+keys, r.Content(), size[0], size[1])
			}
			list := tuitest.Open(t, NewList(d.deps()), size[0], size[1], themes.Default(true))
			tuitest.OnlySGR(t, "list "+i, list.Content(), size[0], size[1])
		}
	}
}

// The screens keep their size at every size that a window can have.
func TestScreensOfEverySize(t *testing.T) {
	t.Parallel()
	d := begun(t)
	for _, width := range []int{40, 53, 60, 99, 160, 200} {
		for _, height := range []int{12, 18, 30, 60} {
			r := d.open(width, height, themes.Default(true))
			for _, keys := range []string{"", "right right", "tab", "end", "tab / x", "esc left left left left"} {
				r.Keys(keys)
				tuitest.OnlySGR(t, fmt.Sprintf("%d×%d %s", width, height, keys), r.Content(), width, height)
				if lines := strings.Count(r.Content(), "\n") + 1; lines != height {
					t.Errorf("%d×%d %s: %d lines", width, height, keys, lines)
				}
			}
		}
	}
}

func TestAClickPutsTheCursorOnACard(t *testing.T) {
	t.Parallel()
	r := begun(t).open(120, 40, themes.None())
	for y, line := range strings.Split(r.Text(), "\n") {
		if x := strings.Index(line, "Client library"); x >= 0 {
			r.Send(tea.MouseClickMsg{X: ansi.StringWidth(line[:x]), Y: y, Button: tea.MouseLeft})
			if got := key(shown(t, r)); got != "client" {
				t.Errorf("the cursor is on %q", got)
			}
			return
		}
	}
	t.Error("no card of that title")
}

// A narrow board names every column in words, wherever the cursor stands, and a click on a folded
// one opens it.
func TestANarrowBoardNamesAllColumns(t *testing.T) {
	t.Parallel()
	for _, width := range []int{60, 80} {
		for from := ready; from <= finished; from++ {
			for to := ready; to <= finished; to++ {
				r := begun(t).open(width, 24, themes.None())
				r.Keys("left left left left" + strings.Repeat(" right", int(from)))
				name, clicked := to.state().Standing().Mark+" "+to.name(), false
				for y, line := range strings.Split(r.Text(), "\n") {
					if before, _, found := strings.Cut(line, name); found && !clicked {
						r.Send(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
						clicked = true
					}
				}
				if s := shown(t, r); !clicked || s.state.at != to {
					t.Errorf("at %d columns, in %s, a click on %q leads to %s:\n%s", width, from.name(), name, s.state.at.name(), r.Text())
				}
			}
		}
	}
}

// In a focused card a blank stands between the texts and the edge of the focus.
func TestNoTextTouchesTheEdgeOfTheFocus(t *testing.T) {
	t.Parallel()
	for width := 40; width <= 120; width++ {
		r := begun(t).open(width, 40, themes.None())
		s := shown(t, r)
		r.Keys("left left left left")
		for range int(columns) {
			for _, place := range s.slots() {
				if place.column != s.state.at {
					continue
				}
				for _, line := range s.card(place, 0) {
					if text := ansi.Strip(line); text != "" && (ansi.StringWidth(text) != place.width-1 || !strings.HasSuffix(text, " ")) {
						t.Errorf("at %d columns, in %s: %q", width, s.state.at.name(), text)
					}
				}
			}
			r.Keys("right")
		}
	}
}

// The screens close, and end the program, as all others do.
func TestLeaving(t *testing.T) {
	t.Parallel()
	d := begun(t)
	r := tuitest.Open(t, NewList(d.deps()), 80, 24, themes.None())
	r.Keys("enter")
	if _, ok := r.Top().(*Screen); !ok {
		t.Fatalf("%T is open", r.Top())
	}
	r.Keys("/ x")
	r.Keys("esc esc")
	if _, ok := r.Top().(*List); !ok {
		t.Errorf("%T is open", r.Top())
	}
	r.Keys("?")
	if _, ok := r.Top().(*screen.Help); !ok {
		t.Errorf("%T is open", r.Top())
	}
}

// The page of a task follows what agents report, and leads to the tasks around it.
func TestThePageOfATask(t *testing.T) {
	t.Parallel()
	d := begun(t)
	r := d.open(120, 40, themes.None())
	r.Keys("enter")
	r.Hides("Waits for you to accept it.", marks.Unticked, "1–")
	r.Shows("● to be accepted", "• nobody is signed out", "As reported", "Signed-in users get a token", "exit 0", "none of it", "3f9a1c02 → 7bc10de4", "Attempts", "Done when", "you accept its report", "space accept, or send back")
	page := r.Top().(*Task)
	r.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	r.Shows("1–19 of 3")
	r.Keys("end")
	r.Shows("–3", " of 3")
	r.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.past["migrate"] = kept.Past{}
	d.plans[0].Marks = append(rules.Marks(nil), d.plans[0].Marks...)
	d.set(rules.Done, "migrate")
	r.Run(page.reads.Read())
	r.Hides("As reported")
	r.Keys("enter")
	r.Shows("Go to", "Write the schema of tokens", "it waits for this", "Load test with 10,000 sessions", "waits for it")
	r.Keys("down enter")
	r.Shows("Waits for “Sign-in with a passkey, also", "critical path")
	r.Keys("esc esc")
	if key(shown(t, r)) != "migrate" {
		t.Errorf("back on %q", key(shown(t, r)))
	}
}

// The last row of a task's page is no heading of what is out of view, and the count of the lines
// leaves out a heading that waits.
func TestThePageOfATaskEndsOnNoHeading(t *testing.T) {
	t.Parallel()
	for height := 14; height < 26; height++ {
		r := begun(t).open(80, height, themes.None())
		r.Keys("left enter")
		page := r.Top().(*Task)
		for range page.lines {
			rows := strings.Split(r.Text(), "\n")
			counted := ansi.Strip(page.lines[page.top+page.shown()-1])
			for _, last := range []string{rows[len(rows)-3], counted} {
				if strings.HasSuffix(last, "──") {
					t.Fatalf("%d rows end on %q:\n%s", height, last, r.Text())
				}
			}
			r.Keys("down")
		}
		r.Shows("approved today")
	}
}

// The page of a task in work says in one place that it is, and a title below it whole.
func TestThePageOfATaskInWorkSaysSoOnce(t *testing.T) {
	t.Parallel()
	r := begun(t).open(120, 40, themes.None())
	r.Keys("left enter")
	r.Shows("◐ in work", "Claude Code has been on it for 12 min.", "also for", "people who have two devices")
	r.Hides("In work", "…")
}

// What a person should notice about an approval and a claim stands on the board.
func TestWhatThePersonShouldNotice(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.claim("Codex", 50, "passkey")
	claim := d.plans[0].Claims[d.number("api")]
	claim.Gone = tuitest.Moment.Add(time.Minute) // not lapsed yet
	d.plans[0].Claims[d.number("api")] = claim
	d.plans[0].Approval.Given.Above = []string{"bash", "claude", "zsh"}
	r := d.open(120, 40, themes.None())
	r.Shows("Codex", "Claude Code", "approved in a terminal that Claude Code started")
	r.Keys("left tab")
	r.Shows("Claude Code · gone", "Codex · quiet for 50 min")
	r.Keys("enter")
	r.Shows("that Claude Code")
}

// Plans of the largest size are fluent: a key, with the drawing, takes a few milliseconds.
func BenchmarkBoardKey(b *testing.B) {
	p := rules.Plan{Title: safe.New("Handbook")}
	for i := 1; i <= rules.MaxTasks; i++ {
		task := rules.Task{Number: i, Seed: rules.Seed{Key: fmt.Sprint("t", i), Title: safe.New(fmt.Sprintf("Move page %d of the old handbook to the new site", i)), Priority: i % 5, Minutes: 30}}
		task.Execution.Kind, task.Verification.Kind = rules.Unblocked, rules.Manual
		if i > 10 {
			task.DependsOn = []string{fmt.Sprint("t", i/2), fmt.Sprint("t", i/3)}
		}
		p.Tasks = append(p.Tasks, task)
	}
	d := &desk{t: b, texts: map[string][]rules.Task{}}
	d.add(p, planID, rules.PlanActive)
	for name, first := range map[string]string{"board": "", "graph": "tab"} {
		r := d.open(120, 40, themes.Default(true))
		r.Keys(first)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Keys("down")
				_ = r.Content()
			}
		})
		b.Run(name+"-read", func(b *testing.B) {
			s := shown(b, r)
			for b.Loop() {
				r.Run(s.reads.Read())
			}
		})
	}
}
