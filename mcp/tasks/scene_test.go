package tasks_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/store"
	"planb/store/tasks"
)

// scene is an agent with the tools of tasks, and what became of its calls so far.
type scene struct {
	t *testing.T
	*mcptest.World
	*mcptest.Client
	plan  string // proposed last
	claim string // of the task that was claimed last
}

// args are the arguments of a call.
type args map[string]any

// newScene connects an agent to a server with the toolset tasks.
func newScene(t *testing.T, change func(*mcp.Config)) *scene {
	t.Helper()
	var kept *store.Store
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) {
		cfg.Toolsets = []string{"tasks"}
		if change != nil {
			change(cfg)
		}
		kept, _ = cfg.Store.(*store.Store)
	})
	w.Store = kept // the change may have put another one in place
	s := &scene{t: t, World: w}
	s.Client = s.another("test")
	return s
}

// another connects one more agent to the server.
func (s *scene) another(name string) *mcptest.Client {
	s.t.Helper()
	c := mcptest.Connect(s.t, s.Server)
	c.Initialize(name)
	return c
}

// said calls a tool that succeeds and returns the object in its first item.
func (s *scene) said(tool string, given args) map[string]any {
	s.t.Helper()
	got := s.Tool(tool, given)
	if got.IsError {
		s.t.Fatalf("%s: %s", tool, got.Text())
	}
	return object(s.t, got)
}

// object reads the object in the first item of a result.
func object(t *testing.T, got mcptest.Answer) map[string]any {
	t.Helper()
	var said map[string]any
	if err := json.Unmarshal([]byte(got.Texts()[0]), &said); err != nil {
		t.Fatalf("the result begins with no object: %q", got.Texts())
	}
	return said
}

// code is the code with which a tool refused a call; empty if it did not.
func code(t *testing.T, got mcptest.Answer) string {
	t.Helper()
	if !got.IsError {
		return ""
	}
	refused, _ := object(t, got)["error"].(map[string]any)
	code, _ := refused["code"].(string)
	return code
}

// shop are three tasks, of which two wait for the first. Each kind of contract that an
// agent can meet is there.
func shop() []any {
	return []any{
		args{"nodeKey": "schema", "title": "Write the schema", "description": "As in docs/schema.md.", "verificationContract": args{"kind": "command", "commands": []string{"go test ./..."}}},
		args{"nodeKey": "api", "title": "Write the API", "dependsOn": []string{"schema"}, "verificationContract": args{"kind": "evidence", "criteria": []string{"It answers", "It is fast"}}},
		args{"nodeKey": "docs", "title": "Describe the API", "dependsOn": []string{"schema"}, "verificationContract": args{"kind": "manual"}},
	}
}

func project(s *scene) { s.said("create_project", args{"name": "Shop"}) }

func proposed(s *scene) {
	project(s)
	s.plan, _ = s.said("propose_plan", args{"title": "Open the shop", "tasks": shop()})["planId"].(string)
}

// approves has the person give a verdict on the review that is open. If it holds sections
// back, they are those of the last tasks.
func (s *scene) approves(said review.Review) store.Ask {
	s.t.Helper()
	ask := s.Opened(1)[0]
	text, err := s.Store.PlanText(s.t.Context(), ask.Session, ask.Spec.Plan.Number)
	if err != nil {
		s.t.Fatal(err)
	}
	if said.Withheld != nil { // the sections of the last tasks
		var headings []int
		for i, line := range strings.Split(text.Raw(), "\n") {
			if strings.HasPrefix(line, "## ") {
				headings = append(headings, i+1)
			}
		}
		said.Withheld = headings[len(headings)-len(said.Withheld):]
		said.Of, said.Without = review.OfTasks, rules.HeldBack(text, said.Withheld)
	}
	s.Settle(ask.ID, mcptest.Says(s.t, text.Raw(), said))
	return ask
}

func active(s *scene) {
	proposed(s)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
}

func claimed(s *scene) {
	active(s)
	s.claim, _ = s.said("claim_task", args{"taskId": s.task(1)})["claimId"].(string)
}

func done(s *scene) {
	claimed(s)
	s.said("complete_task", s.report())
}

// report is a report that meets the contract of the first task.
func (s *scene) report() args {
	return args{"taskId": s.task(1), "claimId": s.claim, "summary": "Two tables", "evidence": []any{ran(0)}}
}

func ran(exit int) args {
	return args{"command": "go test ./...", "exitCode": exit, "output": "ok"}
}

