package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/mcp"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
)

// others is a store with an open ask, an answered one and a saved plan of a project
// that is none of the connection's.
type others struct {
	*world
	project        string // its directory
	session        string
	open, answered store.Ask
}

func newOthers(t *testing.T, change func(*mcp.Config)) others {
	t.Helper()
	o := others{world: newWorld(t, change), project: t.TempDir()}
	session, err := o.store.CreateSession(t.Context(), store.Session{
		Title: safe.New("Hidden matters"), Project: safe.New(o.project), Client: store.Client{Name: safe.New("test")},
	})
	if err != nil {
		t.Fatal(err)
	}
	o.session = session.ID
	for _, ask := range []*store.Ask{&o.open, &o.answered} {
		spec, err := questions.Parse(json.RawMessage(fmt.Sprintf(
			`{"title":"Hidden %p","questions":[{"id":"name","kind":"text","label":"Which?"}]}`, ask)))
		if err != nil {
			t.Fatal(err)
		}
		if *ask, _, err = o.store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec, Client: session.Client}); err != nil {
			t.Fatal(err)
		}
	}
	o.submit(o.answered.ID, "harbour")
	if _, _, err := o.store.SavePlan(t.Context(), session.ID, "Hidden plan", "# Hidden"); err != nil {
		t.Fatal(err)
	}
	return o
}

// untouched fails the test if the other project's asks are not as they were.
func (o others) untouched(what string) {
	o.t.Helper()
	if now := o.ask(o.open.ID); now.Outcome.State != questions.Pending {
		o.t.Errorf("%s: the open ask is %s", what, now.Outcome.State)
	}
	if o.delivered(o.answered.ID) {
		o.t.Errorf("%s: the answer counts as delivered", what)
	}
}

// parts are what of an id names it in other places than whole.
func parts(id string) []string {
	short := store.ShortID(id)
	return []string{short, short[:4], strings.ToUpper(short)}
}

func TestAConnectionSeesItsProjectAlone(t *testing.T) {
	o := newOthers(t, nil)
	c := connect(t, o.Server)
	c.initialize("test")
	own := c.session()
	secret := func(what, said string) {
		t.Helper()
		for _, hidden := range []string{"Hidden", "harbour", o.session, o.open.ID, o.answered.ID} {
			if strings.Contains(said, hidden) {
				t.Errorf("%s tells %q:\n%s", what, hidden, said)
			}
		}
		o.untouched(what)
	}
	list, _ := c.readResource("planb://sessions")
	secret("the list of sessions", list)
	if !strings.Contains(list, own) {
		t.Errorf("the connection's own session is not listed:\n%s", list)
	}
	for _, uri := range []string{
		"planb://sessions/" + o.session, "planb://sessions/" + o.session + "/plans/1", "planb://sessions/" + o.session + "/asks/" + o.answered.ID,
	} {
		for _, method := range []string{"resources/read", "resources/subscribe"} {
			if r := c.request(method, map[string]any{"uri": uri}); r.Error == nil || !strings.Contains(r.Error.Message, "There is no resource") {
				t.Errorf("%s of %s answers %s", method, uri, r.line)
			}
		}
	}
	for _, argument := range []map[string]any{{"name": "id", "value": ""}, {"name": "id", "value": "hidden"}, {"name": "n", "value": ""}, {"name": "askId", "value": ""}} {
		for _, template := range []string{"planb://sessions/{id}", "planb://sessions/{id}/plans/{n}", "planb://sessions/{id}/asks/{askId}"} {
			r := c.request("completion/complete", map[string]any{
				"ref": map[string]any{"type": "ref/resource", "uri": template}, "argument": argument,
				"context": map[string]any{"arguments": map[string]any{"id": o.session}},
			})
			secret("completion", string(r.Result))
			if argument["name"] != "id" && !strings.Contains(string(r.Result), `"values":[]`) {
				t.Errorf("%v of a hidden session is completed: %s", argument, r.Result)
			}
		}
	}
	for _, id := range append(parts(o.open.ID), parts(o.answered.ID)...) {
		for _, more := range []map[string]any{{}, {"withdraw": true}, {"waitSeconds": 0}} {
			more["askId"] = id
			got := c.tool("get_answer", more)
			secret(fmt.Sprint("get_answer ", more), got.text())
			if !got.IsError || !strings.HasPrefix(got.text(), "Unknown askId") {
				t.Errorf("get_answer %v says %q", more, got.text())
			}
		}
	}
	for _, path := range []string{o.project, o.project + "/", "file://" + o.project} {
		got := c.tool("init_planb_session", map[string]any{"projectPath": path})
		secret("init_planb_session "+path, got.text())
		if got.data["projectPath"] != o.project {
			t.Errorf("the session for %s is of %v", path, got.data["projectPath"])
		}
		// A session made there is the connection's own, and shows no more of the project.
		again, _ := c.readResource("planb://sessions/" + got.data["sessionId"].(string))
		secret("that session", again)
	}
	list, _ = c.readResource("planb://sessions")
	secret("the list after a session was made there", strings.ReplaceAll(list, o.project, ""))
}

