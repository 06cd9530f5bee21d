package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/form"
	reviewing "planb/tui/review"
	"planb/tui/tuitest"
)

// formInputOf is a form that an agent asks and waits for.
func formInputOf(spec questions.Spec) form.Input {
	return form.Input{
		Ask: store.Ask{
			ID: "the-ask", Spec: spec, Created: tuitest.Moment.Add(-5 * time.Minute),
			Client:  store.Client{Name: safe.New("claude-code"), Title: safe.New("Claude Code")},
			Outcome: questions.Outcome{State: questions.Pending},
		},
		Session:    store.Session{Title: safe.New("Nightly export"), Project: safe.New("/home/you/shop")},
		AgentWaits: true, Now: func() time.Time { return tuitest.Moment },
		Tick: func(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return fn(tuitest.Moment) } // waits for nothing
		},
	}
}

// formRig drives a form as its window and its holder would.
type formRig struct {
	*tuitest.Holder
	form   *form.Form
	review *reviewing.Body // nil in a form of questions
}

func rig(t testing.TB, in form.Input, width, height int) *formRig {
	t.Helper()
	return rigIn(t, in, width, height, themes.Default(true))
}

func rigIn(t testing.TB, in form.Input, width, height int, theme themes.Theme) *formRig {
	t.Helper()
	f := form.New(in, nil)
	return &formRig{Holder: tuitest.Hold(t, f, width, height, theme), form: f}
}

// rigReview is the form of a review that was opened.
func (w *world) rigReview(id string, environ []string, width, height int) *formRig {
	w.T.Helper()
	opened := w.openedAsk(id)
	in := form.Input{
		Ask: opened.Ask, Session: opened.Session, Entry: opened.Entry, EarlierForm: opened.EarlierForm, EarlierAnswers: opened.EarlierAnswers,
		AgentWaits: opened.AgentWaits, Now: w.Clock, Environ: environ, Tick: formInputOf(opened.Ask.Spec).Tick,
	}
	r := &formRig{}
	r.form = form.New(in, func(h form.Host) form.Body {
		r.review = reviewing.NewBody(h, reviewing.Input{Subject: *opened.Plan})
		return r.review
	})
	r.Holder = tuitest.Hold(w.T, r.form, width, height, themes.Default(true))
	return r
}

func (r *formRig) keys(names string) *formRig { r.Keys(names); return r }
func (r *formRig) write(text string) *formRig { r.Write(text); return r }

// answersNow is what the form amounts to, as JSON.
func (r *formRig) answersNow() string {
	spec := r.form.Input().Ask.Spec
	return string(spec.AnswersJSON(r.form.Entry().Reply(spec)))
}

// toldLater reports whether the person left.
func toldLater(r *formRig) bool {
	_, left := tuitest.Last[form.LaterRequested](r.Holder)
	return left
}

// where is the id of the question with the focus; empty where none has it.
func (r *formRig) where() string { return r.form.Entry().Focus }
