package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// A person must be able to refuse panes. The tests with a real tmux hold that one
// which was closed stays closed, whoever asks.

const putOffBegins = "NOT ANSWERED YET: the user put this off"

// staysAlone watches for a while that no pane but the known ones comes up.
func (tm *tmuxServer) staysAlone(during time.Duration, known ...string) {
	tm.t.Helper()
	for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got := tm.panes(); fmt.Sprint(got) != fmt.Sprint(known) {
			tm.t.Fatalf("the panes are %v, want %v alone", got, known)
		}
	}
}

func TestThirtyAsksWhosePaneWasKilledStayAway(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--wait", "10m")
	sessions := []string{a.session("One"), a.session("Two")}
	ask := func(i int) *pending {
		return a.start("ask_user", map[string]any{
			"sessionId": sessions[i%2], "title": fmt.Sprint("Question ", i),
			"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "What shall it be called?"}},
		})
	}
	var calls []*pending
	for i := range 30 {
		calls = append(calls, ask(i))
	}
	pane := tm.newPane(home)
	tm.shows(pane, "What shall it be called?", "of 30")
	tm.run("kill-pane", "-t", pane)
	tm.gone(pane)
	waits, told := 0, 0
	until(t, "all but the one that was seen are told", func() bool {
		waits, told = 0, 0
		for _, c := range calls {
			if got := c.early(); got == nil {
				waits++
			} else if strings.HasPrefix(got.String(), putOffBegins) {
				told++
			}
		}
		return waits == 1
	})
	if told != 29 {
		t.Errorf("%d of them read that it was put off", told)
	}
	if got := ask(30).reply().String(); !strings.HasPrefix(got, putOffBegins) {
		t.Errorf("asked again, the agent reads %q", got)
	}
	tm.staysAlone(5*time.Second, home)
	waiting, err := openStore(t, data).Waiting(t.Context())
	if err != nil || len(waiting) != 31 {
		t.Errorf("%d wait in the inbox, %v", len(waiting), err)
	}

	// The person turns to one of them: then the next may come up by itself again.
	again := tm.open(data, "tui", "ask", store.ShortID(waiting[0].ID))
	tm.shows(again, "What shall it be called?")
	a.start("ask_user", map[string]any{
		"sessionId": a.session("Three"), "title": "Much later",
		"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "What shall it be called?"}},
	})
	tm.newPane(home, again)
}

func TestAFormThatWasLeftStaysAway(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--wait", "10m")
	session := a.session("Later")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	pane := tm.newPane(home)
	tm.ready(pane)
	tm.keys(pane, "Escape")
	tm.shows(pane, "Save for later", "Later: all from Test Agent")
	tm.keys(pane, "l")
	tm.gone(pane)
	another := map[string]any{
		"sessionId": session, "title": "Another",
		"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "And this?"}},
	}
	if got := a.call("ask_user", another).String(); !strings.HasPrefix(got, putOffBegins) {
		t.Errorf("the next ask reads %q", got)
	}
	// A second server in the same window is bound by it, too.
	b := startAgent(t, data, tm.environment(home))
	if got := b.call("ask_user", arguments(t, b.session("Beside"), nameSpec)).String(); !strings.HasPrefix(got, putOffBegins) {
		t.Errorf("another agent's ask reads %q", got)
	}
	tm.staysAlone(3*time.Second, home)
	if call.early() != nil {
		t.Error("the call whose form was left has ended")
	}
}

// One key puts off whatever an agent asks, and lets the other agent's ask through.
func TestAllOfAnAgentIsPutOffAtOnce(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--wait", "10m")
	session := a.session("Loud")
	for i := range 5 {
		a.start("ask_user", map[string]any{
			"sessionId": session, "title": fmt.Sprint("Loud ", i),
			"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "Loud?"}},
		})
	}
	pane := tm.newPane(home)
	tm.ready(pane)
	tm.shows(pane, "Loud?", "of 5")
	st := openStore(t, data)
	quiet, err := st.CreateSession(t.Context(), store.Session{})
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := st.Waiting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := st.OpenAsk(t.Context(), store.Ask{
		Session: quiet.ID, Place: waiting[0].Place, Client: store.Client{Title: safe.New("Quiet Agent")}, Spec: questions.Spec{
			Title: safe.New("Quiet"), Questions: []questions.Question{{ID: "q", Kind: questions.Text, Label: safe.New("Quiet?"), Tab: safe.New(questions.DefaultTab)}},
		},
	}); err != nil {
		t.Fatal(err)
	}
	tm.shows(pane, "of 6")
	tm.keys(pane, "Escape")
	tm.shows(pane, "Later: all from Test Agent")
	tm.keys(pane, "L")
	tm.shows(pane, "Quiet?")
}

// An agent that asks and gives its call up, again and again.
func TestAnAgentThatAsksAndCancelsOpensFewPanes(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	session := a.session("Loop")
	seen := map[string]bool{}
	for i := range 15 {
		title := fmt.Sprint("Loop ", i)
		p := a.start("ask_user", map[string]any{
			"sessionId": session, "title": title,
			"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "Loop?"}},
		})
		st := openStore(t, data)
		var id string
		until(t, "it is asked", func() bool {
			waiting, err := st.Waiting(t.Context())
			if err != nil || len(waiting) != 1 || waiting[0].Spec.Title.Raw() != title {
				return false
			}
			id = waiting[0].ID
			return true
		})
		for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			for _, pane := range tm.panes() {
				seen[pane] = true
			}
		}
		p.stop()
		a.call("get_answer", map[string]any{"askId": id, "withdraw": true})
	}
	if panes := len(seen) - 1; panes > 6 {
		t.Errorf("%d panes came up", panes)
	}
}
