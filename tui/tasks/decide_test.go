package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// change is a decision that reached the store.
func (d *desk) change(by kept.Caller, what, task string, to rules.State) (kept.Completed, error) {
	_, n, _ := rules.SplitID(task)
	d.said = append(d.said, strings.TrimSpace(what)+" "+d.plans[0].Graph.Key(n))
	if by.Actor != rules.User || by.Name != "you@desk" {
		d.t.Errorf("%s by %+v", what, by)
	}
	if d.fails != nil {
		return kept.Completed{}, d.fails
	}
	w := &d.plans[0]
	w.Marks = slices.Clone(w.Marks)
	w.Marks.Set(n, to)
	delete(w.Claims, n)
	return kept.Completed{ID: task, State: to}, nil
}

func (d *desk) Accept(_ context.Context, by kept.Caller, task string, _ safe.Text) (kept.Completed, error) {
	return d.change(by, "accept", task, rules.Done)
}

func (d *desk) SendBack(_ context.Context, by kept.Caller, task string, comment safe.Text) (kept.Completed, error) {
	return d.change(by, fmt.Sprintf("send back %q", comment.Raw()), task, rules.Open)
}

func (d *desk) Finish(_ context.Context, by kept.Caller, task string, _ safe.Text) (kept.Completed, error) {
	return d.change(by, "finish", task, rules.Done)
}

func (d *desk) Cancel(_ context.Context, by kept.Caller, task string) (kept.Completed, error) {
	return d.change(by, "cancel", task, rules.Cancelled)
}

func (d *desk) Release(_ context.Context, by kept.Caller, task string) (kept.Completed, error) {
	return d.change(by, "release", task, rules.Open)
}

func (d *desk) SetPriority(_ context.Context, by kept.Caller, task string, priority int) (int, error) {
	_, n, _ := rules.SplitID(task)
	before := d.plans[0].Marks.Priority(n)
	_, err := d.change(by, fmt.Sprintf("P%d", priority), task, d.plans[0].Marks.State(n))
	if err == nil {
		d.plans[0].Marks.SetPriority(n, priority)
	}
	return before, err
}

func (d *desk) Edit(_ context.Context, by kept.Caller, task string, seed rules.Seed) (rules.Seed, error) {
	_, n, _ := rules.SplitID(task)
	_, err := d.change(by, fmt.Sprintf("edit %q %d min P%d", seed.Title.Raw(), seed.Minutes, seed.Priority), task, d.plans[0].Marks.State(n))
	return d.texts[planID][n-1].Seed, err
}

// Each decision takes a key and an answer, and reaches the store once.
func TestDecisions(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"space y":                  "accept migrate",
		"space esc":                "",
		"space n":                  "",
		"space enter":              "",
		"space s t e s t ctrl+s":   `send back "test" migrate`,
		"space s ctrl+s":           "",
		"space s x esc":            "",
		"space s a enter b ctrl+s": `send back "a\nb" migrate`,
		"down space y":             "finish bank",
		"left space":               "",
		"left r y":                 "release api",
		"left r esc":               "",
		"r":                        "",
		"left left p 0":            "P0 limits",
		"left left p esc":          "",
		"left left p 0 u":          "P0 limits, P2 limits",
		"left left p 0 u u":        "P0 limits, P2 limits",
		"x y":                      "cancel migrate",
		"x esc":                    "",
		"v v space y":              "accept migrate", // bank is not reported
		"right v v x y":            "cancel passkey, cancel client",
		"right v v esc x y":        "cancel load",
		"right right space":        "",
		"right right x":            "",
		"right right p":            "",
		"u":                        "",
		"tab space y":              "accept migrate",
		"enter space y":            "accept migrate",
		"enter space s n o ctrl+s": `send back "no" migrate`,
		"enter space s n o alt+b a alt+enter alt+f b alt+backspace x ctrl+s": `send back "a\nx" migrate`,
		"left enter r y":                "release api",
		"left left enter p 4 u":         "P4 limits, P2 limits",
		"right enter x y":               "cancel passkey",
		"right right enter x space r":   "",
		"/ b a n k enter space y":       "finish bank",
		"right v / c l i e n t esc esc": "",
	} {
		d := begun(t)
		r := d.open(120, 40, themes.None())
		r.Keys(keys)
		if got := strings.Join(d.said, ", "); got != want {
			t.Errorf("%q did %q, want %q\n%s", keys, got, want, r.Text())
		}
	}
}

