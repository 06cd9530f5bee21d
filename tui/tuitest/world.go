package tuitest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
)

// World is a store in memory with a clock that stands still until it is moved.
type World struct {
	T      *testing.T
	Engine *kvtest.Map
	Store  *store.Store
	Now    time.Time
}

// Free reports whether nobody holds the claim.
func (w *World) Free(key kv.Key) bool {
	w.T.Helper()
	_, alive, err := w.User("observer").Alive(w.T.Context(), key)
	if err != nil {
		w.T.Fatal(err)
	}
	return !alive
}

// Unshown reports whether no pane shows the ask.
func (w *World) Unshown(ask store.Ask) bool {
	w.T.Helper()
	shown, err := w.User("observer").AliveAny(w.T.Context(), store.ShowClaims(ask.ID))
	if err != nil {
		w.T.Fatal(err)
	}
	return !shown
}

// Hold claims something for somebody else.
func (w *World) Hold(key kv.Key) *store.Held {
	w.T.Helper()
	held, err := w.User("somebody").Hold(w.T.Context(), key, "")
	if err != nil {
		w.T.Fatal(err)
	}
	return held
}

// Rich is an open ask of RichForm.
func (w *World) Rich(place string) store.Ask {
	w.T.Helper()
	session := w.Session("Nightly export", "/home/you/shop")
	ask, _, err := w.Store.OpenAsk(w.T.Context(), store.Ask{
		Session: session.ID, Place: place, Client: session.Client, Timeout: time.Hour, Spec: Parse(w.T, RichForm),
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return ask
}

// Damage makes a record one that cannot be read.
func (w *World) Damage(key kv.Key) {
	w.T.Helper()
	if err := w.Engine.Commit(w.T.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: key, Value: []byte("{")}}}); err != nil {
		w.T.Fatal(err)
	}
}

// ReviewAsk saves a text as the next version of a session's plan and asks for its
// review.
func (w *World) ReviewAsk(session store.Session, text, since string) store.Ask {
	w.T.Helper()
	return w.ReviewAt("", session, text, since)
}

// ReviewAt is ReviewAsk for a place.
func (w *World) ReviewAt(place string, session store.Session, text, since string) store.Ask {
	w.T.Helper()
	plan, _, err := w.Store.SavePlan(w.T.Context(), session.ID, "", text)
	if err != nil {
		w.T.Fatal(err)
	}
	ask, attached, err := w.Store.OpenAsk(w.T.Context(), store.Ask{
		Session: session.ID, Place: place, Client: session.Client, Timeout: time.Hour,
		Spec: questions.ReviewOf(safe.New("Orders leave every night"), questions.PlanRef{
			Number: plan.Number, Digest: plan.Digest, Since: since, Path: "/home/you/shop/docs/planb/plans/orders-plan.md",
		}),
	})
	if err != nil || attached {
		w.T.Fatal(err, attached)
	}
	w.Hold(store.WaitClaim(ask.ID, "server"))
	return ask
}

// Reviewed settles an ask with a review of its plan.
func (w *World) Reviewed(ask store.Ask, text string, verdict review.Verdict, comments ...review.Comment) {
	w.T.Helper()
	r := review.Review{Digest: plans.Digest(safe.New(text)), Verdict: verdict, Comments: comments}
	done := Must(r.Complete(safe.New(text), safe.Text{}))
	if _, err := w.Store.Settle(w.T.Context(), ask.ID, questions.Outcome{State: questions.Answered, At: w.Now, By: "you@desk", Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(Must(done.JSON())))},
	}}); err != nil {
		w.T.Fatal(err)
	}
}

// Save saves a version a minute later.
func (w *World) Save(session store.Session, title, text string) {
	w.T.Helper()
	w.Now = w.Now.Add(time.Minute)
	if _, _, err := w.Store.SavePlan(w.T.Context(), session.ID, title, text); err != nil {
		w.T.Fatal(err)
	}
}

