package rig

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// backstage is the session of a Tmux's own client, beside the session of the test. No test
// meets it: it has no terminal, and Panes leaves its pane out.
const backstage = "backstage"

// line is a tmux client in control mode, which reads commands from a pipe. tmux runs one
// there fifty times as fast as in a process of its own.
type line struct {
	in    io.WriteCloser
	ended chan struct{} // closed when the client has ended

	mu      sync.Mutex // held from a command to its reply
	replies chan reply
}

// reply is what tmux printed for a command. failed says that the command failed.
type reply struct {
	text   string
	failed bool
}

var errLineEnded = errors.New("the tmux server has ended")

// startLine starts a tmux server with a client in control mode.
func startLine(t testing.TB, socket string) *line {
	t.Helper()
	cmd := exec.Command("tmux", "-S", socket, "-f", "/dev/null", "-C", "new-session", "-s", backstage, "cat", "-") // tmux runs one word by a shell
	l := &line{ended: make(chan struct{}), replies: make(chan reply, 1)}
	l.in = startControl(t, cmd, l.ended, l.read)
	return l
}

// startControl starts a client in control mode and waits until it is attached. The function
// gets all that tmux tells the client, line by line, until the client ends. Then ended is closed.
func startControl(t testing.TB, cmd *exec.Cmd, ended chan struct{}, read func(next func() (string, error))) io.WriteCloser {
	t.Helper()
	cmd.Env = tmuxEnvironment()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	attached := make(chan struct{})
	go func() {
		defer close(ended)
		told := bufio.NewReader(out)
		read(func() (string, error) {
			text, err := told.ReadString('\n')
			if strings.HasPrefix(text, "%session-changed ") {
				close(attached)
			}
			return strings.TrimSuffix(text, "\n"), err
		})
	}()
	t.Cleanup(func() {
		_ = in.Close() // detaches; the server may be gone already
		<-ended
		_ = cmd.Wait()
	})
	select {
	case <-attached:
	case <-ended:
		t.Fatal("tmux did not attach a control client")
	case <-time.After(Patience):
		t.Fatalf("tmux attached no control client within %v", Patience)
	}
	return in
}

func tmuxEnvironment() []string {
	return append(os.Environ(), "TMUX=", "TMUX_PANE=", "TERM=xterm-256color", "LC_ALL=C.UTF-8")
}

// ask runs a command and returns what tmux prints. The command must name what it acts on:
// without a target it acts on the session behind the stage.
func (l *line) ask(words []string) (string, error) {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := io.WriteString(l.in, strings.Join(quoted, " ")+"\n"); err != nil {
		return "", errLineEnded
	}
	select {
	case got := <-l.replies:
		if got.failed {
			return got.text, fmt.Errorf("tmux said %q", got.text)
		}
		return got.text, nil
	case <-l.ended:
		return "", errLineEnded
	case <-time.After(Patience):
		return "", fmt.Errorf("tmux answered nothing within %v", Patience)
	}
}

// read finds the replies. Each stands between a line with %begin and one with %end or
// %error, which name the same command. Its flag is 1 if ask sent it.
func (l *line) read(next func() (string, error)) {
	for {
		text, err := next()
		if err != nil {
			return
		}
		command, begins := strings.CutPrefix(text, "%begin ")
		if !begins {
			continue
		}
		var got []string
		for {
			text, err := next()
			if err != nil {
				return
			}
			failed := text == "%error "+command
			if !failed && text != "%end "+command {
				got = append(got, text)
				continue
			}
			if strings.HasSuffix(command, " 1") {
				l.replies <- reply{strings.TrimRight(strings.Join(got, "\n"), "\n"), failed}
			}
			break
		}
	}
}