// task is the id of a task of the plan.
func (s *scene) task(n int) string {
	id, err := rules.TaskID(s.plan, n)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// without are ids and times, which differ from run to run.
var without = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`), "<time>"},
	{regexp.MustCompile(`\b[0-9a-f]{6}\.\d\b`), "<short>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d UTC`), "<time>"},
	{regexp.MustCompile(`/[^ ]*/answers/task-[0-9a-f]{6}`), "<data>/answers/task-<short>"},
	{regexp.MustCompile(`\b(\d)-[0-9a-f]{8}\b`), "$1-<claim>"},
	{regexp.MustCompile(`\b\d+ (s|min)\b`), "<n> $1"},
	{regexp.MustCompile(`20\d\d-\d\d\b`), "<month>"},
}

var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// words are the texts of a result, named.
func (s *scene) words(got mcptest.Answer) string {
	var texts []string
	for _, text := range got.Texts() {
		texts = append(texts, s.named(text))
	}
	return strings.Join(texts, "\n--\n")
}

// longText is where the golden file cuts what a model is told.
const longText = 1500

// named replaces what differs from run to run. Ids are numbered as they come; those of
// the plan and its tasks have names.
func (s *scene) named(text string) string {
	names := map[string]string{s.plan: "<planId>"}
	for n := 1; s.plan != "" && n <= 4; n++ {
		names[s.task(n)] = fmt.Sprintf("<task %d>", n)
	}
	text = anID.ReplaceAllStringFunc(text, func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("<id %d>", len(names))
		}
		return names[id]
	})
	for _, w := range without {
		text = w.pattern.ReplaceAllString(text, w.name)
	}
	if len(text) > longText {
		text = fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:longText/3], ""), len(text))
	}
	return text
}

// row is a call of a tool, what comes before it, and how it ends.
type row struct {
	name   string
	before func(*scene)
	given  func(*scene) any // a map, or raw JSON
	code   string           // empty: the call succeeds
	change func(*mcp.Config)
}

// gives are arguments that do not depend on what comes before.
func gives(v any) func(*scene) any { return func(*scene) any { return v } }

// calls makes the calls of a table, each in a world of its own, and compares what the
// model is told with a golden file of the tool.
func calls(t *testing.T, tool string, rows []row) {
	t.Helper()
	var told strings.Builder
	for _, r := range rows {
		s := newScene(t, r.change)
		if r.before != nil {
			r.before(s)
		}
		got := s.Tool(tool, r.given(s))
		if code := code(t, got); code != r.code {
			t.Errorf("%s: %s: the code is %q, want %q: %s", tool, r.name, code, r.code, got.Text())
		}
		object(t, got)
		got.Fits(t, "codex-mcp-client")
		fmt.Fprintf(&told, "== %s\n%s\n", r.name, s.words(got))
		if problems := lastingProblems(t, s); len(problems) > 0 {
			t.Errorf("%s: %s: the records: %q", tool, r.name, problems)
		}
	}
	mcptest.Snapshot(t, "tasks/"+tool+".txt", []byte(told.String()))
}

// guarded are the rows of every tool: a server without its scope, a store without an
// owner, an argument that there is not, and arguments that are none.
func guarded(scope, ownerless string, good func(*scene) any, before func(*scene), more ...row) []row {
	others := []string{}
	for _, other := range mcp.Scopes() {
		if other != scope {
			others = append(others, other)
		}
	}
	return append([]row{
		{"no scope", nil, gives(args{}), "auth.forbidden", func(cfg *mcp.Config) { cfg.Scopes = others }},
		{"no organisation", nil, gives(json.RawMessage(ownerless)), "validation.invalid_input", func(cfg *mcp.Config) { cfg.Store = nobodys() }},
		{"an argument that there is not", nil, gives(args{"colour": "blue"}), "validation.invalid_input", nil},
		{"no object", nil, gives([]any{}), "validation.invalid_input", nil},
		{"right", before, good, "", nil},
	}, more...)
}

// whole is the plan as it is now.
func (s *scene) whole() tasks.Whole {
	s.t.Helper()
	plan, err := s.Store.Tasks().Plan(s.t.Context(), tasks.Caller{}, s.plan)
	if err != nil {
		s.t.Fatal(err)
	}
	return plan
}

func elsewhere(cfg *mcp.Config) { cfg.Toolsets, cfg.WorkingDir = []string{"tasks"}, "/srv/other" }

func everywhere(cfg *mcp.Config) {
	elsewhere(cfg)
	cfg.AllProjects = true
}

// lastingProblems is what is wrong with the records. The server may still note that an
// earlier result was delivered, and an audit expects that nothing is written meanwhile: so
// only what stays wrong counts.
func lastingProblems(t *testing.T, s *scene) []string {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; {
		audit, err := s.Store.Audit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(audit.Problems) == 0 || time.Now().After(end) {
			return audit.Problems
		}
	}
}