// Past fills the world with a history: sessions of two projects and two
// clients over a year, the newest with everything a session can have.
func (w *World) Past() {
	w.T.Helper()
	add := func(n int, title, project, client string, before time.Duration) store.Session {
		w.Now = Moment.Add(-before)
		return Must(w.Store.CreateSession(w.T.Context(), store.Session{
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
		w.Now = w.Now.Add(3 * time.Minute)
		Must(w.Store.Settle(w.T.Context(), ask.ID, o))
	}
	settle(w.Ask(main, "When to stop retrying", ""), questions.Outcome{State: questions.Answered, Reply: TextReply("after a day"), By: "you@desk"})
	settle(w.Ask(main, "Where failed events go", ""), questions.Outcome{State: questions.Discuss, Message: safe.New("How many are there a day?"), By: "you@desk"})
	if err := w.Store.Deliver(w.T.Context(), Must(w.Store.Asks(w.T.Context(), main.ID))[0].ID); err != nil {
		w.T.Fatal(err)
	}
	settle(w.Ask(main, "Move to Kafka", ""), questions.Outcome{State: questions.Declined, Message: safe.New("Not this year."), By: "you@desk"})
	settle(w.Ask(main, "A question taken back", ""), questions.Outcome{State: questions.Withdrawn})
	w.Now = w.Now.Add(time.Minute)
	late := w.Ask(main, "Asked too late in the evening", "")
	Must(w.Store.Expire(w.T.Context(), late.ID, late.Asked))
	w.Now = Moment.Add(-4 * time.Minute)
	w.Hold(store.WaitClaim(w.Ask(main, "Names of the new tables", "").ID, "server"))
	for i, text := range []string{Plan1, Plan1 + Plan2} {
		w.Now = Moment.Add(time.Duration(i-2) * time.Minute)
		if _, _, err := w.Store.SavePlan(w.T.Context(), main.ID, "Delivery, again", text); err != nil {
			w.T.Fatal(err)
		}
	}
	w.Now = Moment
}

// Crowd fills the world with an inbox: 300 forms of a few agents, some of them
// live, snoozed, late, or with titles that are long, hostile or not Latin.
func (w *World) Crowd() {
	w.T.Helper()
	add := func(n int, title, project, client string) store.Session {
		return Must(w.Store.CreateSession(w.T.Context(), store.Session{
			ID: fmt.Sprintf("019aa000-0000-7000-8000-%012d", n), Title: safe.New(title),
			Client: store.Client{Title: safe.New(client)}, Project: safe.New(project),
		}))
	}
	w.Now = Moment.Add(-5 * time.Hour)
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
		w.Now = Moment.Add(-4*time.Hour + time.Duration(i)*40*time.Second)
		ask := w.Ask(sessions[i%15], fmt.Sprintf("%s %d", titles[i%4], i), []string{"tmux-0a1b2c3d4e5f-@7", ""}[i%2])
		switch {
		case i == 3:
			Must(w.Store.Expire(w.T.Context(), ask.ID, ask.Asked))
		case i%50 == 7:
			w.Hold(store.WaitClaim(ask.ID, "server"))
		case i%100 == 20:
			if err := w.Store.Snooze(w.T.Context(), ask.ID, Moment.Add(time.Duration(i)*time.Minute)); err != nil {
				w.T.Fatal(err)
			}
		}
	}
	w.Now = Moment
}

// Rounds fills the world with a session in which a plan was submitted, sent back
// with a comment, and submitted again.
func (w *World) Rounds() {
	w.T.Helper()
	w.Now = Moment.Add(-30 * time.Minute)
	session := Must(w.Store.CreateSession(w.T.Context(), store.Session{
		ID: "019aa000-0000-7000-8000-000000000001", Title: safe.New("Nightly export"),
		Client: store.Client{Title: safe.New("Claude Code")}, Project: safe.New("/home/you/shop"),
	}))
	w.Now = w.Now.Add(time.Minute)
	first := w.ReviewAsk(session, ReviewedPlan, "")
	w.Now = w.Now.Add(8 * time.Minute)
	c := Must(review.CommentOn(safe.New(ReviewedPlan), 15, 15))
	c.ID, c.Kind, c.Text = "c1", review.Question, safe.New("In which order?")
	w.Reviewed(first, ReviewedPlan, review.RequestChanges, c)
	w.Now = w.Now.Add(2 * time.Minute)
	w.ReviewAsk(session, strings.Replace(ReviewedPlan, "1. Read the orders.", "1. Read the orders, the oldest first.", 1), first.ID)
	w.Now = Moment
}

// Revised fills the world with one session whose plan was saved as these texts.
func (w *World) Revised(texts ...string) store.Session {
	w.T.Helper()
	session := w.Session("Webhooks: what happens when nobody answers", "")
	for i, text := range texts {
		title := "Delivery, again"
		if i == 0 {
			title = "Delivery"
		}
		if _, _, err := w.Store.SavePlan(w.T.Context(), session.ID, title, text); err != nil {
			w.T.Fatal(err)
		}
	}
	return session
}

// User is another process on the same data.
func (w *World) User(by string) *store.Store {
	return store.New(w.Engine, store.Options{By: by, Now: w.Clock, Tasks: tasks.Options{Verdict: func(answer string) (tasks.Verdict, error) {
		said, err := review.Parse([]byte(answer))
		return tasks.Verdict{Digest: said.Digest, Approves: said.Verdict.Approves(), Withheld: said.Withheld, Edited: said.Edited}, err
	}}})
}

// Session begins a session of Claude Code.
func (w *World) Session(title, project string) store.Session {
	w.T.Helper()
	return Must(w.Store.CreateSession(w.T.Context(), store.Session{
		Title: safe.New(title), Project: safe.New(project),
		Client: store.Client{Name: safe.New("claude-code"), Title: safe.New("Claude Code")},
	}))
}

// Ask opens an ask of one required text question at a place.
func (w *World) Ask(session store.Session, title, place string) store.Ask {
	w.T.Helper()
	ask, attached, err := w.Store.OpenAsk(w.T.Context(), store.Ask{
		Session: session.ID, Place: place, Client: session.Client, Timeout: time.Hour,
		Spec: questions.Spec{Title: safe.New(title), Questions: []questions.Question{{
			ID: "name", Kind: questions.Text, Label: safe.New("What is it called?"), Required: true, Tab: safe.New(questions.DefaultTab),
		}}},
	})
	if err != nil || attached {
		w.T.Fatal(err, attached)
	}
	return ask
}

// Stored is the ask as the store holds it now.
func (w *World) Stored(id string) store.Ask {
	w.T.Helper()
	return Must(w.Store.Ask(w.T.Context(), id))
}

// Clock tells the world's time.
func (w *World) Clock() time.Time { return w.Now }

// NewWorld is an empty one at Moment.
func NewWorld(t *testing.T) *World {
	t.Helper()
	w := &World{T: t, Engine: kvtest.NewMap(), Now: Moment}
	w.Store = w.User("me@here")
	return w
}

// Must returns the value, and panics of an error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TextReply answers the question that World.Ask asks.
func TextReply(text string) questions.Reply {
	return questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue(text)}}
}

