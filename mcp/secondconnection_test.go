package mcp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/mcp/pane"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// victim is an agent with asks, reviews and plans, and a second connection, of
// another project unless a test says otherwise, that tries to reach them.
type victim struct {
	mcptest.Author
	t       testing.TB
	engine  kv.Engine
	session string
	asks    map[string]store.Ask // by what they are
	before  []kv.Record          // all records but the claims, before the second connection
	second  *mcptest.Client
	modern  bool   // the second connection speaks 2026-07-28, with dialogs
	said    string // all that it has said of itself
}

// secrets are in the victim's texts and nowhere else.
var secrets = []string{"zq-session", "zq-title", "zq-label", "zq-answer", "zq-plan", "zq-note", "zq-file"}

func newVictim(t *testing.T, modern bool, secondDir string) *victim {
	t.Helper()
	v := &victim{t: t, engine: kvtest.NewMap(), asks: map[string]store.Ask{}, modern: modern}
	data := t.TempDir()
	v.Author = mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.Store, cfg.DataDir = store.New(v.engine, store.Options{}), data })
	v.Store = store.New(v.engine, store.Options{})
	v.session, _ = v.Tool("init_planb_session", map[string]any{"title": "zq-session"}).Data["sessionId"].(string)
	v.Does(t, "write_plan", map[string]any{"planName": "hidden", "content": "# zq-file", "sessionId": v.session})
	v.Tool("save_plan", map[string]any{"sessionId": v.session, "plan": "# zq-plan"})

	call := v.begin("delivered", "ask_user", v.form("zq-title delivered"))
	v.Submit(v.asks["delivered"].ID, "zq-answer")
	v.Answer(call)
	call = v.begin("reviewed", "submit_plan", map[string]any{"planName": "hidden", "sessionId": v.session})
	v.Settle(v.asks["reviewed"].ID, mcptest.Says(t, "# zq-file", review.Review{Verdict: review.RequestChanges, Note: safe.New("zq-note")}))
	v.Answer(call)
	for _, what := range []string{"delivered", "reviewed"} {
		mcptest.Until(t, "it is "+what, func() bool { return v.Delivered(v.asks[what].ID) })
	}
	v.begin("open", "ask_user", v.form("A title to try"))
	v.begin("review", "submit_plan", map[string]any{"sessionId": v.session})
	call = v.begin("undelivered", "ask_user", v.form("zq-title undelivered"))
	unheard := v.asks["undelivered"].ID
	v.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
	mcptest.Until(t, "nobody waits any more", func() bool { return !v.Waits(unheard) })
	v.Submit(unheard, "zq-answer")
	v.before = v.records()

	w := mcptest.WorldOver(t, store.New(v.engine, store.Options{}), func(cfg *mcp.Config) {
		mcptest.WithReviews(cfg)
		cfg.WorkingDir, cfg.DataDir, cfg.Wait = secondDir, data, time.Millisecond
		if cfg.WorkingDir == "" {
			cfg.WorkingDir = v.Project
		}
		cfg.NoOpen, cfg.Opener = false, pane.None{Reason: mcptest.NoPane}
	})
	v.second = mcptest.Connect(t, w.Server)
	if !modern {
		v.second.Initialize("test")
	}
	return v
}

func (v *victim) form(title string) map[string]any {
	return map[string]any{"sessionId": v.session, "title": title, "questions": []any{
		map[string]any{"id": "name", "kind": "text", "label": "zq-label"},
	}}
}

// begin has the victim wait for an ask.
func (v *victim) begin(what, tool string, args map[string]any) (call string) {
	v.t.Helper()
	known := map[string]bool{}
	for _, ask := range v.asks {
		known[ask.ID] = true
	}
	call = v.StartTool(tool, args)
	mcptest.Until(v.t, "the ask is open, and waited for: "+what, func() bool {
		asks, err := v.Store.Asks(v.t.Context(), v.session)
		if err != nil {
			v.t.Fatal(err)
		}
		for _, ask := range asks {
			if !known[ask.ID] && v.Waits(ask.ID) && v.isAsked(ask.ID) {
				v.asks[what] = ask
				return true
			}
		}
		return false
	})
	return call
}

