package panes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// A person must be able to refuse panes. In a real tmux a pane that was closed
// stays closed, whichever agent asks.

const putOffBegins = "NOT ANSWERED YET: the user put this off"

func TestThirtyAsksWhosePaneWasKilledStayAway(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home), "--wait", "10m")
	sessions := []string{a.Session("One"), a.Session("Two")}
	ask := func(i int) *rig.Pending {
		return a.Start("ask_user", rig.TextForm(sessions[i%2], fmt.Sprint("Question ", i), "What shall it be called?"))
	}
	var calls []*rig.Pending
	for i := range 30 {
		calls = append(calls, ask(i))
	}
	pane := tm.NewPane(home)
	tm.Shows(pane, "What shall it be called?", "of 30")
	tm.Run("kill-pane", "-t", pane)
	tm.Gone(pane)
	waits, told := 0, 0
	rig.Until(t, "all but the one that was seen are told", func() bool {
		waits, told = 0, 0
		for _, c := range calls {
			if got := c.Early(); got == nil {
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
	if got := ask(30).Reply().String(); !strings.HasPrefix(got, putOffBegins) {
		t.Errorf("asked again, the agent reads %q", got)
	}
	tm.NoPaneOpens(5*time.Second, home)
	waiting, err := rig.OpenStore(t, data).Waiting(t.Context())
	if err != nil || len(waiting) != 31 {
		t.Errorf("%d wait in the inbox, %v", len(waiting), err)
	}

	// The person opens one of them. After that the next form may come up by
	// itself again.
	again := tm.Open(data, "tui", "ask", store.ShortID(waiting[0].ID))
	tm.Shows(again, "What shall it be called?")
	a.Start("ask_user", rig.TextForm(a.Session("Three"), "Much later", "What shall it be called?"))
	tm.NewPane(home, again)
}

func TestAFormThatWasLeftStaysAway(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home), "--wait", "10m")
	session := a.Session("Later")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	pane := tm.NewPane(home)
	tm.Ready(pane)
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "Save for later", "Later: all from Test Agent")
	tm.Keys(pane, "l")
	tm.Gone(pane)
	another := rig.TextForm(session, "Another", "And this?")
	if got := a.Call("ask_user", another).String(); !strings.HasPrefix(got, putOffBegins) {
		t.Errorf("the next ask reads %q", got)
	}
	// A second server in the same window must respect it, too.
	b := rig.StartAgent(t, data, tm.Environment(home))
	if got := b.Call("ask_user", rig.Arguments(t, b.Session("Beside"), rig.NameForm)).String(); !strings.HasPrefix(got, putOffBegins) {
		t.Errorf("another agent's ask reads %q", got)
	}
	tm.NoPaneOpens(3*time.Second, home)
	if call.Early() != nil {
		t.Error("the call whose form was left has ended")
	}
}

// One key puts off all asks of one agent. The other agent's ask comes up.
func TestAllOfAnAgentIsPutOffAtOnce(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home), "--wait", "10m")
	session := a.Session("Loud")
	var calls []*rig.Pending
	for i := range 5 {
		calls = append(calls, a.Start("ask_user", rig.TextForm(session, fmt.Sprint("Loud ", i), "Loud?")))
	}
	pane := tm.NewPane(home)
	tm.Ready(pane)
	tm.Shows(pane, "Loud?", "of 5")
	st := rig.OpenStore(t, data)
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
	tm.Shows(pane, "of 6")
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "Later: all from Test Agent")
	tm.Keys(pane, "L")
	tm.Shows(pane, "Quiet?")
	rig.Until(t, "its calls are told, but for the one whose form was seen", func() bool {
		told := 0
		for _, c := range calls {
			if got := c.Early(); got != nil && strings.HasPrefix(got.String(), putOffBegins) {
				told++
			}
		}
		return told == 4
	})
	tm.NoPaneOpens(3*time.Second, home, pane)
}

// An ask is left for later while its pane goes on with another form. Its agent
// is told so.
func TestAFormThatWasLeftForAnotherIsToldToBePutOff(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("One of two")
	a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	pane := tm.NewPane(home)
	tm.Ready(pane)
	first := rig.OnlyAsk(t, data, session).ID
	a.Start("ask_user", rig.TextForm(session, "Another", "And this?"))
	tm.Shows(pane, "of 2")
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "Save for later")
	tm.Keys(pane, "l")
	tm.Shows(pane, "And this?")
	if got := a.Call("get_answer", map[string]any{"askId": first, "waitSeconds": 0}).String(); !strings.HasPrefix(got, putOffBegins) {
		t.Errorf("a look at it reads %q", got)
	}
	again := tm.Open(data, "tui", "ask", store.ShortID(first))
	tm.Shows(again, "What shall it be called?")
	if got := a.Call("get_answer", map[string]any{"askId": first, "waitSeconds": 0}).String(); !strings.Contains(got, "is open") {
		t.Errorf("while the person has it open, a look reads %q", got)
	}
}

// An agent asks and cancels its call, again and again. After six panes within a minute no
// other comes up.
func TestAnAgentThatAsksAndCancelsOpensFewPanes(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home))
	session, st := a.Session("Loop"), rig.OpenStore(t, data)
	var place string
	for i := range 2 {
		call := a.Start("ask_user", rig.TextForm(session, fmt.Sprint("Loop ", i), "Loop?"))
		pane := tm.NewPane(home)
		tm.Shows(pane, "Loop?")
		waiting, err := st.Waiting(t.Context())
		if err != nil || len(waiting) != 1 {
			t.Fatalf("%d asks wait, %v", len(waiting), err)
		}
		place = waiting[0].Place
		call.Stop()
		a.Call("get_answer", map[string]any{"askId": waiting[0].ID, "withdraw": true})
		tm.Gone(pane)
	}
	// Four more panes come up, each with less work than a form.
	for range 4 {
		if err := st.AllowPane(t.Context(), place); err != nil {
			t.Fatalf("of the two panes more were noted: %v", err)
		}
	}
	a.Start("ask_user", rig.TextForm(session, "Loop 6", "Loop?"))
	rig.Asked(t, data)
	tm.NoPaneOpens(2*time.Second, home)
}
