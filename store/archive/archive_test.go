package archive_test

import (
	"bytes"
	"encoding/json"
	"iter"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
	"planb/store/kv/kvtest"
)

func newStore() *store.Store { return store.New(kvtest.NewMap(), store.Options{By: "ann@desk"}) }

func only(sessions ...archive.Session) iter.Seq2[archive.Session, error] {
	return func(yield func(archive.Session, error) bool) {
		for _, s := range sessions {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// fataler stands in for testing.TB, which rapid.T does not implement.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func jsonOf(t fataler, sessions ...archive.Session) string {
	t.Helper()
	var out bytes.Buffer
	if err := archive.WriteJSON(&out, only(sessions...)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(archive.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:planb:export:1", document); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("urn:planb:export:1")
}

func fits(t fataler, s *jsonschema.Schema, document string) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(document)))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
}

// lived is a session made through the store: every outcome, late words, notes,
// two versions.
func lived(t *testing.T, s *store.Store) archive.Session {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	session, err := s.CreateSession(ctx, store.Session{
		Title: safe.New("Move <the> store"), Intent: safe.New("one file & no server"), Project: safe.New("/home/ann/proj"),
		Client: store.Client{Name: safe.New("claude-code"), Version: safe.New("2.1")},
	})
	must(err)
	ask := func(title string) store.Ask {
		spec, err := questions.Parse([]byte(`{"title":` + string(quoted(title)) + `,"intro":"# Hi\n\n<b>","questions":[
			{"id":"db","kind":"single","label":"Which?","options":["a",{"value":"b","label":"B","markdown":"*b*"}],"required":true,"default":"a"},
			{"id":"n","kind":"scale","label":"How much?","min":0,"max":1,"step":0.1,"tab":"More"},
			{"id":"t","kind":"longtext","label":"Why?","placeholder":"because"},
			{"id":"m","kind":"multi","label":"Which of these?","options":["x","y"],"other":false}]}`))
		must(err)
		opened, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: spec, Place: "tmux:1", Timeout: time.Hour})
		must(err)
		return opened
	}
	reply := questions.Reply{
		Answers: map[string]questions.Value{
			"db": questions.TextValue("own words"), "n": questions.NumberValue(0.3), "m": questions.ItemsValue("x"),
		},
		Notes: map[string]safe.Text{"db": safe.New("not sure")},
		Note:  safe.New("see you"),
	}
	settle := func(title string, o questions.Outcome) store.Ask {
		opened := ask(title)
		settled, err := s.Settle(ctx, opened.ID, o)
		must(err)
		return settled
	}
	answered := settle("answered", questions.Outcome{State: questions.Answered, Reply: reply})
	must(s.MarkShown(ctx, answered.ID))
	must(s.Deliver(ctx, answered.ID))
	if _, err := s.Settle(ctx, answered.ID, questions.Outcome{State: questions.Declined, Message: safe.New("too late")}); err == nil {
		t.Fatal("a second outcome won")
	}
	settle("untold", questions.Outcome{State: questions.Answered, Reply: reply})
	settle("discussed", questions.Outcome{State: questions.Discuss, Reply: reply, Message: safe.New("what is b?")})
	settle("declined", questions.Outcome{State: questions.Declined, Message: safe.New("no")})
	settle("withdrawn", questions.Outcome{State: questions.Withdrawn})
	expired := ask("expired")
	_, err = s.Expire(ctx, expired.ID, expired.Asked)
	must(err)
	ask("pending")
	for _, text := range []string{"# Plan\n", "# Plan\r\n\nmore\x00"} {
		_, _, err := s.SavePlan(ctx, session.ID, "A title", text)
		must(err)
	}
	text := safe.New("# Plan\r\n\nmore\x00")
	said, err := review.Brief(plans.Digest(text), review.RequestChanges, safe.New("Say <b>why</b>.")).JSON()
	must(err)
	spec := questions.ReviewOf(safe.New("A review"), questions.PlanRef{Number: 2, Digest: plans.Digest(text), Since: "x", Done: []string{"c1"}})
	opened, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: spec, Place: "tmux:1"})
	must(err)
	_, err = s.Settle(ctx, opened.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))}}})
	must(err)
	all, err := archive.Read(ctx, s, session.ID)
	must(err)
	return all
}

func quoted(text string) []byte {
	data, _ := json.Marshal(text) // a string can always be encoded
	return data
}

func TestExportFitsItsSchema(t *testing.T) {
	t.Parallel()
	compiled := schema(t)
	s := newStore()
	all := lived(t, s)
	if len(all.Asks) != 8 || len(all.Plans) != 2 {
		t.Fatalf("%d asks and %d plans were read", len(all.Asks), len(all.Plans))
	}
	fits(t, compiled, jsonOf(t, all))
	fits(t, compiled, jsonOf(t))
	fits(t, compiled, jsonOf(t, all, all))
	rapid.Check(t, func(rt *rapid.T) { fits(rt, compiled, jsonOf(rt, session().Draw(rt, "session"))) })
}

