package tui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
)

// browseRig drives a window of screens for looking around, one message after
// another. It runs every command but those that wait: for a time to pass, or
// for the store's bell.
type browseRig struct {
	t   *testing.T
	w   *window
	raw []tea.RawMsg // what was written to the terminal beside the screen
}

func (w *world) browse(answers bool, width, height int, theme themes.Theme) *browseRig {
	w.t.Helper()
	b := Options{Store: w.store, By: "you@desk", Now: w.clock, Rings: Rings{Title: true}}.browser(answers)
	b.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		if d > refreshPause {
			return nil
		}
		return send(msg)
	}
	return browseWith(w.t, newSessionsScreen(b), width, height, theme)
}

// only is the choice of one theme, whatever the terminal's background.
func only(theme themes.Theme) themes.Choice {
	c, err := themes.Find(theme.Name)
	if err != nil {
		panic(err)
	}
	return c
}

func browseWith(t *testing.T, root screen, width, height int, theme themes.Theme) *browseRig {
	t.Helper()
	r := &browseRig{t: t, w: newWindow(root, only(theme))}
	r.w.painted = true
	r.w.Update(tea.WindowSizeMsg{Width: width, Height: height})
	r.start(root)
	return r
}

// start does what the screen's Init does, without waiting.
func (r *browseRig) start(s screen) {
	switch s := s.(type) {
	case *sessionsScreen:
		s.reading = false // Init's reading is not run
		r.run(s.read())
	case *sessionScreen:
		s.reading = false
		r.run(s.read())
	case *planScreen:
		r.run(s.readVersions())
		r.run(s.readText())
	case *diffScreen:
		r.run(s.read())
	case *askScreen:
		r.run(s.start())
	}
}

func (r *browseRig) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, askOpened:
		if msg != nil {
			r.w.Update(msg)
		}
	case tea.RawMsg:
		r.raw = append(r.raw, msg)
	case tea.BatchMsg:
		for _, c := range msg {
			r.run(c)
		}
	case pushScreen:
		r.w.Update(msg)
		r.start(msg.screen)
	default:
		if sequence := reflect.ValueOf(msg); sequence.Type().ConvertibleTo(reflect.TypeFor[[]tea.Cmd]()) {
			for _, c := range sequence.Convert(reflect.TypeFor[[]tea.Cmd]()).Interface().([]tea.Cmd) {
				r.run(c)
			}
			return
		}
		_, cmd := r.w.Update(msg)
		r.run(cmd)
	}
}

func (r *browseRig) send(msg tea.Msg) *browseRig {
	_, cmd := r.w.Update(msg)
	r.run(cmd)
	return r
}

func (r *browseRig) keys(names string) *browseRig {
	r.t.Helper()
	for _, name := range strings.Fields(names) {
		r.send(keyOf(r.t, name))
	}
	return r
}

func (r *browseRig) content() string { return r.w.View().Content }
func (r *browseRig) text() string    { return stripSGR(r.content()) }

// shows fails unless the screen shows all the texts.
func (r *browseRig) shows(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.text(), text) {
			r.t.Errorf("%q is not shown:\n%s", text, r.text())
		}
	}
}

// hides fails if the screen shows any of the texts.
func (r *browseRig) hides(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if strings.Contains(r.text(), text) {
			r.t.Errorf("%q is shown:\n%s", text, r.text())
		}
	}
}

// past fills the world with a history: sessions of two projects and two
// clients over a year, the newest with everything a session can have.
func (w *baseWorld) past() {
	w.t.Helper()
	add := func(n int, title, project, client string, before time.Duration) store.Session {
		w.now = aMoment.Add(-before)
		return must(w.store.CreateSession(w.t.Context(), store.Session{
			ID:     fmt.Sprintf("019aa000-0000-7000-8000-%012d", n),
			Title:  safe.New(title),
			Intent: safe.New("Find out what has to be decided before anything is written: what a receiver may do, how long we try, who is told, and what happens to what could not be delivered."),
			Client: store.Client{Title: safe.New(client)}, Project: safe.New(project),
		}))
	}
	day := 24 * time.Hour
	add(1, "", "", "", 400*day)
	add(2, "Rename the billing tables", "/srv/billing", "Codex", 30*day)
	add(3, "Search that survives typos", "/home/you/shop", "Claude Code", 3*day)
	add(4, "検索の改善", "/home/you/shop", "Gemini", 26*time.Hour)
	main := add(5, "Webhooks: what happens when nobody answers", "/home/you/hooks", "Claude Code", 5*time.Hour)

	settle := func(ask store.Ask, o questions.Outcome) {
		w.now = w.now.Add(3 * time.Minute)
		must(w.store.Settle(w.t.Context(), ask.ID, o))
	}
	settle(w.ask(main, "When to stop retrying", ""), questions.Outcome{State: questions.Answered, Reply: textReply("after a day"), By: "you@desk"})
	settle(w.ask(main, "Where failed events go", ""), questions.Outcome{State: questions.Discuss, Message: safe.New("How many are there a day?"), By: "you@desk"})
	if err := w.store.Deliver(w.t.Context(), must(w.store.Asks(w.t.Context(), main.ID))[0].ID); err != nil {
		w.t.Fatal(err)
	}
	settle(w.ask(main, "Move to Kafka", ""), questions.Outcome{State: questions.Declined, Message: safe.New("Not this year."), By: "you@desk"})
	settle(w.ask(main, "A question taken back", ""), questions.Outcome{State: questions.Withdrawn})
	w.now = w.now.Add(time.Minute)
	late := w.ask(main, "Asked too late in the evening", "")
	must(w.store.Expire(w.t.Context(), late.ID, late.Asked))
	w.now = aMoment.Add(-4 * time.Minute)
	w.hold(store.WaitClaim(w.ask(main, "Names of the new tables", "").ID, "server"))
	for i, text := range []string{plan1, plan1 + plan2} {
		w.now = aMoment.Add(time.Duration(i-2) * time.Minute)
		if _, _, err := w.store.SavePlan(w.t.Context(), main.ID, "Delivery, again", text); err != nil {
			w.t.Fatal(err)
		}
	}
	w.now = aMoment
}

