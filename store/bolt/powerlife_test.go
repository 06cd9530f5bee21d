package bolt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// deed is one thing that a living process does to the store. It says so on a
// line before it does it and on another once the store has confirmed it.
type deed struct {
	Who  string
	What string // one of the constants below
	Done bool

	Session string `json:",omitempty"`
	Title   string `json:",omitempty"` // of the ask, which nobody else's has; for the session beside it, its id
	Ask     string `json:",omitempty"` // its id, once it is known
	Text    string `json:",omitempty"` // what is written; nothing else has it
	Length  int    `json:",omitempty"` // of the text as it is written; see deed.text
}

const (
	opens     = "opens a session"
	asks      = "asks"
	asksAgain = "asks the same again"
	shows     = "shows"
	entries   = "drafts"
	answers   = "answers"
	discusses = "replies without finishing"
	declines  = "declines"
	withdraws = "withdraws"
	delivers  = "delivers"
	plansOn   = "saves a plan"
	filesPlan = "saves the plan of a file"
	archives  = "archives its session"
	opensSide = "opens a session beside its own"
	deletes   = "deletes that session"
)

// text is the deed's text at its length: its words, then noise that does not compress.
func (d deed) text() string {
	sum := fnv.New64a()
	sum.Write([]byte(d.Text))
	noise := rand.New(rand.NewPCG(sum.Sum64(), 0))
	text := []byte(d.Text)
	for len(text) < d.Length {
		text = append(text, byte('!'+noise.IntN(90)))
	}
	return string(text)
}

// liveDeeds is how many things each living process does.
const liveDeeds = 16

// childLive is a process that asks, types, answers, delivers and plans in a
// session of its own, until it has done its deeds.
func childLive(path, who, seed string) error {
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	ctx := context.Background()
	e, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	// Claims are renewed often, so that there are quiet commits in between.
	s := store.New(e, store.Options{By: who + "@desk", TTL: 90 * time.Millisecond})
	held, err := s.Hold(ctx, store.PlaceClaim(who), "living")
	if err != nil {
		return err
	}
	l := &living{s: s, who: who, random: rand.New(rand.NewPCG(n, uint64(who[0])))}
	if err := l.do(ctx, deed{What: opens}); err != nil {
		return err
	}
	for range liveDeeds {
		if err := l.do(ctx, l.next()); err != nil {
			return err
		}
	}
	return held.Release(ctx)
}

// living is the state of such a process.
type living struct {
	s       *store.Store
	who     string
	random  *rand.Rand
	session string
	texts   int
	open    []deed // those that asked and have no outcome
	settled []deed // those that have one that was not delivered
	side    store.Session
}

// next draws what to do now.
func (l *living) next() deed {
	switch n := l.random.IntN(16); {
	case n > 13:
		return deed{What: archives}
	case n > 11 && l.side.ID == "":
		return deed{What: opensSide}
	case n > 11:
		return deed{What: deletes, Title: l.side.ID}
	case n < 3 && len(l.settled) > 0:
		return deed{What: delivers, Ask: l.settled[0].Ask, Title: l.settled[0].Title}
	case n < 4:
		return l.says(deed{What: []string{plansOn, filesPlan}[l.random.IntN(2)]}, 40_000)
	case n < 10 && len(l.open) > 0:
		about := l.open[l.random.IntN(len(l.open))]
		about.What = []string{
			shows, entries, entries, answers, answers, answers, discusses, declines, withdraws, asksAgain,
		}[l.random.IntN(10)]
		return l.says(about, 4000)
	}
	l.texts++
	return deed{What: asks, Title: fmt.Sprintf("%s asks %d", l.who, l.texts)}
}

// says gives the deed a text, sometimes a long one.
func (l *living) says(d deed, long int) deed {
	l.texts++
	d.Text = fmt.Sprintf("%s says %d.", l.who, l.texts)
	if l.random.IntN(3) == 0 {
		d.Length = long
	}
	return d
}

// do does it, and says so before and after.
func (l *living) do(ctx context.Context, d deed) error {
	d.Who, d.Session, d.Done = l.who, l.session, false
	if err := d.print(); err != nil {
		return err
	}
	if err := l.commit(ctx, &d); err != nil {
		return fmt.Errorf("%s %s: %w", l.who, d.What, err)
	}
	d.Done = true
	return d.print()
}

