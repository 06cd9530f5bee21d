package form

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// formProgram runs a form in a real program of a fixed size and counts what
// it writes.
type formProgram struct {
	t       testing.TB
	program *tea.Program
	out     *countingWriter
	done    chan error
	seen    chan tea.Msg // every message after the form took it
	idle    atomic.Bool
}

// countingWriter counts and keeps what a program writes.
type countingWriter struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

func (w *countingWriter) size() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Len()
}

func (w *countingWriter) since(n int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.all.Bytes()[n:])
}

// bareWindow shows one form, as the program's window would.
type bareWindow struct {
	*Form
	seen chan tea.Msg
	idle *atomic.Bool // nothing is being rendered
}

func (w bareWindow) Init() tea.Cmd { return w.Form.Init() }

func (w bareWindow) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := w.Form.Update(msg)
	w.idle.Store(asked(w.Form).docs.Idle())
	if _, ok := msg.(tea.KeyPressMsg); ok {
		w.seen <- msg
	}
	return w, cmd
}

func (w bareWindow) View() tea.View {
	f := w.Form.View()
	return tea.View{Content: f.Content, Cursor: f.Cursor, WindowTitle: f.Title, AltScreen: true, MouseMode: tea.MouseModeCellMotion}
}

func startForm(t testing.TB, f *Form, width, height int) *formProgram {
	t.Helper()
	p := &formProgram{t: t, out: &countingWriter{}, done: make(chan error, 1), seen: make(chan tea.Msg, 1)}
	f.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	f.Resize(width, height)
	input, keep := io.Pipe() // never ends and never says anything
	p.program = tea.NewProgram(bareWindow{f, p.seen, &p.idle},
		tea.WithInput(input), tea.WithOutput(p.out), tea.WithWindowSize(width, height),
		tea.WithColorProfile(colorprofile.TrueColor), tea.WithoutSignals(),
		tea.WithEnvironment(append(os.Environ(), "TERM=xterm-256color")))
	go func() {
		_, err := p.program.Run()
		p.done <- err
	}()
	t.Cleanup(func() {
		p.program.Quit()
		if err := <-p.done; err != nil {
			t.Errorf("the program ended with %v", err)
		}
		_ = keep.Close()
	})
	// A busy machine may pause between the setting up of the terminal and the first frame.
	const settingUp = 512 // bytes: it takes fewer, and any first frame takes more
	p.quiet(settingUp)
	return p
}

// quiet waits until the program has written more than a number of bytes, renders nothing, and
// writes nothing for some frames.
func (p *formProgram) quiet(more int) {
	const still = 100 * time.Millisecond // six frames
	size, since := p.out.size(), time.Now()
	for deadline := time.Now().Add(10 * time.Second); time.Since(since) < still || size <= more || !p.idle.Load(); {
		if time.Now().After(deadline) {
			p.t.Fatal("the program never stops writing, or never begins")
		}
		time.Sleep(5 * time.Millisecond)
		if n := p.out.size(); n != size || !p.idle.Load() {
			size, since = n, time.Now()
		}
	}
}

// press presses a key and returns what was written for it.
func (p *formProgram) press(name string) string {
	p.t.Helper()
	before := p.out.size()
	p.program.Send(tuitest.Key(p.t, name))
	<-p.seen
	p.quiet(before)
	return p.out.since(before)
}

// TestFormWritesFewBytes holds what a moved highlight costs on a slow line at
// 120×40: at most 250 bytes, 450 with an illustration that changes with it.
func TestFormWritesFewBytes(t *testing.T) {
	for _, test := range []struct {
		name        string
		illustrated bool
		most        int
	}{{"plain", false, 250}, {"illustrated", true, 450}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // beside the other alone: both wait for a quiet terminal, most of the time
			p := startForm(t, New(formInputOf(tuitest.Parse(t, tuitest.OptionsForm(test.illustrated))), nil), 120, 40)
			for _, key := range []string{"down", "down", "down", "up"} {
				got := p.press(key)
				t.Logf("%s: %d bytes", key, len(got))
				if len(got) == 0 || len(got) > test.most {
					t.Errorf("%s wrote %d bytes, want at most %d: %q", key, len(got), test.most, got)
				}
			}
		})
	}
}

// BenchmarkFormKey measures a key from its arrival to the finished frame, without the
// terminal, at 120×40.
func BenchmarkFormKey(b *testing.B) {
	run := func(name, form string, before func(*formRig), keys ...string) {
		b.Run(name, func(b *testing.B) {
			r := rig(b, formInputOf(tuitest.Parse(b, form)), 120, 40)
			before(r)
			msgs := make([]tea.Msg, len(keys))
			for i, k := range keys {
				msgs[i] = tuitest.Key(b, k)
			}
			for i := 0; b.Loop(); i++ {
				r.Form.Update(msgs[i%len(msgs)])
				r.View()
			}
		})
	}
	run("moved highlight", tuitest.OptionsForm(true), func(*formRig) {}, "down", "up")
	run("20 KB of long text", tuitest.RichForm, func(r *formRig) {
		r.keys("end").send(tea.PasteMsg{Content: strings.Repeat("a line of text that a person may well have typed\n", 20<<10/49)})
	}, "x", "backspace")
	run("20 KB in one line", tuitest.RichForm, func(r *formRig) {
		r.keys("end").send(tea.PasteMsg{Content: strings.Repeat("words ", 20<<10/6)})
	}, "x", "backspace")
	run("beside a paste of 1 MB", tuitest.RichForm, func(r *formRig) {
		r.keys("end").write("log: ").send(tea.PasteMsg{Content: megabyte()})
	}, "x", "backspace")
}

// megabyte returns a log of 1 MB, as a person may paste one.
func megabyte() string {
	const line = "2026-11-20T14:07:00Z INFO  a line of a log — with a dash, as logs have them\r\n"
	return strings.Repeat(line, 1+1<<20/len(line))
}

// BenchmarkFormPaste measures a paste of 1 MB into a long text, to the finished frame.
func BenchmarkFormPaste(b *testing.B) {
	r := rig(b, formInputOf(tuitest.Parse(b, tuitest.RichForm)), 120, 40).keys("end")
	paste, undo := tea.PasteMsg{Content: megabyte()}, tuitest.Key(b, "ctrl+z")
	for b.Loop() {
		r.Form.Update(paste)
		r.View()
		b.StopTimer()
		r.Form.Update(undo)
		b.StartTimer()
	}
}
