package docs_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"planb/cli/frame"
	"planb/drafts"
	"planb/e2e/rig"
	"planb/e2e/rig/inprocess"
	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	"planb/store/home"
	"planb/store/runs"
	"planb/store/tasks"
)

// documentedCommand is how the test runs a command of the README and the pages in docs: on
// a terminal, where a person performs the lines of typed (see rig.Perform), or, if there
// are none, in the test's process.
type documentedCommand struct {
	args  []string // SESSION stands for the id of a session in the store, TASKS for that of a plan of tasks, DRAFT for that of a draft
	typed string
	exit  int
	run   func(h *docsHome, t *testing.T) // instead of args
}

// documentedCommands has every command of the tables and code blocks of the README and
// the pages in docs.
func documentedCommands() map[string]documentedCommand {
	const answer = "see What is it called?\ntype Vega\nkey ctrl+s"
	const demo = "see Offline edits\nsee esc menu\nkey ctrl+c\nsee ecline\ntype d\nsee eason\nkey ctrl+s"
	demoDraft := "see Choose a way\nsee esc menu\ntype d\nkey ctrl+s\nkey ctrl+s\nsee Check the assumptions\nsee required\n" +
		strings.Repeat("type d\nkey tab\n", 12) + "key ctrl+s"
	const approval = "see Build\nsee esc menu\ntype a\nsee exactly this version\nrest\nkey enter"
	plain := func(args ...string) documentedCommand { return documentedCommand{args: args} }
	left := func(shows string, args ...string) documentedCommand {
		return documentedCommand{args: args, typed: "see " + shows + "\nleave"}
	}
	return map[string]documentedCommand{
		"planb":                              left("Open"),
		"planb mcp":                          {run: (*docsHome).serve},
		"planb tui":                          left("Open", "tui"),
		"planb tui ask [ID]":                 {args: []string{"tui", "ask"}, typed: answer},
		"planb tui retro [SESSION]":          left("Ship it", "tui", "retro", "SESSION"),
		"planb tui tasks [PLAN]":             left("Waiting for your approval", "tui", "tasks"),
		"planb tui drafts [DRAFT]":           left("Open a repair workshop", "tui", "drafts"),
		"planb tui drafts":                   left("Open a repair workshop", "tui", "drafts"),
		"planb tui themes":                   left("catppuccin", "tui", "themes"),
		"planb sessions":                     plain("sessions"),
		"planb find WORDS":                   plain("find", "walking"),
		"planb show SESSION":                 plain("show", "SESSION"),
		"planb diff SESSION [OLDER [NEWER]]": {args: []string{"diff", "SESSION"}, exit: 1},
		"planb ask FILE":                     {args: []string{"ask", "form.json"}, typed: answer},
		"planb review FILE": {args: []string{"review", "plan.md"},
			typed: "see Build.\nsee esc menu\ntype a\nsee exactly this version\nrest\nkey enter"},
		"planb draft":                    plain("draft"),
		"planb draft new [FILE]":         plain("draft", "new", "todo.md", "--detail", "ping"),
		"planb draft run DRAFT":          {args: []string{"draft", "run", "DRAFT"}, exit: 1}, // no program is set
		"planb draft resume DRAFT":       {args: []string{"draft", "resume", "DRAFT"}, exit: 1},
		"planb draft retry DRAFT":        {args: []string{"draft", "retry", "DRAFT"}, exit: 1},
		"planb draft stop DRAFT":         plain("draft", "stop", "DRAFT"),
		"planb draft status DRAFT":       plain("draft", "status", "DRAFT"),
		"planb draft log DRAFT":          plain("draft", "log", "DRAFT"),
		"planb draft open DRAFT":         plain("draft", "open", "DRAFT"),
		"planb draft open example":       plain("draft", "open", "example"),
		"planb draft report DRAFT":       plain("draft", "report", "DRAFT"),
		"planb draft tasks DRAFT":        {args: []string{"draft", "tasks", "DRAFT"}, exit: 1}, // it has none yet
		"planb draft zip DRAFT":          plain("draft", "zip", "DRAFT"),
		"planb tasks [PLAN]":             plain("tasks", "TASKS"),
		"planb tasks show PLAN":          plain("tasks", "show", "TASKS"),
		"planb tasks ready [PLAN]":       plain("tasks", "ready", "--explain"),
		"planb tasks path PLAN":          plain("tasks", "path", "TASKS"),
		"planb tasks done":               plain("tasks", "done"),
		"planb tasks events [PLAN]":      plain("tasks", "events", "TASKS"),
		"planb tasks prime":              plain("tasks", "prime"),
		"planb tasks approve 3f9a1c":     {args: []string{"tasks", "approve", "TASKS"}, typed: approval},
		"planb tasks import TODO.md":     plain("tasks", "import", "todo.md"),
		"planb tasks":                    plain("tasks"),
		"planb tui tasks":                left("Waiting for your approval", "tui", "tasks"),
		"planb setup claude --task-hook": plain("setup", "claude", "--task-hook", "--yes"),
		"planb tasks approve [PLAN]":     {args: []string{"tasks", "approve", "TASKS"}, typed: approval},
		"planb demo tasks":               {args: []string{"demo", "tasks"}, typed: "see Keep edits in a queue\nsee esc menu\ntype a\nsee exactly this version\nrest\nkey enter"},
		"planb demo draft":               {args: []string{"demo", "draft"}, typed: demoDraft},
		"planb tasks accept [TASK]":      {args: []string{"tasks", "accept", "build"}, exit: 1},
		"planb tasks add PLAN TITLE":     plain("tasks", "add", "TASKS", "Celebrate"),
		"planb tasks edit PLAN":          plain("tasks", "edit", "TASKS", "todo-plan.md"),
		"planb tasks priority TASK N":    {args: []string{"tasks", "priority", "build", "0"}, exit: 1}, // its plan is not active
		"planb tasks pause PLAN":         {args: []string{"tasks", "pause", "TASKS"}, exit: 1},
		"planb tasks release TASK":       {args: []string{"tasks", "release", "build"}, exit: 1},
		"planb tasks on":                 plain("tasks", "on"),
		"planb tasks template":           plain("tasks", "template"),
		"planb tasks import FILE":        plain("tasks", "import", "todo.md"),
		"planb tasks export PLAN":        plain("tasks", "export", "TASKS", "--to", "tasks.md"),
		"planb config":                   plain("config"),
		"planb status":                   plain("status"),
		"planb setup CLIENT":             plain("setup", "codex", "--yes"),
		"planb setup claude":             plain("setup", "claude", "--yes"),
		"planb setup tmux":               plain("setup", "tmux", "--yes"),
		"planb doctor":                   plain("doctor"),
		"planb backup [FILE]":            plain("backup"),
		"planb restore [FILE]":           {run: (*docsHome).goBack},
		"planb export SESSION":           plain("export", "SESSION", "--to", "plan.html"),
		"planb import DIR":               {run: (*docsHome).importSession},
		"planb prune":                    plain("prune", "--yes"),
		"planb demo":                     {args: []string{"demo"}, typed: demo},
		"planb skill":                    plain("skill"),
		"planb completion SHELL":         plain("completion", "bash"),
		"planb version":                  plain("version"),
		"go run . demo":                  {args: []string{"demo"}, typed: demo},
		"mkdir -p ~/.claude/skills/planb && planb skill > ~/.claude/skills/planb/SKILL.md": plain("skill"),
		"go test ./...": {run: func(*docsHome, *testing.T) {}}, // has no data directory of its own
	}
}