// crowd fills the world with an inbox: 300 forms of a few agents, some of them
// live, snoozed, late, or with titles that are long, hostile or not Latin.
func (w *baseWorld) crowd() {
	w.t.Helper()
	add := func(n int, title, project, client string) store.Session {
		return must(w.store.CreateSession(w.t.Context(), store.Session{
			ID: fmt.Sprintf("019aa000-0000-7000-8000-%012d", n), Title: safe.New(title),
			Client: store.Client{Title: safe.New(client)}, Project: safe.New(project),
		}))
	}
	w.now = aMoment.Add(-5 * time.Hour)
	var sessions []store.Session
	for n := 0; n < 15; n += 3 {
		sessions = append(sessions,
			add(n+1, "Webhooks: what happens when nobody answers", "/home/you/hooks", "Claude Code"),
			add(n+2, "検索の改善", "/home/you/店", "Gemini"),
			add(n+3, "Rename \x1b[31mthe\x1b[0m billing tables", "/srv/billing\u202e", "Codex"))
	}
	titles := []string{
		"Which of the two queues is to be drained first when both of them are over their limit, and who is told",
		"\x1b]0;owned\a\x1b[2J\u202eevil\u200b title",
		"検索の結果をどの順番で表示するか、そして誰が決めるのか",
		"Names of the new tables",
	}
	for i := range 300 {
		w.now = aMoment.Add(-4*time.Hour + time.Duration(i)*40*time.Second)
		ask := w.ask(sessions[i%15], fmt.Sprintf("%s %d", titles[i%4], i), []string{"tmux-0a1b2c3d4e5f-@7", ""}[i%2])
		switch {
		case i == 3:
			must(w.store.Expire(w.t.Context(), ask.ID, ask.Asked))
		case i%50 == 7:
			w.hold(store.WaitClaim(ask.ID, "server"))
		case i%100 == 20:
			if err := w.store.Snooze(w.t.Context(), ask.ID, aMoment.Add(time.Duration(i)*time.Minute)); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.now = aMoment
}

// rounds fills the world with a session in which a plan was submitted, sent back
// with a comment, and submitted again.
func (w *baseWorld) rounds() {
	w.t.Helper()
	w.now = aMoment.Add(-30 * time.Minute)
	session := must(w.store.CreateSession(w.t.Context(), store.Session{
		ID: "019aa000-0000-7000-8000-000000000001", Title: safe.New("Nightly export"),
		Client: store.Client{Title: safe.New("Claude Code")}, Project: safe.New("/home/you/shop"),
	}))
	w.now = w.now.Add(time.Minute)
	first := w.reviewAsk(session, reviewedPlan, "")
	w.now = w.now.Add(8 * time.Minute)
	c := must(review.On(safe.New(reviewedPlan), 15, 15))
	c.ID, c.Kind, c.Text = "c1", review.Question, safe.New("In which order?")
	w.reviewed(first, reviewedPlan, review.RequestChanges, c)
	w.now = w.now.Add(2 * time.Minute)
	w.reviewAsk(session, strings.Replace(reviewedPlan, "1. Read the orders.", "1. Read the orders, the oldest first.", 1), first.ID)
	w.now = aMoment
}

const (
	plan1 = "# Delivery\n\nWe keep **one** queue per customer, see [the notes](https://example.org/notes).\n\n" +
		"| try | wait |\n|---|---:|\n| 1 | 1 s |\n| 2 | 5 s |\n\n" +
		"```go\nfunc (q *Queue) Next(ctx context.Context) (Event, error) { return q.store.Pop(ctx, q.customer, time.Now().Add(-q.delay)) }\n```\n"
	plan2 = "\n## Order\n\nEvents of one customer stay in order.\n\n- [x] per customer\n- [ ] across customers\n\n> Nobody has asked for more.\n"
)
