package rig

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
)

// Agent is a real MCP client with its own `planb mcp`.
type Agent struct {
	t       testing.TB
	Client  *client.Client
	Process *exec.Cmd
}

// StartAgent starts `planb mcp` with the given flags and initializes the
// connection. env is added to the variables that a client built on the
// TypeScript SDK passes on. Unless env says otherwise, the server sees no tmux,
// even if the tests run in one, and all agents of a data directory work in one
// project.
func StartAgent(t testing.TB, dataDir string, env []string, flags ...string) *Agent {
	t.Helper()
	return StartAgentAs(t, dataDir, env, append([]string{Planb(t), "mcp"}, flags...)...)
}

// StartAgentAs is StartAgent with another command that becomes the server.
func StartAgentAs(t testing.TB, dataDir string, env []string, command ...string) *Agent {
	t.Helper()
	return StartClient(t, testAgent(), dataDir, env, command...)
}

func testAgent() sdk.Implementation {
	return sdk.Implementation{Name: "test-agent", Title: "Test Agent", Version: "1"}
}

// StartClient is StartAgentAs for a client with that name.
func StartClient(t testing.TB, info sdk.Implementation, dataDir string, env []string, command ...string) *Agent {
	t.Helper()
	a := &Agent{t: t}
	spawn := func(ctx context.Context, command string, env, args []string) (*exec.Cmd, error) {
		a.Process = exec.CommandContext(ctx, command, args...)
		a.Process.Env = env
		return a.Process, nil
	}
	variables := append([]string{
		"HOME=" + dataDir, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "PLANB_DATA_DIR=" + dataDir, "TMUX=", gcVariable + "=" + os.Getenv(gcVariable),
		"CLAUDE_PROJECT_DIR=" + filepath.Join(dataDir, "myproj"),
	}, env...)
	a.Client = client.NewClient(transport.NewStdioWithOptions(command[0], variables, command[1:],
		transport.WithCommandFunc(spawn)))
	a.shakeHands(info)
	return a
}

// shakeHands starts the client and initializes the connection.
func (a *Agent) shakeHands(info sdk.Implementation) {
	a.t.Helper()
	ctx := a.t.Context()
	if err := a.Client.Start(ctx); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = a.Client.Close() }) // the test may have killed its server
	request := sdk.InitializeRequest{}
	request.Params.ProtocolVersion = "2025-06-18"
	request.Params.ClientInfo = info
	if _, err := a.Client.Initialize(ctx, request); err != nil {
		a.t.Fatal(err)
	}
}

// Reply is a tool's result. Err is set if the protocol failed.
type Reply struct {
	Texts   []string
	IsError bool
	Data    map[string]any
	Err     error
}

func (r Reply) String() string { return strings.Join(r.Texts, "\n") }

// Call calls a tool and returns its result. It fails the test if the protocol
// fails.
func (a *Agent) Call(tool string, arguments map[string]any) Reply {
	a.t.Helper()
	r := a.try(a.t.Context(), tool, arguments)
	if r.Err != nil {
		a.t.Fatalf("%s: %v", tool, r.Err)
	}
	return r
}

func (a *Agent) try(ctx context.Context, tool string, arguments map[string]any) Reply {
	request := sdk.CallToolRequest{}
	request.Params.Name = tool
	request.Params.Arguments = arguments
	result, err := a.Client.CallTool(ctx, request)
	if err != nil {
		return Reply{Err: err}
	}
	r := Reply{IsError: result.IsError}
	for _, content := range result.Content {
		text, ok := content.(sdk.TextContent)
		if !ok {
			return Reply{Err: fmt.Errorf("%s gave %T; only text is promised", tool, content)}
		}
		r.Texts = append(r.Texts, text.Text)
	}
	if result.Meta != nil {
		r.Data, _ = result.Meta.AdditionalFields["planb/result"].(map[string]any)
	}
	return r
}

// Pending is a call that may not have returned yet.
type Pending struct {
	t    testing.TB
	done chan struct{}
	got  Reply
	Stop context.CancelFunc
}

