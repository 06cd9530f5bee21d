package rig

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
)

// RetriesPlan is a plan of some sections with a table, for tests of reviews.
const RetriesPlan = `# Retries of the webhook sender

## Why

A receiver that is down for more than an hour loses events today.

## Steps

1. Keep undelivered events for **24 hours**: ten tries, each twice as
   late as the one before.
2. Then drop them, and write a line to the log.

## Rollout

Behind a flag, for one receiver a day. The old sender stays until the
last one has moved, and can be switched back in a minute.

## Tests

| what | how |
|---|---|
| a receiver that is down for a day | a clock that is moved |
| a receiver that answers 503 once | the stub of the sender |
`

// FillHistory creates a store with three sessions in the data directory: one in
// which everything happened, one of hostile texts, and one with a review. It
// returns the asks' ids by name: ANSWERED, DECLINED, OPEN and REVIEW. It
// reports every error to check.
func FillHistory(dir string, check func(error)) map[string]string {
	check(os.MkdirAll(dir, 0o700))
	engine, err := bolt.Open(context.Background(), filepath.Join(dir, "planb.db"), bolt.Options{})
	check(err)
	h := &historian{check: check, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	h.store = store.New(engine, store.Options{Now: func() time.Time { return h.now }})
	asks := map[string]string{}

	session := h.session("00000000-0000-7000-8000-00000000aaaa", "Where to keep it", "/srv/store", "Codex")
	db := questions.Question{ID: "db", Kind: questions.Single, Label: safe.New("Which database?"), Tab: safe.New("Questions"), Options: []questions.Option{
		{Value: safe.New("sqlite"), Label: safe.New("SQLite, one file")}, {Value: safe.New("postgres")},
	}}
	why := questions.Question{ID: "why", Kind: questions.LongText, Label: safe.New("Why?"), Tab: safe.New("Questions")}
	answered := h.ask(session, "Storage", db, why)
	asks["ANSWERED"] = answered
	h.settle(answered, questions.Outcome{State: questions.Answered, By: "ann@desk", Reply: questions.Reply{
		Answers: map[string]questions.Value{"db": questions.TextValue("sqlite"), "why": questions.TextValue("one file\nno server")},
		Notes:   map[string]safe.Text{"db": safe.New("for now")},
	}})
	check(h.store.Deliver(context.Background(), answered))
	h.plan(session, "Keep it", "# Keep it\n\nIn SQLite [q:db].\n")
	declined := h.ask(session, "Sharding", why)
	asks["DECLINED"] = declined
	h.settle(declined, questions.Outcome{State: questions.Declined, By: "ann@desk", Message: safe.New("Not now.")})
	h.settle(declined, questions.Outcome{State: questions.Discuss, By: "bob@home", Message: safe.New("Or perhaps?")})
	h.plan(session, "Keep it simple", "# Keep it\n\nIn SQLite [q:db].\nOne file, see [q:nothing].\n")
	asks["OPEN"] = h.ask(session, "Backups", why)

	evil := h.session("00000000-0000-7000-8000-00000000bbbb", "Evil\x1b[31m\r\ntitle", "/srv/evil\u202e", "Claude Code")
	h.plan(evil, "", "# Evil \x1b[2J\u202e\r\n")

	h.now = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	reviews := h.session("10000000-0000-7000-8000-00000000dddd", "Moving", "/srv/move", "Gemini")
	const text = "# Move it\n\nAt night.\n"
	h.plan(reviews, "", text)
	asks["REVIEW"] = h.review(reviews, 1, text, review.RequestChanges, "Which night?")
	h.plan(reviews, "", "# Move it\n\nOn Sunday night.\n")
	check(engine.Close())
	return asks
}

// historian writes a store by a clock of its own.
type historian struct {
	check func(error)
	store *store.Store
	now   time.Time
}

// later advances the clock by a minute.
func (h *historian) later() context.Context {
	h.now = h.now.Add(time.Minute)
	return context.Background()
}

func (h *historian) session(id, title, project, client string) string {
	session, err := h.store.CreateSession(h.later(), store.Session{
		ID: id, Title: safe.New(title), Project: safe.New(project), Client: store.Client{Title: safe.New(client)},
	})
	h.check(err)
	return session.ID
}

func (h *historian) ask(session, title string, list ...questions.Question) string {
	spec := questions.Spec{Title: safe.New(title), Questions: list}
	ask, _, err := h.store.OpenAsk(h.later(), store.Ask{Session: session, Spec: spec})
	h.check(err)
	return ask.ID
}

// review adds a review of a version, with a comment on its third line.
func (h *historian) review(session string, number int, text string, verdict review.Verdict, comment string) string {
	said := review.Review{Digest: plans.Digest(safe.New(text)), Verdict: verdict}
	c, err := review.CommentOn(safe.New(text), 3, 3)
	h.check(err)
	c.ID, c.Kind, c.Text = "c1", review.Question, safe.New(comment)
	said.Comments = []review.Comment{c}
	said, err = said.Complete(safe.New(text), safe.Text{})
	h.check(err)
	json, err := said.JSON()
	h.check(err)
	ask, _, err := h.store.OpenAsk(h.later(), store.Ask{
		Session: session, Spec: questions.ReviewOf(safe.New("Move it"), questions.PlanRef{Number: number, Digest: said.Digest}),
	})
	h.check(err)
	h.settle(ask.ID, questions.Outcome{State: questions.Answered, By: "ann@desk", Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(json))},
	}})
	return ask.ID
}

func (h *historian) settle(ask string, o questions.Outcome) {
	ctx := h.later()
	o.At = h.now
	if _, err := h.store.Settle(ctx, ask, o); err != nil && o.By != "bob@home" { // his reply comes too late
		h.check(err)
	}
}

func (h *historian) plan(session, title, text string) {
	_, _, err := h.store.SavePlan(h.later(), session, title, text)
	h.check(err)
}