func (d deed) print() error {
	line, err := json.Marshal(d)
	if err == nil {
		_, err = os.Stdout.Write(append(line, '\n'))
	}
	return err
}

func (l *living) commit(ctx context.Context, d *deed) error {
	switch d.What {
	case opens:
		session, err := l.s.CreateSession(ctx, store.Session{Title: safe.New(l.who), Project: safe.New("/" + l.who)})
		l.session, d.Session = session.ID, session.ID
		return err
	case asks, asksAgain:
		ask, attached, err := l.s.OpenAsk(ctx, store.Ask{Session: l.session, Spec: powerForm(d.Title), Place: l.who, Timeout: time.Hour})
		if err == nil && attached != (d.What == asksAgain) {
			err = fmt.Errorf("attached is %v", attached)
		}
		if d.Ask = ask.ID; d.What == asks {
			l.open = append(l.open, *d)
		}
		return err
	case shows:
		return l.s.MarkShown(ctx, d.Ask)
	case entries:
		return l.s.SaveEntry(ctx, d.Ask, questions.Entry{Fields: map[string]questions.Field{powerQuestion: {Text: safe.New(d.text())}}})
	case delivers:
		l.settled = l.settled[1:]
		return l.s.Deliver(ctx, d.Ask)
	case archives:
		_, err := l.s.Archive(ctx, l.session, true)
		return err
	case opensSide:
		return l.openSide(ctx, d)
	case deletes:
		side := l.side
		l.side = store.Session{}
		return l.s.Delete(ctx, side, nil)
	case filesPlan:
		_, unchanged, err := l.s.SaveFilePlan(ctx, store.FilePlan{Path: powerFile(l.who), Name: "a", Text: d.text(), Session: l.session})
		if err == nil && unchanged {
			err = errors.New("it is unchanged")
		}
		return err
	case plansOn:
		_, unchanged, err := l.s.SavePlan(ctx, l.session, d.Text, d.text())
		if err == nil && unchanged {
			err = errors.New("it is unchanged")
		}
		return err
	}
	for i := range l.open {
		if l.open[i].Ask == d.Ask {
			l.open = append(l.open[:i], l.open[i+1:]...)
			break
		}
	}
	if d.What != withdraws {
		l.settled = append(l.settled, *d)
	}
	_, err := l.s.Settle(ctx, d.Ask, d.outcome())
	return err
}

// openSide makes a session with a plan and an undelivered answer.
func (l *living) openSide(ctx context.Context, d *deed) error {
	session, err := l.s.CreateSession(ctx, store.Session{Title: safe.New("beside " + l.who)})
	if err != nil {
		return err
	}
	if _, _, err := l.s.SavePlan(ctx, session.ID, "", "# Beside"); err != nil {
		return err
	}
	ask, _, err := l.s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: powerForm("beside"), Place: "beside " + l.who})
	if err != nil {
		return err
	}
	if _, err := l.s.Settle(ctx, ask.ID, questions.Outcome{State: questions.Declined}); err != nil {
		return err
	}
	l.side, err = l.s.Session(ctx, session.ID)
	d.Title = session.ID
	return err
}

// powerFile is the plan file of a process.
func powerFile(who string) string { return "/" + who + "/a-plan.md" }

const powerQuestion = "why"

func powerForm(title string) questions.Spec {
	return questions.Spec{Title: safe.New(title), Questions: []questions.Question{
		{ID: powerQuestion, Kind: questions.LongText, Label: safe.New("Why?"), Tab: safe.New("Questions")},
	}}
}

// outcome is what the deed settles its ask with.
func (d deed) outcome() questions.Outcome {
	switch d.What {
	case answers:
		return questions.Outcome{State: questions.Answered, Reply: questions.Reply{
			Answers: map[string]questions.Value{powerQuestion: questions.TextValue(d.text())},
		}}
	case discusses:
		return questions.Outcome{State: questions.Discuss, Message: safe.New(d.text())}
	case declines:
		return questions.Outcome{State: questions.Declined, Message: safe.New(d.text())}
	}
	return questions.Outcome{State: questions.Withdrawn}
}

// said is the text of an outcome of such an ask.
func said(o questions.Outcome) string {
	if o.State == questions.Answered {
		text, _ := o.Reply.Answers[powerQuestion].Text()
		return text
	}
	return o.Message.Raw()
}
