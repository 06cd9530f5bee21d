package pictures_test

import (
	"path/filepath"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
)

// pastDays fills a store with some weeks of work, by a clock of its own.
type pastDays struct {
	t     testing.TB
	store *store.Store
	now   time.Time
}

func startPast(s *studio) *pastDays {
	engine, err := bolt.Open(s.T.Context(), filepath.Join(s.data, "planb.db"), bolt.Options{})
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() { _ = engine.Close() })
	p := &pastDays{t: s.T}
	p.store = store.New(engine, store.Options{By: "ana@desk", Now: func() time.Time { return p.now }})
	return p
}

// at sets the clock to a time of day some days ago.
func (p *pastDays) at(daysAgo, hour, minute int) {
	day := time.Now().AddDate(0, 0, -daysAgo)
	p.now = time.Date(day.Year(), day.Month(), day.Day(), hour, minute, 0, 0, time.Local)
}

func (p *pastDays) pass(d time.Duration) { p.now = p.now.Add(d) }

func (p *pastDays) session(client, project, title string) string {
	p.t.Helper()
	session, err := p.store.CreateSession(p.t.Context(), store.Session{
		Title: safe.New(title), Project: safe.New("/srv/" + project), Client: store.Client{Name: safe.New(client), Title: safe.New(client)},
	})
	p.must(err)
	return session.ID
}

func (p *pastDays) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// ask has a form shown after a few seconds and answered after a while. Without
// answers it stays open.
func (p *pastDays) ask(session, form string, answered time.Duration, answers map[string]questions.Value) {
	p.t.Helper()
	spec, err := questions.Parse([]byte(form))
	p.must(err)
	ask, _, err := p.store.OpenAsk(p.t.Context(), store.Ask{Session: session, Spec: spec, Place: "desk"})
	p.must(err)
	p.pass(2 * time.Second)
	p.must(p.store.MarkShown(p.t.Context(), ask.ID))
	if answers == nil {
		return
	}
	p.pass(answered)
	_, err = p.store.Settle(p.t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: answers}})
	p.must(err)
	p.pass(time.Second)
	p.must(p.store.Deliver(p.t.Context(), ask.ID))
}

func (p *pastDays) plan(session, title, text string) {
	p.t.Helper()
	_, _, err := p.store.SavePlan(p.t.Context(), session, title, text)
	p.must(err)
}

// pastWork is some weeks of work of five agents. The pictures open the session
// about webhooks.
func pastWork(s *studio) *pastDays {
	p := startPast(s)
	for _, work := range []struct {
		daysAgo                int
		client, project, title string
		forms, versions        int
	}{
		{41, "opencode", "orders", "Orders by the week", 3, 2},
		{33, "Gemini CLI", "invoices", "Move old invoices to the archive", 1, 4},
		{26, "Codex", "accounts", "Sign in with a passkey", 5, 3},
		{19, "Claude Code", "invoices", "Round tax per line, not per invoice", 2, 1},
		{12, "Codex", "inspections", "Inspections without a network", 4, 6},
		{9, "opencode", "orders", "Stop sending two mails for one order", 1, 0},
		{5, "Claude Code", "accounts", "Throw out sessions of deleted users", 2, 2},
	} {
		p.at(work.daysAgo, 9, 40)
		session := p.session(work.client, work.project, work.title)
		for n := range work.forms {
			p.pass(7 * time.Minute)
			p.ask(session, `{"title":"`+work.title+`, part `+string(rune('1'+n))+`","questions":[{"id":"go","kind":"single","label":"Go on?","options":["yes","no"]}]}`,
				time.Minute, map[string]questions.Value{"go": questions.TextValue("yes")})
		}
		for n := range work.versions {
			p.pass(20 * time.Minute)
			p.plan(session, "", "# "+work.title+"\n\n"+string(rune('1'+n))+" steps.\n")
		}
	}
	p.webhooks()
	return p
}

func (p *pastDays) webhooks() {
	p.at(1, 14, 2)
	session := p.session("Claude Code", "webhooks", "Retries of the webhook sender")
	p.pass(3 * time.Minute)
	p.ask(session, rig.ReadSpec(p.t, "light.json"), 4*time.Minute, map[string]questions.Value{
		"give_up": questions.TextValue("24h"), "alert": questions.TextValue("#webhooks"),
	})
	p.pass(6 * time.Minute)
	p.plan(session, "Give up after a day", rig.RetriesPlan)
	p.pass(11 * time.Minute)
	p.ask(session, `{"title":"What a parked event becomes","questions":[
		{"id":"keep","kind":"single","label":"How long are parked events kept?","options":["7 days","30 days","until somebody deletes them"]},
		{"id":"replay","kind":"single","label":"Who may replay them?","options":["Support","Whoever is on call","Nobody"]}]}`,
		9*time.Minute, map[string]questions.Value{"keep": questions.TextValue("30 days"), "replay": questions.TextValue("Whoever is on call")})
	p.pass(8 * time.Minute)
	p.plan(session, "Give up after a day, and park", secondRetriesPlan)
	p.at(0, 9, 12)
	p.ask(session, `{"title":"Before I start","questions":[
		{"id":"start","kind":"single","label":"Start with the sender or with the parking place?","options":["The sender","The parking place"]}]}`, 0, nil)
}

