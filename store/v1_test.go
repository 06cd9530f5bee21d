package store_test

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// The file of version 1 was written once, by
//
//	go test ./store -run TestVersion1 -write-version-1
//
// and is never written again: it stands for what people have on their disks.
// Every later planb must read it as golden.json beside it says, and work on.
var writeVersion1 = flag.Bool("write-version-1", false, "write testdata/store/v1, if it is not there")

const version1 = "../testdata/store/v1"

func TestVersion1OpensForEver(t *testing.T) {
	t.Parallel()
	if *writeVersion1 {
		writeVersion1Store(t)
	}
	golden, err := os.ReadFile(filepath.Join(version1, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal([]byte(tell(t, copyOfVersion1(t))), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(golden, &want); err != nil {
		t.Fatal(err)
	}
	holds(t, "store", got, want)
}

// holds checks that everything wanted is in got; a later planb may tell more.
func holds(t *testing.T, at string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		fields, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %v, want an object", at, got)
		}
		for name := range want {
			holds(t, at+"."+name, fields[name], want[name])
		}
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			t.Errorf("%s is %v, want %v", at, got, want)
			return
		}
		for i := range want {
			holds(t, fmt.Sprint(at, "[", i, "]"), items[i], want[i])
		}
	default:
		if got != want {
			t.Errorf("%s is %#v, want %#v", at, got, want)
		}
	}
}

func TestVersion1IsWorkedOn(t *testing.T) {
	ctx := t.Context()
	s := copyOfVersion1(t)
	waiting, err := s.Waiting(ctx)
	if err != nil || len(waiting) == 0 {
		t.Fatalf("%d asks wait, %v", len(waiting), err)
	}
	for _, ask := range waiting {
		if err := s.SaveDraft(ctx, ask.ID, draftOf("more")); err != nil {
			t.Error(err)
		}
		if _, err := s.Settle(ctx, ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("now")}); err != nil {
			t.Error(err)
		}
		if err := s.Deliver(ctx, ask.ID); err != nil {
			t.Error(err)
		}
	}
	if waiting, err = s.Waiting(ctx); err != nil || len(waiting) > 0 {
		t.Errorf("%q wait, %v", titles(waiting), err)
	}
	sessions, _, err := s.Sessions(ctx, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		plan, _, err := s.SavePlan(ctx, session.ID, "", "the next")
		if err != nil || plan.Number != session.Plans+1 {
			t.Errorf("version %d after %d, %v", plan.Number, session.Plans, err)
		}
		openAsk(t, s, session.ID, "the next", "here")
	}
}

