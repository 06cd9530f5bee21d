package plans_test

import (
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// Everything that a person can say about a plan, by its keys, survives the
// death of pane and agent. The next agent is told all of it.
func TestWhatIsSaidOfAPlanOutlivesPaneAndAgent(t *testing.T) {
	t.Parallel()
	data, dir, tm := t.TempDir(), t.TempDir(), rig.StartTmux(t, 200, 50)
	editor := filepath.Join(t.TempDir(), "editor")
	if err := rig.WriteProgram(editor, "#!/bin/sh\nsed 's/Behind a flag/Behind no flag/' \"$1\" > \"$0.out\" && cat \"$0.out\" > \"$1\"\n"); err != nil {
		t.Fatal(err)
	}
	tm.Run("set-environment", "-g", "VISUAL", editor)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home), "--plans-dir", dir)
	session := a.Session("Retries")
	a.Call("write_plan", map[string]any{"planName": "retries", "content": rig.RetriesPlan, "sessionId": session})
	a.Start("submit_plan", map[string]any{"planName": "retries"})
	pane := tm.NewPane(home)
	tm.Ready(pane)
	tm.Walk(pane,
		[2]string{"/", "esc close"}, [2]string{"text Behind", "line 15 of 23"}, [2]string{"Escape", "esc menu"},
		[2]string{"c", "● comment on line 15"}, [2]string{"text Which flag?", "Which flag?"}, [2]string{"C-s", "1 comment"},
		[2]string{"p", "line 13 of 23"}, [2]string{"p", "line 7 of 23"}, [2]string{"Down", "line 9 of 23"}, [2]string{"S-Down", "esc no selection"},
		[2]string{"c", "● comment on lines 9–10"}, [2]string{"text Too often.", "Too often."}, [2]string{"C-s", "2 comments"},
		[2]string{"Down", "line 11 of 23"}, [2]string{"s", "± new text instead of line 11"}, [2]string{"text  Or so.", "Or so."}, [2]string{"C-s", "2 comments · 1 suggestion"},
		[2]string{"g", "line 1 of 23"}, [2]string{"q", "? question on line 1"}, [2]string{"text Whose plan?", "Whose plan?"}, [2]string{"C-s", "1 question"},
		[2]string{"n", "line 3 of 23"}, [2]string{"Down", "line 5 of 23"}, [2]string{"x", "1 deletion"}, [2]string{"u", "Undone."}, [2]string{"x", "1 deletion"},
		[2]string{"w", "On the whole plan"}, [2]string{"text Not yet.", "Not yet."}, [2]string{"C-s", "On the whole: Not yet."},
		[2]string{"e", "Your edit goes with the review"}, [2]string{"d", "v1 → your edit"}, [2]string{"Escape", "esc menu"},
	)
	rig.Until(t, "it is kept", func() bool { return strings.Contains(rig.EntryOf(t, data, session), "no flag") })
	tm.Run("kill-pane", "-t", pane)
	if err := a.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	tm.Gone(pane)

	again := tm.Open(data, "tui", "ask")
	tm.Shows(again, "2 comments · 1 suggestion · 1 deletion · 1 question · edited", "On the whole: Not yet.", "Whose plan?")
	tm.Keys(again, "R")
	tm.ReadyDialog(again, "refused as a whole")
	tm.Keys(again, "C-s")
	tm.Gone(again)
	b := rig.StartAgent(t, data, tm.Environment(home), "--plans-dir", dir)
	got := b.Call("get_answer", map[string]any{"askId": rig.OnlyAsk(t, data, session).ID}).String()
	at := 0
	for _, want := range []string{
		`{"approved":false,"feedback":"# Plan review: rejected\n`, `Not yet.`, `### Line 1: question, answer it before you change this (id `, `Whose plan?`,
		`### Line 5: delete this (id `, `### Lines 9–10: comment (id `, `Too often.`, `### Line 11: replace this (id `, `Instead:`, `Or so.`,
		`### Line 15: comment (id `, `Which flag?`, `## What the user changed`, `-Behind a flag, for one`, `+Behind no flag, for one`, `now holds the plan as the user edited it`,
	} {
		next := strings.Index(got[at:], want)
		if next < 0 {
			t.Fatalf("the agent is not told %q in its place:\n%s", want, got)
		}
		at += next
	}
	if text := rig.ReadFile(t, filepath.Join(dir, "retries-plan.md")); text != strings.Replace(rig.RetriesPlan, "Behind a flag", "Behind no flag", 1) {
		t.Errorf("the file holds\n%s", text)
	}
}

// rounds is a plan on its way through several reviews.
type rounds struct {
	*rig.Tmux
	t             *testing.T
	agent         *rig.Agent
	home, session string
}

// newRounds has an agent save the plan.
func newRounds(t *testing.T) *rounds {
	t.Helper()
	tm := rig.StartTmux(t, 200, 50)
	r := &rounds{Tmux: tm, t: t, home: tm.FirstPane()}
	r.agent = rig.StartAgent(t, t.TempDir(), tm.Environment(r.home), "--plans-dir", t.TempDir())
	r.session = r.agent.Session("Retries")
	r.plan("write_plan", map[string]any{"content": rig.RetriesPlan})
	return r
}

func (r *rounds) plan(tool string, arguments map[string]any) string {
	r.t.Helper()
	arguments["planName"], arguments["sessionId"] = "retries", r.session
	got := r.agent.Call(tool, arguments)
	if got.IsError {
		r.t.Fatal(got)
	}
	return got.String()
}

