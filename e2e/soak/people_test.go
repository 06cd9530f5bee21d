package soak_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/creack/pty"

	"planb/e2e/rig"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
)

// given is what a person said on an ask, and what the form was told about it.
type given struct {
	ask     string
	token   string // occurs in this text, and in nothing else that was given
	outcome questions.Outcome
	end     givenEnd
}

type givenEnd string

const (
	unclear   givenEnd = ""          // the form died before it was told
	confirmed givenEnd = "confirmed" // the store has it
	lost      givenEnd = "lost"      // another outcome was first
)

// formVariable makes this test binary a form that gives one outcome. Its value
// is the paper as JSON.
const formVariable = "PLANB_TEST_SOAK_FORM"

// paper is what a form in a process of its own needs to know.
type paper struct {
	Data    string
	Ask     string
	Outcome questions.Outcome
}

// playForm is the main function of that process.
func playForm(text string) int {
	var p paper
	err := json.Unmarshal([]byte(text), &p)
	if err == nil {
		var end givenEnd
		if end, err = p.fill(context.Background(), func() { fmt.Println("writing") }); err == nil {
			fmt.Println(end)
			return 0
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// fill does to the store what a pane does from its start to its end: it claims
// the place and the ask, saves an entry, settles the ask, and releases the
// claims.
func (p paper) fill(ctx context.Context, writing func()) (end givenEnd, err error) {
	engine, err := bolt.Open(ctx, filepath.Join(p.Data, "planb.db"), bolt.Options{MustExist: true})
	if err != nil {
		return unclear, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	s := store.New(engine, store.Options{By: "person@soak", DataDir: p.Data})
	ask, err := s.Ask(ctx, p.Ask)
	if err != nil {
		return unclear, err
	}
	place, err := s.Hold(ctx, store.PlaceClaim(ask.Place), "pane")
	var elsewhere *store.HeldError
	if err != nil && !errors.As(err, &elsewhere) {
		return unclear, fmt.Errorf("claiming the place: %w", err)
	}
	shown, err := s.Hold(ctx, store.ShowClaim(ask.ID, fmt.Sprintf("%d %p", os.Getpid(), &p)), "pane")
	if err != nil {
		return unclear, fmt.Errorf("claiming the ask: %w", err)
	}
	if err := s.MarkShown(ctx, ask.ID); err != nil {
		return unclear, fmt.Errorf("marking it shown: %w", err)
	}
	entry := questions.Entry{Fields: map[string]questions.Field{ask.Spec.Questions[0].ID: {Text: safe.New("half a ")}}}
	var settled *questions.SettledError
	if err := s.SaveEntry(ctx, ask.ID, entry); err != nil && !errors.As(err, &settled) {
		return unclear, fmt.Errorf("saving an entry: %w", err)
	}
	writing()
	_, err = s.Settle(ctx, ask.ID, p.Outcome)
	switch {
	case errors.As(err, &settled):
		end = lost
	case err != nil:
		return unclear, fmt.Errorf("settling: %w", err)
	default:
		end = confirmed
	}
	err = shown.Release(ctx)
	if place != nil {
		left, leaving := s.LeavePlace(ctx, place, ask.Place)
		err = errors.Join(err, leaving)
		if !left {
			err = errors.Join(err, place.Release(ctx))
		}
	}
	return end, err
}

// person gives it in the background, in a process of its own or in this one.
func (w *soak) person(g *given, apart bool) {
	w.note("a person gives %s %s on %s", g.outcome.State, g.token, store.ShortID(g.ask))
	p := paper{Data: w.data, Ask: g.ask, Outcome: g.outcome}
	w.people.Go(func() {
		var end givenEnd
		var err error
		if apart {
			var out []byte
			out, err = w.formProcess(p).Output()
			_, _ = fmt.Sscanf(string(out), "writing\n%s", &end) // without the last line the end is unclear
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				err = fmt.Errorf("%w: %s", err, exit.Stderr)
			}
		} else {
			end, err = p.fill(w.t.Context(), func() {})
		}
		if err != nil || end == unclear {
			w.t.Errorf("a form on ask %s: %q, %v", g.ask, end, err)
		}
		w.note("%s is %s", g.token, end)
		w.mu.Lock()
		g.end = end
		w.mu.Unlock()
	})
}

func (w *soak) formProcess(p paper) *exec.Cmd {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // every paper can be encoded
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), formVariable+"="+string(text))
	return cmd
}

// dyingPerson is killed that long after it began to write.
func (w *soak) dyingPerson(g *given, after time.Duration) {
	w.note("a person gives %s %s on %s and is killed", g.outcome.State, g.token, store.ShortID(g.ask))
	cmd := w.formProcess(paper{Data: w.data, Ask: g.ask, Outcome: g.outcome})
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.people.Go(func() {
		end := unclear
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if lines.Text() == "writing" {
				time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // the process may end before
				continue
			}
			end = givenEnd(lines.Text())
		}
		_ = cmd.Wait() // it was killed, or ended before
		w.note("%s is %q", g.token, end)
		w.mu.Lock()
		g.end = end
		w.mu.Unlock()
	})
}

// terminal answers with the real form on a terminal, while its server may die.
// The form is suspended for a moment before it sends, and may be killed while
// it sends.
func (w *soak) terminal(ask store.Ask, kill, dies bool) {
	w.t.Helper()
	w.tokens++
	g := &given{ask: ask.ID, token: fmt.Sprintf("token-%d.", w.tokens)}
	g.outcome = questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{ask.Spec.Questions[0].ID: questions.TextValue(g.token)},
	}}
	w.given = append(w.given, g)
	w.note("the real form gives %s on %s", g.token, store.ShortID(g.ask))
	cmd := exec.Command(rig.Planb(w.t), "tui", "ask", ask.ID)
	cmd.Env = append(os.Environ(), "PLANB_DATA_DIR="+w.data, "HOME="+w.data, "TERM=xterm-256color", "TMUX=", "TMUX_PANE=")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		w.t.Fatal(err)
	}
	defer tty.Close()
	var screen rig.Output
	drained := screen.Drain(tty)
	// A form may begin with the text of a pane that died, or of an earlier
	// reply.
	emptied := strings.Repeat(rig.KeyBytes["backspace"], 100)
	for _, line := range []string{"see Menu", "type " + emptied + g.token} {
		if err := rig.PerformLine(tty, &screen, line); err != nil {
			_ = cmd.Process.Kill()
			w.t.Fatal(err)
		}
	}
	if kill {
		w.end(0, byForce)
		if len(w.servers) == 0 {
			w.startServer()
		}
	}
	w.signal(cmd.Process, rig.Suspend)
	w.pause(10)
	w.signal(cmd.Process, rig.Resume)
	if err := rig.PerformLine(tty, &screen, "key ctrl+s"); err != nil {
		w.t.Fatal(err)
	}
	if dies {
		w.pause(6)
		_ = cmd.Process.Kill() // it may have ended
		if cmd.Wait() == nil {
			g.end = confirmed
		}
		w.note("%s is %q", g.token, g.end)
		return
	}
	overdue := time.AfterFunc(rig.Patience, func() { _ = cmd.Process.Kill() })
	defer overdue.Stop()
	if err := cmd.Wait(); err != nil {
		w.t.Fatalf("planb tui ask %s: %v\n%s", ask.ID, err, screen.Text())
	}
	<-drained
	g.end = confirmed
}
