//go:build unix

package scripts_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"planb/cli/frame"
	"planb/drafts"
	"planb/e2e/rig"
	"planb/e2e/rig/inprocess"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/home"
	"planb/store/runs"
	"planb/store/tasks"
)

// withoutTerminal runs planb as an agent's shell runs it: with no terminal to ask anybody
// on.
func withoutTerminal(t *testing.T, dir, data, stdin string, args ...string) string {
	t.Helper()
	c := inprocess.Command{Args: args, Dir: dir, Program: rig.Planb(t), Stdin: filepath.Join(t.TempDir(), "stdin"), Env: frame.Environment{
		"PATH": "/usr/bin:/bin", "HOME": dir, "PLANB_DATA_DIR": data, "TERM": "xterm-256color", "EDITOR": "true", "ASK_NO_OPEN": "1",
	}}
	rig.WriteFile(t, c.Stdin, stdin)
	if opensTerminal(args) {
		return inOwnSession(t, c)
	}
	end, err := c.Run(t.Context())
	if err != nil {
		t.Fatalf("planb %v: %v", args, err)
	}
	return string(end.Stdout) + string(end.Stderr)
}

// opensTerminal reports whether a command asks on the terminal of its session, whatever
// its stdin is, or goes on by itself.
func opensTerminal(args []string) bool {
	return decides(args) || slices.Contains([]string{"tui", "ask", "review", "demo", "draft", "mcp"}, args[0]) && !slices.Contains(args, "--help")
}

// decides reports whether a person decides on tasks by the command.
func decides(args []string) bool {
	return len(args) > 1 && args[0] == "tasks" && slices.Contains([]string{"approve", "accept", "finish", "cancel"}, args[1]) && !slices.Contains(args, "--help")
}

// inOwnSession starts planb in a session of its own, which has no terminal. It ends what
// does not end by itself.
func inOwnSession(t *testing.T, c inprocess.Command) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	stdin, err := os.Open(c.Stdin)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	cmd := exec.CommandContext(ctx, c.Program, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env.Pairs(), stdin
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatalf("planb %v: %v", c.Args, err)
	}
	return string(out)
}

// approvals is all that decides what agents may work on.
type approvals struct {
	status   rules.Status
	approved rules.Hash
	unlocked []string // by nodeKey
	held     []int
}

func approvalsOf(t *testing.T, st home.Store, id string) approvals {
	t.Helper()
	w, err := st.Tasks().Plan(t.Context(), tasks.Caller{}, id)
	if err != nil {
		t.Fatal(err)
	}
	a := approvals{status: w.Status, held: w.Held}
	if w.Approved != nil {
		a.approved = w.Approved.Hash()
	}
	for i, unlocked := range w.Graph.Unlocked(w.Approved, w.Held) {
		if unlocked {
			a.unlocked = append(a.unlocked, w.Graph.Key(i+1))
		}
	}
	return a
}

