package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/store"
	"planb/store/kv/kvtest"
)

// parts are what of an id names it in other places than whole.
func parts(id string) []string {
	short := store.ShortID(id)
	return []string{short, short[:4], strings.ToUpper(short)}
}

func TestAConnectionSeesItsProjectAlone(t *testing.T) {
	o := mcptest.NewOthers(t, nil)
	c := mcptest.Connect(t, o.Server)
	c.Initialize("test")
	own := c.Session()
	secret := func(what, said string) {
		t.Helper()
		for _, hidden := range []string{"Hidden", "harbour", o.Session, o.Open.ID, o.Answered.ID} {
			if strings.Contains(said, hidden) {
				t.Errorf("%s tells %q:\n%s", what, hidden, said)
			}
		}
		o.Untouched(what)
	}
	list, _ := c.ReadResource("planb://sessions")
	secret("the list of sessions", list)
	if !strings.Contains(list, own) {
		t.Errorf("the connection's own session is not listed:\n%s", list)
	}
	for _, uri := range []string{
		"planb://sessions/" + o.Session, "planb://sessions/" + o.Session + "/plans/1", "planb://sessions/" + o.Session + "/asks/" + o.Answered.ID,
	} {
		for _, method := range []string{"resources/read", "resources/subscribe"} {
			if r := c.Request(method, map[string]any{"uri": uri}); r.Error == nil || !strings.Contains(r.Error.Message, "There is no resource") {
				t.Errorf("%s of %s answers %s", method, uri, r.Line)
			}
		}
	}
	for _, argument := range []map[string]any{{"name": "id", "value": ""}, {"name": "id", "value": "hidden"}, {"name": "n", "value": ""}, {"name": "askId", "value": ""}} {
		for _, template := range []string{"planb://sessions/{id}", "planb://sessions/{id}/plans/{n}", "planb://sessions/{id}/asks/{askId}"} {
			r := c.Request("completion/complete", map[string]any{
				"ref": map[string]any{"type": "ref/resource", "uri": template}, "argument": argument,
				"context": map[string]any{"arguments": map[string]any{"id": o.Session}},
			})
			secret("completion", string(r.Result))
			if argument["name"] != "id" && !strings.Contains(string(r.Result), `"values":[]`) {
				t.Errorf("%v of a hidden session is completed: %s", argument, r.Result)
			}
		}
	}
	for _, id := range append(parts(o.Open.ID), parts(o.Answered.ID)...) {
		for _, more := range []map[string]any{{}, {"withdraw": true}, {"waitSeconds": 0}} {
			more["askId"] = id
			got := c.Tool("get_answer", more)
			secret(fmt.Sprint("get_answer ", more), got.Text())
			if !got.IsError || !strings.HasPrefix(got.Text(), "Unknown askId") {
				t.Errorf("get_answer %v says %q", more, got.Text())
			}
		}
	}
	for _, path := range []string{o.Project, o.Project + "/", "file://" + o.Project} {
		got := c.Tool("init_planb_session", map[string]any{"projectPath": path})
		secret("init_planb_session "+path, got.Text())
		if got.Data["projectPath"] != o.Project {
			t.Errorf("the session for %s is of %v", path, got.Data["projectPath"])
		}
		// A session made there is the connection's own, and shows no more of the project.
		again, _ := c.ReadResource("planb://sessions/" + got.Data["sessionId"].(string))
		secret("that session", again)
	}
	list, _ = c.ReadResource("planb://sessions")
	secret("the list after a session was made there", strings.ReplaceAll(list, o.Project, ""))
}

