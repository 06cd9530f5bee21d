package tui

import (
	"context"
	"errors"
	"time"

	"planb/store"
	"planb/tui/askscreen"
	"planb/tui/lines"
	"planb/tui/screen"
)

// AskOptions says what Ask shows, and where.
type AskOptions struct {
	Store    askscreen.Store
	Terminal screen.Terminal
	// ID is the long id of the ask to show first. It may be empty when Place
	// is set: then the place's queue says which.
	ID string
	// Place makes this pane the pane of that place. It shows the asks that wait there,
	// one after another, and closes when none is left.
	Place string
	// ByItself says that the first form comes up by itself, so that the person has
	// to enter it before keys count. Later forms of the queue always do.
	ByItself bool
	// By names the person who answers, user@host.
	By  string
	Now func() time.Time // nil means time.Now
	// Command is how this program is called again, for the lines that say how
	// to come back; empty means "planb".
	Command string
	// Leave is called once, after the terminal was restored, when something
	// was settled here: receipt is the line to show to the person where they
	// are now, "14 answers sent to Claude Code · myproj". It is printed on
	// Terminal.Output as well.
	Leave func(ctx context.Context, receipt string) error
	// Quiet prints no receipt on Terminal.Output, because the caller of this program
	// asked and gets the answer.
	Quiet bool
	// Bell rings the terminal's bell once when a form comes up unasked, for a
	// multiplexer to mark its window.
	Bell bool
	// TerminalDied reports that the terminal died with all its panes: the person has
	// closed none of them. It may be nil.
	TerminalDied func() bool
}

// AskResult is what became of it.
type AskResult struct {
	// Ask is the first ask shown, as the store held it at the end; its Outcome
	// says whether it was answered. It is zero if none was shown.
	Ask store.Ask
	// Settled counts the asks that were settled here.
	Settled int
}

// Ask shows an ask's form and writes what the person makes of it into the
// store; with a Place it goes on with whatever else waits there. It returns
// when nothing is left to show, the person leaves, ctx ends, the terminal is
// gone or a signal comes; by then the half-filled form is saved, the claims are
// given back and the terminal is restored. It prints on the terminal how to
// come back to what was left open. An ask may be shown in any number of panes:
// the first outcome counts, and the others say so. A place has one; for any
// other, nothing is shown and the error is a *ask.ShownElsewhereError.
//
// If the terminal is dumb, or ACCESSIBLE in its environment says that the person wants
// nothing drawn, everything is asked and answered in plain lines.
func Ask(ctx context.Context, o AskOptions) (AskResult, error) {
	served, err := o.serve(ctx)
	if served.Receipt != "" && o.Leave != nil {
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), screen.ClosePatience)
		err = errors.Join(err, o.Leave(leaving, served.Receipt))
		cancel()
	}
	result := AskResult{Ask: served.Ask, Settled: served.Settled}
	if served.Ask.ID == "" {
		return result, err
	}
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), screen.ClosePatience)
	defer cancel()
	now, readErr := o.Store.AsksNow(reading, served.Ask.ID)
	if readErr == nil && len(now) == 1 && now[0].ID != "" {
		now[0].Spec = served.Ask.Spec
		result.Ask = now[0]
	}
	return result, errors.Join(err, readErr)
}

// serve asks on the face that the terminal allows.
func (o AskOptions) serve(ctx context.Context) (lines.AskResult, error) {
	if o.Terminal.Plain() {
		ctx, stop := untilSignal(ctx)
		defer stop()
		return lines.Ask(ctx, lines.AskOptions{
			Store: o.Store, Terminal: o.Terminal, ID: o.ID, Place: o.Place, ByItself: o.ByItself, By: o.By, Now: o.Now, Command: o.Command,
			Quiet: o.Quiet, Bell: o.Bell, TerminalDied: o.TerminalDied,
		})
	}
	form := askscreen.New(o.Store, askscreen.Options{
		ID: o.ID, Place: o.Place, ByItself: o.ByItself, Quiet: o.Quiet, Bell: o.Bell, By: o.By, Now: o.Now, Command: o.Command,
		Environ: o.Terminal.Environ, Keys: o.Terminal.Keys, Panel: o.Terminal.Panel, Mistakes: o.Terminal.Mistakes, TerminalDied: o.TerminalDied,
	})
	err := errors.Join(terminal{o.Terminal}.run(ctx, form), form.Failure())
	first, settled := form.Shown()
	return lines.AskResult{Ask: first, Settled: settled, Receipt: form.Receipt()}, err
}