// isAsked reports whether a process says that it is to learn the ask's outcome.
func (v *victim) isAsked(id string) bool {
	v.t.Helper()
	alive, err := v.Store.AliveAny(v.t.Context(), store.AskerClaims(id))
	if err != nil {
		v.t.Fatal(err)
	}
	return alive
}

// records are all that the store has, except who lives just now.
func (v *victim) records() (all []kv.Record) {
	v.t.Helper()
	for after := kv.Key(""); ; {
		page, err := v.engine.Scan(v.t.Context(), "", after, kv.MaxPageRecords)
		if err != nil {
			v.t.Fatal(err)
		}
		for _, record := range page.Records {
			after = record.Key
			if !strings.HasPrefix(string(record.Key), "k/") {
				all = append(all, record)
			}
		}
		if !page.More {
			return all
		}
	}
}

// untouched fails the test if a record of the victim is another one, or gone.
func (v *victim) untouched(what string) {
	v.t.Helper()
	keys := make([]kv.Key, len(v.before))
	for i, record := range v.before {
		keys[i] = record.Key
	}
	now, err := v.engine.Get(v.t.Context(), keys...)
	if err != nil {
		v.t.Fatal(err)
	}
	for i, record := range v.before {
		if string(now[i].Value) != string(record.Value) || now[i].Rev != record.Rev {
			v.t.Errorf("%s changes %s from\n%s to\n%s", what, record.Key, record.Value, now[i].Value)
			v.before[i] = now[i]
		}
	}
}

// unjoined fails the test if a new record is of the victim's session or asks.
func (v *victim) unjoined() {
	v.t.Helper()
	known := map[kv.Key]bool{}
	for _, record := range v.before {
		known[record.Key] = true
	}
	for _, record := range v.records() {
		for _, id := range v.ids() {
			if !known[record.Key] && strings.Contains(string(record.Key), id) {
				v.t.Errorf("there is a new record %s of the victim's:\n%s", record.Key, record.Value)
			}
		}
	}
	mcptest.WantText(v.t, v.File("hidden"), "# zq-file")
}

// ids are the whole ids of the victim.
func (v *victim) ids() []string {
	ids := []string{v.session}
	for _, ask := range v.asks {
		ids = append(ids, ask.ID)
	}
	return ids
}

// names are all that a text argument could name of the victim.
func (v *victim) names() []string {
	names := []string{
		strings.ToUpper(v.session), store.ShortID(v.session), "A title to try", "hidden", v.Project, v.File("hidden"),
		filepath.Join("..", filepath.Base(v.Project)), "planb://sessions/" + v.session, "name",
	}
	for _, ask := range v.asks {
		names = append(names, store.ShortID(ask.ID))
	}
	return append(names, v.ids()...)
}

// request is one request of the second connection. The reply may tell nothing of the
// victim that the connection did not say itself, unless it may read.
func (v *victim) request(method string, params map[string]any, mayRead bool) string {
	v.t.Helper()
	if v.modern {
		meta := mcptest.Modern(map[string]any{"io.modelcontextprotocol/clientCapabilities": mcptest.FormDialogs})
		if more, ok := params["_meta"].(map[string]any); ok {
			maps.Copy(meta, more)
		}
		params["_meta"] = meta
	}
	said, err := json.Marshal(params)
	if err != nil {
		v.t.Fatal(err)
	}
	what := fmt.Sprintf("%s %s", method, said)
	v.said += strings.ToLower(string(said))
	line := string(v.second.Request(method, params).Line)
	for _, hidden := range append(v.ids(), secrets...) {
		if !mayRead && strings.Contains(line, hidden) && !strings.Contains(v.said, hidden) {
			v.t.Errorf("%s tells %s:\n%s", what, hidden, line)
		}
	}
	v.untouched(what)
	return line
}

// listed is a tool, or a prompt, as the server lists it.
type listed struct {
	Name        string
	InputSchema struct {
		Required   []string
		Properties map[string]struct{ Type string }
	}
	Arguments []struct{ Name string }
}