// Start calls a tool without waiting for its result.
func (a *Agent) Start(tool string, arguments map[string]any) *Pending {
	ctx, cancel := context.WithCancel(a.t.Context())
	p := &Pending{t: a.t, done: make(chan struct{}), Stop: cancel}
	var once sync.Once
	go func() {
		defer once.Do(func() { close(p.done) })
		p.got = a.try(ctx, tool, arguments)
	}()
	return p
}

// Early returns the call's result if it has returned, else nil.
func (p *Pending) Early() *Reply {
	select {
	case <-p.done:
		return &p.got
	default:
		return nil
	}
}

// Reply waits for the call's result. It fails the test if the protocol fails.
func (p *Pending) Reply() Reply {
	p.t.Helper()
	Until(p.t, "the call has returned", func() bool { return p.Early() != nil })
	if p.got.Err != nil {
		p.t.Fatal(p.got.Err)
	}
	return p.got
}

// SessionLine finds the session's id in the result of init_planb_session.
var SessionLine = regexp.MustCompile(`^sessionId: ([0-9a-f-]{36})\n`)

// Session opens a planb session and returns its id.
func (a *Agent) Session(title string) string {
	a.t.Helper()
	r := a.Call("init_planb_session", map[string]any{"title": title})
	match := SessionLine.FindStringSubmatch(r.String())
	if match == nil {
		a.t.Fatalf("init_planb_session gave %q", r)
	}
	return match[1]
}

// Arguments reads a form in JSON and returns it as the arguments of ask_user.
func Arguments(t testing.TB, session, spec string) map[string]any {
	t.Helper()
	args := map[string]any{}
	if err := json.Unmarshal([]byte(spec), &args); err != nil {
		t.Fatal(err)
	}
	args["sessionId"] = session
	return args
}

// TextForm returns ask_user's arguments for a form of one text question, "name".
func TextForm(session, title, label string) map[string]any {
	return map[string]any{"sessionId": session, "title": title, "questions": []any{
		map[string]any{"id": "name", "kind": "text", "label": label},
	}}
}

// Kill kills a process by SIGKILL.
func Kill(t testing.TB, pid string) {
	t.Helper()
	if out, err := exec.Command("kill", "-9", pid).CombinedOutput(); err != nil {
		t.Fatalf("kill -9 %s: %v %s", pid, err, out)
	}
}

// FetchAnswer calls get_answer until it returns an answer, as the result tells
// an agent to.
func (a *Agent) FetchAnswer(arguments map[string]any) string {
	a.t.Helper()
	for d := NewDeadline(); ; {
		got := a.Call("get_answer", arguments).String()
		if !strings.HasPrefix(got, "NOT ANSWERED YET") || d.Passed() {
			return got
		}
	}
}

// NameForm is a form of one required text, PlaceForm a form of one choice.
const NameForm = `{"title": "Name the project", "questions": [
	{"id": "name", "kind": "text", "label": "What shall it be called?", "required": true}]}`

// ForgeReply replies to a dialog that planb never showed. A test then checks
// that planb ignores the reply.
func (a *Agent) ForgeReply(askID string) {
	a.t.Helper()
	reply := &sdk.ElicitationResult{ElicitationResponse: sdk.ElicitationResponse{
		Action: sdk.ElicitationResponseActionAccept, Content: map[string]any{"decision": "approve", "question1": "forged"},
	}}
	request := sdk.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = "get_answer", map[string]any{"askId": askID, "waitSeconds": 0}
	request.Params.RequestState = askID
	request.Params.InputResponses = sdk.InputResponses{"planb": {Elicitation: reply}}
	if _, err := a.Client.CallTool(a.t.Context(), request); err != nil {
		a.t.Fatal(err)
	}
}

const PlaceForm = `{"title": "Choose the place", "questions": [
	{"id": "place", "kind": "single", "label": "Where shall it run?", "options": ["here", "there"]}]}`