// session draws sessions that no tool would ever make, but that any tool could
// make.
func session() *rapid.Generator[archive.Session] {
	return rapid.Custom(func(t *rapid.T) archive.Session {
		at := rapid.Custom(func(t *rapid.T) time.Time {
			return time.Unix(rapid.Int64Range(0, 9e9).Draw(t, "s"), rapid.SampledFrom([]int64{0, 1e6, 930e6, 1}).Draw(t, "ns")).UTC()
		})
		id := rapid.Map(rapid.SliceOfN(rapid.Byte(), 16, 16), uuidOf)
		text := rapid.Map(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "<&>", "\u2028", "a\x00b\x1b[31m", "# H\n```\n"})), safe.New)
		s := archive.Session{Session: store.Session{
			ID: id.Draw(t, "id"), Title: text.Draw(t, "title"), Intent: text.Draw(t, "intent"), Project: text.Draw(t, "project"),
			Client: store.Client{Name: text.Draw(t, "client")}, Created: at.Draw(t, "created"), Updated: at.Draw(t, "updated"),
		}}
		if rapid.Bool().Draw(t, "archived") {
			s.Archived = s.Updated
		}
		for i := range rapid.IntRange(0, 5).Draw(t, "asks") {
			spec := specs()[rapid.IntRange(0, len(specs())-1).Draw(t, "spec")]
			reply := questions.Reply{}
			if rapid.Bool().Draw(t, "replied") {
				reply.Answers = map[string]questions.Value{}
				if rapid.Bool().Draw(t, "text") {
					reply.Answers["t"] = questions.TextValue(text.Draw(t, "answer").Raw() + "x")
					reply.Notes = map[string]safe.Text{"t": text.Draw(t, "note")}
				}
			}
			outcome := rapid.Custom(func(t *rapid.T) questions.Outcome {
				o := questions.Outcome{
					State: rapid.SampledFrom([]questions.State{"pending", "expired", "answered", "discuss", "declined", "withdrawn"}).Draw(t, "state"),
					At:    at.Draw(t, "at"), Message: text.Draw(t, "message"), By: "ann@desk",
				}
				if o.State == questions.Answered || o.State == questions.Discuss {
					o.Reply = reply
				}
				return o
			})
			id := []byte(uuidOf(bytes.Repeat([]byte{byte(i + 1)}, 16)))
			copy(id, s.ID[:8])
			ask := store.Ask{
				ID: string(id), Session: s.ID, Spec: spec, Place: "p", Client: s.Client,
				Created: at.Draw(t, "askedFirst"), Asked: at.Draw(t, "asked"), Shown: at.Draw(t, "shown"),
				Timeout: time.Duration(rapid.Int64Range(0, 1e18).Draw(t, "timeout")), Outcome: outcome.Draw(t, "outcome"),
			}
			if rapid.Bool().Draw(t, "late") {
				ask.TooLate = append(ask.TooLate, outcome.Draw(t, "late"))
			}
			if ask.Undelivered() && rapid.Bool().Draw(t, "told") {
				ask.Delivered = at.Draw(t, "delivered")
			}
			s.Asks = append(s.Asks, ask)
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "plans") {
			text := safe.New(rapid.OneOf(rapid.String(), rapid.Just("\xff\x00")).Draw(t, "plan"))
			s.Plans = append(s.Plans, store.WholePlan{Text: text, Plan: store.Plan{Session: s.ID, Version: plans.Version{
				Number: i + 1, Name: rapid.SampledFrom([]plans.Name{"", "a", "tasks/01a22973-2bea-7aad-9476-04551c650000"}).Draw(t, "name"), Title: safe.New("t"), Created: at.Draw(t, "saved"), By: "c", Bytes: len(text.Raw()), Digest: plans.Digest(text),
			}}})
		}
		return s
	})
}

func uuidOf(b []byte) string {
	const hex = "0123456789abcdef"
	var out []byte
	for i, c := range b {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			out = append(out, '-')
		}
		out = append(out, hex[c>>4], hex[c&15])
	}
	return string(out)
}

func specs() []questions.Spec {
	var list []questions.Spec
	for _, raw := range []string{
		`{"title":"A","questions":[{"id":"t","kind":"text","label":"T"}]}`,
		`{"title":"B <b>","introTitle":"First","intro":"# I","questions":[
			{"id":"t","kind":"longtext","label":"T","tab":"X","required":true,"placeholder":"p","description":"d","default":"z"},
			{"id":"s","kind":"single","label":"S","options":["a",{"value":"b","label":"B","description":"d","markdown":"m"}],"other":false,"default":"a"},
			{"id":"m","kind":"multi","label":"M","options":["a"]},
			{"id":"n","kind":"scale","label":"N","min":-1.5,"max":2,"step":0.25}]}`,
	} {
		spec, err := questions.Parse([]byte(raw))
		if err != nil {
			panic(err)
		}
		list = append(list, spec)
	}
	return list
}
