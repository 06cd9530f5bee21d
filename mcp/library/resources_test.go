package library_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
)

// history is a store with one session of everything, at a fixed time.
func history(t *testing.T) (w *mcptest.World, session string, asks []string) {
	t.Helper()
	now := time.Date(2026, 5, 17, 9, 0, 0, 0, time.UTC)
	s := store.New(kvtest.NewMap(), store.Options{By: "ann@desk", Now: func() time.Time { return now }})
	w = mcptest.WorldOver(t, s, func(cfg *mcp.Config) { cfg.WorkingDir = "/srv/shop" })
	ctx := t.Context()
	created, err := s.CreateSession(ctx, store.Session{
		Title: safe.New("Storage\nengines"), Intent: safe.New("Find one."), Project: safe.New("/srv/shop"), Client: store.Client{Title: safe.New("Codex")},
	})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(title string, outcome questions.Outcome) {
		opened, _, err := s.OpenAsk(ctx, store.Ask{Session: created.ID, Spec: questions.Spec{
			Title: safe.New(title), Questions: []questions.Question{
				{ID: "name", Kind: questions.Text, Label: safe.New("Which <one>?"), Tab: safe.New("Questions")},
				{ID: "why", Kind: questions.LongText, Label: safe.New("Why?"), Tab: safe.New("Questions")},
			},
		}})
		if err != nil {
			t.Fatal(err)
		}
		asks = append(asks, opened.ID)
		if outcome.State == "" {
			return
		}
		if _, err := s.Settle(ctx, opened.ID, outcome); err != nil {
			t.Fatal(err)
		}
	}
	ask("The engine", questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{"name": questions.TextValue("<bbolt>")},
		Notes:   map[string]safe.Text{"why": safe.New("later")},
	}})
	ask("The essay", questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{"why": questions.TextValue(strings.Repeat("because ", 500))},
	}})
	ask("The licence", questions.Outcome{State: questions.Declined, Message: safe.New("ask\nlegal")})
	ask("The rest", questions.Outcome{})
	for _, text := range []string{"# One", "# Two <b>"} {
		if _, _, err := s.SavePlan(ctx, created.ID, "Storage", text); err != nil {
			t.Fatal(err)
		}
	}
	return w, created.ID, asks
}

func TestWhatWasDecidedCanBeRead(t *testing.T) {
	w, session, asks := history(t)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	uri := "planb://sessions/" + session
	for _, test := range []struct{ uri, mime, want string }{
		{
			"planb://sessions", "text/markdown",
			"# planb sessions, newest first\n\n- " + uri + " Storage engines · /srv/shop · Codex · changed 2026-05-17 09:00 UTC · 4 asked · plan v2\n",
		},
		{uri, "text/markdown", `# Storage engines

Find one.

/srv/shop · Codex · changed 2026-05-17 09:00 UTC · 4 asked · plan v2

## Asked

- The engine (` + uri + "/asks/" + asks[0] + `): answered 2026-05-17 09:00 UTC by ann@desk: {"name":"<bbolt>"}
- The essay (` + uri + "/asks/" + asks[1] + `): answered 2026-05-17 09:00 UTC by ann@desk; read it for the answers, they are long
- The licence (` + uri + "/asks/" + asks[2] + `): declined 2026-05-17 09:00 UTC by ann@desk: ask legal
- The rest (` + uri + "/asks/" + asks[3] + `): not answered yet

## Plan, newest version first

- v2 Storage (` + uri + `/plans/2): 2026-05-17 09:00 UTC, 9 bytes
- v1 Storage (` + uri + `/plans/1): 2026-05-17 09:00 UTC, 5 bytes
`},
		{uri + "/plans/2", "text/markdown", "# Two <b>"},
		{uri + "/asks/" + asks[0], "application/json", `{
  "askId": "` + asks[0] + `",
  "sessionId": "` + session + `",
  "title": "The engine",
  "asked": "2026-05-17T09:00:00Z",
  "state": "answered",
  "at": "2026-05-17T09:00:00Z",
  "by": "ann@desk",
  "questions": [
    {
      "id": "name",
      "kind": "text",
      "label": "Which <one>?",
      "answer": "<bbolt>"
    },
    {
      "id": "why",
      "kind": "longtext",
      "label": "Why?",
      "note": "later"
    }
  ]
}`},
	} {
		text, mime := c.ReadResource(test.uri)
		if text != test.want || mime != test.mime {
			t.Errorf("%s: got %s\n%s\nwant %s\n%s", test.uri, mime, text, test.mime, test.want)
		}
	}
	if w.Delivered(asks[0]) {
		t.Error("an answer that was only read counts as delivered")
	}
}

