package form

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/form/field"
	"planb/tui/tuitest"
)

func formInputOf(spec questions.Spec) Input {
	return Input{
		Ask: store.Ask{
			ID: "the-ask", Spec: spec, Created: tuitest.Moment.Add(-5 * time.Minute),
			Client:  store.Client{Name: safe.New("claude-code"), Title: safe.New("Claude Code")},
			Outcome: questions.Outcome{State: questions.Pending},
		},
		Session:    store.Session{Title: safe.New("Nightly export"), Project: safe.New("/home/you/shop")},
		AgentWaits: true, Now: func() time.Time { return tuitest.Moment },
	}
}

// formRig drives a form as its window and its holder would.
type formRig struct {
	*Form
	*tuitest.Holder
	t testing.TB
}

func rig(t testing.TB, in Input, width, height int) *formRig {
	t.Helper()
	return rigIn(t, in, width, height, themes.Default(true))
}

func rigIn(t testing.TB, in Input, width, height int, theme themes.Theme) *formRig {
	t.Helper()
	if in.Tick == nil {
		in.Tick = atOnce
	}
	f := New(in, nil)
	return &formRig{Form: f, Holder: tuitest.Hold(t, f, width, height, theme), t: t}
}

// atOnce is a ticker that does not wait.
func atOnce(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return fn(tuitest.Moment) }
}

func richRig(t testing.TB) *formRig {
	t.Helper()
	return rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24)
}

func (r *formRig) send(msg tea.Msg) *formRig    { r.Send(msg); return r }
func (r *formRig) keys(names string) *formRig   { r.Keys(names); return r }
func (r *formRig) write(text string) *formRig   { r.Write(text); return r }
func (r *formRig) clickOn(text string) *formRig { r.ClickOn(text); return r }
func (r *formRig) screen() string               { return r.Text() }
func last[T any](r *formRig) (T, bool)          { return tuitest.Last[T](r.Holder) }

// enter enters a form that came up by itself.
func (r *formRig) enter() *formRig {
	r.t.Helper()
	if r.gate.stage != gateShut {
		r.t.Fatal("nothing has to be entered")
	}
	return r.keys("down")
}

// where names what has the focus: a question's id, or a part of the form.
func (r *formRig) where() string {
	s := r.q().state
	switch s.zone {
	case inTabs:
		return "tabs"
	case inFooter:
		return buttonLabel(s.button, s.readOnly)
	}
	e := s.current()
	switch {
	case e == nil:
		return "intro"
	case e.onNote:
		return e.q.ID + "/note"
	}
	if c, ok := e.field.(field.Illustrated); ok {
		if c.Cursor() == field.OtherRow {
			return e.q.ID + "/other"
		}
		return e.q.ID + "/" + e.q.Options[c.Cursor()].Value.Raw()
	}
	return e.q.ID
}

// answersNow returns the current answers as JSON.
func (r *formRig) answersNow() string { return string(r.in.Ask.Spec.AnswersJSON(r.reply())) }

// asked returns the questionnaire of a form.
func asked(f *Form) *questionnaire { return f.body.(*questionnaire) }

func (r *formRig) q() *questionnaire { return asked(r.Form) }
