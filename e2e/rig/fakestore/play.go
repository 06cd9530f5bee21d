package fakestore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
)

// allTime is how long the sessions of a store went on.
const allTime = 500 * 24 * time.Hour

// firstDay is when the first of them began.
func firstDay() time.Time { return time.Date(2025, 2, 15, 20, 0, 0, 0, time.UTC) }

// player plays sessions through a store, each by its number alone.
type player struct {
	size  Size
	store *store.Store
	now   time.Time
	ids   *rand.Rand
}

func newPlayer(size Size, engine kv.Engine) *player {
	p := &player{size: size, now: firstDay(), ids: rand.New(rand.NewPCG(0, 0))}
	p.store = store.New(engine, store.Options{Now: func() time.Time { return p.now }, By: "ana@desk", Random: p})
	return p
}

// Read makes the player the source of its store's ids.
func (p *player) Read(bytes []byte) (int, error) {
	for i := range bytes {
		bytes[i] = byte(p.ids.Uint32())
	}
	return len(bytes), nil
}

// pass lets time go by, so that later ids are greater.
func (p *player) pass(d time.Duration) { p.now = p.now.Add(d) }

// pick is one of a list, by a number.
func pick[T any](n int, list ...T) T { return list[n%len(list)] }

// share is how many of n things session number session has. Of every eight sessions the
// last has about as many as the other seven together.
func share(n, sessions, session int) int {
	weight := func(sessions int) int { return sessions + sessions/8*7 }
	return n*weight(session+1)/weight(sessions) - n*weight(session)/weight(sessions)
}

// plans is how many versions a session has. One session has the most.
func (p *player) plans(session int) int {
	longest, most := p.size.Sessions/3, min(p.size.Longest, p.size.Versions)
	others := p.size.Versions - most
	switch n := share(others, p.size.Sessions, session); {
	case p.size.Sessions == 1:
		return p.size.Versions
	case session == longest:
		return most
	case session == (longest+1)%p.size.Sessions:
		return n + share(others, p.size.Sessions, longest)
	default:
		return n
	}
}

// session plays the session with that number from its beginning to its end.
func (p *player) session(ctx context.Context, number int) error {
	p.ids = rand.New(rand.NewPCG(1, uint64(number)))
	p.now = firstDay().Add(allTime / time.Duration(p.size.Sessions) * time.Duration(number))
	session, err := p.store.CreateSession(ctx, store.Session{
		Title:   safe.New(fmt.Sprintf("%s, part %d", pick(number, "Retry failed webhooks", "Move the job queue", "Sign-in with a second factor", "Zollformulare über die Grenze", "会計の締め", "Café menus 🍽️"), number)),
		Intent:  safe.New(pick(number, "", sentence(number), sentence(number+1))),
		Project: safe.New(pick(number, "/home/ana/src/harbor", "/home/ana/work/route planner", "/srv/build/telemetry", "/home/ana/src/übersetzer", "/workspace/checkout")),
		Client:  store.Client{Name: safe.New(pick(number, "claude-code", "codex-mcp-client", "opencode", "zed")), Version: safe.New("1.2.3")},
	})
	if err != nil {
		return fmt.Errorf("session %d: %w", number, err)
	}
	asks, versions := share(p.size.Asks, p.size.Sessions, number), p.plans(number)
	recent := number >= p.size.Sessions-max(p.size.Sessions/50, 1)
	plan := newPlan(number, p.size.VersionBytes)
	for asked, saved := 0, 0; asked < asks || saved < versions; {
		p.pass(10 * time.Minute)
		if saved*asks < asked*versions || asked == asks {
			_, _, err = p.store.SavePlan(ctx, session.ID, session.Title.Raw(), plan.version(saved))
			saved++
		} else {
			err = p.ask(ctx, session, asked, recent && asked == asks-1)
			asked++
		}
		if err != nil {
			return fmt.Errorf("session %d: %w", number, err)
		}
	}
	return nil
}

// ask plays one ask of a session, from the moment it is asked to its end.
func (p *player) ask(ctx context.Context, session store.Session, number int, last bool) error {
	ask, _, err := p.store.OpenAsk(ctx, store.Ask{
		Session: session.ID, Spec: form(number), Client: session.Client,
		Place: "tmux-" + session.ID[24:] + "-@1", Timeout: 24 * time.Hour,
	})
	if err != nil {
		return err
	}
	if err := p.store.MarkShown(ctx, ask.ID); err != nil {
		return err
	}
	if last { // it is left open, with what was entered
		return p.store.SaveEntry(ctx, ask.ID, ask.Spec.EntryFrom(reply(ask.Spec, number)))
	}
	p.pass(time.Minute)
	if number%50 == 49 {
		if _, err := p.store.Expire(ctx, ask.ID, ask.Asked); err != nil {
			return err
		}
	}
	outcomes := 1
	if number%20 == 19 {
		outcomes = 2 // the second comes too late
	}
	for range outcomes {
		_, err := p.store.Settle(ctx, ask.ID, outcome(ask.Spec, number))
		if _, late := errors.AsType[*questions.SettledError](err); err != nil && !late {
			return err
		}
	}
	return p.store.Deliver(ctx, ask.ID)
}