func TestQuestionsSayWhatFollows(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string][]string{
		"space":           {"Accept “Write the migration of signed-in users”?", "y accept it", "s send it back", "esc decide later"},
		"space s":         {"Send “Write the migration of signed-in users” back?", "ctrl+s send it back", "What is missing?"},
		"space s ctrl+s":  {"Say what is missing first."},
		"left r":          {"Release “API for tokens”?", "Claude Code is told"},
		"left x":          {"Cancel “API for tokens”?", "Claude Code works on it", "This makes ready: “Sign-in with a passkey, also for people who have two devices” and “Client library”.", "cannot be undone"},
		"left left p":     {"How urgent is “Rate limits”?", "P2: as usual (now)"},
		"right space":     {"Only what waits for you"},
		"right r":         {"Nobody works on it."},
		"u":               {"There is nothing to undo"},
		"space y":         {"Accepted: “Write the migration"},
		"right right x":   {"It has ended."},
		"left left p 1":   {"P1: “Rate limits”", "undo"},
		"left left p 1 u": {"Undone: the priority of “Rate limits”"},
		"right v v x":     {"Cancel 2 tasks?", "y cancel them", "esc keep them"},
	} {
		for _, width := range []int{80, 120} {
			flat := asking(begun(t), width, keys)
			for _, text := range want {
				if !strings.Contains(flat, text) {
					t.Errorf("at %d columns %q does not say %q, but %q", width, keys, text, flat)
				}
			}
		}
	}
}

// What is said of who works on tasks agrees with how many agents and tasks there are.
func TestQuestionsAgreeWithWhoWorks(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"left r":           "Others may claim it at once. Claude Code is told with its next call, and what it reports then is kept, but does not count.",
		"left v v r":       "Others may claim them at once. Claude Code and Codex are told with their next call, and what they report then is kept, but does not count.",
		"left x":           "Claude Code works on it, and is told with its next call.",
		"left v right v x": "Claude Code works on “API for tokens”, and is told with its next call.",
		"left v v x":       "Claude Code and Codex work on them, and are told with their next call.",
	} {
		desk := begun(t).claim("Codex", 5, "limits")
		if flat := asking(desk, 120, keys); !strings.Contains(flat, want) {
			t.Errorf("%q does not say %q, but %q", keys, want, flat)
		}
	}
	for keys, want := range map[string]string{"left r": "y release it esc let it work", "left v v r": "y release them esc let them work"} {
		if flat := asking(begun(t).claim("Codex", 5, "limits"), 120, keys); !strings.Contains(flat, want) {
			t.Errorf("%q does not offer %q, but %q", keys, want, flat)
		}
	}
	want := "Claude Code works on 2 tasks, and is told with its next call."
	if flat := asking(begun(t).claim("Claude Code", 5, "limits"), 120, "left v v right v x"); !strings.Contains(flat, want) {
		t.Errorf("one agent with two of three tasks: %q", flat)
	}
}

// asking is what a screen says while keys have it ask.
func asking(d *desk, width int, keys string) string {
	r := d.open(width, 40, themes.None())
	r.Keys(keys)
	var dialog []string // without the cards at its sides
	for line := range strings.Lines(r.Text()) {
		if parts := strings.Split(line, "│"); len(parts) == 3 {
			line = parts[1]
		}
		dialog = append(dialog, strings.Fields(line)...)
	}
	return strings.Join(dialog, " ")
}

func TestADecisionThatFails(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.fails = rules.Conflict("accept", "done", "the task is done, and that state does not allow this. Nothing was changed.")
	r := d.open(120, 40, themes.None())
	r.Keys("space y")
	r.Shows("That could not be done: the task is done, and that state does not allow this. Nothing was changed.")
}

// What the person wrote for an agent is there again if it could not be sent.
func TestACommentThatFailsIsNotLost(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.fails = errors.New("the disk is full")
	r := d.open(120, 40, themes.None())
	r.Keys("space s t e s t ctrl+s")
	r.Shows("That could not be done: the disk is full", "Send “Write the migration of signed-in users” back?", "› test")
	d.fails = nil
	r.Keys("s ctrl+s")
	if got := d.said[len(d.said)-1]; got != `send back "tests" migrate` {
		t.Errorf("sent is %s", got)
	}
}

