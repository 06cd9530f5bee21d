package budgets_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"planb/e2e/rig"
)

// typist is a person at a terminal of 120 × 40 that shows a form. It counts and
// times what the terminal is sent.
type typist struct {
	t   testing.TB
	tty *os.File
	pid int

	mu       sync.Mutex
	received []byte
	arrivals []received // in their order
	last     time.Time  // when the last output came
}

// received is how many bytes had come at a time.
type received struct {
	bytes int
	at    time.Time
}

// startTypist shows a form with `planb ask`.
func startTypist(t testing.TB, form any) *typist {
	t.Helper()
	return startTypistWith(t, form, plainTheme)
}

// plainTheme is the theme of most measurements. With a chosen theme planb does
// not ask the terminal for its colours.
const plainTheme = "PLANB_THEME=dark"

// startTypistWith is startTypist with more variables.
func startTypistWith(t testing.TB, form any, variables ...string) *typist {
	t.Helper()
	dir := t.TempDir()
	spec, err := json.Marshal(form)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "form.json")
	if err := os.WriteFile(file, spec, 0o600); err != nil {
		t.Fatal(err)
	}
	return startOnTerminalWith(t, dir, variables, "ask", file)
}

// startOnTerminal runs planb on a terminal of its own, with its data in dir.
func startOnTerminal(t testing.TB, dir string, args ...string) *typist {
	t.Helper()
	return startOnTerminalWith(t, dir, []string{plainTheme}, args...)
}

func startOnTerminalWith(t testing.TB, dir string, variables []string, args ...string) *typist {
	t.Helper()
	cmd := exec.Command(rig.Planb(t), args...)
	cmd.Env = serverVariables(dir, append([]string{"TERM=xterm-256color"}, variables...)...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		t.Fatal(err)
	}
	y := &typist{t: t, tty: tty, pid: cmd.Process.Pid}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		y.read()
	}()
	t.Cleanup(func() {
		// Closing the terminal would block until the pending read returns,
		// which waits for the program.
		_ = cmd.Process.Signal(syscall.SIGHUP)
		kill := time.AfterFunc(rig.Patience, func() { _ = cmd.Process.Kill() })
		<-drained
		kill.Stop()
		_ = cmd.Wait() // the code is 130: the form was left
		_ = tty.Close()
	})
	return y
}

func (y *typist) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := y.tty.Read(buf)
		at := time.Now()
		y.mu.Lock()
		y.received = append(y.received, buf[:n]...)
		y.arrivals = append(y.arrivals, received{len(y.received), at})
		y.last = at
		y.mu.Unlock()
		if err != nil {
			return // the program has ended
		}
	}
}

// size returns how many bytes were received, and when the last came.
func (y *typist) size() (bytes int, last time.Time) {
	y.mu.Lock()
	defer y.mu.Unlock()
	return len(y.received), y.last
}

// sees waits until the terminal was sent the text.
func (y *typist) sees(text string) {
	y.t.Helper()
	rig.Until(y.t, fmt.Sprintf("the terminal was sent %q", text), func() bool {
		y.mu.Lock()
		defer y.mu.Unlock()
		return strings.Contains(ansi.Strip(string(y.received)), text)
	})
}

// sawAt waits until the terminal was sent the text and returns when that was.
func (y *typist) sawAt(text string) time.Time {
	y.t.Helper()
	y.sees(text)
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, r := range y.arrivals {
		if strings.Contains(ansi.Strip(string(y.received[:r.bytes])), text) {
			return r.at
		}
	}
	return y.last
}

// firstAfter returns when the first output after so many bytes came.
func (y *typist) firstAfter(bytes int) time.Time {
	y.mu.Lock()
	defer y.mu.Unlock()
	at := slices.IndexFunc(y.arrivals, func(r received) bool { return r.bytes > bytes })
	return y.arrivals[at].at
}

// quiet waits until no output has come for some frames, in which the program had nothing to
// do. On a busy machine an illustration waits for a processor longer than that.
func (y *typist) quiet() { y.quietFor(100 * time.Millisecond) }

// quietFor is quiet for so long.
func (y *typist) quietFor(still time.Duration) {
	worked := 0
	awaitSteady(func() int {
		if y.works() {
			worked++
		}
		n, _ := y.size()
		return n + worked
	}, still)
}

// works reports whether a thread of the program runs, or waits for a processor or the disk.
// Only Linux tells it.
func (y *typist) works() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", y.pid))
	return slices.ContainsFunc(threads, func(thread string) bool {
		stat, _ := os.ReadFile(thread) // it may have ended
		_, behindName, _ := bytes.Cut(stat, []byte(") "))
		return bytes.HasPrefix(behindName, []byte("R")) || bytes.HasPrefix(behindName, []byte("D"))
	})
}

// resize gives the terminal another size, and waits until it was drawn anew. A window that
// grew wider is drawn once more after 100 ms without any output.
func (y *typist) resize(cols, rows uint16) {
	y.t.Helper()
	before, _ := y.size()
	if err := pty.Setsize(y.tty, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		y.t.Fatal(err)
	}
	rig.Until(y.t, "the new size was drawn", func() bool { n, _ := y.size(); return n > before })
	y.quietFor(300 * time.Millisecond)
}

