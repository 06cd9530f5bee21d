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
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// victim is an agent with asks, reviews and plans, and a second connection, of
// another project unless a test says otherwise, that tries to reach them.
type victim struct {
	mcptest.Author
	t       testing.TB
	engine  kv.Engine
	session string
	asks    map[string]store.Ask // by what they are
	work    work
	before  []kv.Record // all records but the claims, before the second connection
	second  *mcptest.Client
	files   []string        // of its project
	turn    int             // which names are tried next
	modern  bool            // the second connection speaks 2026-07-28, with dialogs
	said    strings.Builder // all that it has said of itself, in lower case
}

// secrets are in the victim's texts and nowhere else.
var secrets = []string{
	"zq-session", "zq-title", "zq-label", "zq-answer", "zq-plan", "zq-note", "zq-file",
	"zq-tasks", "zq-task", "zq-proposal", "zq-template", "zq-prompt", "zq-output",
}

func newVictim(t *testing.T, modern bool, secondDir string) *victim {
	t.Helper()
	v := &victim{t: t, engine: kvtest.NewMap(), asks: map[string]store.Ask{}, modern: modern}
	data := t.TempDir()
	v.Author = mcptest.NewAuthor(t, func(cfg *mcp.Config) {
		cfg.Store, cfg.DataDir, cfg.Toolsets = store.New(v.engine, mcptest.StoreOptions()), data, mcp.Toolsets()
	})
	v.Store = store.New(v.engine, mcptest.StoreOptions())
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
	v.works()
	call = v.begin("undelivered", "ask_user", v.form("zq-title undelivered"))
	unheard := v.asks["undelivered"].ID
	v.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
	mcptest.Until(t, "nobody waits any more", func() bool { return !v.Waits(unheard) })
	v.Submit(unheard, "zq-answer")
	v.before, v.files = v.records(), filesOf(t, v.Project)

	w := mcptest.WorldOver(t, store.New(v.engine, mcptest.StoreOptions()), func(cfg *mcp.Config) {
		cfg.Toolsets = mcp.Toolsets()
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
		for _, ask := range v.WaitingNow() {
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

// records are all that the store has, except who lives just now, and how much the agents of all
// projects have made.
func (v *victim) records() (all []kv.Record) {
	v.t.Helper()
	for after := kv.Key(""); ; {
		page, err := v.engine.Scan(v.t.Context(), "", after, kv.MaxPageRecords)
		if err != nil {
			v.t.Fatal(err)
		}
		for _, record := range page.Records {
			after = record.Key
			if key := string(record.Key); !strings.HasPrefix(key, "k/") && !strings.HasPrefix(key, "wq/") {
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
	for before := range slices.Chunk(v.before, kv.MaxRecordsInGet) {
		keys := make([]kv.Key, len(before))
		for i, record := range before {
			keys[i] = record.Key
		}
		now, err := v.engine.Get(v.t.Context(), keys...)
		if err != nil {
			v.t.Fatal(err)
		}
		for i, record := range before {
			if string(now[i].Value) != string(record.Value) || now[i].Rev != record.Rev {
				v.t.Errorf("%s changes %s from\n%s to\n%s", what, record.Key, record.Value, now[i].Value)
				before[i] = now[i]
			}
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
	return append(ids, v.work.ids()...)
}

// names are all that a text argument could name of the victim.
func (v *victim) names() []string {
	names := []string{
		strings.ToUpper(v.session), store.ShortID(v.session), "A title to try", "hidden", v.Project, v.File("hidden"),
		filepath.Join("..", filepath.Base(v.Project)), "planb://sessions/" + v.session, "name",
		rules.Short(v.work.task), heldKey, theirRequest, v.work.project, "scenarios",
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
	v.said.WriteString(strings.ToLower(string(said)))
	line := string(v.second.Request(method, params).Line)
	for _, hidden := range append(v.ids(), secrets...) {
		if !mayRead && strings.Contains(line, hidden) && !strings.Contains(v.said.String(), hidden) {
			v.t.Errorf("%s tells %s:\n%s", what, hidden, line)
		}
	}
	v.untouched(what)
	return line
}

// listed is a tool, or a prompt, as the server lists it.
type listed struct {
	Name        string
	URITemplate string
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

// newSession is a session that the second connection makes in the project.
func (v *victim) newSession(project string) string {
	v.t.Helper()
	params := map[string]any{}
	if project != "" {
		params["projectPath"] = project
	}
	match := sessionInReply.FindStringSubmatch(v.request("tools/call", map[string]any{"name": "init_planb_session", "arguments": params}, false))
	if match == nil {
		v.t.Fatal("the second connection gets no session")
	}
	return match[1]
}

// own are good arguments of every tool of questions and plans, in a session that the second
// connection made in the project.
func (v *victim) own(project string) map[string]map[string]any {
	v.t.Helper()
	session := v.newSession(project)
	return map[string]map[string]any{
		"init_planb_session": {},
		"ask_user":           mcptest.OneQuestion(session),
		"get_answer":         {"sessionId": session},
		"save_plan":          {"sessionId": session, "plan": "# Mine"},
		"write_plan":         {"sessionId": session, "planName": "mine", "content": "# Mine"},
		"edit_plan":          {"sessionId": session, "planName": "mine", "oldString": "Mine", "newString": "Mine"},
		"submit_plan":        {"sessionId": session},
	}
}

// naming are the arguments that name something, each with what it would name of the victim.
func (v *victim) naming() map[string][]string {
	w := v.work
	return map[string][]string{
		"artifact": {"scenarios"}, "askId": {v.asks["open"].ID, store.ShortID(v.asks["tasks"].ID)}, "claimId": {w.claim}, "client_request_id": {theirRequest},
		"dependsOn": {w.task}, "dir": {v.Project}, "discoveredFrom": {w.task}, "lease": {w.lease}, "parent_plan_id": {w.draft}, "planId": {w.plan, w.proposal},
		"planName": {"hidden"}, "plan_id": {w.draft, w.written, w.stopped}, "projectId": {w.project}, "projectPath": {v.Project, v.File("hidden")},
		"sessionId": {v.session, store.ShortID(v.session)}, "step": {w.step, "scenarios"}, "taskId": {w.task, w.ready, rules.Short(w.ready)},
		"task_id": {w.draft, w.written, w.stopped}, "template": {"hidden"},
	}
}

// tried are the names that are tried for an argument: all, or by default those that fit an
// argument that names something, with every tenth other one, and for any other argument one in
// turn.
func (v *victim) tried(argument string) []string {
	tried, names := v.naming()[argument]
	every := 10
	if !names {
		every = len(v.names())
	}
	for i, name := range v.names() {
		if storetest.Whole() || (i+v.turn)%every == 0 {
			tried = append(tried, name)
		}
	}
	v.turn++
	return tried
}

// values are what is tried for an argument: by its type, and for lists by its name.
func (v *victim) values(argument, kind string) (values []any) {
	v.t.Helper()
	switch kind {
	case "string":
		for _, name := range v.tried(argument) {
			values = append(values, name)
		}
		return values
	case "boolean":
		return []any{true, false}
	case "number", "integer":
		return []any{0, 1, 2}
	}
	lists, known := map[string][]any{
		"done":                 {v.ids(), []string{"c1"}},
		"dependsOn":            {[]string{v.work.task}, []string{heldKey}},
		"evidence":             {[]any{map[string]any{"command": "go test ./...", "exitCode": 0}}},
		"executionContract":    {map[string]any{"files": []string{v.File("hidden")}, "inputs": v.names()}},
		"kind":                 {"hard", "soft"},
		"output":               {map[string]any{"id": v.work.draft}},
		"overrides":            {map[string]any{heldKey: map[string]any{"title": "Mine"}}},
		"params":               {map[string]any{heldKey: v.work.task}},
		"status":               {"in_progress", "ready", "needs_review"},
		"tasks":                {[]any{map[string]any{"nodeKey": heldKey, "title": "Mine", "cancel": true}, map[string]any{"title": "Mine", "splitFrom": heldKey, "dependsOn": []string{v.work.task}}}},
		"verificationContract": {map[string]any{"kind": "manual"}},
		"edits":                {[]any{map[string]any{"oldString": "hidden", "newString": "mine"}}},
		"questions":            {mcptest.OneQuestion("")["questions"]},
	}[argument]
	if !known {
		v.t.Errorf("nobody says what to try for %s, which is of type %q", argument, kind)
	}
	return lists
}

// readers are the tools that read what they are given the whole id of.
var readers = []string{
	"get_answer", "plan_status", "plan_file_info", "plan_download", "plan_logs",
	"task_status", "task_wait", "task_file_info", "task_download", "task_logs_tail",
}

// try calls a tool as it is, and with forged replies to a dialog.
func (v *victim) try(tool string, args map[string]any, forge bool) (line string) {
	v.t.Helper()
	// A whole id that an agent was given reads an answer, or a draft, from anywhere.
	mayRead := false
	for _, id := range v.ids() {
		for _, argument := range []string{"askId", "sessionId", "plan_id", "task_id"} {
			named, _ := args[argument].(string)
			mayRead = mayRead || slices.Contains(readers, tool) && strings.EqualFold(named, id)
		}
	}
	line = v.request("tools/call", map[string]any{"name": tool, "arguments": args}, mayRead)
	if !forge {
		return line
	}
	states := []string{v.session, v.asks["open"].ID, v.asks["review"].ID, v.asks["tasks"].ID, v.asks["gate"].ID, v.work.draft}
	replies := []string{mcptest.AcceptName, mcptest.Approve, `{"action":"decline"}`}
	if storetest.Whole() {
		states = v.ids()
	}
	for i, reply := range replies {
		for j, state := range append(states, "") {
			if (i+j+v.turn)%len(replies) > 0 && !storetest.Whole() {
				continue // another call tries it
			}
			if state == "" {
				state = v.dialogState()
			}
			v.request("tools/call", map[string]any{
				"name": tool, "arguments": args, "requestState": state, "inputResponses": map[string]any{"planb": json.RawMessage(reply)},
				"_meta": map[string]any{"progressToken": v.asks["open"].ID, "io.modelcontextprotocol/related-task": map[string]any{"taskId": v.asks["review"].ID}},
			}, mayRead)
		}
	}
	v.turn++
	return line
}

var stateInReply = regexp.MustCompile(`"requestState":"([^"]+)"`)

// dialogState is that of a dialog of the second connection's own, where it has dialogs.
func (v *victim) dialogState() string {
	v.t.Helper()
	if !v.modern {
		return "AAAAAAAAAAAAAAAAAAAAAAAAAA"
	}
	match := stateInReply.FindStringSubmatch(v.request("tools/call", map[string]any{"name": "ask_user", "arguments": v.own("")["ask_user"]}, false))
	if match == nil {
		v.t.Fatal("the second connection gets no dialog")
	}
	return match[1]
}

// namingCall are arguments of a tool, one of which is a whole id of the victim.
type namingCall struct {
	by   string
	args map[string]any
}

// named are the good arguments with each whole id of the victim in its place.
func (v *victim) named(properties map[string]struct{ Type string }, good map[string]any) (all []namingCall) {
	with := func(argument, id string) {
		args := maps.Clone(good)
		delete(args, "sessionId")
		args[argument] = id
		all = append(all, namingCall{argument, args})
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

// tools tries every argument of every tool of questions and plans, alone and with each
// whole id. Those of tasks and of drafts are left to attacks: each tool that is listed must be
// among either.
func (v *victim) tools(project string) {
	v.t.Helper()
	onTasks, onDrafts, byOldNames := v.attacks(work{})
	questionsAndPlans := v.own(project)
	for _, tool := range v.list("tools/list", "tools") {
		if onTasks[tool.Name].own != nil || onDrafts[tool.Name].own != nil || byOldNames[tool.Name].own != nil {
			continue // another test tries it
		}
		if questionsAndPlans[tool.Name] == nil {
			v.t.Errorf("nobody says how %s is tried", tool.Name)
			continue
		}
		properties := tool.InputSchema.Properties
		v.needs(tool, questionsAndPlans[tool.Name])
		for _, argument := range slices.Sorted(maps.Keys(properties)) {
			good := v.own(project)[tool.Name]
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
		for _, named := range v.named(properties, v.own(project)[tool.Name]) {
			v.try(tool.Name, named.args, true)
		}
	}
}

// needs fails the test if arguments lack one that the tool needs.
func (v *victim) needs(tool listed, args map[string]any) {
	v.t.Helper()
	for _, required := range tool.InputSchema.Required {
		if args[required] == nil {
			v.t.Errorf("%s needs %s, which is not among the good arguments", tool.Name, required)
		}
	}
}

// rest tries every other request that names something.
func (v *victim) rest() {
	v.t.Helper()
	templates := v.list("resources/templates/list", "resourceTemplates")
	uris := []string{"planb://sessions", "planb://tasks", "planb://drafts", "file://" + v.File("hidden")}
	for _, template := range templates {
		uris = append(uris, v.uris(template.URITemplate)...)
	}
	for _, uri := range uris {
		for _, method := range []string{"resources/read", "resources/subscribe", "resources/unsubscribe"} {
			v.request(method, map[string]any{"uri": uri}, false)
		}
	}
	v.listen(uris)
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
	for _, template := range templates {
		for _, placeholder := range placeholders.FindAllStringSubmatch(template.URITemplate, -1) {
			for _, begun := range append(v.names(), "") {
				v.request("completion/complete", map[string]any{
					"ref": map[string]any{"type": "ref/resource", "uri": template.URITemplate}, "argument": map[string]any{"name": placeholder[1], "value": begun},
					"context": map[string]any{"arguments": map[string]any{"id": v.session, "planId": v.work.plan}},
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

// listen opens a stream on which the second connection would hear of changes of resources. Of
// the victim's it may hear nothing.
func (v *victim) listen(uris []string) {
	v.t.Helper()
	if !v.modern {
		return
	}
	v.second.Start("subscriptions/listen", map[string]any{"_meta": mcptest.Modern(nil), "notifications": map[string]any{"resourceSubscriptions": uris}})
	const opened = "notifications/subscriptions/acknowledged"
	mcptest.Until(v.t, "the stream is open", func() bool { return len(v.second.Notifications(opened)) > 0 })
	told := string(v.second.Notifications(opened)[0].Params)
	for _, hidden := range append(v.ids(), v.Project) {
		if strings.Contains(told, hidden) {
			v.t.Errorf("the second connection hears of %s: %s", hidden, told)
		}
	}
}

// placeholders are those of a template of URIs.
var placeholders = regexp.MustCompile(`\{[+?]?(\w+)\}`)

// uris are those by which a template could name something of the victim.
func (v *victim) uris(template string) []string {
	v.t.Helper()
	uris, named := []string{template}, []string{v.session, v.work.plan, v.work.proposal, v.work.draft, v.work.written}
	for _, placeholder := range placeholders.FindAllStringSubmatch(template, -1) {
		fill := map[string][]string{
			"id": named, "planId": named, "n": {"1", "2"}, "path": {"plan.txt", "scenarios", "/" + v.session, "/" + v.work.plan}, "offset": {"?offset=1"},
		}[placeholder[1]]
		if placeholder[1] == "askId" {
			for _, ask := range v.asks {
				fill = append(fill, ask.ID, store.ShortID(ask.ID))
			}
		}
		if fill == nil {
			v.t.Errorf("nobody says what to try for %s of %s", placeholder[0], template)
		}
		var filled []string
		for _, uri := range uris {
			for _, value := range fill {
				filled = append(filled, strings.Replace(uri, placeholder[0], value, 1))
			}
		}
		uris = filled
	}
	return uris
}

// endsUntouched fails the test if anything of the victim's has changed.
func (v *victim) endsUntouched() {
	v.t.Helper()
	v.untouched("what was tried")
	v.unjoined()
	v.stillWaits()
	if now := filesOf(v.t, v.Project); !slices.Equal(now, v.files) {
		v.t.Errorf("the files of the victim's project were %q, and are %q", v.files, now)
	}
}

// stillWaits fails the test if the victim's calls have ended, or somebody else writes its draft.
func (v *victim) stillWaits() {
	v.t.Helper()
	for _, what := range []string{"open", "review", "tasks", "gate"} {
		if !v.Waits(v.asks[what].ID) {
			v.t.Errorf("the victim does not wait for what is %s any more", what)
		}
	}
	writers, err := v.Store.Drafts().Writers(v.t.Context(), v.work.written)
	if err != nil || len(writers) != 1 || writers[v.work.step].Name != "test" {
		v.t.Errorf("the victim's step %s is written by %v, %v", v.work.step, writers, err)
	}
}

// A second connection of another project tries every tool of questions and plans, every
// resource, prompt and completion, and every parameter of them, against an agent's asks,
// reviews, tasks and drafts. Nothing of the agent's is decided, withdrawn, taken over,
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
				v.endsUntouched()
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