// ReviewedPlan has everything a plan has.
const ReviewedPlan = planAboveCode + "```go\n" + planFromCode

// PlainPlan is ReviewedPlan whose code has no language, so it is not coloured; see InBubble.
const PlainPlan = planAboveCode + "```\n" + planFromCode

const planAboveCode = `# Orders leave every night

Orders leave as **CSV**, once a night. The bank reads them
before six in the morning.

## Why

- nobody types them any more
- the bank asked for it
  twice

## How

1. Read the orders.
2. Write the file.
3. Send it.

`

const planFromCode = "func main() {\n\tfmt.Println(\"orders\")\n}\n```\n" + `
| file | rows |
|---|---:|
| orders | 1200 |
| totals | 1 |

## Risks

> The bank may change its mind.

Nobody owns the key.
`

// Comment is a comment on lines of a text.
func Comment(t *testing.T, text string, from, to int, kind review.Kind, said string) review.Comment {
	t.Helper()
	c := Must(review.CommentOn(safe.New(text), from, to))
	c.ID, c.Kind, c.Text = rand.Text(), kind, safe.New(said)
	return c
}

// Moment is when all tests of the form take place.
var Moment = time.Date(2026, 11, 20, 14, 7, 0, 0, time.UTC)

// Plan1 is a plan with a table and code.
const Plan1 = "# Delivery\n\nWe keep **one** queue per customer, see [the notes](https://example.org/notes).\n\n" +
	"| try | wait |\n|---|---:|\n| 1 | 1 s |\n| 2 | 5 s |\n\n" +
	"```go\nfunc (q *Queue) Next(ctx context.Context) (Event, error) { return q.store.Pop(ctx, q.customer, time.Now().Add(-q.delay)) }\n```\n"

// Plan2 is what its next version has behind it.
const Plan2 = "\n## Order\n\nEvents of one customer stay in order.\n\n- [x] per customer\n- [ ] across customers\n\n> Nobody has asked for more.\n"

// Sessions are all sessions, the newest change first.
func (w *World) Sessions() []store.Session {
	w.T.Helper()
	list, _, err := w.Store.Sessions(w.T.Context(), "", 100)
	if err != nil {
		w.T.Fatal(err)
	}
	return list
}

// Snapshot is everything the sessions are made of, to see whether something changed.
func (w *World) Snapshot() string {
	w.T.Helper()
	var out strings.Builder
	for _, session := range w.Sessions() {
		fmt.Fprintf(&out, "%+v\n", session)
		for _, ask := range Must(w.Store.Asks(w.T.Context(), session.ID)) {
			fmt.Fprintf(&out, "  %+v\n", ask)
		}
	}
	return out.String()
}

// FillLate settles the ask elsewhere and has as many late replies come as it keeps.
func (w *World) FillLate(ask store.Ask) {
	Must(w.Store.Settle(w.T.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: TextReply("Altair"), By: "you@phone"}))
	for i := range store.MaxTooLate {
		_, err := w.Store.Settle(w.T.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: TextReply(fmt.Sprint(i))})
		if _, late := errors.AsType[*questions.SettledError](err); !late {
			w.T.Fatal(err)
		}
	}
}
