package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/form/field"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func formInputOf(spec questions.Spec) formInput {
	return formInput{
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
	t testing.TB
	*form
	told []tea.Msg // what the form told its holder and the terminal
}

func rig(t testing.TB, in formInput, width, height int) *formRig {
	t.Helper()
	return rigIn(t, in, width, height, themes.Default(true))
}

func rigIn(t testing.TB, in formInput, width, height int, theme themes.Theme) *formRig {
	t.Helper()
	return rigAbout(t, in, nil, width, height, theme)
}

func rigAbout(t testing.TB, in formInput, about func(host) body, width, height int, theme themes.Theme) *formRig {
	t.Helper()
	if in.Tick == nil {
		in.Tick = atOnce
	}
	r := &formRig{t: t, form: newForm(in, about)}
	r.Retheme((*screen.Look)(nil).With(theme.Palette))
	r.Resize(width, height)
	r.run(r.Init())
	return r
}

// atOnce is a ticker that waits for nothing.
func atOnce(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return fn(tuitest.Moment) }
}

func richRig(t testing.TB) *formRig {
	t.Helper()
	return rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24)
}

// run does a command and gives the form what it may know.
func (r *formRig) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			r.run(c)
		}
	case gatePaused, docRendered, pieceRendered, screen.Relaid, editorReady, editorDone:
		r.run(r.form.Update(msg))
	default:
		r.told = append(r.told, msg)
	}
}

// send gives the form a message and does what it asks for.
func (r *formRig) send(msg tea.Msg) *formRig {
	r.run(r.form.Update(msg))
	return r
}

// enter enters what came up by itself.
func (r *formRig) enter() *formRig {
	r.t.Helper()
	if r.gate.stage != gateShut {
		r.t.Fatal("nothing has to be entered")
	}
	return r.keys("down")
}

// keys presses keys, named as in the bindings and separated by spaces.
func (r *formRig) keys(names string) *formRig {
	for _, name := range strings.Fields(names) {
		r.send(tuitest.Key(r.t, name))
	}
	return r
}

// write types a text letter by letter.
func (r *formRig) write(text string) *formRig {
	for _, c := range text {
		r.send(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
	return r
}

// clickOn clicks the first place of the screen that shows a text.
func (r *formRig) clickOn(text string) *formRig {
	r.t.Helper()
	for y, line := range strings.Split(r.screen(), "\n") {
		if at := strings.Index(line, text); at >= 0 {
			return r.send(tea.MouseClickMsg{X: ansi.StringWidth(line[:at]), Y: y, Button: tea.MouseLeft})
		}
	}
	r.t.Fatalf("nothing shows %q:\n%s", text, r.screen())
	return r
}

// last returns the newest thing the form told of a type.
func last[T any](r *formRig) (T, bool) {
	for i := len(r.told) - 1; i >= 0; i-- {
		if msg, ok := r.told[i].(T); ok {
			return msg, true
		}
	}
	var none T
	return none, false
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

// answers is what the form amounts to, as JSON.
func (r *formRig) answersNow() string { return string(r.in.Ask.Spec.AnswersJSON(r.reply())) }

// screen is what is drawn, without style.
func (r *formRig) screen() string { return ansi.Strip(r.View().Content) }

// ended reports whether nothing can be answered any more.
func (f *form) ended() bool { return f.stage == over || f.in.ReadOnly }

// asked is the questions of a form.
func asked(f *form) *questionnaire { return f.body.(*questionnaire) }

func (r *formRig) q() *questionnaire { return asked(r.form) }

// fromEditor is a text that comes back from the editor into the text with the focus.
func fromEditor(f *form, text string) editorDone {
	edit, _, changed := f.lends()
	return editorDone{form: f, text: text, back: func(text string) {
		edit.ReplaceAll(text)
		changed()
	}}
}