func (v *victim) list(method, of string) []listed {
	v.t.Helper()
	var reply struct{ Result map[string]json.RawMessage }
	var all []listed
	if err := json.Unmarshal([]byte(v.request(method, map[string]any{}, false)), &reply); err != nil {
		v.t.Fatal(err)
	}
	if err := json.Unmarshal(reply.Result[of], &all); err != nil || len(all) == 0 {
		v.t.Fatalf("%s lists %s, %v", method, reply.Result[of], err)
	}
	return all
}

var sessionInReply = regexp.MustCompile(`sessionId: ([0-9a-f-]{36})`)

// own are good arguments of every tool, in a session that the second connection made
// in the project.
func (v *victim) own(tool, project string) map[string]any {
	v.t.Helper()
	params := map[string]any{}
	if project != "" {
		params["projectPath"] = project
	}
	match := sessionInReply.FindStringSubmatch(v.request("tools/call", map[string]any{"name": "init_planb_session", "arguments": params}, false))
	if match == nil {
		v.t.Fatal("the second connection gets no session")
	}
	session := match[1]
	args, known := map[string]map[string]any{
		"init_planb_session": {},
		"ask_user":           mcptest.OneQuestion(session),
		"get_answer":         {"sessionId": session},
		"save_plan":          {"sessionId": session, "plan": "# Mine"},
		"write_plan":         {"sessionId": session, "planName": "mine", "content": "# Mine"},
		"edit_plan":          {"sessionId": session, "planName": "mine", "oldString": "Mine", "newString": "Mine"},
		"submit_plan":        {"sessionId": session},
	}[tool]
	if !known {
		v.t.Fatalf("nobody says what the arguments of %s are", tool)
	}
	return args
}

// values are what is tried for an argument: by its type, and for lists by its name.
func (v *victim) values(argument, kind string) (values []any) {
	v.t.Helper()
	switch kind {
	case "string":
		for _, name := range v.names() {
			values = append(values, name)
		}
		return values
	case "boolean":
		return []any{true, false}
	case "number", "integer":
		return []any{0, 1, 2}
	}
	lists, known := map[string][]any{
		"done":      {v.ids(), []string{"c1"}},
		"edits":     {[]any{map[string]any{"oldString": "hidden", "newString": "mine"}}},
		"questions": {mcptest.OneQuestion("")["questions"]},
	}[argument]
	if !known {
		v.t.Errorf("nobody says what to try for %s, which is of type %q", argument, kind)
	}
	return lists
}

// try calls a tool as it is, and with forged replies to a dialog.
func (v *victim) try(tool string, args map[string]any, forge bool) {
	v.t.Helper()
	// A whole id that an agent was given reads an answer from anywhere.
	mayRead := false
	for _, id := range v.ids() {
		for _, argument := range []string{"askId", "sessionId"} {
			named, _ := args[argument].(string)
			mayRead = mayRead || tool == "get_answer" && strings.EqualFold(named, id)
		}
	}
	v.request("tools/call", map[string]any{"name": tool, "arguments": args}, mayRead)
	if !forge {
		return
	}
	for _, reply := range []string{mcptest.AcceptName, mcptest.Approve, `{"action":"decline"}`} {
		for _, state := range append(v.ids(), v.dialogState()) {
			v.request("tools/call", map[string]any{
				"name": tool, "arguments": args, "requestState": state, "inputResponses": map[string]any{"planb": json.RawMessage(reply)},
				"_meta": map[string]any{"progressToken": v.asks["open"].ID, "io.modelcontextprotocol/related-task": map[string]any{"taskId": v.asks["review"].ID}},
			}, mayRead)
		}
	}
}

var stateInReply = regexp.MustCompile(`"requestState":"([^"]+)"`)

// dialogState is that of a dialog of the second connection's own, where it has dialogs.
func (v *victim) dialogState() string {
	v.t.Helper()
	if !v.modern {
		return "AAAAAAAAAAAAAAAAAAAAAAAAAA"
	}
	match := stateInReply.FindStringSubmatch(v.request("tools/call", map[string]any{"name": "ask_user", "arguments": v.own("ask_user", "")}, false))
	if match == nil {
		v.t.Fatal("the second connection gets no dialog")
	}
	return match[1]
}