// press presses keys on a quiet terminal. It returns how many bytes were sent
// for them, and after how many milliseconds the last came.
func (y *typist) press(keys string) (bytes int, took float64) {
	y.t.Helper()
	before, _ := y.size()
	pressed := time.Now()
	if _, err := io.WriteString(y.tty, keys); err != nil {
		y.t.Fatal(err)
	}
	rig.Until(y.t, "the key was drawn", func() bool { n, _ := y.size(); return n > before })
	y.quiet()
	after, last := y.size()
	return after - before, rig.Milliseconds(last.Sub(pressed))
}

// measureHighlight counts the bytes that moving to the next option sends to a
// terminal.
func measureHighlight(t testing.TB) (figures []figure) {
	for _, measure := range highlights() {
		figures = append(figures, measure(t))
	}
	return figures
}

// highlights measure the moved highlight of a form, of one with an illustration, of the inbox
// and of a review.
func highlights() []func(testing.TB) figure {
	return []func(testing.TB) figure{
		func(t testing.TB) figure { return highlight(t, "a moved highlight at 120×40", "bytes", 250, false) },
		func(t testing.TB) figure {
			return highlight(t, "  with an illustration that changes", "panel-bytes", 450, true)
		},
		inboxHighlight, reviewHighlight,
	}
}

// inboxHighlight counts the bytes that moving to the next form in the inbox sends. Its row
// has two lines, and what it asks is shown beside the list.
func inboxHighlight(t testing.TB) figure {
	t.Helper()
	dir := t.TempDir()
	startInbox(t, dir, 12)
	y := startOnTerminal(t, dir, "tui")
	y.sees("Waiting for you")
	return y.moves("  in the inbox, with what is asked", "inbox-bytes", 450)
}

// reviewHighlight counts the bytes that moving to the next line of a plan sends.
func reviewHighlight(t testing.TB) figure {
	t.Helper()
	dir := t.TempDir()
	plan := filepath.Join(dir, "plan.md")
	rig.WriteFile(t, plan, rig.RetriesPlan)
	y := startOnTerminal(t, dir, "review", plan)
	y.sees("Keep undelivered events")
	return y.moves("  in a review", "review-bytes", 250)
}

func highlight(t testing.TB, what, metric string, most float64, illustrated bool) figure {
	t.Helper()
	y := startTypist(t, optionsForm(illustrated))
	y.sees("The last of them")
	if illustrated {
		y.sees("What it looks like")
	}
	return y.moves(what, metric, most)
}

// moves counts the bytes of moving down over some rows and up again. The most expensive move
// counts. On a second way a terminal is sent the same bytes.
func (y *typist) moves(what, metric string, most float64) figure {
	y.t.Helper()
	y.quiet()
	var moves sample
	for _, key := range []string{"down", "down", "down", "down", "up", "up", "up", "up"} {
		bytes, _ := y.press(rig.KeyBytes[key])
		moves = append(moves, float64(bytes))
	}
	return figure{
		what: what, metric: metric, unit: "bytes", most: most, got: moves.quantile(1),
		floor: fmt.Sprintf("the dearest of %d moves; half need ≤ %s", len(moves), digits(moves.median())),
	}
}

// optionsForm is a form of one question with five options.
func optionsForm(illustrated bool) any {
	var options []any
	for i, label := range []string{"One table for all", "A table for each tenant", "A schema for each tenant", "A database for each tenant", "The last of them"} {
		option := map[string]any{"value": fmt.Sprint(i), "label": label, "description": "What speaks for it, in a line of a dozen words or so."}
		if illustrated {
			option["markdown"] = fmt.Sprintf("### %s\n\nWhat it looks like with **%d** of them:\n\n```text\ntenant ──▶ %s\n```", label, i, label)
		}
		options = append(options, option)
	}
	return map[string]any{"title": "Where tenants live", "questions": []any{
		map[string]any{"id": "q", "kind": "single", "label": "How are tenants kept apart?", "options": options},
	}}
}

// measureLongText measures the time from a key in 20 KB of text until the last
// byte drawn for it, in turns with the same key in an empty text. Both wait for
// Bubble Tea's next frame, up to 17 ms; the budget is for the difference that
// the text makes.
func measureLongText(t testing.TB) []figure {
	const rounds = 40
	form := map[string]any{"title": "A long answer", "questions": []any{
		map[string]any{"id": "q", "kind": "longtext", "label": "Tell all of it."},
	}}
	full, empty := startTypist(t, form), startTypist(t, form)
	for _, y := range []*typist{full, empty} {
		y.sees("Tell all of it.")
		y.quiet()
	}
	full.press("\x1b[200~" + strings.Repeat("a line of text that a person may well have typed\r", 20<<10/49) + "\x1b[201~")
	full.press("x")
	empty.press("x")
	key := func(y *typist) func() float64 {
		return func() float64 {
			_, took := y.press("x")
			return took
		}
	}
	p := pairs(rounds, key(full), key(empty))
	return []figure{{
		what: "a key in 20 KB of long text, on a terminal", metric: "ms", unit: "ms", most: 5,
		got:   max(0, p.ours.median()-p.floor.median()),
		floor: fmt.Sprintf("%s ms in all, %s ms in an empty text", digits(p.ours.median()), digits(p.floor.median())),
	}}
}
