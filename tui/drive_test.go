package tui

import (
	"context"
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/storetest"
	"planb/themes"
)

// patience bounds every wait of these tests; none takes nearly as long.
const patience = time.Minute

// driver runs a window in a real Bubble Tea program without a terminal.
// Everything that looks at a screen runs inside the program's loop.
type driver struct {
	t       *testing.T
	w       *window
	program *tea.Program
	ended   chan error
}

// inspect is a function to run inside the loop.
type inspect struct {
	look func()
	done chan struct{}
}

func drive(t *testing.T, root screen, width, height int) *driver {
	t.Helper()
	d := &driver{t: t, w: newWindow(root, only(themes.Default(true))), ended: make(chan error, 1)}
	d.program = tea.NewProgram(d.w,
		tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithEnvironment([]string{"TERM=xterm-256color"}),
		tea.WithWindowSize(width, height), tea.WithoutSignalHandler(),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if i, ok := msg.(inspect); ok {
				i.look()
				close(i.done)
				return nil
			}
			return msg
		}))
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, err := d.program.Run()
		d.ended <- err
	}()
	t.Cleanup(func() {
		d.program.Kill()
		<-gone
		_, _ = d.w.closeAll(context.Background())
	})
	return d
}

// do runs a function inside the program's loop.
func (d *driver) do(look func()) {
	d.t.Helper()
	i := inspect{look, make(chan struct{})}
	d.program.Send(i)
	select {
	case <-i.done:
	case <-time.After(patience):
		d.t.Fatal("the program's loop does not answer")
	}
}

// until polls, inside the loop, until a condition holds.
func (d *driver) until(what string, holds func() bool) {
	d.t.Helper()
	poll(d.t, what, func() bool {
		d.t.Helper()
		ok := false
		d.do(func() { ok = holds() })
		return ok
	})
}

func poll(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain for: %s", patience, what)
		}
	}
}

// end waits for the program to end by itself, and puts its screens away.
func (d *driver) end() (parting []string) {
	d.t.Helper()
	select {
	case err := <-d.ended:
		if err != nil {
			d.t.Fatal(err)
		}
	case <-time.After(patience):
		d.t.Fatal("the program does not end")
	}
	parting, err := d.w.closeAll(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	return parting
}

// text is what the screen shows, without colours.
func (d *driver) text() string {
	d.t.Helper()
	var text string
	d.do(func() { text = ansi.Strip(d.w.View().Content) })
	return text
}

// press sends keys by their names, or single characters.
func (d *driver) press(keys ...string) {
	for _, key := range keys {
		d.program.Send(keyOf(d.t, key))
	}
}

// baseWorld is a store in memory with a clock that stands still until it is moved.
type baseWorld struct {
	t      *testing.T
	engine *storetest.Map
	store  *store.Store
	now    time.Time
}

// world is a world in which screens can be opened.
type world struct{ *baseWorld }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{newBaseWorld(t)}
}

// newBaseWorld is an empty one at aMoment.
func newBaseWorld(t *testing.T) *baseWorld {
	t.Helper()
	w := &baseWorld{t: t, engine: storetest.NewMap(), now: aMoment}
	w.store = w.user("me@here")
	return w
}

// user is another process on the same data.
func (w *baseWorld) user(by string) *store.Store {
	return store.New(w.engine, store.Options{By: by, Now: w.clock})
}

func (w *baseWorld) session(title, project string) store.Session {
	w.t.Helper()
	return must(w.store.CreateSession(w.t.Context(), store.Session{
		Title: safe.New(title), Project: safe.New(project),
		Client: store.Client{Name: safe.New("claude-code"), Title: safe.New("Claude Code")},
	}))
}

// ask opens an ask of one required text question at a place.
func (w *baseWorld) ask(session store.Session, title, place string) store.Ask {
	w.t.Helper()
	ask, attached, err := w.store.OpenAsk(w.t.Context(), store.Ask{
		Session: session.ID, Place: place, Client: session.Client, Timeout: time.Hour,
		Spec: questions.Spec{Title: safe.New(title), Questions: []questions.Question{{
			ID: "name", Kind: questions.Text, Label: safe.New("What is it called?"), Required: true, Tab: safe.New(questions.DefaultTab),
		}}},
	})
	if err != nil || attached {
		w.t.Fatal(err, attached)
	}
	return ask
}

// stored is the ask as the store holds it now.
func (w *baseWorld) stored(id string) store.Ask {
	w.t.Helper()
	return must(w.store.Ask(w.t.Context(), id))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func textReply(text string) questions.Reply {
	return questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue(text)}}
}

func (w *baseWorld) clock() time.Time { return w.now }
