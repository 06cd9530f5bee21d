//go:build unix

package command_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"planb/drafts/command"
)

func program(script string) command.Program {
	return command.Program{Argv: []string{"sh", "-c", script}, Env: os.Environ()}
}

// Section 6: stdin, argv without a shell, the last object of stdout.
func TestTheProgramReadsAndAnswers(t *testing.T) {
	p := command.Program{Argv: []string{"cat"}, Env: os.Environ()}
	var got string
	err := p.Write(t.Context(), `answer $(touch x) {"a":1}`, func(answer []byte) error {
		got = string(answer)
		return nil
	})
	if err != nil || got != `{"a":1}` {
		t.Errorf("got %q, %v", got, err)
	}
}

// Section 6: problems go back twice, to a fresh process, with the question and the answer.
func TestProblemsGoBackTwice(t *testing.T) {
	dir := t.TempDir()
	p := program(`cat > "$(mktemp asked.XXXXXX)"; echo '{"n":1}'`)
	p.Dir = dir
	tries := 0
	err := p.Write(t.Context(), "QUESTION", func([]byte) error {
		tries++
		return errors.New("n: got 1; allowed 2")
	})
	files, globErr := filepath.Glob(filepath.Join(dir, "asked.*"))
	if tries != 3 || err == nil || err.Error() != "n: got 1; allowed 2" || len(files) != 3 || globErr != nil {
		t.Fatalf("%d tries, %d processes, %v, %v", tries, len(files), err, globErr)
	}
	again := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "QUESTION\n\nYour answer was:\n{\"n\":1}\n\nIt was not accepted:\nn: got 1; allowed 2\n") {
			again++
		}
	}
	if again != 2 {
		t.Errorf("%d questions tell the problems", again)
	}
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"echo no object":                   "sh printed no JSON object; the end of its output: no object",
		"echo 'not logged in' >&2; exit 3": "sh exited with exit status 3: not logged in",
		"head -c 5000000 /dev/zero":        "sh printed more than 4194304 bytes",
		"sleep 60":                         "sh had not ended within 200ms",
	} {
		p := program(script)
		if script == "sleep 60" {
			p.Limit = 200 * time.Millisecond
		}
		err := p.Write(t.Context(), "x", func([]byte) error { return nil })
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", script, err, want)
		}
	}
	missing := command.Program{Argv: []string{"/nowhere/agent"}}
	if err := missing.Write(t.Context(), "x", nil); err == nil || !strings.Contains(err.Error(), "/nowhere/agent") {
		t.Errorf("got %v", err)
	}
}

// A run may be stopped while an answer is judged, before the problems go back.
func TestAStopBetweenTwoTriesIsToldAsThat(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	err := program(`echo '{"n":1}'`).Write(ctx, "x", func([]byte) error {
		stop()
		return errors.New("n: got 1; allowed 2")
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Section 6: the process group ends at a stop, within a second.
func TestTheGroupEndsAtAStop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	alive := filepath.Join(dir, "alive")
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Fatal(err)
	}
	// Each of the processes holds the pipe open for as long as it lives.
	p := program(`exec 9>alive; trap '' TERM; sh -c 'trap "" TERM; echo >&9; sleep 60' & wait`)
	p.Dir = dir
	begun, gone := make(chan struct{}), make(chan error, 1)
	go func() {
		pipe, err := os.Open(alive)
		if err == nil {
			_, err = pipe.Read(make([]byte, 1))
			close(begun)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, pipe)
		}
		gone <- errors.Join(err, pipe.Close())
	}()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- p.Write(ctx, "x", func([]byte) error { return nil }) }()
	const patience = 20 * time.Second
	select {
	case <-begun:
	case <-time.After(patience):
		t.Fatal("the child never began")
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	select {
	case err := <-gone:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("a process goes on")
	}
}
