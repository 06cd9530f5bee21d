package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"planb/questions/safe"
	"planb/tui/screen"
)

// terminal runs screens on the person's terminal.
type terminal struct{ screen.Terminal }

// terminalLookout is how often planb checks that the terminal still exists. Not every
// system tells that by a signal or by the end of the input.
const terminalLookout = time.Second

// run shows root until its last screen closes, the person ends it, ctx ends, the
// terminal is gone, or SIGHUP, SIGINT or SIGTERM comes. Then it restores the terminal,
// closes the screens that are open and prints what they return. A panic restores the
// terminal, too, and is returned as an error.
func (t terminal) run(ctx context.Context, root screen.Screen) error {
	choice, err := t.Choice()
	if err != nil {
		return err
	}
	w := newWindow(root, choice)
	w.ground.solid = t.GNUScreen()
	if t.ASCII() {
		w.look = w.look.InASCII()
		root.Retheme(w.look)
	}
	w.terminal, w.ask = t.Terminal, t.askBackground
	if known := lipgloss.Writer.Profile; known > colorprofile.NoTTY {
		w.profile = known
		w.setLook()
	}
	defer withoutFlowControl(t.Input)()
	end := make(chan struct{}, 1)
	program := tea.NewProgram(w, t.options(end)...)

	// Caught until the very end: a closing pane sends SIGHUP more than once,
	// and the second must not kill what the first set going.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endings()...)
	defer signal.Stop(signals)

	watching, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		t.awaitEnd(watching, signals, end)
		program.Send(screen.Quit{})
	}()
	_, runErr := program.Run()
	stop()
	<-watched

	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), screen.ClosePatience)
	defer cancel()
	parting, closeErr := w.closeAll(closing)
	for _, line := range parting {
		// On a terminal that is gone nobody is there to read it.
		_, _ = io.WriteString(t.Output, line+"\n")
	}
	return errors.Join(programError(runErr), closeErr)
}

// endings returns the signals that end the program. SIGINT is not among them if it was
// ignored when planb started, as it is in a pane: there the person may press Ctrl+C for
// their agent before this program has the keys.
func endings() []os.Signal {
	all := []os.Signal{syscall.SIGHUP, syscall.SIGTERM}
	if signal.Ignored(syscall.SIGINT) {
		return all
	}
	return append(all, syscall.SIGINT)
}

// untilSignal returns a context that the signals cancel which end the program, for what is
// asked in plain lines.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, endings()...)
}

func (t terminal) options(end chan<- struct{}) []tea.ProgramOption {
	options := []tea.ProgramOption{
		tea.WithInput(t.input(end)),
		tea.WithOutput(t.Output),
		tea.WithEnvironment(t.Environ),
		// Bubble Tea's own handler knows nothing of SIGHUP, which is what a
		// closed pane sends; awaitEnd handles all three alike.
		tea.WithoutSignalHandler(),
		// A frame is drawn at the next tick: at 60 a second the first one comes
		// 8 ms later than at 120, which is a quarter of the whole start. An idle
		// form takes 0.7 % of a core instead of 0.5 %.
		tea.WithFPS(120),
	}
	switch known := lipgloss.Writer.Profile; {
	case t.NoColor:
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	case known > colorprofile.NoTTY:
		// Lip Gloss found this out when it was initialised. Inside tmux it ran `tmux
		// info` for that, and a second run would be felt.
		options = append(options, tea.WithColorProfile(known))
	}
	return options
}

// input returns what Bubble Tea reads. Bubble Tea ignores the end of its input, so
// anything but a terminal is wrapped in an endingReader. A terminal stays the file that it
// is, because an editor started from a form inherits it.
func (t terminal) input(end chan<- struct{}) io.Reader {
	if f, ok := t.Input.(term.File); ok && term.IsTerminal(f.Fd()) {
		return t.Input
	}
	return &endingReader{t.Input, end}
}

// backgroundQuestion asks for the background colour and then for what every terminal
// answers. If only the second answer comes, the terminal does not know the first question.
const backgroundQuestion = ansi.RequestBackgroundColor + ansi.RequestPrimaryDeviceAttributes

// askBackground asks for the background colour at once, before anything is drawn.
func (t terminal) askBackground() error {
	_, err := io.WriteString(t.Output, backgroundQuestion)
	return err
}

// awaitEnd returns when something outside ends the program: ctx, a signal, the end of the
// input, or the loss of the terminal.
func (t terminal) awaitEnd(ctx context.Context, signals <-chan os.Signal, end <-chan struct{}) {
	lookout := time.NewTicker(terminalLookout)
	defer lookout.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
			return
		case <-end:
			return
		case <-lookout.C:
			if t.gone() {
				return
			}
		}
	}
}

// gone reports whether the terminal drawn on no longer exists.
func (t terminal) gone() bool {
	f, ok := t.Output.(term.File)
	if !ok {
		return false
	}
	_, _, err := term.GetSize(f.Fd())
	return errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENXIO)
}

// programError words what Bubble Tea ended with for the person.
func programError(err error) error {
	switch {
	case err == nil, errors.Is(err, syscall.EIO):
		// A read from a terminal that was closed fails with EIO: the person left.
		return nil
	case errors.Is(err, tea.ErrProgramPanic):
		return errors.New("planb crashed; the lines above say where. What was typed is kept")
	}
	return fmt.Errorf("cannot use this terminal: %w", err)
}

// closeAll waits for the screens that are being closed, and closes those that are still open,
// topmost first. It returns what is to be printed.
func (w *window) closeAll(ctx context.Context) (parting []string, err error) {
	var errs []error
	parting = append(parting, w.lost...)
	for _, c := range w.closings {
		c.run(ctx)
		parting, errs = append(parting, c.parting...), append(errs, c.err)
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		if c, ok := w.stack[i].(screen.Closer); ok {
			lines, err := c.Close(ctx)
			parting, errs = append(parting, lines...), append(errs, err)
		}
	}
	if w.notice != "" {
		parting = append(parting, w.notice)
	}
	return parting, errors.Join(errs...)
}

// endingReader sends to end when the reader in it ends.
type endingReader struct {
	io.Reader
	end chan<- struct{}
}

// Read reads from the wrapped reader.
func (r *endingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		select {
		case r.end <- struct{}{}:
		default:
		}
	}
	return n, err
}

// HoldPane prints err on a pane that was opened for planb and waits for Enter, so that the
// person can read it before the pane closes. It returns at once if err is nil, or when the
// input ends.
func HoldPane(t screen.Terminal, err error) {
	if err == nil {
		return
	}
	text := t.Wrap("planb: " + safe.New(err.Error()).Block())
	if _, werr := fmt.Fprintf(t.Output, "\n%s\n\nPress Enter to close this pane. ", text); werr != nil {
		return
	}
	_, _ = bufio.NewReader(t.Input).ReadString('\n') // either way the pane closes now
}
