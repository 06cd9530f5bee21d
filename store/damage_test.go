package store_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// collection is a store with a record of every family, and what to read of it.
type collection struct {
	s        *store.Store
	sessions []store.Session
	asks     []store.Ask
	tasks    []string // plans of tasks, by id
	worked   string   // a task that was completed
	drafts   []string // by id
}

// collect fills a store: two sessions of one project, with asks in every state.
func collect(t *testing.T, engine kv.Engine) *collection {
	t.Helper()
	ctx := t.Context()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := store.New(engine, store.Options{
		By: "person@desk", Machine: "desk", TTL: time.Hour, Now: func() time.Time { now = now.Add(time.Second); return now },
		Tasks: tasks.Options{Verdict: taskVerdict},
	})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c := &collection{s: s}
	elsewhere := store.New(engine, store.Options{Machine: "laptop"})
	_, err := elsewhere.CreateSession(ctx, store.Session{Title: safe.New("restored"), Project: safe.New("/other")})
	must(err)
	must(s.Adopt(ctx))
	for _, title := range []string{"first", "second"} {
		session := newSession(t, s, "/p")
		c.sessions = append(c.sessions, session)
		ask := func(state, place string) store.Ask {
			made := openAsk(t, s, session.ID, title+" "+state, place)
			c.asks = append(c.asks, made)
			return made
		}
		settle := func(a store.Ask, o questions.Outcome) {
			_, err := s.Settle(ctx, a.ID, o)
			must(err)
		}
		told := ask("told", "")
		settle(told, answered("because "+title))
		must(s.Deliver(ctx, told.ID))
		if _, err := s.Settle(ctx, told.ID, answered("too late")); !errors.As(err, new(*questions.SettledError)) {
			t.Fatal(err)
		}
		settle(ask("untold", title), answered(strings.Repeat("long ", store.MaxInline)))
		settle(ask("declined", title), questions.Outcome{State: questions.Declined})
		settle(ask("withdrawn", title), questions.Outcome{State: questions.Withdrawn})
		expired := ask("expired", title)
		_, err := s.Expire(ctx, expired.ID, expired.Asked)
		must(err)
		pending := ask("pending", title)
		must(s.SaveEntry(ctx, pending.ID, entryOf("half "+title+strings.Repeat(" long", store.MaxInline))))
		for _, key := range []kv.Key{store.WaitClaim(pending.ID, "x"), store.ShowClaim(pending.ID, "x"), store.PlaceClaim(title)} {
			_, err := s.Hold(ctx, key, title)
			must(err)
		}
		for _, text := range []string{"# One of " + title, "# Two of " + title} {
			_, _, err := s.SavePlan(ctx, session.ID, "", text)
			must(err)
		}
		_, _, err = s.SaveFilePlan(ctx, store.FilePlan{Path: "/p/" + title + ".md", Name: "a", Text: "# In a file of " + title, Session: session.ID})
		must(err)
		must(s.AllowPane(ctx, title))
		made := proposeTasks(t, s, session.ID, "", title, "then", "last")
		c.tasks = append(c.tasks, made.ID)
		if title == "first" {
			review := approve(t, s, made)
			c.asks = append(c.asks, review)
			c.worked = work(t, s, made)
		}
		c.drafts = append(c.drafts, beginDraft(t, s, session.ID, title).ID)
	}
	going := newSession(t, s, "")
	if err := s.Delete(ctx, going, func(store.Gone) error { return errDisk }); !errors.Is(err, errDisk) {
		t.Fatal(err) // its plans stay to be swept away
	}
	return c
}

// look is one reading of a collection. Its lines name what they are about.
type look struct {
	name  string
	whole bool // it has a line for each session, ask or plan, also for one that cannot be read
	read  func() ([]string, error)
}