func TestResourcesThatAreNotThere(t *testing.T) {
	w, session, asks := history(t)
	other, err := w.Store.CreateSession(t.Context(), store.Session{})
	if err != nil {
		t.Fatal(err)
	}
	c, later := mcptest.Connect(t, w.Server), mcptest.Connect(t, w.Server) // what later declares holds for its connection
	for _, uri := range []string{
		"planb://sessions/", "planb://sessions/nonsense", "planb://sessions/" + store.ShortID(session),
		"planb://sessions/" + session + "/plans/3", "planb://sessions/" + session + "/plans/0", "planb://sessions/" + session + "/plans/x",
		"planb://sessions/" + session + "/asks/" + session, "planb://sessions/" + other.ID + "/asks/" + asks[0],
		"planb://sessions/" + session + "/plans", "planb://sessions/" + session + "/plans/1/2", "planb://elsewhere", "file:///etc/passwd",
		"planb://tasks/" + other.ID, "planb://drafts/" + other.ID + "/files/report.md",
	} {
		wantNoResource(t, c.Request("resources/read", map[string]any{"uri": uri}), -32002, uri)
		wantNoResource(t, later.Request("resources/read", map[string]any{"uri": uri, "_meta": mcptest.Modern(nil)}), -32602, uri)
		wantNoResource(t, c.Request("resources/subscribe", map[string]any{"uri": uri}), -32002, uri)
	}
}

func wantNoResource(t *testing.T, r mcptest.Reply, code int, uri string) {
	t.Helper()
	list := "planb://sessions"
	for _, other := range []string{"planb://tasks", "planb://drafts"} {
		if strings.HasPrefix(uri, other+"/") {
			list = other
		}
	}
	said := fmt.Sprintf("There is no resource %q. Read %s for those there are.", uri, list)
	if r.Error == nil || r.Error.Code != code || r.Error.Message != said || string(r.Error.Data) != `{"uri":"`+uri+`"}` {
		t.Errorf("%s: got %s, want the error %d, %s", uri, r.Line, code, said)
	}
}

// unreadable is a store whose sessions can't be read.
type unreadable struct{ *store.Store }

func (unreadable) Session(context.Context, string) (store.Session, error) {
	return store.Session{}, mcptest.ErrTest
}

func TestAResourceThatCannotBeReadIsNoneThatIsNotThere(t *testing.T) {
	s := store.New(kvtest.NewMap(), store.Options{})
	c := mcptest.Connect(t, mcptest.WorldOver(t, s, func(cfg *mcp.Config) { cfg.Store = unreadable{s} }).Server)
	r := c.Request("resources/read", map[string]any{"uri": "planb://sessions/s"})
	if r.Error == nil || r.Error.Code != -32603 || r.Error.Message != "planb://sessions/s cannot be read: made to fail" {
		t.Errorf("got %s", r.Line)
	}
}

func TestResourcesAreListed(t *testing.T) {
	w, _, _ := history(t)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	if got := string(c.Request("resources/list", nil).Result); strings.Count(got, `"uri":`) != 1 || !strings.Contains(got, `"uri":"planb://sessions"`) {
		t.Errorf("got %s", got)
	}
	got := string(c.Request("resources/templates/list", nil).Result)
	for _, template := range []string{"planb://sessions/{id}", "planb://sessions/{id}/plans/{n}", "planb://sessions/{id}/asks/{askId}"} {
		if !strings.Contains(got, `"uriTemplate":"`+template+`"`) {
			t.Errorf("%s is not among %s", template, got)
		}
	}
}

func TestResourceArgumentsAreCompleted(t *testing.T) {
	w, session, asks := history(t)
	for i := range 101 {
		if _, err := w.Store.CreateSession(t.Context(), store.Session{Title: safe.New(fmt.Sprint("Many ", i)), Project: safe.New("/srv/shop")}); err != nil {
			t.Fatal(err)
		}
	}
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	newestFirst := slices.Clone(asks)
	slices.Reverse(newestFirst)
	for _, test := range []struct {
		template, name, value string
		given                 map[string]string
		want                  []string
		count                 int
		more                  bool
	}{
		{"planb://sessions/{id}", "id", session[:18], nil, []string{session}, 1, false},
		{"planb://sessions/{id}", "id", "STORAGE", nil, []string{session}, 1, false},
		{"planb://sessions/{id}/plans/{n}", "id", "engines", nil, []string{session}, 1, false},
		{"planb://sessions/{id}", "id", "many", nil, nil, 100, true},
		{"planb://sessions/{id}", "id", "nobody", nil, []string{}, 0, false},
		{"planb://sessions/{id}/plans/{n}", "n", "", map[string]string{"id": session}, []string{"2", "1"}, 2, false},
		{"planb://sessions/{id}/plans/{n}", "n", "1", map[string]string{"id": session}, []string{"1"}, 1, false},
		{"planb://sessions/{id}/plans/{n}", "n", "", nil, []string{}, 0, false},
		{"planb://sessions/{id}/asks/{askId}", "askId", "", map[string]string{"id": session}, newestFirst, 4, false},
		{"planb://sessions/{id}/asks/{askId}", "n", "", map[string]string{"id": session}, []string{}, 0, false},
		{"planb://elsewhere/{id}", "id", "", nil, []string{}, 0, false},
	} {
		r := c.Request("completion/complete", map[string]any{
			"ref":      map[string]any{"type": "ref/resource", "uri": test.template},
			"argument": map[string]any{"name": test.name, "value": test.value},
			"context":  map[string]any{"arguments": test.given},
		})
		var result struct {
			Completion struct {
				Values  []string
				HasMore bool
			}
		}
		if err := json.Unmarshal(r.Result, &result); err != nil {
			t.Fatalf("%s: %v", r.Line, err)
		}
		got := result.Completion
		if test.want != nil && !slices.Equal(got.Values, test.want) || len(got.Values) != test.count || got.HasMore != test.more {
			t.Errorf("%s of %s, %q: got %q, more: %v", test.name, test.template, test.value, got.Values, got.HasMore)
		}
	}
}

