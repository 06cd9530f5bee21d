package pane

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"planb/questions/safe"
	"planb/store/machine"
)

// Variables in a pane, set by openers whose multiplexer has no flag for that.
const (
	// envOpener is the opener of the pane. Other variables in the pane may be
	// as old as its multiplexer.
	envOpener = "PLANB_OPENER"
	// envAgent is the number of the pane or window that gets the focus back.
	envAgent = "PLANB_AGENT_PANE"
)

// agentIn returns the number of the agent's pane or window, for a pane that this opener has
// opened; else "".
func agentIn(env Env, opener string) string {
	if agent := env(envAgent); isNumber(agent) && env(envOpener) == opener {
		return agent
	}
	return ""
}

// envProgram sets a command's variables if the multiplexer starts it with its
// own environment and has no flag for more.
const envProgram = "/usr/bin/env"

// withEnv puts env(1) with the command's variables before its words, and has them ignore
// interrupts. agent is empty if the opener does not give the focus back.
func withEnv(command Command, opener, agent string) ([]string, error) {
	if err := command.check(); err != nil {
		return nil, err
	}
	if strings.Contains(command.Argv[0], "=") {
		return nil, fmt.Errorf("the path %q has a \"=\" in it, so env would take it for a variable; install planb elsewhere", command.Argv[0])
	}
	words := append([]string{envProgram}, command.Env...)
	words = append(words, envOpener+"="+opener)
	if agent != "" {
		words = append(words, envAgent+"="+agent)
	}
	return ignoringInterrupts(append(words, command.Argv...)), nil
}

// ignoringInterrupts returns the words that run argv with SIGINT ignored. A new
// pane's terminal turns Ctrl+C into SIGINT until the form reads keys itself, and the person
// may type it for the agent at that moment. The shell only sets that up: argv takes its
// place, and the shell reads none of its words as its own.
func ignoringInterrupts(argv []string) []string {
	return append([]string{shellPath, "-c", `trap '' INT; exec "$@"`, "planb"}, argv...)
}

// callTime is how long one command to a multiplexer may take. On a quiet machine tmux needs
// 2 ms, and kitty, which starts a Python, 200 ms; a busy machine needs seconds.
const callTime = 10 * time.Second

// call is one command to a multiplexer.
type call struct {
	argv []string // the program's name, looked up on PATH, and its arguments
	dir  string   // working directory; empty: this process's
	env  []string // NAME=value, added to this process's environment
}

// run runs the command and returns its output without the last line end.
func (c call) run(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	command := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	command.Dir = c.dir
	command.Env = append(os.Environ(), c.env...)
	command.WaitDelay = time.Second // a child of it may keep the output open, or a tmux that hangs: tmux hands its output over
	out, err := command.Output()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // it ended well
		return strings.TrimRight(string(out), "\n"), nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("%s did not answer in time", c.argv[0])
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s did not answer: %w", c.argv[0], ctx.Err())
	case errors.As(err, &exit):
		return "", fmt.Errorf("%s refused: %s", c.argv[0], complaint(exit.Stderr, out))
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("the server runs inside %s, but there is no such program on its PATH", c.argv[0])
	}
	return "", fmt.Errorf("running %s: %w", c.argv[0], err)
}

// complaint returns the first line of a failed command's output; screen writes
// its errors to stdout.
func complaint(stderr, stdout []byte) string {
	for _, said := range []string{string(stderr), string(stdout)} {
		if line, _, _ := strings.Cut(strings.TrimSpace(said), "\n"); line != "" {
			return safe.New(line).Line()
		}
	}
	return "it did not say why"
}

// placeName names a place on this machine; see placeIn.
func placeName(opener, server, number string) string {
	return placeIn(machine.Run(), opener, server, number)
}

// placeIn names a place: the opener, a digest of the machine and the opener's
// server there, and the number of the tab or pane. Without the machine two
// containers would share places, because their sockets and processes have the
// same names.
func placeIn(system, opener, server, number string) string {
	sum := sha256.Sum256([]byte(system + "\x00" + server))
	name := fmt.Sprintf("%s-%x", opener, sum[:6])
	if number != "" {
		name += "-" + number
	}
	return name
}

// isNumber reports whether s is a number as multiplexers give to panes.
func isNumber(s string) bool {
	return s != "" && len(s) < 20 && strings.Trim(s, "0123456789") == ""
}

func runCall(ctx context.Context, c call) (string, error) { return c.run(ctx) }