// Whoever was given the whole id may read the answer. Only an agent of the project
// may withdraw it.
func TestAWholeIDReadsAnAnswerAndWithdrawsNothing(t *testing.T) {
	o := newOthers(t, nil)
	c := connect(t, o.Server)
	c.initialize("test")
	if got := c.tool("get_answer", map[string]any{"askId": o.answered.ID}); got.text() != `{"name":"harbour"}` {
		t.Errorf("reading it gives %q", got.text())
	}
	o.untouched("reading")
	for _, args := range []map[string]any{
		{"askId": o.open.ID, "withdraw": true}, {"askId": o.open.ID, "sessionId": o.session, "withdraw": true},
	} {
		if got := c.tool("get_answer", args); !got.IsError || !strings.Contains(got.text(), "is of another project, so it was not withdrawn") {
			t.Errorf("withdrawing it says %q", got.text())
		}
	}
	if now := o.ask(o.open.ID); now.Outcome.State != questions.Pending {
		t.Errorf("the ask is %s", now.Outcome.State)
	}
}

func TestAllProjectsLiftsTheScope(t *testing.T) {
	o := newOthers(t, func(cfg *mcp.Config) { cfg.AllProjects = true })
	c := connect(t, o.Server)
	c.initialize("test")
	if list, _ := c.readResource("planb://sessions"); !strings.Contains(list, o.session) {
		t.Errorf("the session is not listed:\n%s", list)
	}
	if text, _ := c.readResource("planb://sessions/" + o.session); !strings.Contains(text, "Hidden plan") {
		t.Errorf("the session is not read:\n%s", text)
	}
	if got := c.tool("get_answer", map[string]any{"askId": store.ShortID(o.open.ID), "withdraw": true}); got.IsError {
		t.Errorf("withdrawing by a short id says %q", got.text())
	}
	if now := o.ask(o.open.ID); now.Outcome.State != questions.Withdrawn {
		t.Errorf("the ask is %s", now.Outcome.State)
	}
}

// All roots of a client are its projects, and they may change.
func TestEveryRootIsAProjectOfTheConnection(t *testing.T) {
	o := newOthers(t, nil)
	c := connect(t, o.Server)
	c.initializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
	names := func(roots ...string) {
		t.Helper()
		var list []any
		for _, root := range roots {
			list = append(list, map[string]any{"uri": "file://" + root})
		}
		asked := <-c.asks
		c.send(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": map[string]any{"roots": list}})
	}
	sees := func() bool {
		r := c.request("resources/read", map[string]any{"uri": "planb://sessions"})
		return strings.Contains(string(r.Result), o.session)
	}
	go names("/srv/other", o.project)
	if !sees() {
		t.Error("the second root's session is not listed")
	}
	c.notify("notifications/roots/list_changed", nil)
	go names("/srv/other")
	if sees() {
		t.Error("the session is listed, though its root was taken out")
	}
}

// Two containers have the same paths. Each sees its own sessions, also after it was
// built anew under its name.
func TestTwoContainersWithOneStoreKeepApart(t *testing.T) {
	engine := kvtest.NewMap()
	container := func(name string) *client {
		w := worldOver(t, store.New(engine, store.Options{Machine: name}), func(cfg *mcp.Config) { cfg.WorkingDir = "/workspace" })
		c := connect(t, w.Server)
		c.initialize("test")
		return c
	}
	look := &world{t: t, store: store.New(engine, store.Options{})}
	one := container("one")
	session := one.session()
	ask := cancelledAsk(look, one, session)
	if err := one.end(); err != nil {
		t.Fatal(err)
	}
	look.submit(ask.ID, "harbour")

	two := container("two")
	if got := two.tool("init_planb_session", nil); len(got.texts()) != 1 {
		t.Errorf("the other container is told %q", got.texts())
	}
	if list, _ := two.readResource("planb://sessions"); strings.Contains(list, session) {
		t.Errorf("the other container sees %s", list)
	}
	rebuilt := container("one")
	got := rebuilt.tool("init_planb_session", nil)
	if texts := got.texts(); !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, `{"name":"harbour"}`) }) {
		t.Errorf("built anew, the container is told %q", texts)
	}
	until(t, "it counts as delivered", func() bool { return look.delivered(ask.ID) })
}