// TestLeavingRightAfterADecision holds that a screen does not end before the person's last
// decision is written, and that they are told if it failed.
func TestLeavingRightAfterADecision(t *testing.T) {
	t.Parallel()
	fails := rules.Conflict("accept", "done", "Nothing was changed.")
	for name, deciderOf := range map[string]func(d *desk) (screen.Closer, *decider){
		"board": func(d *desk) (screen.Closer, *decider) { s := New(d.deps(), planID); return s, s.decide },
		"task":  func(d *desk) (screen.Closer, *decider) { s := newTask(d.deps(), &plan{}, 1); return s, s.decide },
	} {
		closer, d := deciderOf(begun(t))
		write := d.write(func(context.Context) decided { return decided{by: d, err: fails} })
		soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		if _, err := closer.Close(soon); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: it closed before the decision was written: %v", name, err)
		}
		cancel()
		go write()
		if parting, err := closer.Close(t.Context()); err != nil || !slices.Equal(parting, []string{"That could not be done: Nothing was changed."}) {
			t.Errorf("%s: %q, %v", name, parting, err)
		}
	}
}

// What is decided of a proposed plan is decided in its review.
func TestAProposedPlanIsReviewed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, rewrite, rules.PlanProposed)
	deps := d.deps()
	reviewed := ""
	deps.Review = func(_ context.Context, plan string) (store.Ask, error) {
		reviewed = plan
		return store.Ask{ID: "the review"}, nil
	}
	deps.Past.OpenForm = func(f retro.Form) screen.Screen {
		return &tuitest.FormStub{Text: func() string { return f.Ask.ID }}
	}
	r := tuitest.Open(t, New(deps, planID), 80, 24, themes.None())
	r.Keys("x")
	r.Shows("The plan is not approved yet. a reviews it.", "a approve")
	r.Keys("a")
	if r.Shows("the review"); reviewed != planID {
		t.Errorf("the review is of %q", reviewed)
	}
	if len(d.said) > 0 {
		t.Errorf("decided %q", d.said)
	}

	// A task's own page has the key, too.
	reviewed = ""
	page := tuitest.Open(t, New(deps, planID), 80, 24, themes.None())
	page.Keys("enter")
	if page.Shows("a approve"); page.Top() == nil {
		t.Fatal("no page is open")
	}
	if _, ok := page.Top().(*Task); !ok {
		t.Fatalf("%T is open", page.Top())
	}
	page.Keys("a")
	if page.Shows("the review"); reviewed != planID {
		t.Errorf("from a task the review is of %q", reviewed)
	}
}

// A plan that waits for the approval is reviewed from the list, too.
func TestAPlanIsReviewedFromTheList(t *testing.T) {
	t.Parallel()
	d := begun(t)
	const proposed = "0190a1b2-0000-7000-8000-0000aaaa0000"
	d.add(rules.Plan{Title: safe.New("Move the docs"), Tasks: d.texts[planID][:2]}, proposed, rules.PlanProposed)
	d.add(rules.Plan{Title: safe.New("Old work"), Tasks: d.texts[planID][:2]}, "0190a1b2-0000-7000-8000-0000bbbb0000", rules.PlanDone)
	deps := d.deps()
	var reviewed []string
	deps.Review = func(_ context.Context, plan string) (store.Ask, error) {
		reviewed = append(reviewed, plan)
		if plan != proposed {
			return store.Ask{}, rules.CannotApprove(safe.New("Auth rewrite"), rules.PlanActive)
		}
		return store.Ask{ID: "the review"}, nil
	}
	deps.Past.OpenForm = func(f retro.Form) screen.Screen {
		return &tuitest.FormStub{Text: func() string { return f.Ask.ID }}
	}
	r := tuitest.Open(t, NewList(deps), 80, 24, themes.None())
	r.Shows("a approve")
	r.Keys("down")
	if strings.Contains(r.Text(), "a approve") {
		t.Errorf("nothing waits here, and the footer offers it:\n%s", r.Text())
	}
	r.Keys("a")
	r.Shows("Nothing to approve")
	r.Keys("down a")
	r.Shows("Nothing of it waits for your approval.")
	r.Keys("home a")
	r.Shows("the review")
	if want := []string{planID, proposed}; !slices.Equal(reviewed, want) {
		t.Errorf("reviewed are %q, want %q", reviewed, want)
	}
}