// inDocs lists the commands of these tables and code blocks.
func inDocs(t *testing.T) []string {
	t.Helper()
	docs := pages(t)
	var list []string
	for _, match := range regexp.MustCompile("(?m)^\\| `(planb[^`]*)` \\|").FindAllStringSubmatch(docs, -1) {
		list = append(list, match[1])
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(docs, -1) {
		for line := range strings.Lines(block[1]) {
			command, _, _ := strings.Cut(line, " #")
			if command = strings.TrimSpace(command); command != "" {
				list = append(list, command)
			}
		}
	}
	if len(list) < 20 {
		t.Fatalf("the README and the pages in docs have the commands %q", list)
	}
	return list
}

// The store is sound after each command that a reader of the docs may run.
func TestTheStoreIsSoundAfterEachCommandOfTheDocs(t *testing.T) {
	known := documentedCommands()
	listed := inDocs(t)
	for _, command := range listed {
		if _, ok := known[command]; !ok {
			t.Errorf("the docs have the command %q, which is not run here", command)
		}
	}
	prepared := newDocsHome(t)
	prepared.isSound(t)
	whole := rig.ReadFile(t, prepared.database())
	ran := map[string]bool{} // some commands are in the docs in two spellings
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !slices.Contains(listed, name) {
			t.Errorf("%q is run here, and is not in the docs", name)
		}
		command := known[name]
		if same := fmt.Sprintf("%q %q", command.args, command.typed); command.run == nil {
			if ran[same] {
				continue
			}
			ran[same] = true
		}
		t.Run(name, func(t *testing.T) {
			h := prepared.copied(t)
			if command.typed != "" {
				t.Parallel()
			}
			if command.run != nil {
				command.run(h, t)
			} else {
				h.runs(t, command)
			}
			if rig.ReadFile(t, h.database()) != whole { // as it was, it is sound
				h.isSound(t)
			}
		})
	}
}

