package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// does presses keys one after another, each when what the one before does is shown.
func (tm *tmuxServer) does(pane string, steps ...[2]string) {
	tm.t.Helper()
	for _, step := range steps {
		if name, text := strings.CutPrefix(step[0], "text "); text {
			tm.text(pane, name)
		} else {
			tm.keys(pane, step[0])
		}
		tm.shows(pane, step[1])
	}
}

// Everything that can be said of a plan, by its keys, survives the pane and the
// agent that were killed, and is what the next agent is told.
func TestWhatIsSaidOfAPlanOutlivesPaneAndAgent(t *testing.T) {
	t.Parallel()
	data, dir, tm := t.TempDir(), t.TempDir(), startTmux(t, 200, 50)
	editor := filepath.Join(t.TempDir(), "editor")
	writeFile(t, editor, "#!/bin/sh\nsed 's/Behind a flag/Behind no flag/' \"$1\" > \"$0.out\" && cat \"$0.out\" > \"$1\"\n")
	if err := os.Chmod(editor, 0o700); err != nil {
		t.Fatal(err)
	}
	tm.run("set-environment", "-g", "VISUAL", editor)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--plans-dir", dir)
	session := a.session("Retries")
	a.call("write_plan", map[string]any{"planName": "retries", "content": firstRetriesPlan, "sessionId": session})
	a.start("submit_plan", map[string]any{"planName": "retries"})
	pane := tm.newPane(home)
	tm.ready(pane)
	tm.does(pane,
		[2]string{"/", "esc close"}, [2]string{"text Behind", "line 15 of 23"}, [2]string{"Escape", "esc menu"},
		[2]string{"c", "● comment on line 15"}, [2]string{"text Which flag?", "Which flag?"}, [2]string{"C-s", "1 comment"},
		[2]string{"p", "line 13 of 23"}, [2]string{"p", "line 7 of 23"}, [2]string{"Down", "line 9 of 23"}, [2]string{"S-Down", "esc no selection"},
		[2]string{"c", "● comment on lines 9–10"}, [2]string{"text Too often.", "Too often."}, [2]string{"C-s", "2 comments"},
		[2]string{"Down", "line 11 of 23"}, [2]string{"s", "± instead of line 11"}, [2]string{"text  Or so.", "Or so."}, [2]string{"C-s", "3 comments"},
		[2]string{"g", "line 1 of 23"}, [2]string{"q", "? question on line 1"}, [2]string{"text Whose plan?", "Whose plan?"}, [2]string{"C-s", "4 comments"},
		[2]string{"n", "line 3 of 23"}, [2]string{"Down", "line 5 of 23"}, [2]string{"x", "5 comments"}, [2]string{"u", "Undone."}, [2]string{"x", "5 comments"},
		[2]string{"w", "On the whole plan"}, [2]string{"text Not yet.", "Not yet."}, [2]string{"C-s", "On the whole: Not yet."},
		[2]string{"e", "Your edit goes with the review"}, [2]string{"d", "v1 → your edit"}, [2]string{"Escape", "esc menu"},
	)
	until(t, "it is kept", func() bool { return strings.Contains(draftOf(t, data, session), "no flag") })
	tm.run("kill-pane", "-t", pane)
	if err := a.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	tm.gone(pane)

	again := tm.open(data, "tui", "ask")
	tm.shows(again, "5 comments · edited", "On the whole: Not yet.", "Whose plan?")
	tm.keys(again, "R")
	tm.second(again, "refused as a whole")
	tm.keys(again, "C-s")
	tm.gone(again)
	b := startAgent(t, data, tm.environment(home), "--plans-dir", dir)
	got := b.call("get_answer", map[string]any{"askId": onlyAsk(t, data, session).ID}).String()
	at := 0
	for _, want := range []string{
		`{"approved":false,"feedback":"# Plan review: rejected\n`, `Not yet.`, `### Line 1: question, answer it before you change this (id `, `Whose plan?`,
		`### Line 5: delete this (id `, `### Lines 9–10: comment (id `, `Too often.`, `### Line 11: replace this (id `, `Instead:`, `Or so.`,
		`### Line 15: comment (id `, `Which flag?`, `## What the user changed`, `-Behind a flag, for one`, `+Behind no flag, for one`, `holds what the user made of the plan now`,
	} {
		next := strings.Index(got[at:], want)
		if next < 0 {
			t.Fatalf("the agent is not told %q in its place:\n%s", want, got)
		}
		at += next
	}
	if text := readFile(t, filepath.Join(dir, "retries-plan.md")); text != strings.Replace(firstRetriesPlan, "Behind a flag", "Behind no flag", 1) {
		t.Errorf("the file holds\n%s", text)
	}
}