func outcome(spec questions.Spec, number int) questions.Outcome {
	switch number % 16 {
	case 3:
		return questions.Outcome{State: questions.Discuss, Message: safe.New("Why not the other way round?")}
	case 7:
		return questions.Outcome{State: questions.Declined, Message: safe.New("Not now.")}
	case 11:
		return questions.Outcome{State: questions.Withdrawn}
	}
	return questions.Outcome{State: questions.Answered, Reply: reply(spec, number)}
}

// form is a form of one to six questions. Its title has its number, so that no two
// of a session are the same.
func form(number int) questions.Spec {
	spec := questions.Spec{Title: safe.New(fmt.Sprintf("%s %d", pick(number, "Rollout", "Risks", "Data", "Names"), number))}
	if number%3 == 0 {
		spec.IntroTitle = safe.New(questions.DefaultIntroTitle)
		spec.Intro = safe.New("## Where we are\n\n" + sentence(number) + "\n\n- " + sentence(number+1) + "\n")
	}
	for i := range 1 + number%6 {
		kind := pick(number+i, questions.Kinds()...)
		q := questions.Question{
			ID: fmt.Sprintf("%s-%d", kind, i+1), Kind: kind, Tab: safe.New(questions.DefaultTab),
			Label: safe.New(pick(number+i, "What shall it be called?", "When does it go live?", "Who has to agree?", "How sure are you?")),
		}
		switch kind {
		case questions.Single, questions.Multi:
			for n, label := range []string{"Now", "After the release", "Never", "Only for new accounts"} {
				q.Options = append(q.Options, questions.Option{
					Value: safe.New(fmt.Sprint("option-", n)), Label: safe.New(label), Description: safe.New(sentence(number + n)),
				})
			}
		case questions.Scale:
			q.Range = &questions.Range{Min: 0, Max: 10, Step: questions.DefaultStep}
		}
		spec.Questions = append(spec.Questions, q)
	}
	return spec
}

// reply answers all questions but one of five.
func reply(spec questions.Spec, number int) questions.Reply {
	reply := questions.Reply{Answers: map[string]questions.Value{}, Notes: map[string]safe.Text{}}
	for i, q := range spec.Questions {
		if (number+i)%5 == 4 {
			reply.Notes[q.ID] = safe.New(sentence(number + i))
			continue
		}
		switch q.Kind {
		case questions.Scale:
			reply.Answers[q.ID] = questions.NumberValue(float64(number % 11))
		case questions.Single:
			reply.Answers[q.ID] = questions.TextValue(pick(number, q.Options...).Value.Raw())
		case questions.Multi:
			reply.Answers[q.ID] = questions.ItemsValue(q.Options[0].Value.Raw(), q.Options[2].Value.Raw())
		case questions.LongText:
			reply.Answers[q.ID] = questions.TextValue(strings.Repeat(sentence(number)+"\n", 1+number%20))
		default:
			reply.Answers[q.ID] = questions.TextValue(sentence(number))
		}
	}
	return spec.Normalize(reply)
}

// sentence is one of some thousands.
func sentence(n int) string {
	return fmt.Sprintf("%s %s %s, %s (%d).",
		pick(n, "The gateway", "Every worker", "A customer", "Die Schnittstelle", "監査"),
		pick(n/5, "retries", "rejects", "stores", "signs"),
		pick(n/3, "webhooks", "old invoices", "the nightly export"),
		pick(n/2, "because the queue is full", "until somebody looks at it", "as agreed in May"), n%10_000)
}

// plan is a plan while it is being written.
type plan struct {
	number int
	blocks []string
}

// newPlan writes a plan of about that many bytes.
func newPlan(number, bytes int) *plan {
	p := &plan{number: number}
	for n := len(p.text()); n < bytes; n += len(p.blocks[len(p.blocks)-1]) + 2 {
		p.blocks = append(p.blocks, block(number+len(p.blocks)))
	}
	return p
}

func block(n int) string {
	switch n % 8 {
	case 0:
		return fmt.Sprintf("## Step %d", n)
	case 3:
		return "- [ ] " + sentence(n) + "\n- [x] " + sentence(n+1)
	case 5:
		return "| step | days |\n|---|---:|\n| " + sentence(n) + " | 3 |"
	case 7:
		return fmt.Sprintf("```go\nfunc run(ctx context.Context) error {\n\treturn step(ctx, %d)\n}\n```", n)
	}
	return sentence(n) + " " + sentence(n+7)
}

func (p *plan) text() string {
	return fmt.Sprintf("# Plan %d\n\n%s\n", p.number, strings.Join(p.blocks, "\n\n"))
}

// version is the text of a version, which differs from the one before in a few
// blocks: two have other words, and two changed places.
func (p *plan) version(n int) string {
	if n > 0 {
		of := len(p.blocks)
		p.blocks[n*37%of] = sentence(n * 31)
		p.blocks[n*101%of] = sentence(n*31 + 1)
		p.blocks[n%of], p.blocks[0] = p.blocks[0], p.blocks[n%of]
	}
	return p.text()
}