// docsHome is a home whose store has two sessions. One has an answered ask,
// an open ask, two versions of a plan and a plan that is a file. The other
// session is old. A plan of tasks is proposed in the first, and a
// draft is begun.
type docsHome struct {
	dir, project, data, session, tasks, draft string
}

func (h *docsHome) database() string { return filepath.Join(h.data, "planb.db") }

func newDocsHome(t *testing.T) *docsHome {
	t.Helper()
	h := &docsHome{dir: t.TempDir(), project: t.TempDir()}
	h.data = filepath.Join(h.dir, "data")
	for name, text := range map[string]string{
		"form.json":    `{"title": "Name", "questions": [{"id": "name", "kind": "text", "label": "What is it called?"}]}`,
		"plan.md":      "# Ship it\n\n1. Build.\n2. Ship.\n",
		"todo-plan.md": "# To do\n\n## Build {#build}\n",
		"todo.md":      "# To do\n\n- [ ] Build\n- [x] Design\n",
	} {
		if err := os.WriteFile(filepath.Join(h.project, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	engine, err := bolt.Open(t.Context(), h.database(), bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}()
	person, err := user.Current() // plans of tasks belong to the user who runs the commands
	if err != nil {
		t.Fatal(err)
	}
	st, ctx := store.New(engine, store.Options{By: person.Username + "@localhost"}), t.Context()
	session, err := st.CreateSession(ctx, store.Session{Title: safe.New("Ship it"), Project: safe.New(h.project)})
	if err != nil {
		t.Fatal(err)
	}
	h.session = session.ID
	for _, title := range []string{"Answered", "Open"} {
		spec := questions.Spec{Title: safe.New(title), Questions: []questions.Question{{
			ID: "name", Kind: questions.Text, Label: safe.New("What is it called?"), Tab: safe.New("Questions"),
		}}}
		ask, _, err := st.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: spec, Timeout: time.Hour})
		if err == nil && title == "Answered" {
			reply := questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue("Altair")}}
			_, err = st.Settle(ctx, ask.ID, questions.Outcome{State: questions.Answered, Reply: reply})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"# One\n", "# Two\n"} {
		if _, _, err := st.SavePlan(ctx, session.ID, "", text); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := st.SaveFilePlan(ctx, store.FilePlan{Path: filepath.Join(h.project, "a-plan.md"), Name: plans.Name("a"), Text: "# A\n", Session: session.ID}); err != nil {
		t.Fatal(err)
	}
	by := tasks.Caller{Actor: rules.User, Name: person.Username, Dir: h.project}
	if _, err := st.Tasks().CreateProject(ctx, by, "Ship", ""); err != nil {
		t.Fatal(err)
	}
	proposal, err := rules.ReadProposal([]byte(`{"title":"Ship","tasks":[{"title":"Build"},{"title":"Ship","dependsOn":["build"]}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	proposed, err := st.Tasks().Propose(ctx, by, tasks.Proposal{Proposal: proposal, Session: session.ID})
	if err != nil {
		t.Fatal(err)
	}
	h.tasks = proposed.ID
	draft, _, err := st.Drafts().Create(ctx, runs.Caller{Name: person.Username, Person: true}, runs.Request{
		Prompt: "Open a repair workshop in Leipzig by June.", Session: session.ID, Detail: drafts.Brief, Start: st.Drafts().Today(),
	})
	if err != nil {
		t.Fatal(err)
	}
	h.draft = draft.ID
	past := store.New(engine, store.Options{Now: func() time.Time { return time.Now().AddDate(-1, 0, 0) }})
	old, err := past.CreateSession(ctx, store.Session{Title: safe.New("Old")})
	if err == nil {
		_, _, err = past.SavePlan(ctx, old.ID, "", "# Old\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// copied returns a home of its own with the same store and the same project.
func (h docsHome) copied(t *testing.T) *docsHome {
	t.Helper()
	from := h.data
	h.dir = t.TempDir()
	h.data = filepath.Join(h.dir, "data")
	if err := os.CopyFS(h.data, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return &h
}

// command is a command for the test's process.
func (h *docsHome) command(t *testing.T, args ...string) inprocess.Command {
	t.Helper()
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.NewReplacer("SESSION", h.session, "TASKS", h.tasks, "DRAFT", h.draft).Replace(args[i])
	}
	return inprocess.Command{Args: args, Dir: h.project, Program: rig.Planb(t), Env: frame.Environment{
		"PATH": filepath.Dir(rig.Planb(t)) + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME": h.dir, "PLANB_DATA_DIR": h.data,
		"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TMUX": "",
	}}
}

// runs runs a command to its end.
func (h *docsHome) runs(t *testing.T, c documentedCommand) {
	t.Helper()
	command := h.command(t, c.args...)
	var code int
	var out string
	if c.typed == "" {
		end, err := command.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		code, out = end.Code, string(end.Stdout)+string(end.Stderr)
	} else {
		code, out = playedOn(t, command, c.typed)
	}
	if code != c.exit {
		t.Fatalf("planb %v exits with %d, want %d:\n%s", c.args, code, c.exit, out)
	}
}

// playedOn starts planb for a command on a terminal, where a person performs the lines.
func playedOn(t *testing.T, c inprocess.Command, lines string) (code int, seen string) {
	t.Helper()
	cmd := exec.Command(c.Program, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env.Pairs()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var screen rig.Output
	drained := screen.Drain(tty)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	exit, problem := rig.Perform(tty, &screen, lines, ended)
	if problem != nil {
		_ = cmd.Process.Kill()
		t.Fatal(problem)
	}
	<-drained
	if _, failed := errors.AsType[*exec.ExitError](exit); exit != nil && !failed {
		t.Fatal(exit)
	}
	return cmd.ProcessState.ExitCode(), screen.Text()
}

// isSound does doctor's deep check of the store, in this process: two starts of planb
// fewer for each command.
func (h *docsHome) isSound(t *testing.T) {
	t.Helper()
	found := home.Check(t.Context(), h.database())
	if wrong := append(found.Problems(), found.Gaps()...); len(wrong) > 0 {
		t.Errorf("the store is not sound: %q", wrong)
	}
	if found.Content.Sessions == 0 {
		t.Error("the store was not looked through")
	}
}

// serve is an agent that asks, plans and leaves. Nobody answers it, so its calls wait.
func (h *docsHome) serve(t *testing.T) {
	t.Parallel()
	a := rig.StartAgent(t, h.data, append(h.command(t).Env.Pairs(), "ASK_NO_OPEN=1"), "--wait", "300ms", "--plans-dir", filepath.Join(h.dir, "plans"))
	session := a.Session("Served")
	for _, call := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"ask_user", rig.Arguments(t, session, rig.NameForm)},
		{"save_plan", map[string]any{"sessionId": session, "plan": "# One\n"}},
		{"write_plan", map[string]any{"planName": "served", "content": "# Two\n"}},
		{"edit_plan", map[string]any{"planName": "served", "oldString": "Two", "newString": "Three"}},
		{"submit_plan", map[string]any{"planName": "served"}},
		{"get_answer", map[string]any{"sessionId": session, "withdraw": true}},
	} {
		if r := a.Call(call.tool, call.arguments); len(r.Texts) == 0 {
			t.Errorf("%s answers nothing", call.tool)
		}
	}
	if err := a.Client.Close(); err != nil {
		t.Fatal(err)
	}
}

func (h *docsHome) goBack(t *testing.T) {
	h.runs(t, documentedCommand{args: []string{"backup"}})
	h.runs(t, documentedCommand{args: []string{"restore", "--yes"}})
}

func (h *docsHome) importSession(t *testing.T) {
	from, err := filepath.Abs("testdata/planb-mcp")
	if err != nil {
		t.Fatal(err)
	}
	h.runs(t, documentedCommand{args: []string{"import", from}})
}
