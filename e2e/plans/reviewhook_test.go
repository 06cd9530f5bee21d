package plans_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// hookShell is a shell in tmux that runs planb as agents run their hooks:
// without a terminal, and with its output captured.
type hookShell struct {
	*rig.Tmux
	t          *testing.T
	pane, dir  string
	runs       int
	knownPanes []string
}

func newHookShell(t *testing.T) *hookShell {
	tm := rig.StartTmux(t, 170, 45)
	h := &hookShell{Tmux: tm, t: t, dir: t.TempDir()}
	h.pane = tm.OpenShell(t.TempDir(), true)
	h.knownPanes = []string{tm.FirstPane(), h.pane}
	return h
}

// run starts planb with that stdin and returns the pane of the review.
func (h *hookShell) run(stdin, args string) (review string) {
	h.t.Helper()
	h.runs++
	file := filepath.Join(h.dir, fmt.Sprint(h.runs))
	rig.WriteFile(h.t, file, stdin)
	h.Text(h.pane, fmt.Sprintf("clear; setsid -w %s review %s < %[3]s > %[3]s.out 2> %[3]s.err; echo $? > %[3]s.code", rig.Planb(h.t), args, file))
	h.Keys(h.pane, "Enter")
	review = h.NewPane(h.knownPanes...)
	h.knownPanes = append(h.knownPanes, review)
	return review
}

// ended waits for the end and returns stdout, stderr and the exit code.
func (h *hookShell) ended() (out, said, code string) {
	h.t.Helper()
	file := filepath.Join(h.dir, fmt.Sprint(h.runs))
	rig.Until(h.t, "planb review has ended", func() bool {
		text, err := os.ReadFile(file + ".code")
		code = strings.TrimSpace(string(text))
		return err == nil && code != ""
	})
	return rig.ReadFile(h.t, file+".out"), rig.ReadFile(h.t, file+".err"), code
}

func (h *hookShell) decide(review, verdict, says, sends string) {
	h.t.Helper()
	h.Ready(review)
	h.give(review, verdict, says, sends)
}

func (h *hookShell) give(review, verdict, says, sends string) {
	h.t.Helper()
	h.Text(review, verdict)
	h.ReadyDialog(review, says)
	h.Keys(review, sends)
	h.Gone(review)
}

// permission is the event of a client whose agent leaves its plan mode.
func permission(input string) string {
	return `{"session_id":"one","cwd":"/src/x","hook_event_name":"PermissionRequest","tool_name":"ExitPlanMode","tool_input":` + input + `}`
}

// decided is what the hook tells the client of a decision.
func decided(decision string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":` + decision + "}}\n"
}

// says checks what the hook printed.
func (h *hookShell) says(what, wantOut, wantSaid string) {
	h.t.Helper()
	out, said, code := h.ended()
	if out != wantOut || !strings.Contains(said, wantSaid) || (wantSaid == "") != (said == "") || code != "0" {
		h.t.Errorf("%s: exit code %s, stdout\n%s\nstderr\n%s\nwant 0,\n%s\n%s", what, code, out, said, wantOut, wantSaid)
	}
}

// The hook answers with the person's decision in a pane beside the agent.
// Without a decision it answers nothing.
func TestReviewHook(t *testing.T) {
	t.Parallel()
	h := newHookShell(t)
	const input = `{"odd":[1.50,"<&>"],"planFilePath":"/none","plan":"# First\n\n1. Build.\n"}`
	h.decide(h.run(permission(input), "--hook claude"), "r", "asked to change", "C-s")
	h.says("changes", decided(`{"behavior":"deny","message":"# Plan review: changes requested\n\nPlan needs changes, but no inline comments were provided.\n"}`), "")

	second := h.run(permission(input), "--hook claude")
	h.Shows(second, "nothing changed")
	h.decide(second, "a", "exactly this version", "Enter")
	h.says("approved as it came", decided(`{"behavior":"allow","updatedInput":`+input+`}`), "")

	// The person leaves the review. What they say of it later is for the next
	// call. For a while no pane opens here by itself.
	file := filepath.Join(h.dir, "plan.md")
	rig.WriteFile(t, file, "# Second\n\n1. Test.\n")
	byFile := fmt.Sprintf(`{"planFilePath":%q}`, file)
	left := h.run(permission(byFile), "--hook claude")
	h.Shows(left, " → v")
	h.Ready(left)
	h.Keys(left, "Escape")
	h.Shows(left, "esc menu")
	h.Keys(left, "C-c")
	h.Shows(left, "later")
	h.Keys(left, "C-c")
	h.Gone(left)
	h.says("left", "", "no verdict on the plan: left without a verdict")
	if panes := h.Panes(); len(panes) != 2 {
		t.Errorf("panes are left: %s", panes)
	}
}

