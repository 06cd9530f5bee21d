package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/questions"
	"planb/store"
	"planb/store/bolt"
)

// agent is a real MCP client with its own `planb mcp`.
type agent struct {
	t       testing.TB
	client  *client.Client
	process *exec.Cmd
}

// startAgent starts a server with those variables besides the ones a client on
// the TypeScript SDK passes, and shakes hands with it. Unless they say otherwise
// there is no tmux, also if these tests are run in one, and all agents of a data
// directory work in one project.
func startAgent(t testing.TB, dataDir string, env []string, flags ...string) *agent {
	t.Helper()
	return startAgentAs(t, dataDir, env, append([]string{planb(t), "mcp"}, flags...)...)
}

// startAgentAs is startAgent with another command that becomes a server.
func startAgentAs(t testing.TB, dataDir string, env []string, command ...string) *agent {
	t.Helper()
	a := &agent{t: t}
	spawn := func(ctx context.Context, command string, env, args []string) (*exec.Cmd, error) {
		a.process = exec.CommandContext(ctx, command, args...)
		a.process.Env = env
		return a.process, nil
	}
	variables := append([]string{
		"HOME=" + dataDir, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "PLANB_DATA_DIR=" + dataDir, "TMUX=",
		"CLAUDE_PROJECT_DIR=" + filepath.Join(dataDir, "myproj"),
	}, env...)
	a.client = client.NewClient(transport.NewStdioWithOptions(command[0], variables, command[1:],
		transport.WithCommandFunc(spawn)))
	a.shakeHands()
	return a
}

// shakeHands starts the client.
func (a *agent) shakeHands() {
	a.t.Helper()
	ctx := a.t.Context()
	if err := a.client.Start(ctx); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = a.client.Close() }) // its server may have been killed by the test
	request := sdk.InitializeRequest{}
	request.Params.ProtocolVersion = "2025-06-18"
	request.Params.ClientInfo = sdk.Implementation{Name: "test-agent", Title: "Test Agent", Version: "1"}
	if _, err := a.client.Initialize(ctx, request); err != nil {
		a.t.Fatal(err)
	}
}

// reply is a tool's result as a test looks at it.
type reply struct {
	texts   []string
	isError bool
	data    map[string]any
	err     error
}

func (r reply) String() string { return strings.Join(r.texts, "\n") }

// call calls a tool and fails the test when the protocol fails.
func (a *agent) call(tool string, arguments map[string]any) reply {
	a.t.Helper()
	r := a.try(a.t.Context(), tool, arguments)
	if r.err != nil {
		a.t.Fatalf("%s: %v", tool, r.err)
	}
	return r
}

func (a *agent) try(ctx context.Context, tool string, arguments map[string]any) reply {
	request := sdk.CallToolRequest{}
	request.Params.Name = tool
	request.Params.Arguments = arguments
	result, err := a.client.CallTool(ctx, request)
	if err != nil {
		return reply{err: err}
	}
	r := reply{isError: result.IsError}
	for _, content := range result.Content {
		text, ok := content.(sdk.TextContent)
		if !ok {
			return reply{err: fmt.Errorf("%s gave %T; only text is promised", tool, content)}
		}
		r.texts = append(r.texts, text.Text)
	}
	if result.Meta != nil {
		r.data, _ = result.Meta.AdditionalFields["planb/result"].(map[string]any)
	}
	return r
}

// pending is a call on its way.
type pending struct {
	t    testing.TB
	done chan struct{}
	got  reply
	stop context.CancelFunc
}

// start calls a tool without waiting for it.
func (a *agent) start(tool string, arguments map[string]any) *pending {
	ctx, cancel := context.WithCancel(a.t.Context())
	p := &pending{t: a.t, done: make(chan struct{}), stop: cancel}
	var once sync.Once
	go func() {
		defer once.Do(func() { close(p.done) })
		p.got = a.try(ctx, tool, arguments)
	}()
	return p
}

// early is the call's result if there is one already.
func (p *pending) early() *reply {
	select {
	case <-p.done:
		return &p.got
	default:
		return nil
	}
}

// reply waits for the call's result.
func (p *pending) reply() reply {
	p.t.Helper()
	until(p.t, "the call has returned", func() bool { return p.early() != nil })
	if p.got.err != nil {
		p.t.Fatal(p.got.err)
	}
	return p.got
}

var sessionLine = regexp.MustCompile(`^sessionId: ([0-9a-f-]{36})\n`)

// session opens a planb session and returns its id.
func (a *agent) session(title string) string {
	a.t.Helper()
	r := a.call("init_planb_session", map[string]any{"title": title})
	match := sessionLine.FindStringSubmatch(r.String())
	if match == nil {
		a.t.Fatalf("init_planb_session gave %q", r)
	}
	return match[1]
}

// arguments reads ask_user's arguments from JSON text.
func arguments(t testing.TB, session, spec string) map[string]any {
	t.Helper()
	args := map[string]any{}
	if err := json.Unmarshal([]byte(spec), &args); err != nil {
		t.Fatal(err)
	}
	args["sessionId"] = session
	return args
}

// kill ends a process by force.
func kill(t testing.TB, pid string) {
	t.Helper()
	if out, err := exec.Command("kill", "-9", pid).CombinedOutput(); err != nil {
		t.Fatalf("kill -9 %s: %v %s", pid, err, out)
	}
}

// onlyAsk is the session's one ask as the store holds it.
func onlyAsk(t testing.TB, dataDir, session string) store.Ask {
	t.Helper()
	asks, err := openStore(t, dataDir).Asks(t.Context(), session)
	if err != nil || len(asks) != 1 {
		t.Fatalf("the session has %d asks (%v), want 1", len(asks), err)
	}
	return asks[0]
}

// delivered waits until the session's one ask is marked as answered and told,
// which follows the result that tells it.
func delivered(t testing.TB, dataDir, session string) store.Ask {
	t.Helper()
	var ask store.Ask
	until(t, "the answer is marked as delivered", func() bool {
		ask = onlyAsk(t, dataDir, session)
		return ask.Outcome.State == questions.Answered && !ask.Delivered.IsZero()
	})
	return ask
}

// openStore opens the store that the program under test uses.
func openStore(t testing.TB, dataDir string) *store.Store {
	t.Helper()
	engine, err := bolt.Open(t.Context(), filepath.Join(dataDir, "planb.db"), bolt.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return store.New(engine, store.Options{By: "test@localhost"})
}