// looks are all readings of the collection.
func (c *collection) looks(t *testing.T) []look {
	ctx, s := t.Context(), c.s
	asks := func(list []store.Ask, err error) ([]string, error) {
		var lines []string
		for _, a := range list {
			line := fmt.Sprint(a.Session, " ", a.ID, " ", a.Err != nil)
			if a.Err == nil {
				text, _ := a.Outcome.Reply.Answers["why"].Text()
				line += fmt.Sprint(" ", a.Spec.Title, " ", a.Outcome.State, " ", text, " ", len(a.TooLate))
			}
			lines = append(lines, line)
		}
		return lines, err
	}
	one := func(line any, err error) ([]string, error) { return []string{fmt.Sprint(line)}, err }
	list := []look{
		{"Sessions", true, func() (lines []string, err error) {
			for after := ""; ; {
				sessions, next, err := s.Sessions(ctx, after, 100)
				for _, session := range sessions {
					lines = append(lines, fmt.Sprint(session.ID, " ", session.Title, " ", session.Updated.IsZero()))
				}
				if after = next; after == "" || err != nil {
					return lines, err
				}
			}
		}},
		{"Waiting", true, func() ([]string, error) { return asks(s.Waiting(ctx)) }},
		{"UndeliveredIn", false, func() ([]string, error) { return asks(undeliveredIn(ctx, s, "/p")) }},
		{"Awake", true, func() ([]string, error) { n, err := s.Awake(ctx, time.Now()); return one(n, err) }},
		{"TaskPlans", true, func() (lines []string, err error) {
			list, err := s.Tasks().Plans(ctx, tasks.Caller{})
			for _, p := range list {
				lines = append(lines, fmt.Sprint(p.ID, " ", p.Title, " ", p.Err != nil))
			}
			return lines, err
		}},
		{"Drafts", true, func() (lines []string, err error) {
			list, err := s.Drafts().List(ctx, nil, 100)
			for _, p := range list {
				lines = append(lines, fmt.Sprint(p.ID, " ", p.Title, " ", p.Err != nil))
			}
			return lines, err
		}},
		{"LostAsks", false, func() ([]string, error) { l, err := s.LostAsks(ctx); return one(len(l), err) }},
		{"Standing", false, func() ([]string, error) {
			standing, err := s.Standing(ctx)
			var lines []string
			for _, a := range c.asks {
				lines = append(lines, fmt.Sprint(a.ID, " ", standing.Waited(a.ID), " ", len(standing.Shown(a.ID))))
			}
			return lines, err
		}},
		{"WholeAsks", true, func() (lines []string, err error) {
			var all []store.Ask
			for a, err := range s.WholeAsks(ctx, c.sessions[0].ID, c.sessions[1].ID) {
				if err != nil {
					return nil, err
				}
				all = append(all, a)
			}
			return asks(all, nil)
		}},
	}
	for i, session := range c.sessions {
		id, place := session.ID, []string{"first", "second"}[i]
		list = append(list,
			look{"Asks of " + id, true, func() ([]string, error) { return asks(s.Asks(ctx, id)) }},
			look{"Undelivered of " + id, false, func() ([]string, error) { return asks(s.Undelivered(ctx, id)) }},
			look{"Due of " + id, false, func() ([]string, error) { return asks(s.Due(ctx, id)) }},
			look{"Queue " + place, false, func() ([]string, error) { return asks(s.Queue(ctx, place)) }},
			look{"PutOffs " + place, false, func() ([]string, error) { p, err := s.PutOffs(ctx, place); return one(p.Place, err) }},
			look{"PlanFile " + place, false, func() ([]string, error) {
				f, ok, err := s.PlanFile(ctx, "/p/"+place+".md")
				return one(fmt.Sprint(f.Session, f.Number, ok), err)
			}},
			look{"FindSession " + id, true, func() ([]string, error) { f, err := s.FindSession(ctx, store.ShortID(id)); return one(f.ID, err) }},
			look{"Deletable " + id, false, func() ([]string, error) { d, err := s.Deletable(ctx, id); return one(d.Open, err) }},
			look{"WholePlans of " + id, true, func() (lines []string, err error) {
				for p, err := range s.WholePlans(ctx, store.PlanID{Session: id, Number: 1}, store.PlanID{Session: id, Number: 2}, store.PlanID{Session: id, Number: 3}) {
					if err != nil {
						return nil, err
					}
					lines = append(lines, fmt.Sprintf("%s/%08d %v %s", id, p.Number, p.Err != nil, p.Text))
				}
				return lines, nil
			}},
			look{"Plans of " + id, true, func() (lines []string, err error) {
				plans, err := s.Plans(ctx, id)
				for _, p := range plans {
					lines = append(lines, fmt.Sprint(id, "/", p.Number))
				}
				return lines, err
			}},
		)
		for number := 1; number <= 3; number++ {
			list = append(list, look{fmt.Sprintf("PlanText %s/%08d", id, number), false, func() ([]string, error) { text, err := s.PlanText(ctx, id, number); return one(text, err) }})
		}
	}
	for _, id := range c.tasks {
		list = append(list, look{"TaskPlan " + id, false, func() ([]string, error) {
			w, err := s.Tasks().Plan(ctx, tasks.Caller{}, id)
			return one(fmt.Sprint(id, w.Tasks), err)
		}})
	}
	list = append(list, look{"TaskPast of " + c.tasks[0], false, func() ([]string, error) {
		past, err := s.Tasks().Past(ctx, tasks.Caller{}, c.worked)
		if err != nil {
			return nil, err
		}
		return one(fmt.Sprint(c.tasks[0], past.Attempts[0].Report.Summary), nil)
	}})
	for _, id := range c.drafts {
		list = append(list, look{"Draft " + id, false, func() ([]string, error) {
			w, err := s.Drafts().Plan(ctx, id)
			return one(fmt.Sprint(id, w.Draft.Output("brief")), err)
		}})
	}
	for _, a := range c.asks {
		list = append(list,
			look{"Ask " + a.ID, false, func() ([]string, error) { got, err := s.Ask(ctx, a.ID); return asks([]store.Ask{got}, err) }},
			look{"AsksNow " + a.ID, false, func() ([]string, error) { return asks(s.AsksNow(ctx, a.ID)) }},
			look{"Entry " + a.ID, false, func() ([]string, error) {
				e, ok, err := s.Entry(ctx, a.ID)
				return one(fmt.Sprint(e.Fields["why"].Text, ok), err)
			}},
		)
	}
	return list
}

