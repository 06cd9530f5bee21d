package storetest

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
)

// words are the texts of which generated stores are made: a line each, below the
// name of their sort.
//
//go:embed words.txt
var words string

// script is what a generated store tells, before it is told.
type script struct {
	size    Size
	words   map[string][]string
	asks    []int // of each session
	plans   []int // of each session
	longest int   // the session with the most versions
	start   time.Time
}

// The time in which generated sessions happen.
const (
	lastDay  = "2026-06-30T20:00:00Z"
	allTheir = 500 * 24 * time.Hour
)

func newScript(size Size) *script {
	s := &script{size: size, words: map[string][]string{}, longest: size.Sessions / 3}
	sort := ""
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "# "); is {
			sort = name
		} else if line != "" {
			s.words[sort] = append(s.words[sort], line)
		}
	}
	end, err := time.Parse(time.RFC3339, lastDay)
	if err != nil {
		panic(err) // a constant
	}
	s.start = end.Add(-allTheir)
	r := s.random(-1)
	s.asks = shares(r, size.Asks, size.Sessions)
	most := min(size.Longest, size.Versions)
	s.plans = shares(r, size.Versions-most, size.Sessions)
	s.plans[(s.longest+1)%size.Sessions] += s.plans[s.longest]
	s.plans[s.longest] = 0
	s.plans[s.longest] += most
	return s
}

// shares deals n things out to so many sessions: few to most of them, many to a
// few.
func shares(r *rand.Rand, n, sessions int) []int {
	weights := make([]float64, sessions)
	sum := 0.0
	for i := range weights {
		weights[i] = math.Pow(r.ExpFloat64(), 1.5) + 0.01
		sum += weights[i]
	}
	list := make([]int, sessions)
	dealt, so := 0, 0.0
	for i, w := range weights {
		so += w
		upTo := int(math.Round(float64(n) * so / sum))
		list[i] = upTo - dealt
		dealt = upTo
	}
	return list
}

// random is the chance of one session, whatever the others do.
func (s *script) random(session int) *rand.Rand {
	return rand.New(rand.NewPCG(s.size.Seed, uint64(session+1)))
}

func (s *script) word(r *rand.Rand, sort string) string { return one(r, s.words[sort]) }

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// sentence is one that never was, mostly.
func (s *script) sentence(r *rand.Rand) string {
	text := s.word(r, "subject") + " " + s.word(r, "verb") + " " + s.word(r, "object")
	if r.IntN(2) == 0 {
		text += ", " + s.word(r, "reason")
	}
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + "."
}

// prepare makes the engine a store without sessions.
func (s *script) prepare(ctx context.Context, engine kv.Engine) error {
	return store.New(engine, store.Options{
		Now:    func() time.Time { return s.start },
		Random: bytesOf{s.random(-2)},
	}).Prepare(ctx)
}

// bytesOf reads random bytes.
type bytesOf struct{ *rand.Rand }

func (b bytesOf) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b.Uint32())
	}
	return len(p), nil
}

// maker plays sessions of a script through a store.
type maker struct {
	*script
	store *store.Store
	now   time.Time
	r     *rand.Rand // of the session that is played
	ids   *rand.Rand // what its ids are made of
}

func newMaker(ctx context.Context, s *script, engine kv.Engine) (*maker, error) {
	m := &maker{script: s, now: s.start, ids: s.random(-3)}
	m.store = store.New(engine, store.Options{
		Now:    func() time.Time { return m.now },
		By:     s.words["by"][0],
		Random: m,
	})
	return m, m.store.Prepare(ctx)
}

// Read makes the maker the source of its store's ids.
func (m *maker) Read(p []byte) (int, error) { return bytesOf{m.ids}.Read(p) }

// pass lets some time go by: up to so much, and a millisecond at least, so that
// later ids are greater.
func (m *maker) pass(most time.Duration) {
	m.now = m.now.Add(time.Millisecond + time.Duration(m.r.Int64N(int64(most))))
}

// session plays the session of that number from its beginning to its end.
func (m *maker) session(ctx context.Context, i int) error {
	m.r, m.ids = m.random(2*i), m.random(2*i+1)
	m.now = m.start.Add(time.Duration(float64(i) / float64(m.size.Sessions) * float64(allTheir)))
	m.pass(allTheir / time.Duration(m.size.Sessions))
	client := m.client()
	session := store.Session{
		Title:   safe.New(m.word(m.r, "work")),
		Project: safe.New(m.word(m.r, "project")),
		Client:  client,
	}
	if m.r.IntN(4) > 0 {
		session.Intent = safe.New(m.word(m.r, "intent"))
	}
	if m.r.IntN(50) == 0 {
		session.Title, session.Project = safe.Text{}, safe.Text{}
	}
	session, err := m.store.CreateSession(ctx, session)
	if err != nil {
		return fmt.Errorf("session %d: %w", i, err)
	}
	p := play{maker: m, session: session, recent: i >= m.size.Sessions-max(m.size.Sessions/50, 1)}
	if err := p.run(ctx, m.asks[i], m.plans[i]); err != nil {
		return fmt.Errorf("session %d: %w", i, err)
	}
	return nil
}

func (m *maker) client() store.Client {
	fields := strings.Split(m.word(m.r, "client"), "|")
	return store.Client{Name: safe.New(fields[0]), Title: safe.New(fields[1]), Version: safe.New(fields[2])}
}

// play is one session being played.
type play struct {
	*maker
	session store.Session
	recent  bool // one of the last, in which something may still be open
	asked   []questions.Spec
	cited   []string // ids of questions that were answered
	draft   *document
}

func (p *play) run(ctx context.Context, asks, versions int) error {
	for asks+versions > 0 {
		p.pass(30 * time.Minute)
		var err error
		if versions == 0 || p.r.IntN(asks+versions) < asks {
			asks--
			err = p.ask(ctx, asks == 0)
		} else {
			versions--
			err = p.save(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// save keeps the next version of the plan.
func (p *play) save(ctx context.Context) error {
	if p.draft == nil {
		p.draft = p.newDocument(p.session.Title.Raw())
	} else {
		p.draft.edit(p.r)
	}
	p.draft.cite(p.r, p.cited)
	title := ""
	if p.r.IntN(5) == 0 {
		title = p.session.Title.Raw()
	}
	_, unchanged, err := p.store.SavePlan(ctx, p.session.ID, title, p.draft.text())
	if err == nil && unchanged {
		err = fmt.Errorf("a version is as the one before")
	}
	return err
}
