package drafts_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/store"
	"planb/store/runs"
)

// world is a server that offers drafts.
func world(t *testing.T, change func(*mcp.Config)) *mcptest.World {
	return mcptest.NewWorld(t, func(cfg *mcp.Config) {
		cfg.Toolsets = []string{"drafts"}
		cfg.WorkingDir = t.TempDir()
		if change != nil {
			change(cfg)
		}
	})
}

// connect connects an agent.
func connect(t *testing.T, w *mcptest.World, name string) *mcptest.Client {
	c := mcptest.Connect(t, w.Server)
	c.Initialize(name)
	return c
}

// create begins a draft of the workshop and returns its id.
func create(t *testing.T, c *mcptest.Client) string {
	t.Helper()
	a := c.Tool("plan_create", map[string]any{"prompt": string(draftstest.File(t, "prompt.txt")), "start_date": "2026-12-01"})
	id, _ := a.Data["plan_id"].(string)
	if id == "" || a.IsError {
		t.Fatalf("plan_create: %s", a.Text())
	}
	return id
}

// model is a scripted model: it knows nothing but what the tools say.
type model struct {
	t     *testing.T
	c     *mcptest.Client
	plan  string
	calls int
	seen  []string // the texts that it got
}

func (m *model) call(tool string, args map[string]any) string {
	m.t.Helper()
	m.calls++
	a := m.c.Tool(tool, args)
	m.seen = append(m.seen, a.Text())
	return a.Text()
}

var stepLine = regexp.MustCompile(`STEP \d+/\d+ ([\w.]+) · [^\n]* · lease (\S+)\n`)

// follow does what a text says, until it says DONE, or what stop says.
func (m *model) follow(text, stop string) string {
	m.t.Helper()
	for range 40 {
		step := stepLine.FindStringSubmatch(text)
		switch {
		case stop != "" && strings.Contains(text, stop), strings.Contains(text, "DONE: "):
			return text
		case step != nil:
			text = m.call("step_submit", map[string]any{"plan_id": m.plan, "step": step[1], "lease": step[2], "output": string(draftstest.File(m.t, step[1]+".json"))})
		case strings.Contains(text, "step_next"):
			text = m.call("step_next", map[string]any{"plan_id": m.plan})
		default:
			m.t.Fatalf("a model does not know what to do with: %s", text)
		}
	}
	m.t.Fatalf("after 40 calls: %s", text)
	return ""
}

// person answers gates with what is proposed, as soon as they are open, until the test
// ends.
func person(t *testing.T, w *mcptest.World) {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		changed, err := w.Store.Watch(ctx)
		if err != nil {
			t.Error(err)
			return
		}
		for range changed {
			asks, err := w.Store.Waiting(ctx)
			if err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			for _, ask := range asks {
				answer(t, w, ask)
			}
		}
	}()
	t.Cleanup(func() { stop(); <-ended })
}

func answer(t *testing.T, w *mcptest.World, listed store.Ask) {
	ask, err := w.Store.Ask(context.Background(), listed.ID)
	if err != nil {
		t.Error(err)
		return
	}
	reply := questions.Reply{Answers: map[string]questions.Value{}}
	for _, q := range ask.Spec.Questions {
		if q.Default != nil {
			reply.Answers[q.ID] = *q.Default
		}
	}
	if _, err := w.Store.Settle(context.Background(), ask.ID, questions.Outcome{State: questions.Answered, Reply: reply}); err != nil {
		t.Error(err)
	}
}

// TestAModelThatKnowsNothingWritesABriefDraft has a model do only what the texts say.
// V1, T16: from the prompt to the report, by the texts alone.
func TestAModelThatKnowsNothingWritesABriefDraft(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	m := &model{t: t, c: c}
	begun := c.Tool("plan_create", map[string]any{"prompt": string(draftstest.File(t, "prompt.txt")), "start_date": "2026-12-01"})
	m.plan, m.calls = begun.Data["plan_id"].(string), 1
	m.follow(begun.Text(), "")
	saved := c.Tool("plan_download", map[string]any{"plan_id": m.plan})
	if m.calls++; m.calls > 16 {
		t.Errorf("%d calls", m.calls)
	}
	t.Logf("%d calls", m.calls)
	if path, _ := saved.Data["saved_path"].(string); saved.IsError || path == "" {
		t.Errorf("plan_download: %s", saved.Text())
	}
	got, err := w.Store.Drafts().Plan(t.Context(), m.plan)
	if err != nil || got.State != runs.Completed {
		t.Fatalf("the plan is %s, %v", got.State, err)
	}
	for _, gate := range []string{"choose", "confirm"} {
		if by := got.Draft.Output(gate).Text("by"); by != "you@example" {
			t.Errorf("%s was decided by %q", gate, by)
		}
	}
	for _, text := range m.seen {
		if n := len(text); n > 9500 {
			t.Errorf("a text has %d bytes: %.60s", n, text)
		}
	}
}