// hurtBy holds, for families whose keys do not name what a record is about, the readings
// that may fail or differ when a record of the family is damaged.
var hurtBy = map[kv.Key]string{
	"q/": "^Queue", "b/": "^PutOffs", "n/": "^PlanFile", "k/": "^Standing",
	// Texts, of whatever record refers to the chunk. Lists without texts are whole.
	"x/": "^(Ask|TaskPlan|TaskPast|Draft|AsksNow|Asks of|Undelivered|UndeliveredIn|Due|PlanText|WholeAsks|WholePlans)\\b",
	// This damage hurts no reading: it only makes visible what is being swept away.
	"gone": "^$",
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// TestAnyDamageHidesNothingElse damages each record of a store, and reads everything. A
// reading fails only if it is about the same thing as the record, and its error says so. A
// list has all other lines and, where it can, a line for the damaged record, too.
//
// By default each record is damaged in one of the three ways, in turn, and the second
// session is left alone: its records are of the same kinds as those of the first. Where all
// cases are tried, each record is damaged in each way, and nonsense also stands in those of
// the second session. Nothing is damaged in a file: each reading opens it, and that both
// engines tell damage alike is what kvtest.TestEngine holds.
func TestAnyDamageHidesNothingElse(t *testing.T) {
	t.Parallel()
	ways := []string{"nonsense in memory", "a newer planb's", "unread in memory"}
	for nth, name := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			damages()[name](t, func(open func() kv.Engine, hurt func(kv.Key)) {
				engine := open()
				c := collect(t, engine)
				before := readAll(c.looks(t))
				for i, r := range storetest.All(t, engine, "") {
					switch {
					case r.Key == store.FormatKey:
						continue // if it is damaged, the whole store is
					case !storetest.Whole() && (i%len(ways) != nth || c.ofSecond(r.Key)), nth > 0 && c.ofSecond(r.Key):
						continue
					}
					hurt(r.Key)
					wantAround(t, c, r.Key, before)
					storetest.PutBytes(t, engine, r.Key, r.Value)
				}
			})
		})
	}
}

// ofSecond reports whether the key names the second session or what belongs to it.
func (c *collection) ofSecond(key kv.Key) bool {
	ids := []string{c.sessions[1].ID, c.tasks[1]}
	for _, a := range c.asks {
		if a.Session == c.sessions[1].ID {
			ids = append(ids, a.ID)
		}
	}
	return slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(string(key), id) })
}

// reading is what a look gave.
type reading struct {
	lines []string
	err   error
}

func readAll(looks []look) []reading {
	var list []reading
	for _, l := range looks {
		lines, err := l.read()
		list = append(list, reading{lines, err})
	}
	return list
}

// wantAround compares all readings with those before the damage.
func wantAround(t *testing.T, c *collection, key kv.Key, before []reading) {
	t.Helper()
	about := uuids.FindAllString(string(key), -1)
	if family := ledger.Family(key); len(about) > 1 && family != "p/" {
		about = about[len(about)-1:] // the ask of an index, not its session
	}
	isAbout := func(text string) bool {
		return slices.ContainsFunc(about, func(id string) bool { return strings.Contains(text, id) })
	}
	allowed, told := hurtBy[ledger.Family(key)]
	mayDiffer := regexp.MustCompile(allowed)
	for i, l := range c.looks(t) {
		lines, err := l.read()
		if before[i].err != nil {
			t.Fatalf("%s of a sound store: %v", l.name, before[i].err)
		}
		mayDiffer := told && mayDiffer.MatchString(l.name)
		switch {
		case err != nil && !store.AboutOneRecord(err):
			t.Errorf("with a damaged %s, %s fails as a whole: %v", key, l.name, err)
		case err != nil && l.whole:
			t.Errorf("with a damaged %s, %s fails, and should name it: %v", key, l.name, err)
		case err != nil && !mayDiffer && !isAbout(l.name) && !isAbout(strings.Join(before[i].lines, " ")):
			t.Errorf("with a damaged %s, %s fails: %v", key, l.name, err)
		case err == nil && l.whole && len(lines) != len(before[i].lines):
			t.Errorf("with a damaged %s, %s has %d lines instead of %d", key, l.name, len(lines), len(before[i].lines))
		case err != nil || mayDiffer:
		default:
			left := slices.DeleteFunc(slices.Clone(lines), isAbout)
			if want := slices.DeleteFunc(slices.Clone(before[i].lines), isAbout); !isAbout(l.name) && !slices.Equal(left, want) {
				t.Errorf("with a damaged %s, %s has\n%s\nwant\n%s", key, l.name, strings.Join(left, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}
