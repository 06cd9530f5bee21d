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
	"planb/e2e/rig"
	"planb/e2e/rig/inprocess"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/home"
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
// its stdin is.
func opensTerminal(args []string) bool {
	if args[0] == "tasks" && len(args) > 1 {
		return slices.Contains([]string{"approve", "accept", "finish", "cancel"}, args[1])
	}
	return slices.Contains([]string{"tui", "ask", "review"}, args[0])
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

// TestNoCommandWithoutATerminalApproves runs every command below planb tasks, and those
// that show forms and reviews, without a terminal, with everything that a person could
// say on stdin. The proposed plan stays proposed, and of the active one the same tasks may
// be worked on as before, with the same texts.
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
	before := map[string]approvals{active.ID: approvalsOf(t, st, active.ID), proposed.ID: approvalsOf(t, st, proposed.ID)}
	if len(before[active.ID].unlocked) != 5 || before[proposed.ID].status != rules.PlanProposed || len(before[proposed.ID].unlocked) > 0 {
		t.Fatalf("to begin with: %+v", before)
	}

	a, p := active.ID, proposed.ID
	commands := map[string][][]string{
		"add": {{a, "More"}, {p, "More"}}, "edit": {{a, "change.md"}, {a + "x", "-"}, {p, "-"}}, "import": {{"todo.md"}, {"change.md", "--into", a}},
		"approve": {{p}, {a}}, "accept": {{"text"}}, "finish": {{"sign"}}, "cancel": {{p}, {a}, {"docs"}},
		"priority": {{"docs", "0"}}, "pause": {{a}, {a, "--off"}, {p}}, "release": {{"api"}},
		"show": {{a}, {"rest"}}, "ready": {{}, {a}}, "path": {{a}}, "done": {{}}, "events": {{}}, "prime": {{}}, "export": {{a}},
		"template": {{"save", p, "x"}, {"check"}, {"list"}, {}}, "on": {{}}, "off": {{}},
	}
	for _, name := range below(t, dir, data, "tasks") {
		if commands[name] == nil {
			t.Errorf("planb tasks %s is not run here", name)
		}
	}
	var runs [][]string
	for name, list := range commands {
		for _, args := range list {
			runs = append(runs, append([]string{"tasks", name}, args...))
			if slices.Contains([]string{"approve", "accept", "finish", "cancel"}, name) {
				runs = append(runs, append([]string{"tasks", name, "--yes"}, args...), append([]string{"tasks", name, "--json"}, args...))
			}
		}
	}
	runs = append(runs, [][]string{
		{"tui"}, {"tui", "tasks"}, {"tui", "tasks", p}, {"tui", "ask"}, {"tui", "ask", ask}, {"tui", "ask", ask, "--yes"}, {"review", "todo.md"},
		{"review", "todo.md", "--pane"}, {"ask", "-"}, {"status"}, {"find", "Rest"}, {"prune", "--yes", "--older-than", "1h"},
		{"tasks", p}, {"tasks"}, {"tasks", "demo"},
	}...)
	const everything = "y\nyes\na\napprove\n{\"approved\":true}\n\r\x13\n# Proposed\n\n## Rest {#rest}\n"
	for _, args := range runs {
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

// below are the commands below a command, as the shell completes them.
func below(t *testing.T, dir, data string, command string) (names []string) {
	t.Helper()
	id := regexp.MustCompile(`^[0-9a-f]{6}$`)
	for line := range strings.Lines(withoutTerminal(t, dir, data, "", "__complete", command, "")) {
		name, _, described := strings.Cut(strings.TrimSpace(line), "\t")
		if described && !id.MatchString(name) {
			names = append(names, name)
		}
	}
	if len(names) < 15 {
		t.Fatalf("below planb %s there are %v", command, names)
	}
	return names
}
