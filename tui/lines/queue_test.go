package lines

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// damagedPlan is a store in which one version of every plan cannot be read.
type damagedPlan struct {
	ask.Store
	version int
}

var errDamagedPlan = errors.New("this version is damaged")

func (d damagedPlan) PlanText(ctx context.Context, session string, number int) (safe.Text, error) {
	if number == d.version {
		return safe.Text{}, errDamagedPlan
	}
	return d.Store.PlanText(ctx, session, number)
}

// A plan that cannot be read is said to be so, and what waits behind it is asked.
func TestAnUnreadablePlanHoldsUpNothingInPlainLines(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]bool{"asked for first": true, "between two forms": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			session := w.Session("Names", "")
			var before store.Ask
			o := AskOptions{Store: damagedPlan{w.Store, 1}, Place: window1}
			if !first {
				before = w.Ask(session, "Before", window1)
				w.Now = w.Now.Add(time.Minute)
			}
			plan := w.ReviewAt(window1, session, tuitest.ReviewedPlan, "")
			w.Now = w.Now.Add(time.Minute)
			if first {
				o.ID = plan.ID
			}
			behind := w.Ask(session, "Behind", window1)
			lines := w.inLines(o)
			if !first {
				lines.answers("What is it called?", "Vega")
				lines.answers("Type send", "send")
			}
			lines.answers("cannot be reviewed: this version is damaged", "answer")
			lines.answers("What is it called?", "Rigel")
			lines.answers("Type send", "send")
			<-lines.result
			if name, _ := w.Stored(behind.ID).Outcome.Reply.Answers["name"].Text(); name != "Rigel" {
				t.Errorf("the answer is %q:\n%s", name, lines.printed())
			}
			if !first && w.Stored(before.ID).Open() || !w.Stored(plan.ID).Open() {
				t.Errorf("something else was decided:\n%s", lines.printed())
			}
			if !w.Unshown(plan) || !w.Free(store.PlaceClaim(window1)) {
				t.Error("a claim was not given back")
			}
		})
	}
}

// Where the next version of a plan cannot be read, all that was said is printed, and
// what else waits is asked.
func TestAnUnreadableNextVersionHoldsUpNothingInPlainLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Nightly export", "")
		first := w.ReviewAt(window1, session, tuitest.ReviewedPlan, "")
		lines := w.inLines(AskOptions{Store: damagedPlan{w.Store, 2}, ID: first.ID, Place: window1})
		lines.answers("What do you say of the plan?", "comment 9 Who?")
		tuitest.Poll(t, "the comment to be kept", func() bool { return strings.Contains(lines.printed(), "Noted as 1") })
		second := w.ReviewAt(window1, session, replacedPlan, "")
		behind := w.Ask(session, "Behind", window1)
		lines.answers("The plan was submitted again: that comes up", "approve")
		lines.answers("Type answer to begin", "answer")
		lines.answers("What is it called?", "Rigel")
		lines.answers("Type send", "send")
		<-lines.result
		_, told, _ := strings.Cut(lines.printed(), "Nothing was sent: the plan was submitted again.")
		prints(t, told, "cannot be reviewed: this version is damaged", "You had entered:", "Who?")
		if name, _ := w.Stored(behind.ID).Outcome.Reply.Answers["name"].Text(); name != "Rigel" || !w.Stored(second.ID).Open() {
			t.Errorf("the answer is %q:\n%s", name, lines.printed())
		}
		if _, kept, err := w.Store.Entry(t.Context(), second.ID); !kept || err != nil {
			t.Errorf("what was said is kept for the next version: %v, %v", kept, err)
		}
		if !w.Unshown(first) || !w.Unshown(second) || !w.Free(store.PlaceClaim(window1)) {
			t.Error("a claim was not given back")
		}
	})
}

// What comes too late to be kept is printed with the reason, and what else waits is
// asked.
func TestWhatIsNotKeptAnyMoreHoldsUpNothingInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	first, second := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
	s := &firstElsewhere{w.Store, func() { w.FillLate(first) }}
	lines := w.inLines(AskOptions{Store: s, ID: first.ID, Place: window1})
	lines.answers("What is it called?", "Vega")
	lines.answers("Type send", "send")
	lines.answers("Type answer to begin", "answer")
	lines.answers("What is it called?", "Rigel")
	lines.answers("Type send", "send")
	<-lines.result
	prints(t, lines.printed(), "Not counted: you@phone was first.", `You had entered: {"answers":{"name":"Vega"}}`, "and 20 later replies are kept")
	if name, _ := w.Stored(second.ID).Outcome.Reply.Answers["name"].Text(); name != "Rigel" {
		t.Errorf("the answer is %q:\n%s", name, lines.printed())
	}
}

// A plan that cannot be read does not end the inbox.
func TestAnUnreadablePlanInTheInboxInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Nightly export", "")
	plan, form := w.ReviewAsk(session, tuitest.ReviewedPlan, ""), w.Ask(session, "The new ship", "")
	var out bytes.Buffer
	err := Inbox(t.Context(), InboxOptions{Store: damagedPlans{w.Store}, By: "you@desk", Now: w.Clock, Terminal: screen.Terminal{
		Input: strings.NewReader("1\n2\nVega\nsend\nleave\n"), Output: &out, Environ: []string{"ACCESSIBLE=1"},
	}})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	prints(t, out.String(), "cannot be reviewed: this version is damaged")
	if got := w.Stored(form.ID).Outcome.State; got != questions.Answered || !w.Stored(plan.ID).Open() {
		t.Errorf("the form is %s:\n%s", got, out.String())
	}
}

// damagedPlans is the inbox's store with an unreadable first version.
type damagedPlans struct{ *store.Store }

func (d damagedPlans) PlanText(ctx context.Context, session string, number int) (safe.Text, error) {
	return damagedPlan{d.Store, 1}.PlanText(ctx, session, number)
}

// All that was entered is printed, with the reason, and the form ends.
func TestWhatIsNotKeptAnyMoreIsPrintedInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", "")
	var out bytes.Buffer
	s := &firstElsewhere{w.Store, func() { w.FillLate(ask) }}
	_, err := Ask(t.Context(), AskOptions{Store: s, ID: ask.ID, By: "you@desk", Now: w.Clock, Terminal: screen.Terminal{
		Input: strings.NewReader("Vega\nsend\n"), Output: &out, Environ: []string{"ACCESSIBLE=1"},
	}})
	if err != nil {
		t.Errorf("ended with %v", err)
	}
	prints(t, out.String(), "kept nowhere: this question was already answered by you@phone", "20 later replies are kept", "Not counted: you@phone was first.", `You had entered: {"answers":{"name":"Vega"}}`)
	if late := w.Stored(ask.ID).TooLate; len(late) != store.MaxTooLate {
		t.Errorf("the record has %d late replies", len(late))
	}
}