// naming are arguments of a tool, one of which is a whole id of the victim.
type naming struct {
	by   string
	args map[string]any
}

// named are the good arguments with each whole id of the victim in its place.
func (v *victim) named(properties map[string]struct{ Type string }, good map[string]any) (all []naming) {
	with := func(argument, id string) {
		args := maps.Clone(good)
		delete(args, "sessionId")
		args[argument] = id
		all = append(all, naming{argument, args})
	}
	if _, ok := properties["sessionId"]; ok {
		with("sessionId", v.session)
	}
	if _, ok := properties["askId"]; ok {
		for _, ask := range v.asks {
			with("askId", ask.ID)
		}
	}
	return all
}

// tools tries every argument of every tool, alone and with each whole id.
func (v *victim) tools(project string) {
	v.t.Helper()
	for _, tool := range v.list("tools/list", "tools") {
		properties := tool.InputSchema.Properties
		for _, required := range tool.InputSchema.Required {
			if v.own(tool.Name, project)[required] == nil {
				v.t.Errorf("%s needs %s, which is not among the good arguments", tool.Name, required)
			}
		}
		for _, argument := range slices.Sorted(maps.Keys(properties)) {
			good := v.own(tool.Name, project)
			for _, value := range v.values(argument, properties[argument].Type) {
				args := maps.Clone(good)
				args[argument] = value
				v.try(tool.Name, args, false)
				for _, named := range v.named(properties, good) {
					if named.by != argument {
						named.args[argument] = value
						v.try(tool.Name, named.args, false)
					}
				}
			}
		}
		for _, named := range v.named(properties, v.own(tool.Name, project)) {
			v.try(tool.Name, named.args, true)
		}
	}
}

// rest tries every other request that names something.
func (v *victim) rest() {
	v.t.Helper()
	uris := []string{"planb://sessions", "planb://sessions/" + v.session, "file://" + v.File("hidden")}
	for _, number := range []string{"1", "2", "2?offset=1"} {
		uris = append(uris, "planb://sessions/"+v.session+"/plans/"+number)
	}
	for _, ask := range v.asks {
		uris = append(uris, "planb://sessions/"+v.session+"/asks/"+ask.ID, "planb://sessions/"+v.session+"/asks/"+store.ShortID(ask.ID))
	}
	for _, uri := range uris {
		for _, method := range []string{"resources/read", "resources/subscribe", "resources/unsubscribe"} {
			v.request(method, map[string]any{"uri": uri}, false)
		}
	}
	v.list("resources/templates/list", "resourceTemplates")
	v.request("resources/list", map[string]any{}, false)
	for _, prompt := range v.list("prompts/list", "prompts") {
		for _, name := range v.names() {
			args := map[string]any{"arguments": name, "sessionId": name, "askId": name}
			for _, argument := range prompt.Arguments {
				args[argument.Name] = name
			}
			v.request("prompts/get", map[string]any{"name": prompt.Name, "arguments": args}, false)
		}
	}
	for _, template := range []string{"planb://sessions/{id}", "planb://sessions/{id}/plans/{n}", "planb://sessions/{id}/asks/{askId}", uris[1]} {
		for _, argument := range []string{"id", "n", "askId"} {
			for _, begun := range append(v.names(), "") {
				v.request("completion/complete", map[string]any{
					"ref": map[string]any{"type": "ref/resource", "uri": template}, "argument": map[string]any{"name": argument, "value": begun},
					"context": map[string]any{"arguments": map[string]any{"id": v.session}},
				}, false)
			}
		}
	}
	for _, id := range append(v.ids(), "1", "2", "3", "4", "5", "6", "7", "8", "9") {
		v.second.Notify("notifications/cancelled", map[string]any{"requestId": id})
		v.second.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(`"` + id + `"`)})
	}
	v.request("tools/list", map[string]any{}, false)
	v.stillWaits()
}