// A plan is approved in part and with notes, of which the agent reports one as done;
// in the next round the person settles one and insists on another, with an ordinary
// form behind the review; and a version that is submitted while the one before is
// read comes up in its place.
func TestAPlanGoesThroughItsRounds(t *testing.T) {
	t.Parallel()
	data, dir, tm := t.TempDir(), t.TempDir(), startTmux(t, 200, 50)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--plans-dir", dir)
	session := a.session("Retries")
	plan := func(tool string, arguments map[string]any) string {
		t.Helper()
		arguments["planName"], arguments["sessionId"] = "retries", session
		got := a.call(tool, arguments)
		if got.isError {
			t.Fatal(got)
		}
		return got.String()
	}
	submit := func(done ...string) *pending {
		return a.start("submit_plan", map[string]any{"planName": "retries", "sessionId": session, "done": done})
	}
	comment := func(pane, text, count string) {
		t.Helper()
		tm.does(pane, [2]string{"c", "● comment on line"}, [2]string{"text " + text, text}, [2]string{"C-s", count})
	}
	plan("write_plan", map[string]any{"content": firstRetriesPlan})
	call := submit()
	pane := tm.newPane(home)
	tm.ready(pane)
	tm.does(pane, [2]string{"n", "line 3 of 23"}, [2]string{"Down", "line 5 of 23"})
	comment(pane, "Say how many.", "1 comment")
	tm.does(pane, [2]string{"n", "line 7 of 23"}, [2]string{"Down", "line 9 of 23"}, [2]string{"Down", "line 10 of 23"}, [2]string{"Down", "line 11 of 23"})
	comment(pane, "Park them.", "2 comments")
	tm.does(pane, [2]string{"n", "line 13 of 23"}, [2]string{"Down", "line 15 of 23"})
	comment(pane, "Which flag?", "3 comments")
	tm.does(pane, [2]string{"n", "line 18 of 23"}, [2]string{"h", "1 held back"})
	tm.keys(pane, "a")
	tm.second(pane, "3 comments · 1 section not approved")
	tm.keys(pane, "C-s")
	got := call.reply().String()
	tm.gone(pane)
	ids := commentID.FindAllStringSubmatch(got, -1)
	if !strings.Contains(got, `{"approved":false,"feedback":"Approved in part: sections `) || !strings.Contains(got, `; not: \"Tests\" (line 18).\n`) || len(ids) != 3 {
		t.Fatalf("the agent received %s", got)
	}

	rollout := firstRetriesPlan[strings.Index(firstRetriesPlan, "## Rollout"):strings.Index(firstRetriesPlan, "## Tests")]
	changed := strings.Replace(strings.Replace(firstRetriesPlan, rollout, "", 1), "drop them", "park them", 1) + "\n" + strings.TrimSpace(rollout) + "\n"
	if got := plan("write_plan", map[string]any{"content": changed}); !strings.Contains(got, "Notes of the approval that are still open") {
		t.Errorf("the agent is told %s", got)
	}
	call = submit(ids[0][1])
	pane = tm.newPane(home)
	tm.shows(pane, "you reviewed v")
	tm.ready(pane)
	form := a.start("ask_user", arguments(t, session, nameSpec))
	tm.does(pane, [2]string{"Escape", "form 1 of 2"})
	tm.shows(pane, "v2 is not approved", "1 addressed · 1 said to be done · 1 goes back", "done, says the agent", "addressed: the text changed", "moved · goes back")
	tm.does(pane, [2]string{"g", "line 1 of"}, [2]string{"Tab", "space insist"}, [2]string{"Tab", "line 11 of"}, [2]string{"Space", "You insist on it: it goes back."},
		[2]string{"Tab", "space settle"}, [2]string{"Space", "Settled: it does not go back."})
	tm.keys(pane, "r")
	tm.second(pane, "With it: 1 comment.")
	tm.keys(pane, "C-s")
	got = call.reply().String()
	if !strings.Contains(got, "comment (said before, and still open) (id "+ids[1][1]+")") || strings.Contains(got, ids[0][1]) || strings.Contains(got, ids[2][1]) {
		t.Errorf("the agent received %s", got)
	}
	tm.shows(pane, "What shall it be called?")
	tm.ready(pane)
	tm.text(pane, "Aurora")
	tm.keys(pane, "C-s")
	if got := form.reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the form's answer is %s", got)
	}
	tm.gone(pane)

	plan("edit_plan", map[string]any{"oldString": "park them", "newString": "park them for a week"})
	older := submit()
	pane = tm.newPane(home)
	tm.shows(pane, "you reviewed v")
	tm.ready(pane)
	tm.does(pane, [2]string{"Escape", "esc menu"}, [2]string{"g", "line 1 of"})
	comment(pane, "A better title?", "1 comment")
	if got := plan("edit_plan", map[string]any{"oldString": "# Retries of", "newString": "# The retries of"}); !strings.Contains(got, "Version 3 waits for the user's review") {
		t.Errorf("the agent is told %s", got)
	}
	tm.shows(pane, "v4 was written since, and is not submitted")
	newer := submit()
	if got := older.reply().String(); !strings.HasPrefix(got, "The review of version 3 was withdrawn") {
		t.Errorf("the older call received %s", got)
	}
	tm.shows(pane, "v4 replaces v3", "its lines changed since you said it", "A better title?", "while you read")
	tm.enter(pane)
	tm.keys(pane, "a")
	tm.second(pane, "Approve with notes: v4")
	tm.keys(pane, "C-s")
	if got := newer.reply().String(); !strings.Contains(got, "version 4 of the plan") || !strings.Contains(got, "A better title?") || !strings.Contains(got, "> # Retries of") {
		t.Errorf("the newer call received %s", got)
	}
	tm.gone(pane)
}
