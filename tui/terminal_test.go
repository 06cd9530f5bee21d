package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/store"
	hosts "planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// pipe is a terminal that is none: keys from a pipe, drawing into a buffer.
func pipe(t *testing.T) (terminal, *io.PipeWriter, *bytes.Buffer) {
	t.Helper()
	keys, typed := io.Pipe()
	t.Cleanup(func() { _ = typed.Close() })
	drawn := new(bytes.Buffer)
	return terminal{screen.Terminal{Input: keys, Output: drawn, Environ: []string{"TERM=xterm-256color"}, Theme: "dark"}}, typed, drawn
}

func TestEndOfInputEndsTheProgram(t *testing.T) {
	terminal, typed, _ := pipe(t)
	root := newStub("root")
	ended := make(chan error, 1)
	go func() { ended <- terminal.run(t.Context(), root) }()
	if err := typed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-root.closed
}

func TestEndOfContextEndsTheProgram(t *testing.T) {
	terminal, _, drawn := pipe(t)
	ctx, cancel := context.WithCancel(t.Context())
	root := newStub("root")
	ended := make(chan error, 1)
	go func() { ended <- terminal.run(ctx, root) }()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-root.closed
	if !strings.Contains(drawn.String(), "root is closed\n") {
		t.Error("what is left to say was not printed")
	}
}

func TestUnknownTheme(t *testing.T) {
	terminal, _, drawn := pipe(t)
	terminal.Theme = "neon"
	if err := terminal.run(t.Context(), newStub("root")); err == nil || !strings.Contains(err.Error(), "neon") {
		t.Errorf("the error is %v", err)
	}
	if drawn.Len() > 0 {
		t.Errorf("it drew %q", drawn)
	}
}

func TestNoColorDrawsNoColour(t *testing.T) {
	terminal, _, _ := pipe(t)
	terminal.NoColor = true
	terminal.Theme = "nord"
	choice, err := terminal.Choice()
	if err != nil || choice.Follows || !choice.Theme.Palette.Colorless() {
		t.Errorf("the theme is %q, %v", choice.Name, err)
	}
}

func TestAskReportsWhatBecameOfIt(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
	terminal, typed, drawn := pipe(t)
	var receipts []string
	done := make(chan struct{})
	var result AskResult
	var err error
	go func() {
		defer close(done)
		result, err = Ask(t.Context(), AskOptions{
			Store: w.Store, Terminal: terminal.Terminal, ID: ask.ID, By: "you@desk", Now: w.Clock,
			Leave: func(_ context.Context, receipt string) error {
				receipts = append(receipts, receipt)
				return nil
			},
		})
	}()
	tuitest.Poll(t, "the form to open", func() bool { return !w.Stored(ask.ID).Shown.IsZero() })
	if _, err := io.WriteString(typed, "Vega\x13"); err != nil {
		t.Fatal(err)
	}
	<-done
	if name, _ := result.Ask.Outcome.Reply.Answers["name"].Text(); err != nil || name != "Vega" || result.Settled != 1 || len(result.Ask.Spec.Questions) != 1 {
		t.Errorf("the result is %+v, %v", result, err)
	}
	want := "1 answer kept for Claude Code, which is not waiting · ships"
	if len(receipts) != 1 || receipts[0] != want || !strings.HasSuffix(drawn.String(), want+"\n") {
		t.Errorf("the receipts are %q", receipts)
	}
}

// A multiplexer that does not answer takes no time from reading the result.
func TestAResultIsReadAfterAMultiplexerThatDoesNotAnswer(t *testing.T) {
	// The goroutines of os/signal never end, so they are begun before the bubble.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	signal.Stop(signals)
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		terminal, typed, _ := pipe(t)
		go func() {
			tuitest.Poll(t, "the form to open", func() bool { return !w.Stored(ask.ID).Shown.IsZero() })
			_, _ = io.WriteString(typed, "Vega\x13") // a form that is not answered fails the test
		}()
		result, err := Ask(t.Context(), AskOptions{
			Store: w.Store, Terminal: terminal.Terminal, ID: ask.ID, By: "you@desk", Now: w.Clock,
			Leave: func(ctx context.Context, _ string) error {
				<-ctx.Done()
				return nil
			},
		})
		if name, _ := result.Ask.Outcome.Reply.Answers["name"].Text(); err != nil || name != "Vega" {
			t.Errorf("the result is %+v, %v", result, err)
		}
	})
}

func TestAPlaceHasOnePane(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "tmux window 1")
	w.Hold(store.PlaceClaim("tmux window 1"))
	terminal, _, _ := pipe(t)
	result, err := Ask(t.Context(), AskOptions{Store: w.User("second"), Terminal: terminal.Terminal, ID: ask.ID, Place: "tmux window 1"})
	elsewhere := new(hosts.ShownElsewhereError)
	if !errors.As(err, &elsewhere) || result.Ask.ID != "" {
		t.Errorf("the result is %+v, %v", result, err)
	}
	if got := fmt.Sprint(err); !strings.Contains(got, fmt.Sprint(os.Getpid())) {
		t.Errorf("the sentence does not say who: %s", got)
	}
}

// looker is a screen that draws a diagram in the look it is given last.
type looker struct {
	*stub
	drawn string
}

func (l *looker) Retheme(look *screen.Look) {
	l.drawn = strings.Join(look.Markdown.Render(safe.New("```mermaid\nsequenceDiagram\nA->>B: hi\n```"), 40).Lines, "\n")
}

func TestTheLocaleDecidesHowDiagramsAreDrawn(t *testing.T) {
	for locale, edge := range map[string]string{"C": "+---+", "C.UTF-8": "┌───┐"} {
		terminal, typed, _ := pipe(t)
		terminal.Environ = append(terminal.Environ, "LANG="+locale)
		terminal.NoColor = true
		if err := typed.Close(); err != nil {
			t.Fatal(err)
		}
		screen := &looker{stub: newStub("root")}
		if err := terminal.run(t.Context(), screen); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(screen.drawn, edge) {
			t.Errorf("with %s it is drawn as\n%s", locale, screen.drawn)
		}
	}
}