// An edit comes back as the task that it is; what cannot be read is kept for the next edit.
func TestEditing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	script := filepath.Join(dir, "editor")
	d := begun(t)
	deps := d.deps()
	deps.Environ = []string{"EDITOR=" + script, "PATH=" + os.Getenv("PATH")}
	s := New(deps, planID)
	r := tuitest.Open(t, s, 120, 40, themes.None())
	r.Keys("left left")
	n := s.task()
	saves := func(text string) {
		r.Run(s.decide.edited(editorLeft{by: s.decide, n: n, text: text}))
	}
	saves("# Auth rewrite\n\n## Limit the rate\n\nafter: nothing-such\n")
	if len(d.said) > 0 || s.decide.refused[n].text == "" {
		t.Fatalf("an edit that waits for an unknown task did %q; kept %q", d.said, s.decide.refused[n])
	}
	r.Shows("Not changed; your text is kept for the next edit")
	saves("# Auth rewrite\n\n## One {#limits}\n\n## Two\n")
	r.Shows("one is edited at a time")
	saves("# Auth rewrite\n\n## Limit the rate {#limits}\n\nafter: config\nestimate: 1h\npriority: 1\n")
	if got := strings.Join(d.said, ", "); got != `edit "Limit the rate" 60 min P1 limits` || len(s.decide.refused) != 0 {
		t.Errorf("the edit did %q, and %d texts are kept", got, len(s.decide.refused))
	}
	r.Keys("u")
	if got := d.said[len(d.said)-1]; got != `edit "Rate limits" 40 min P2 limits` {
		t.Errorf("the edit is undone by %q", got)
	}
}

// The edges that agents added stay in an edit, also where the person writes one as their own.
func TestEditingWhatAgentsAdded(t *testing.T) {
	t.Parallel()
	s := New(begun(t).deps(), planID)
	tuitest.Open(t, s, 120, 40, themes.None())
	n, _ := s.decide.plan.Graph.Find("limits")
	s.decide.plan.texts[n-1].Edges = rules.Edges{AlsoAfter: []string{"config"}, Soft: []string{"schema"}}
	for text, want := range map[string]string{
		"":                                    "{[] [config] [schema]}",
		"after: config":                       "{[config] [] [schema]}",
		"after: schema":                       "{[schema] [config] []}",
		"also after: schema\nrelated: config": "{[] [schema] [config]}",
	} {
		seed, err := s.decide.plan.readSeed(n, "## Limit the rate\n\n"+text+"\n")
		if got := fmt.Sprint(seed.Edges); err != nil || got != want {
			t.Errorf("with %q the edges are %s, %v", text, got, err)
		}
	}
}

// What the person wrote and planb did not take over is in the next edit, and in a file once
// they leave.
func TestAnEditIsNotLost(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := begun(t)
	s := New(d.deps(), planID)
	r := tuitest.Open(t, s, 120, 40, themes.None())
	r.Keys("left left")
	n := s.task()
	d.fails = errors.New("the disk is full")
	const text = "# Auth rewrite\n\n## Limit the rate {#limits}\n\nafter: config\n"
	r.Run(s.decide.edited(editorLeft{by: s.decide, n: n, text: text}))
	r.Shows("Not changed; your text is kept for the next edit: the disk is full")
	if got := s.decide.refused[n].text; got != text {
		t.Errorf("the next edit begins with %q", got)
	}
	parting, err := s.Close(t.Context())
	if err != nil || len(parting) != 2 || !strings.Contains(parting[0], "Rate limits") {
		t.Fatalf("on leaving it says %q, %v", parting, err)
	}
	if got, err := os.ReadFile(parting[1]); err != nil || string(got) != text {
		t.Errorf("the file has %q, %v", got, err)
	}
}

// A text that came back from the editor as planb ended is kept, too.
func TestAnEditThatComesBackAtTheEndIsNotLost(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := New(begun(t).deps(), planID)
	r := tuitest.Open(t, s, 120, 40, themes.None())
	r.Keys("left left")
	ready := editorReady{by: s.decide, n: s.task(), written: "before\n"}
	ready.left("before\n", nil)
	if parting, err := s.Close(t.Context()); err != nil || len(parting) > 0 {
		t.Errorf("of a text that did not change it says %q, %v", parting, err)
	}
	ready.left("after\n", nil)
	parting, err := s.Close(t.Context())
	if err != nil || len(parting) != 2 {
		t.Fatalf("on leaving it says %q, %v", parting, err)
	}
	if got, err := os.ReadFile(parting[1]); err != nil || string(got) != "after" {
		t.Errorf("the file has %q, %v", got, err)
	}
}