// Whoever was given the whole id may read the answer. Only an agent of the project
// may withdraw it.
func TestAWholeIDReadsAnAnswerAndWithdrawsNothing(t *testing.T) {
	o := mcptest.NewOthers(t, nil)
	c := mcptest.Connect(t, o.Server)
	c.Initialize("test")
	if got := c.Tool("get_answer", map[string]any{"askId": o.Answered.ID}); got.Text() != `{"name":"harbour"}` {
		t.Errorf("reading it gives %q", got.Text())
	}
	o.Untouched("reading")
	for _, args := range []map[string]any{
		{"askId": o.Open.ID, "withdraw": true}, {"askId": o.Open.ID, "sessionId": o.Session, "withdraw": true},
	} {
		if got := c.Tool("get_answer", args); !got.IsError || !strings.Contains(got.Text(), "is of another project, so it was not withdrawn") {
			t.Errorf("withdrawing it says %q", got.Text())
		}
	}
	if now := o.Ask(o.Open.ID); now.Outcome.State != questions.Pending {
		t.Errorf("the ask is %s", now.Outcome.State)
	}
}

func TestAllProjectsLiftsTheScope(t *testing.T) {
	o := mcptest.NewOthers(t, func(cfg *mcp.Config) { cfg.AllProjects = true })
	c := mcptest.Connect(t, o.Server)
	c.Initialize("test")
	if list, _ := c.ReadResource("planb://sessions"); !strings.Contains(list, o.Session) {
		t.Errorf("the session is not listed:\n%s", list)
	}
	if text, _ := c.ReadResource("planb://sessions/" + o.Session); !strings.Contains(text, "Hidden plan") {
		t.Errorf("the session is not read:\n%s", text)
	}
	if got := c.Tool("get_answer", map[string]any{"askId": store.ShortID(o.Open.ID), "withdraw": true}); got.IsError {
		t.Errorf("withdrawing by a short id says %q", got.Text())
	}
	if now := o.Ask(o.Open.ID); now.Outcome.State != questions.Withdrawn {
		t.Errorf("the ask is %s", now.Outcome.State)
	}
}

// All roots of a client are its projects, and they may change.
func TestEveryRootIsAProjectOfTheConnection(t *testing.T) {
	o := mcptest.NewOthers(t, nil)
	c := mcptest.Connect(t, o.Server)
	c.InitializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
	names := func(roots ...string) {
		t.Helper()
		var list []any
		for _, root := range roots {
			list = append(list, map[string]any{"uri": "file://" + root})
		}
		asked := <-c.Asks
		c.Send(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": map[string]any{"roots": list}})
	}
	sees := func() bool {
		r := c.Request("resources/read", map[string]any{"uri": "planb://sessions"})
		return strings.Contains(string(r.Result), o.Session)
	}
	go names("/srv/other", o.Project)
	if !sees() {
		t.Error("the second root's session is not listed")
	}
	c.Notify("notifications/roots/list_changed", nil)
	go names("/srv/other")
	if sees() {
		t.Error("the session is listed, though its root was taken out")
	}
}

// Two containers have the same paths. Each sees its own sessions, also after it was
// built anew under its name.
func TestTwoContainersWithOneStoreKeepApart(t *testing.T) {
	engine := kvtest.NewMap()
	container := func(name string) *mcptest.Client {
		w := mcptest.WorldOver(t, store.New(engine, store.Options{Machine: name}), func(cfg *mcp.Config) { cfg.WorkingDir = "/workspace" })
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		return c
	}
	look := &mcptest.World{T: t, Store: store.New(engine, store.Options{})}
	one := container("one")
	session := one.Session()
	ask := mcptest.CancelledAsk(look, one, session)
	if err := one.End(); err != nil {
		t.Fatal(err)
	}
	look.Submit(ask.ID, "harbour")

	two := container("two")
	if got := two.Tool("init_planb_session", nil); len(got.Texts()) != 1 {
		t.Errorf("the other container is told %q", got.Texts())
	}
	if list, _ := two.ReadResource("planb://sessions"); strings.Contains(list, session) {
		t.Errorf("the other container sees %s", list)
	}
	rebuilt := container("one")
	got := rebuilt.Tool("init_planb_session", nil)
	if texts := got.Texts(); !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, `{"name":"harbour"}`) }) {
		t.Errorf("built anew, the container is told %q", texts)
	}
	mcptest.Until(t, "it counts as delivered", func() bool { return look.Delivered(ask.ID) })
}