func (r *rounds) submit(done ...string) *rig.Pending {
	return r.agent.Start("submit_plan", map[string]any{"planName": "retries", "sessionId": r.session, "done": done})
}

func (r *rounds) comment(pane, text, count string) {
	r.t.Helper()
	r.Walk(pane, [2]string{"c", "● comment on line"}, [2]string{"text " + text, text}, [2]string{"C-s", count})
}

// A person approves a plan in part and with notes. The agent reports one note
// as done. In the next round the person settles one and insists on another,
// with an ordinary form queued behind the review.
func TestAPlanGoesThroughItsRounds(t *testing.T) {
	t.Parallel()
	r := newRounds(t)
	tm, a, home := r.Tmux, r.agent, r.home
	call := r.submit()
	pane := tm.NewPane(home)
	tm.Ready(pane)
	tm.Walk(pane, [2]string{"n", "line 3 of 23"}, [2]string{"Down", "line 5 of 23"})
	r.comment(pane, "Say how many.", "1 comment")
	tm.Walk(pane, [2]string{"n", "line 7 of 23"}, [2]string{"Down", "line 9 of 23"}, [2]string{"Down", "line 10 of 23"}, [2]string{"Down", "line 11 of 23"})
	r.comment(pane, "Park them.", "2 comments")
	tm.Walk(pane, [2]string{"n", "line 13 of 23"}, [2]string{"Down", "line 15 of 23"})
	r.comment(pane, "Which flag?", "3 comments")
	tm.Walk(pane, [2]string{"n", "line 18 of 23"}, [2]string{"h", "1 held back"})
	tm.Keys(pane, "a")
	tm.ReadyDialog(pane, "1 section held back", "With it: 3 comments.")
	tm.Keys(pane, "C-s")
	got := call.Reply().String()
	tm.Gone(pane)
	ids := commentID.FindAllStringSubmatch(got, -1)
	if !strings.Contains(got, `{"approved":false,"feedback":"Approved in part: sections `) || !strings.Contains(got, `; not: \"Tests\" (line 18).\n`) || len(ids) != 3 {
		t.Fatalf("the agent received %s", got)
	}

	rollout := rig.RetriesPlan[strings.Index(rig.RetriesPlan, "## Rollout"):strings.Index(rig.RetriesPlan, "## Tests")]
	changed := strings.Replace(strings.Replace(rig.RetriesPlan, rollout, "", 1), "drop them", "park them", 1) + "\n" + strings.TrimSpace(rollout) + "\n"
	if got := r.plan("write_plan", map[string]any{"content": changed}); !strings.Contains(got, "Notes of the approval that are still open") {
		t.Errorf("the agent is told %s", got)
	}
	call = r.submit(ids[0][1])
	pane = tm.NewPane(home)
	tm.Shows(pane, " → v")
	tm.Ready(pane)
	form := a.Start("ask_user", rig.Arguments(t, r.session, rig.NameForm))
	tm.Walk(pane, [2]string{"Escape", "form 1 of 2"})
	tm.Shows(pane, "Since v1: ", "1 addressed · 1 said to be done · 1 sent again", "✓ done, says the agent", "✓ addressed", "↩ not addressed, sent again")
	tm.Walk(pane, [2]string{"g", "line 1 of"}, [2]string{"Tab", "space send again"}, [2]string{"Tab", "line 11 of"}, [2]string{"Space", "Not settled: it is sent again."},
		[2]string{"Tab", "space settle"}, [2]string{"Space", "Settled: it is not sent again."})
	tm.Keys(pane, "r")
	tm.ReadyDialog(pane, "With it: 1 comment.")
	tm.Keys(pane, "C-s")
	got = call.Reply().String()
	if !strings.Contains(got, "comment (said before, and still open) (id "+ids[1][1]+")") || strings.Contains(got, ids[0][1]) || strings.Contains(got, ids[2][1]) {
		t.Errorf("the agent received %s", got)
	}
	tm.Shows(pane, "What shall it be called?")
	tm.Ready(pane)
	tm.Text(pane, "Aurora")
	tm.Keys(pane, "C-s")
	if got := form.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the form's answer is %s", got)
	}
	tm.Gone(pane)
}

// A version that is submitted while the person reads the one before comes up in
// its place.
func TestALaterVersionTakesThePlaceOfTheOneThatIsRead(t *testing.T) {
	t.Parallel()
	r := newRounds(t)
	tm := r.Tmux
	older := r.submit()
	pane := tm.NewPane(r.home)
	tm.Ready(pane)
	r.comment(pane, "A better title?", "1 comment")
	if got := r.plan("edit_plan", map[string]any{"oldString": "# Retries of", "newString": "# The retries of"}); !strings.Contains(got, "Version 1 waits for the user's review") {
		t.Errorf("the agent is told %s", got)
	}
	tm.Shows(pane, "v2 was written since, and is not submitted")
	newer := r.submit()
	if got := older.Reply().String(); !strings.HasPrefix(got, "The review of version 1 was withdrawn") {
		t.Errorf("the older call received %s", got)
	}
	tm.Shows(pane, "v2 replaces v1", "its lines changed since you said it", "A better title?", "while you read")
	tm.Enter(pane)
	tm.Keys(pane, "a")
	tm.ReadyDialog(pane, "Approve v2 with notes")
	tm.Keys(pane, "C-s")
	if got := newer.Reply().String(); !strings.Contains(got, "version 2 of the plan") || !strings.Contains(got, "A better title?") || !strings.Contains(got, "> # Retries of") {
		t.Errorf("the newer call received %s", got)
	}
	tm.Gone(pane)
}