// Approval in part is no approval. A plan that is answered in the client's own
// dialog closes its pane.
func TestReviewHookOfPlansInPartAndElsewhere(t *testing.T) {
	t.Parallel()
	h := newHookShell(t)
	part := h.run(permission(`{"plan":"# Parts\n\n## One\n\nDo.\n\n## Two\n\nDo.\n"}`), "--hook claude")
	h.Ready(part)
	h.Keys(part, "n", "n", "h")
	h.Shows(part, "Held back")
	h.give(part, "a", "1 section held back", "Enter")
	h.says("in part", decided(`{"behavior":"deny","message":"Approved in part: sections \"One\" (line 3) may be carried out exactly as they are; not: \"Two\" (line 7).\n"}`), "")

	// The plan is answered in the client's own dialog, as its transcript tells.
	// The pane closes.
	transcript := filepath.Join(h.dir, "transcript.jsonl")
	const asked = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_%[1]d","name":"ExitPlanMode"}]}}` + "\n"
	const told = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_%[1]d"}]}}` + "\n"
	rig.WriteFile(t, transcript, fmt.Sprintf(asked+told+"not JSON\n"+`{"message":{"content":"tool_result"}}`+"\n", 1))
	there := h.run(strings.Replace(permission(`{"plan":"# There\n"}`), "{", fmt.Sprintf(`{"transcript_path":%q,`, transcript), 1), "--hook claude")
	h.Shows(there, " → v")
	grown, err := os.OpenFile(transcript, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintf(grown, asked+told, 2)
		err = errors.Join(err, grown.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	h.Gone(there)
	h.says("answered there", "", "no verdict on the plan: the review was withdrawn")

	// Another plan of the session replaces the one before, whose review nobody
	// waits for now.
	third := h.run(permission(`{"plan":"# Third\n"}`), "--hook claude")
	h.Shows(third, " → v")
	h.Ready(third)
	h.Keys(third, "Escape")
	h.Shows(third, "esc menu")
	h.Text(third, "A")
	h.ReadyDialog(third, "what is to be done")
	h.Text(third, "Soon.")
	h.Keys(third, "C-s")
	h.Gone(third)
	h.says("with notes", decided(`{"behavior":"allow","updatedInput":{"plan":"# Third\n\n---\n\n# Plan review: approved with notes\n\nSoon.\n"}}`), "")
}

// A script without a terminal gets the verdict from a pane, too.
func TestReviewBesideAScript(t *testing.T) {
	t.Parallel()
	h := newHookShell(t)
	h.decide(h.run("# Piped\n", "-"), "R", "refused as a whole", "C-s")
	if out, said, code := h.ended(); code != "2" || !strings.HasPrefix(out, `{"approved":false,"feedback":"# Plan review: rejected`) || !strings.HasPrefix(said, "# Plan review: rejected") {
		t.Errorf("exit code %s\n%s\n%s", code, out, said)
	}
	part := h.run("# Piped\n\nSome.\n\n## And more\n\nOf it.\n", "-")
	h.Ready(part)
	h.Keys(part, "n", "h")
	h.Shows(part, "Held back")
	h.give(part, "a", "1 section held back", "Enter")
	if out, said, code := h.ended(); code != "2" || !strings.HasPrefix(out, `{"approved":false,"feedback":"Approved in part: only the text outside these sections`) || !strings.Contains(said, "not: \"And more\"") {
		t.Errorf("exit code %s\n%s\n%s", code, out, said)
	}
	left := h.run("# Piped\n", "--pane -")
	h.Ready(left)
	h.Keys(left, "C-c")
	h.Shows(left, "later")
	h.Keys(left, "C-c")
	if out, said, code := h.ended(); code != "130" || out != "" || !strings.Contains(said, "finish it with  planb tui ask ") {
		t.Errorf("exit code %s\n%s\n%s", code, out, said)
	}
}