// pastSessions shows the list of sessions.
func pastSessions(s *studio) {
	pastWork(s)
	s.planb("tui", "retro")
	s.Shows(s.pane, "Sessions  8", "Orders by the week", "What a parked event becomes")
}

// pastSession shows a session as a story, at the person's answer.
func pastSession(s *studio) {
	pastWork(s)
	s.planb("tui", "retro")
	s.Shows(s.pane, "Retries of the webhook sender")
	s.press("Enter", "Before I start")
	for range 3 {
		s.Keys(s.pane, "Up")
	}
	s.Shows(s.pane, "▌ 14:35  ✓ Answered", "30 days")
}

// changedPlan shows the changes of a version, side by side.
func changedPlan(s *studio) {
	pastSession(s)
	s.press("Down", "▌ 14:43  ¶ Plan v2")
	s.press("Enter", "latest of 2")
	s.press("d", "v1 → v2")
}

// foundWords shows the hits of a search while the person types it.
func foundWords(s *studio) {
	pastWork(s)
	s.planb("tui", "retro")
	s.Shows(s.pane, "Sessions  8")
	s.press("f", "Find")
	s.Text(s.pane, "receiver project:webhooks")
	s.Shows(s.pane, "5 places", "When do we give up")
}

const secondRetriesPlan = `# Retries of the webhook sender

## Why

A receiver that is down for more than an hour loses events today.

## Steps

1. Keep undelivered events for **24 hours**: ten tries, each twice as
   late as the one before.
2. Then park them for 30 days [q:keep], and tell ` + "`#webhooks`" + ` once.
3. Whoever is on call can replay them [q:replay].

## Tests

| what | how |
|---|---|
| a receiver that is down for a day | a clock that is moved |
| a receiver that answers 503 once | the stub of the sender |
| a parked event that is replayed twice | it arrives once |

## Rollout

Behind a flag, for one receiver a day. The old sender stays until the
last one has moved, and can be switched back in a minute.
`

// submitted has a session's latest plan version wait for its review.
func (p *pastDays) submitted(session, text string, number int, since string) store.Ask {
	p.t.Helper()
	ask, _, err := p.store.OpenAsk(p.t.Context(), store.Ask{
		Session: session, Client: store.Client{Title: safe.New("Claude Code")}, Place: "desk",
		Spec: questions.ReviewOf(plans.Heading(safe.New(text)), questions.PlanRef{Number: number, Digest: plans.Digest(safe.New(text)), Since: since}),
	})
	p.must(err)
	return ask
}

// reviewedPlan shows a plan with comments on it.
func reviewedPlan(s *studio) {
	p := startPast(s)
	p.at(0, 9, 30)
	session := p.session("Claude Code", "webhooks", "Retries of the webhook sender")
	p.plan(session, "", rig.RetriesPlan)
	ask := p.submitted(session, rig.RetriesPlan, 1, "")
	s.planb("tui", "ask", ask.ID)
	s.Shows(s.pane, "Then drop them")
	s.Ready(s.pane)
	s.press("n", "line 3 of")
	s.press("n", "line 7 of")
	s.press("Down", "line 9 of")
	s.press("Down", "line 10 of")
	s.press("Down", "line 11 of")
	s.press("c", "● comment")
	s.Text(s.pane, "An event that is dropped is money lost: park it, and say where.")
	s.press("C-s", "1 comment")
	s.press("n", "line 13 of")
	s.press("Down", "line 15 of")
	s.press("q", "? question")
	s.Text(s.pane, "Which receiver is the first?")
	s.press("C-s", "1 question")
	s.press("Up", "line 15 of")
}

// decision shows the verdicts to choose from, over the plan with its comments.
func decision(s *studio) {
	reviewedPlan(s)
	s.press("h", "⊘")
	s.press("C-s", "Approve", "Request changes", "Reject")
}

// secondRound shows the next version, with the comments on the one before.
func secondRound(s *studio) {
	p := startPast(s)
	p.at(0, 9, 30)
	session := p.session("Claude Code", "webhooks", "Retries of the webhook sender")
	p.plan(session, "", rig.RetriesPlan)
	ask := p.submitted(session, rig.RetriesPlan, 1, "")
	said := review.Review{Digest: plans.Digest(safe.New(rig.RetriesPlan)), Verdict: review.RequestChanges}
	for line, text := range map[int]string{11: "An event that is dropped is money lost: park it, and say where.", 15: "Which receiver is the first?"} {
		c, err := review.CommentOn(safe.New(rig.RetriesPlan), line, line)
		p.must(err)
		c.ID, c.Kind, c.Text = text, review.Remark, safe.New(text)
		said.Comments = append(said.Comments, c)
	}
	said, err := said.Complete(safe.New(rig.RetriesPlan), safe.Text{})
	p.must(err)
	answer, err := said.JSON()
	p.must(err)
	p.pass(6 * time.Minute)
	_, err = p.store.Settle(p.t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(answer))},
	}})
	p.must(err)
	p.must(p.store.Deliver(p.t.Context(), ask.ID))
	p.pass(4 * time.Minute)
	p.plan(session, "", secondRetriesPlan)
	next := p.submitted(session, secondRetriesPlan, 2, ask.ID)
	s.planb("tui", "ask", next.ID)
	s.Shows(s.pane, " → v", "esc back")
	s.press("Escape", "Since v1:")
	s.Ready(s.pane)
}