func TestAClientFollowsOnlySoManyResources(t *testing.T) {
	s := store.New(kvtest.NewMap(), store.Options{})
	c := mcptest.Connect(t, mcptest.WorldOver(t, s, nil).Server)
	c.Initialize("test")
	subscribe := func(uri string) mcptest.Reply { return c.Request("resources/subscribe", map[string]any{"uri": uri}) }
	for range 100 {
		session, err := s.CreateSession(t.Context(), store.Session{Project: safe.New("/srv/project")})
		if err != nil {
			t.Fatal(err)
		}
		if r := subscribe("planb://sessions/" + session.ID); r.Error != nil {
			t.Fatalf("%s", r.Line)
		}
	}
	r := subscribe("planb://sessions")
	if r.Error == nil || r.Error.Code != -32600 || r.Error.Message != "this client follows 100 resources already, the most there can be; unsubscribe from one first" {
		t.Errorf("got %s", r.Line)
	}
}

func TestChangesOfResourcesAreTold(t *testing.T) {
	t.Parallel()
	w, session, _ := history(t)
	plan := "planb://sessions/" + session + "/plans/1"
	uri := "planb://sessions/" + session
	for name, subscribe := range map[string]func(c *mcptest.Client) (told string, leave func()){
		"by a request": func(c *mcptest.Client) (string, func()) {
			c.Initialize("test")
			for _, one := range []string{uri, plan} {
				if r := c.Request("resources/subscribe", map[string]any{"uri": one}); r.Error != nil {
					t.Fatalf("%s", r.Line)
				}
			}
			if r := c.Request("resources/subscribe", map[string]any{"uri": uri + "0"}); r.Error == nil {
				t.Errorf("what is not there is followed: %s", r.Line)
			}
			return `{"uri":"` + uri + `"}`, func() { c.Request("resources/unsubscribe", map[string]any{"uri": uri}) }
		},
		"on a stream": func(c *mcptest.Client) (string, func()) {
			id := c.Start("subscriptions/listen", map[string]any{"_meta": mcptest.Modern(nil), "notifications": map[string]any{
				"resourceSubscriptions": []string{uri, plan, uri + "0"},
			}})
			mcptest.Until(t, "the stream is open", func() bool { return len(c.Notifications("notifications/subscriptions/acknowledged")) > 0 })
			opened := string(c.Notifications("notifications/subscriptions/acknowledged")[0].Params)
			if want := `"notifications":{"resourceSubscriptions":["` + uri + `","` + plan + `"]}`; !strings.Contains(opened, want) {
				t.Errorf("opened with %s, want %s", opened, want)
			}
			return `{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"uri":"` + uri + `"}`, func() {
				c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := mcptest.Connect(t, w.Server)
			want, leave := subscribe(c)
			change := func(text string) {
				if _, _, err := w.Store.SavePlan(t.Context(), session, "Storage", name+text); err != nil {
					t.Fatal(err)
				}
			}
			change("first")
			mcptest.Until(t, "the change is told", func() bool { return len(c.Updates()) > 0 })
			if _, err := w.Store.CreateSession(t.Context(), store.Session{}); err != nil { // which is another's change
				t.Fatal(err)
			}
			change("second")
			mcptest.Until(t, "the next change is told", func() bool { return len(c.Updates()) > 1 })
			leave()
			c.Request("ping", nil)
			told := len(c.Updates())
			change("third")
			c.Initialize("test") // its reply comes after what was told before
			if got := c.Updates(); len(got) != told || slices.ContainsFunc(got, func(told string) bool { return told != want }) {
				t.Errorf("told %q, want only %s", got, want)
			}
		})
	}
}