func TestGoingToTheAgent(t *testing.T) {
	t.Parallel()
	d := begun(t)
	n := d.number("api")
	claim := d.plans[0].Claims[n]
	claim.Place = "tmux-0123-@4"
	d.plans[0].Claims[n] = claim
	deps, went := d.deps(), ""
	deps.Visit = func(_ context.Context, place string) error {
		went = place
		return nil
	}
	r := tuitest.Open(t, New(deps, planID), 120, 40, themes.None())
	r.Keys("g")
	r.Shows("Nobody works on it.")
	r.Keys("left g")
	if r.Shows("There is Claude Code."); went != claim.Place {
		t.Errorf("went to %q", went)
	}
	without := d.open(120, 40, themes.None())
	without.Keys("left g")
	without.Shows("planb cannot go there")
}

// stuck is the plan with a task whose agent asks something, and has reported nothing.
func stuck(t testing.TB) *desk {
	d := begun(t).set(rules.NeedsReview, "limits")
	at := tuitest.Moment.Add(-50 * time.Minute)
	d.past["limits"] = kept.Past{Count: 1, Attempts: []kept.Attempt{{
		Worker: "Codex", At: at, Ended: at.Add(20 * time.Minute), End: kept.EndedStuck,
		Notes: []kept.Note{{Text: safe.New("Reading.")}, {Text: safe.New("Which limit: per user, or per address? The old code has one per address.")}},
	}}}
	return d
}

// What a stuck agent asks stands once on the task's page: as its question, and not among what it
// said before.
func TestAQuestionStandsOnce(t *testing.T) {
	t.Parallel()
	r := stuck(t).open(120, 40, themes.None())
	r.Keys("down enter")
	for _, text := range []string{"Which limit: per user", "Reading.", "stuck, needs you"} {
		if n := strings.Count(r.Text(), text); n != 1 {
			t.Errorf("the page says %q %d times:\n%s", text, n, r.Text())
		}
	}
}

// An agent that is stuck has reported nothing: the person reads what it asks, and answers. That
// the task is done all the same takes a second word.
func TestAQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]struct{ did, says string }{
		"":                                {"", "Codex says “Which|space answer"},
		"space":                           {"", "Answer “Rate limits”?|Codex says “Which limit: per user, or per address? The old code has one per address.” and cannot go on without you. No agent has reported that it is done.|s answer it|d it is done"},
		"space y":                         {"", "Answer “Rate limits”?"},
		"space s":                         {"", "Answer “Rate limits”|one per address.”|The next agent that claims it reads your answer.|answer, send it back"},
		"space s ctrl+s":                  {"", "Write your answer first."},
		"space s u s e r ctrl+s":          {`send back "user" limits`, "Answered and sent back: “Rate limits”"},
		"space d":                         {"", "Is “Rate limits” done?|No agent has reported that it is done.|y done without a report"},
		"space d esc":                     {"", "asks you"},
		"space d enter":                   {"", "asks you"},
		"space d y":                       {"accept limits", "Done without a report: “Rate limits”"},
		"w":                               {"", "It waits for no other task: space answers its agent."},
		"enter":                           {"", "asks you|What its agent says|Which limit: per user, or per address? The old code has one per address.|No agent has reported that it is done.|space answer"},
		"enter space d y":                 {"accept limits", ""},
		"v v space y":                     {"accept migrate", ""}, // only what was reported is accepted
		"enter space s i p ctrl+s":        {`send back "ip" limits`, ""},
		"v down v space s u s e r ctrl+s": {`send back "user" limits`, ""},
	} {
		d := stuck(t)
		r := d.open(120, 40, themes.None())
		to := "down "
		if strings.HasPrefix(keys, "v v") {
			to = ""
		}
		r.Keys(to + keys)
		if got := strings.Join(d.said, ", "); got != want.did {
			t.Errorf("%q did %q, want %q\n%s", keys, got, want.did, r.Text())
		}
		flat := strings.Join(strings.Fields(strings.ReplaceAll(r.Text(), "│", " ")), " ")
		for _, text := range strings.Split(want.says, "|") {
			if !strings.Contains(flat, text) {
				t.Errorf("%q does not say %q:\n%s", keys, text, r.Text())
			}
		}
	}
}
