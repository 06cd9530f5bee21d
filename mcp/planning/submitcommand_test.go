//go:build unix

package planning_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
)

// withCommand has a shell script review plans. It gets the plan's path as $1.
func withCommand(t testing.TB, script string, change func(*mcp.Config)) mcptest.Author {
	t.Helper()
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) {
		cfg.SubmitCommand = []string{"sh", "-c", script, "review"}
		if change != nil {
			change(cfg)
		}
	})
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "# A\n"})
	return a
}

func TestA14WhatTheCommandPrintsIsTheFeedback(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ script, want string }{
		"its output":             {`echo "of $1:"; cat "$1"`, "of PATH:\n# A\n"},
		"nothing":                {"true", ""},
		"approved, it says":      {"echo '# Plan review: approved'", "# Plan review: approved\n"},
		"what it says, exactly":  {`printf ' \n<b> ä\t'`, " \n<b> ä\t"},
		"its errors are no part": {"echo no >&2; echo yes", "yes\n"},
		"there is no input":      {"cat; echo end", "end\n"},
		"it leaves something":    {"sleep 30 & echo $! > \"${1%.md}.pid\"; echo end", "end\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a := withCommand(t, test.script, nil)
			got := a.Tool("submit_plan", map[string]any{"planName": "a"})
			approved, feedback := mcptest.Submitted(t, got)
			if want := strings.ReplaceAll(test.want, "PATH", a.File("a")); approved != false || feedback != want {
				t.Errorf("got %v, %q, want %q", approved, feedback, want)
			}
			if got.Data["path"] != a.File("a") || got.Data["version"] != 1.0 {
				t.Errorf("as data: %v", got.Data)
			}
			if pid, err := os.ReadFile(strings.TrimSuffix(a.File("a"), ".md") + ".pid"); err == nil {
				end(t, string(pid))
			}
		})
	}
}

// end ends the process of that id, which must be running.
func end(t testing.TB, pid string) {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if err == nil {
		err = syscall.Kill(n, syscall.SIGKILL)
	}
	if err != nil {
		t.Errorf("what the command left is gone: %v", err)
	}
}

func TestA14TheCommandGetsASavedPlan(t *testing.T) {
	t.Parallel()
	a := withCommand(t, `echo "$1"; cat "$1"`, nil)
	session := a.Session()
	for _, plan := range []string{"# One", "# Two"} {
		a.Tool("save_plan", map[string]any{"sessionId": session, "plan": plan})
	}
	for version, want := range map[int]string{0: "/v2.md\n# Two", 1: "/v1.md\n# One"} {
		args := map[string]any{"sessionId": session}
		if version > 0 {
			args["version"] = version
		}
		_, feedback := mcptest.Submitted(t, a.Tool("submit_plan", args))
		if text := fmt.Sprint(feedback); !filepath.IsAbs(text) || !strings.HasSuffix(text, session+want) {
			t.Errorf("version %d: got %q", version, text)
		}
	}
	a.Refused(t, "submit_plan", map[string]any{"planName": "a", "version": 1}, "version goes with sessionId alone: a plan file is submitted as it is now.")
	a.Refused(t, "submit_plan", map[string]any{}, "planName is missing: pass the name of a plan that write_plan wrote, or the sessionId of one that save_plan saved.")
}

func TestA14TheCommandFails(t *testing.T) {
	t.Parallel()
	a := withCommand(t, "echo out; echo no such user >&2; exit 3", nil)
	a.Refused(t, "submit_plan", map[string]any{"planName": "a"}, "Submit command `sh` exited with exit status 3: no such user")
	a = withCommand(t, "kill -9 $$", nil)
	a.Refused(t, "submit_plan", map[string]any{"planName": "a"}, "Submit command `sh` exited with signal: killed: ")
}

func TestA14TheCommandIsMissing(t *testing.T) {
	t.Parallel()
	a := withCommand(t, "", func(cfg *mcp.Config) { cfg.SubmitCommand = []string{"no-such-program-here", "--flag"} })
	got := a.Tool("submit_plan", map[string]any{"planName": "a"})
	if !got.IsError || !strings.HasPrefix(got.Text(), "Failed to spawn submit command `no-such-program-here`: ") {
		t.Errorf("got %q", got.Text())
	}
}

// hanging is a command that ignores being told to end, with a child that does too.
// Both hold a pipe open for as long as they live.
const hanging = `exec 9>"$1.alive"; trap '' TERM; (while :; do sleep 1; done) & echo >&9; while :; do sleep 1; done`

func comes(t testing.TB, what string, news chan struct{}) {
	t.Helper()
	select {
	case <-news:
	case <-time.After(mcptest.Patience):
		t.Fatalf("waited in vain: %s", what)
	}
}

// hangs has the command that submit_plan runs hang. running is closed when it runs, and
// gone once all of its processes have ended.
func hangs(t testing.TB, a mcptest.Author) (running, gone chan struct{}) {
	t.Helper()
	pipe := a.File("a") + ".alive"
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	running, gone = make(chan struct{}), make(chan struct{})
	go func() {
		file, err := os.Open(pipe)
		if err != nil {
			return
		}
		defer file.Close()
		if _, err := file.Read(make([]byte, 1)); err != nil {
			return
		}
		close(running)
		if _, err := io.Copy(io.Discard, file); err == nil {
			close(gone)
		}
	}()
	return running, gone
}

func TestA14TheCommandHangs(t *testing.T) {
	t.Parallel()
	a := withCommand(t, hanging, func(cfg *mcp.Config) { cfg.AnswerTimeout = 300 * time.Millisecond })
	_, gone := hangs(t, a)
	a.Refused(t, "submit_plan", map[string]any{"planName": "a"},
		"Submit command `sh` was stopped: it had not ended within 300 milliseconds. The plan is NOT approved")
	comes(t, "the end of it all", gone)
}

func TestA14TheCallIsCancelled(t *testing.T) {
	t.Parallel()
	a := withCommand(t, hanging, nil)
	running, gone := hangs(t, a)
	call := a.StartTool("submit_plan", map[string]any{"planName": "a"})
	comes(t, "the command", running)
	a.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
	comes(t, "the end of it all", gone)
}

func TestA14TheServerEnds(t *testing.T) {
	t.Parallel()
	a := withCommand(t, hanging, nil)
	running, gone := hangs(t, a)
	a.StartTool("submit_plan", map[string]any{"planName": "a"})
	comes(t, "the command", running)
	if err := a.Client.End(); err != nil {
		t.Error(err)
	}
	comes(t, "the end of it all", gone)
}

func TestA14TheCommandPrintsTooMuch(t *testing.T) {
	t.Parallel()
	a := withCommand(t, "while :; do echo 0123456789012345678901234567890123456789; done", nil)
	a.Refused(t, "submit_plan", map[string]any{"planName": "a"},
		"Submit command `sh` was stopped: it printed more than 4194304 bytes. The plan is NOT approved")
}

// The directory of plan files is free for others while somebody reads a plan.
func TestA14PlansCanBeWrittenDuringAReview(t *testing.T) {
	t.Parallel()
	a := withCommand(t, hanging, nil)
	running, gone := hangs(t, a)
	call := a.StartTool("submit_plan", map[string]any{"planName": "a"})
	comes(t, "the command", running)
	a.Does(t, "write_plan", map[string]any{"planName": "b", "content": "# B"})
	a.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
	comes(t, "the end of it all", gone)
}