func copyOfVersion1(t *testing.T) *store.Store {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(version1, "planb.db"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "planb.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return newStore(t, openBolt(t, path))
}

// tell returns all that the store tells about everything in it, as JSON.
func tell(t *testing.T, s *store.Store) string {
	t.Helper()
	ctx := t.Context()
	type toldAsk struct {
		store.Ask
		Spec  json.RawMessage
		Draft *questions.Draft `json:",omitempty"`
		Prior string           `json:",omitempty"`
		Claim *store.Claim     `json:",omitempty"`
	}
	type toldPlan struct {
		store.Plan
		Text string
	}
	type toldSession struct {
		store.Session
		Asks             []toldAsk
		Plans            []toldPlan
		Due, Undelivered []string
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ids := func(asks []store.Ask, err error) []string {
		t.Helper()
		must(err)
		list := []string{}
		for _, a := range asks {
			list = append(list, a.ID)
		}
		return list
	}
	told := struct {
		Sessions []toldSession
		Waiting  []string
		Queue    map[string][]string
		Project  []string
		Waited   bool
		Served   store.Claim
	}{
		Waiting: ids(s.Waiting(ctx)),
		Queue:   map[string][]string{},
		Project: ids(undeliveredIn(ctx, s, "/srv/project")),
	}
	for _, place := range []string{"window 1", "window 2"} {
		told.Queue[place] = ids(s.Queue(ctx, place))
	}
	claim, served, err := s.Alive(ctx, store.PlaceClaim("window 1"))
	must(err)
	if served {
		told.Served = claim
	}
	sessions, _, err := s.Sessions(ctx, "", 100)
	must(err)
	for _, session := range sessions {
		one := toldSession{Session: session, Due: ids(s.Due(ctx, session.ID)), Undelivered: ids(s.Undelivered(ctx, session.ID))}
		for _, id := range ids(s.Asks(ctx, session.ID)) {
			ask, err := s.FindAsk(ctx, store.ShortID(id))
			must(err)
			a := toldAsk{Ask: ask, Spec: ask.Spec.Canonical()}
			draft, has, err := s.Draft(ctx, id)
			must(err)
			if has {
				a.Draft = &draft
			}
			prior, has, err := s.Prior(ctx, ask)
			must(err)
			if has {
				a.Prior = prior.ID
			}
			claim, has, err := s.Alive(ctx, store.ShowClaim(id, "pane"))
			must(err)
			if has {
				a.Claim = &claim
			}
			waited, err := s.AliveAny(ctx, store.WaitClaims(id))
			must(err)
			told.Waited = told.Waited || waited
			one.Asks = append(one.Asks, a)
		}
		plans, err := s.Plans(ctx, session.ID)
		must(err)
		for _, plan := range plans {
			text, err := s.PlanText(ctx, session.ID, plan.Number)
			must(err)
			one.Plans = append(one.Plans, toldPlan{plan, text.Raw()})
		}
		told.Sessions = append(told.Sessions, one)
	}
	data, err := json.Marshal(told)
	must(err)
	var plain any
	must(json.Unmarshal(data, &plain))
	data, err = json.MarshalIndent(shortened(plain), "", "  ")
	must(err)
	return string(data) + "\n"
}

// shortened replaces long texts by their length and digest.
func shortened(value any) any {
	switch v := value.(type) {
	case string:
		if len(v) > 200 {
			return fmt.Sprintf("%d bytes, SHA-256 %x", len(v), sha256.Sum256([]byte(v)))
		}
	case []any:
		for i := range v {
			v[i] = shortened(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = shortened(v[name])
		}
	}
	return value
}

func writeVersion1Store(t *testing.T) {
	t.Helper()
	path := filepath.Join(version1, "planb.db")
	if _, err := os.Stat(path); err == nil {
		t.Fatalf("%s is there; it is never written again", path)
	}
	engine := openBolt(t, path)
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	s := store.New(engine, store.Options{By: "person@desk", Now: func() time.Time {
		now = now.Add(1234567891 * time.Nanosecond)
		return now
	}})
	fillVersion1(t, s)
	for _, name := range []string{"planb.db.turn", "planb.db.bell"} {
		if err := os.Remove(filepath.Join(version1, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	golden := tell(t, copyOfVersion1(t))
	if err := os.WriteFile(filepath.Join(version1, "golden.json"), []byte(golden), 0o644); err != nil {
		t.Fatal(err)
	}
}

// version1Form has every kind of question.
const version1Form = `{
 "title": "How shall it be built?",
 "intro": "# The house\nA *form* with every kind of question.",
 "questions": [
  {"id": "name", "kind": "text", "label": "Its name", "required": true, "placeholder": "short"},
  {"id": "why", "kind": "longtext", "label": "Why?", "tab": "Reasons", "description": "In **your** words."},
  {"id": "roof", "kind": "single", "label": "Which roof?", "default": "flat", "options": [
    {"value": "flat", "label": "Flat", "description": "cheap", "markdown": "` + "```\\n____\\n```" + `"},
    {"value": "gable <&>", "label": "Gable"}]},
  {"id": "rooms", "kind": "multi", "label": "Which rooms?", "options": ["kitchen", "attic", "cellar"], "other": false},
  {"id": "floors", "kind": "scale", "label": "How many floors?", "min": 1, "max": 4, "step": 0.5}
 ]
}`

// fillVersion1 does everything once that leaves something in the store.
func fillVersion1(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	spec, err := questions.Parse([]byte(version1Form))
	must(err)
	long := strings.Repeat("A long text, of several chunks. \u202e\x1b[2J\n", 20_000)
	session := func(title, project string) store.Session {
		session, err := s.CreateSession(ctx, store.Session{
			Title: safe.New(title), Intent: safe.New("build a house"), Project: safe.New(project),
			Client: store.Client{Name: safe.New("claude-code"), Title: safe.New("Claude Code"), Version: safe.New("2.0")},
		})
		must(err)
		return session
	}
	ask := func(in store.Session, title, place string) store.Ask {
		named := spec
		named.Title = safe.New(title)
		made, _, err := s.OpenAsk(ctx, store.Ask{
			Session: in.ID, Spec: named, Place: place, Client: in.Client, Timeout: 24 * time.Hour,
		})
		must(err)
		return made
	}
	settle := func(a store.Ask, outcome questions.Outcome) {
		_, err := s.Settle(ctx, a.ID, outcome)
		must(err)
	}
	reply := questions.Reply{
		Answers: map[string]questions.Value{
			"name":   questions.TextValue("Haus\tam \x1b[31mSee"),
			"why":    questions.TextValue("because\nit is cold"),
			"roof":   questions.TextValue("thatched, and no option"),
			"rooms":  questions.ItemsValue("cellar", "kitchen"),
			"floors": questions.NumberValue(2.5),
		},
		Notes: map[string]safe.Text{"roof": safe.New("not the neighbour's")},
		Note:  safe.New("on the whole"),
	}
	longReply := questions.Reply{Answers: map[string]questions.Value{
		"name": questions.TextValue("n"), "why": questions.TextValue(long),
	}}

	empty := session("", "")
	first, second := session("The house \x1b]0;evil\x07", "/srv/project"), session("The garden", "/srv/project")

	told := ask(first, "answered, late ones too, delivered", "window 1")
	must(s.MarkShown(ctx, told.ID))
	settle(told, questions.Outcome{State: questions.Answered, Reply: reply, By: "person@desk"})
	for _, late := range []questions.Outcome{
		{State: questions.Declined, Message: safe.New("too late"), By: "other@laptop"},
		{State: questions.Answered, Reply: longReply, By: "other@laptop"},
	} {
		if _, err := s.Settle(ctx, told.ID, late); err == nil {
			t.Fatal("a late outcome won")
		}
	}
	must(s.Deliver(ctx, told.ID))
	ask(first, "answered, late ones too, delivered", "window 1") // asked anew

	settle(ask(first, "answered at length", "window 1"), questions.Outcome{State: questions.Answered, Reply: longReply})
	settle(ask(first, "discussed", "window 2"), questions.Outcome{State: questions.Discuss, Message: safe.New("why a house?"),
		Reply: questions.Reply{Answers: map[string]questions.Value{"floors": questions.NumberValue(1)}}})
	declined := ask(second, "declined", "window 2")
	settle(declined, questions.Outcome{State: questions.Declined, Message: safe.New("none of your business")})
	must(s.Deliver(ctx, declined.ID))
	settle(ask(second, "withdrawn", "window 2"), questions.Outcome{State: questions.Withdrawn})

	expired := ask(second, "expired, with a long draft", "window 1")
	must(s.SaveDraft(ctx, expired.ID, draftOf(long)))
	_, err = s.Expire(ctx, expired.ID, expired.Asked)
	must(err)
	settle(func() store.Ask {
		a := ask(second, "expired, then answered", "window 1")
		_, err := s.Expire(ctx, a.ID, a.Asked)
		must(err)
		return a
	}(), questions.Outcome{State: questions.Answered, Reply: reply})
	moved := ask(second, "asked again at another place, with a draft", "window 1")
	ask(second, "asked again at another place, with a draft", "window 2")
	must(s.SaveDraft(ctx, moved.ID, draftOf("short")))
	ask(empty, "without a place", "")

	for _, text := range []string{"# Plan\n\nOne.\n", "# Plan\n\nTwo.\n", long} {
		_, _, err := s.SavePlan(ctx, first.ID, "The plan", text)
		must(err)
	}
	claim := store.Claim{Owner: "person@desk#1", Counter: 7, TTL: 10 * time.Second, PID: 4711, Start: "815", Boot: "boot", Host: "desk", Note: "planb tui ask"}
	for _, key := range []store.Key{store.ShowClaim(moved.ID, "pane"), store.PlaceClaim("window 1"), store.WaitClaim(moved.ID, "a server")} {
		putRecord(t, s.Engine(), key, store.ClaimRecord(claim))
	}
}
