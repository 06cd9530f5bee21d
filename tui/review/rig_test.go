package review

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/ask"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// reviewed is the input of a form, and the plan that the form is about.
type reviewed struct {
	form.Input
	Plan *review.Subject
}

// planRig drives a review as its window and the screen of its ask would.
type planRig struct {
	*tuitest.Holder
	form *form.Form
	body *Body
}

// rigReview opens a form that reviews a plan.
func rigReview(t testing.TB, in reviewed, width, height int) *planRig {
	t.Helper()
	return rigReviewIn(t, in, width, height, themes.Default(true))
}

func rigReviewIn(t testing.TB, in reviewed, width, height int, theme themes.Theme) *planRig {
	t.Helper()
	if in.Tick == nil {
		in.Tick = func(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return fn(tuitest.Moment) } // waits for nothing
		}
	}
	r := &planRig{}
	r.form = form.New(in.Input, func(h form.Host) form.Body {
		r.body = NewBody(h, Input{Subject: *in.Plan})
		return r.body
	})
	r.Holder = tuitest.Hold(t, r.form, width, height, theme)
	return r
}

func (r *planRig) send(msg tea.Msg) *planRig  { r.Send(msg); return r }
func (r *planRig) keys(names string) *planRig { r.Keys(names); return r }
func (r *planRig) write(text string) *planRig { r.Write(text); return r }
func (r *planRig) screen() string             { return r.Text() }
func (r *planRig) entry() questions.Entry     { return r.form.Entry() }
func (r *planRig) View() screen.Frame         { return r.form.View() }

// lastRow returns the last row of the screen.
func (r *planRig) lastRow() string {
	lines := strings.Split(r.screen(), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// told returns the newest message of a type that the form sent.
func told[T any](r *planRig) (T, bool) { return tuitest.Last[T](r.Holder) }

// reviewRig opens a form that reviews a text.
func reviewRig(t *testing.T, text string, width, height int) *planRig {
	t.Helper()
	w := tuitest.NewWorld(t)
	return rigReview(t, reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), text, "")), width, height)
}

// reviewInput returns what the form of a review is opened with.
func reviewInput(w *tuitest.World, ask store.Ask) reviewed { return opened(w, ask.ID, false) }

func opened(w *tuitest.World, id string, readOnly bool) reviewed {
	w.T.Helper()
	host := ask.NewHost(w.Store, ask.Options{ID: id, ReadOnly: readOnly, By: "you@desk"})
	opened, err := host.Start()
	if err = errors.Join(err, host.Close(w.T.Context(), ask.Left)); err != nil {
		w.T.Fatal(err)
	}
	in := inputOf(opened.Ask.Spec)
	in.Ask, in.Session, in.Entry, in.ReadOnly, in.AgentWaits = opened.Ask, opened.Session, opened.Entry, opened.ReadOnly, opened.AgentWaits
	in.Now = w.Clock
	return reviewed{in, opened.Plan}
}

// inputOf returns the input of a form.
func inputOf(spec questions.Spec) form.Input {
	return form.Input{
		Ask:     store.Ask{ID: "the-ask", Spec: spec, Outcome: questions.Outcome{State: questions.Pending}},
		Session: store.Session{Title: safe.New("Nightly export")},
		Now:     func() time.Time { return tuitest.Moment },
	}
}

// replacedPlan returns the reviewed plan with one more line at its top, and another bank.
func replacedPlan() string {
	return strings.NewReplacer("Orders leave as", "New.\n\nOrders leave as", "the bank asked for it", "the tax office asked for it").Replace(tuitest.ReviewedPlan)
}