// TestNoCommandWithoutATerminalApproves runs every command that there is without a
// terminal, with everything that a person could say on stdin. The proposed plan stays
// proposed, and of the active one the same tasks may be worked on as before, with the same
// texts.
func TestNoCommandWithoutATerminalApproves(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	st, active, end := workedPlan(data, dir, check)
	defer st.Close()
	defer end()
	rig.WriteFile(t, filepath.Join(dir, "todo.md"), "# Proposed\n\n- [ ] Rest {#rest}\n- [ ] Sleep {#sleep}\n")
	rig.WriteFile(t, filepath.Join(dir, "change.md"), "## Write other docs {#docs}\n")
	if out := withoutTerminal(t, dir, data, "", "tasks", "import", "todo.md"); !strings.Contains(out, "Proposed") {
		t.Fatal(out)
	}
	list, err := st.Tasks().Plans(t.Context(), tasks.Caller{})
	check(err)
	proposed := list[len(list)-1]
	whole, err := st.Tasks().Plan(t.Context(), tasks.Caller{}, proposed.ID)
	check(err)
	ask := openedReview(t, st.Store, whole)
	draft, _, err := st.Drafts().Create(t.Context(), runs.Caller{Name: "Claude Code"}, runs.Request{
		Prompt: "A bakery", Session: whole.Session, Detail: drafts.Full, Start: st.Drafts().Today(),
	})
	check(err)
	before := map[string]approvals{active.ID: approvalsOf(t, st, active.ID), proposed.ID: approvalsOf(t, st, proposed.ID)}
	if len(before[active.ID].unlocked) != 5 || before[proposed.ID].status != rules.PlanProposed || len(before[proposed.ID].unlocked) > 0 {
		t.Fatalf("to begin with: %+v", before)
	}

	a, p := active.ID, proposed.ID
	// Every command that there is, with what it is called with.
	commands := map[string][][]string{
		"tasks": {{p}, {}}, "tasks add": {{a, "More"}, {p, "More"}}, "tasks edit": {{a, "change.md"}, {a + "x", "-"}, {p, "-"}},
		"tasks import": {{"todo.md"}, {"change.md", "--into", a}}, "tasks approve": {{p}, {a}, {}}, "tasks accept": {{"text"}, {}}, "tasks finish": {{"sign"}, {}},
		"tasks cancel": {{p}, {a}, {"docs"}}, "tasks priority": {{"docs", "0"}}, "tasks pause": {{a}, {a, "--off"}, {p}}, "tasks release": {{"api"}},
		"tasks show": {{a}, {"rest"}}, "tasks ready": {{}, {a}}, "tasks path": {{a}}, "tasks done": {{}}, "tasks events": {{}}, "tasks prime": {{}},
		"tasks export": {{a}}, "tasks on": {{}}, "tasks off": {{}},
		"tasks template": {{}}, "tasks template save": {{p, "x"}}, "tasks template check": {{}}, "tasks template list": {{}},
		"tui": {{}}, "tui tasks": {{}, {p}}, "tui ask": {{}, {ask}, {ask, "--yes"}}, "tui retro": {{}, {proposed.Session}}, "tui drafts": {{}}, "tui themes": {{}},
		"ask": {{"-"}}, "review": {{"todo.md"}, {"todo.md", "--pane"}}, "mcp": {{}}, "demo": {{}}, "demo tasks": {{}}, "demo draft": {{}},
		"status": {{}}, "sessions": {{}}, "show": {{proposed.Session}, {ask}}, "diff": {{proposed.Session}}, "find": {{"Rest"}},
		"draft": {{}}, "draft new": {{"todo.md"}}, "draft run": {{draft.ID}}, "draft resume": {{draft.ID}}, "draft retry": {{draft.ID}}, "draft stop": {{draft.ID}},
		"draft list": {{}}, "draft status": {{draft.ID}}, "draft log": {{draft.ID}}, "draft open": {{draft.ID}}, "draft report": {{draft.ID}}, "draft zip": {{draft.ID}},
		"draft tasks": {{draft.ID}},
		"setup":       {{}, {"claude", "--yes"}}, "setup tmux": {{"--yes"}}, "doctor": {{}, {"--repair"}}, "skill": {{}}, "version": {{}}, "help": {{}},
		"config": {{}}, "config keys": {{}}, "config set": {{"theme", "nord"}}, "config unset": {{"theme"}}, "config edit": {{}}, "config check": {{}},
		"config example": {{}}, "config path": {{}},
		"completion": {{}}, "completion bash": {{}}, "completion zsh": {{}}, "completion fish": {{}}, "completion powershell": {{}},
		"backup": {{}}, "restore": {{}}, "export": {{"--all", "--to", "out"}}, "import": {{"out"}}, "prune": {{"--yes", "--older-than", "1h"}},
	}
	for _, name := range commandsBelow(t, dir, data, "") {
		if commands[name] == nil {
			t.Errorf("planb %s is not run here", name)
		}
	}
	var all [][]string
	for name, list := range commands {
		for _, args := range list {
			args = append(strings.Fields(name), args...)
			all = append(all, args)
			if decides(args) {
				all = append(all, append(slices.Clone(args), "--yes"), append(slices.Clone(args), "--json"))
			}
		}
	}
	const everything = "y\nyes\na\napprove\n{\"approved\":true}\n\r\x13\n# Proposed\n\n## Rest {#rest}\n"
	for _, args := range all {
		withoutTerminal(t, dir, data, everything, args...)
	}
	for id, was := range before {
		now := approvalsOf(t, st, id)
		if now.status != was.status || now.approved != was.approved || !slices.Equal(now.unlocked, was.unlocked) || !slices.Equal(now.held, was.held) {
			t.Errorf("after all commands %s is %+v, was %+v", rules.Short(id), now, was)
		}
	}
	w, err := st.Tasks().Plan(t.Context(), tasks.Caller{}, a)
	check(err)
	for key, want := range map[string]rules.State{"schema": rules.Done, "text": rules.NeedsReview, "sign": rules.Ready} {
		n, _ := w.Graph.Find(key)
		if got := rules.Look(w.Situation(time.Now())).State(n); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

// openedReview opens the review that approves a plan, which nobody answers.
func openedReview(t *testing.T, st *store.Store, plan tasks.Whole) (ask string) {
	t.Helper()
	text, err := st.Tasks().Text(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	version, _, err := st.SavePlan(t.Context(), plan.Session, "", text.Raw())
	if err != nil {
		t.Fatal(err)
	}
	opened, _, err := st.OpenAsk(t.Context(), store.Ask{
		Session: plan.Session, Subject: store.Subject{Kind: tasks.SubjectKind, ID: tasks.SubjectOf(plan)},
		Spec: questions.ReviewOf(safe.New("Tasks"), questions.PlanRef{Number: version.Number, Digest: version.Digest}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return opened.ID
}

// commandsBelow are all commands below a command, as the shell completes them. What it
// completes besides is no command: the help of a command tells its usage.
func commandsBelow(t *testing.T, dir, data string, command string) (names []string) {
	t.Helper()
	above := strings.Fields(command)
	for line := range strings.Lines(withoutTerminal(t, dir, data, "", slices.Concat([]string{"__complete"}, above, []string{""})...)) {
		name, _, described := strings.Cut(strings.TrimSpace(line), "\t")
		if !described {
			continue
		}
		name = strings.TrimSpace(command + " " + name)
		help := withoutTerminal(t, dir, data, "", append(strings.Fields(name), "--help")...)
		if usage := regexp.MustCompile(`(?m)^  planb ` + regexp.QuoteMeta(name) + `( |$)`); !usage.MatchString(help) {
			continue
		}
		names = append(names, name)
		if strings.Contains(help, "\n  planb "+name+" COMMAND\n") {
			names = append(names, commandsBelow(t, dir, data, name)...)
		}
	}
	if command == "" && len(names) < 60 {
		t.Fatalf("there are only %v", names)
	}
	return names
}