// stillWaits fails the test if the victim's calls have ended.
func (v *victim) stillWaits() {
	v.t.Helper()
	for _, what := range []string{"open", "review"} {
		if !v.Waits(v.asks[what].ID) {
			v.t.Errorf("the victim does not wait for what is %s any more", what)
		}
	}
}

// A second connection of another project tries every tool and every parameter
// against an agent's asks and reviews. Nothing of the agent's is decided, withdrawn,
// delivered or added to, and only a whole id reads an answer.
func TestASecondConnectionReachesNothing(t *testing.T) {
	t.Parallel()
	for _, modern := range []bool{false, true} {
		for _, inside := range []bool{false, true} {
			if modern && inside {
				continue
			}
			t.Run(fmt.Sprintf("modern=%v, its sessions made in the victim's directory=%v", modern, inside), func(t *testing.T) {
				t.Parallel()
				v := newVictim(t, modern, t.TempDir())
				project := ""
				if inside {
					project = v.Project
				}
				v.rest()
				v.tools(project)
				v.unjoined()
				v.stillWaits()
			})
		}
	}
}

// A call of another project that waits until an ask's time is over learns so, and the
// ask stays as it is: only a call of its project ends its time.
func TestASecondConnectionEndsNoTime(t *testing.T) {
	mcptest.Timed(t, "", func(t *testing.T) {
		o := mcptest.NewOthers(t, nil)
		spec, err := questions.Parse(json.RawMessage(`{"title":"Timed","questions":[{"id":"name","kind":"text","label":"Which?"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		timing, _, err := o.Store.OpenAsk(t.Context(), store.Ask{Session: o.Session, Spec: spec, Client: o.Open.Client, Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		c := mcptest.Connect(t, o.Server)
		c.Initialize("codex-mcp-client")
		got, took := c.Later(c.CallTool("get_answer", map[string]any{"askId": timing.ID}, 1))
		if took != time.Minute || !strings.HasPrefix(got.Text(), "No answer was submitted within 1 minute") {
			t.Errorf("after %v it is told %q", took, got.Text())
		}
		if now := o.Ask(timing.ID); now.Outcome.State != questions.Pending {
			t.Errorf("the ask is %s", now.Outcome.State)
		}
	})
}

// An agent of the same project that was handed the session, as a sub-agent or one that
// goes on in a new process, works in it.
func TestASecondConnectionOfTheProjectWorksInTheSession(t *testing.T) {
	v := newVictim(t, false, "")
	for tool, args := range map[string]map[string]any{
		"ask_user":    {"title": "Of the other", "questions": mcptest.OneQuestion("")["questions"]},
		"save_plan":   {"plan": "# Of the other"},
		"write_plan":  {"planName": "other", "content": "# Of the other"},
		"submit_plan": {"planName": "hidden"},
	} {
		args["sessionId"] = v.session
		if got := v.second.Tool(tool, args); got.IsError || got.Data["sessionId"] != v.session {
			t.Errorf("%s says %q", tool, got.Text())
		}
	}
}

// An agent that was resumed in another directory fetches what its session was
// answered, and the answer counts as delivered, once the process that asked is gone.
func TestAnAgentResumedElsewhereFetchesItsAnswers(t *testing.T) {
	w, c, session := mcptest.Started(t)
	ask := mcptest.AnswerUnheard(w, c, session, "harbour")
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	elsewhere := func(client string) string {
		other := mcptest.Connect(t, mcptest.WorldOver(t, w.Store, func(cfg *mcp.Config) { cfg.WorkingDir = "/srv/elsewhere" }).Server)
		other.Initialize(client)
		return other.Tool("get_answer", map[string]any{"sessionId": session}).Text()
	}
	for _, client := range []string{"another", "test"} {
		if got := elsewhere(client); got != `{"name":"harbour"}` {
			t.Errorf("%s is told %q", client, got)
		}
		if client == "another" && w.Delivered(ask) {
			t.Error("the answer counts as delivered to another client")
		}
	}
	mcptest.Until(t, "the answer counts as delivered", func() bool { return w.Delivered(ask) })
	if got := elsewhere("test"); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("once delivered, it is told %q", got)
	}
}
