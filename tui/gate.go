package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// gateQuiet is how long no key may come before keys count, once the person has
	// shown that they mean this screen.
	gateQuiet = 425 * time.Millisecond
	// gateDoubt is the same where a key left it in doubt. Pauses within a message
	// that somebody types are shorter.
	gateDoubt = 3500 * time.Millisecond
)

// gate stands before a form and its dialogs. It keeps out what the person types for
// something else: for the agent, when a form comes up beside it; for the form, when
// a dialog comes up over it.
type gate struct {
	stage gateStage
	run   int // counts the pauses that began; an older one opens nothing
	tick  ticker
}

// gateStage is how far the person is in.
type gateStage uint8

const (
	// gateOpen lets everything through.
	gateOpen gateStage = iota
	// gateShut waits for a key that enters.
	gateShut
	// gateDoubted opens after gateDoubt, and shuts again if the person types: what
	// entered is a key that people press in an agent's prompt, too.
	gateDoubted
	// gateEntered opens after gateQuiet.
	gateEntered
	// gateResting opens after gateQuiet, too. The person opened what lies behind it,
	// and it decides: no key of the same burst may do so.
	gateResting
)

// ticker makes a command that waits and then returns what fn makes of the time.
type ticker func(wait time.Duration, fn func(time.Time) tea.Msg) tea.Cmd

// gatePaused says that a pause is over.
type gatePaused struct {
	gate *gate
	run  int
}

// intent is what an input tells of the person.
type intent uint8

const (
	intentNone     intent = iota
	intentTyping          // letters, Enter, Esc, a paste: meant for whatever it was typed for
	intentDoubtful        // history and completion in an agent's prompt, or this screen
	intentEntering        // this screen
)

func intentOf(msg tea.Msg) intent {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch msg.Code {
		case tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown:
			return intentEntering
		case tea.KeyUp, tea.KeyLeft, tea.KeyRight, tea.KeyTab:
			return intentDoubtful
		}
		return intentTyping
	case tea.PasteStartMsg, tea.PasteMsg, tea.PasteEndMsg:
		return intentTyping
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		return intentEntering
	}
	return intentNone
}

// shut waits for a key that enters.
func (g *gate) shut() {
	g.stage = gateShut
	g.run++
}

// rest lets nothing through until no key came for a moment.
func (g *gate) rest() tea.Cmd {
	g.stage = gateResting
	return g.pause()
}

// pass reports whether an input may act, and returns the command of the pause that
// it began. The wheel always scrolls.
func (g *gate) pass(msg tea.Msg) (acts bool, pause tea.Cmd) {
	if g.stage == gateOpen {
		return true, nil
	}
	i := intentOf(msg)
	_, wheel := msg.(tea.MouseWheelMsg)
	return wheel || i == intentNone, g.heed(i)
}

// heed goes to the stage that an intent leads to. A key that is held down, and
// enters again and again, prolongs no pause.
func (g *gate) heed(i intent) tea.Cmd {
	switch {
	case i == intentTyping && g.stage == gateDoubted:
		g.shut()
	case i == intentTyping && g.stage != gateShut:
		return g.pause()
	case i == intentEntering && (g.stage == gateShut || g.stage == gateDoubted):
		g.stage = gateEntered
		return g.pause()
	case i == intentDoubtful && (g.stage == gateShut || g.stage == gateDoubted):
		g.stage = gateDoubted
		return g.pause()
	}
	return nil
}

// pause begins the pause that opens the gate.
func (g *gate) pause() tea.Cmd {
	g.run++
	wait := gateQuiet
	if g.stage == gateDoubted {
		wait = gateDoubt
	}
	paused := gatePaused{g, g.run}
	return g.tick(wait, func(time.Time) tea.Msg { return paused })
}

// paused opens the gate, unless something came since that pause began.
func (g *gate) paused(msg gatePaused) {
	if msg.gate == g && msg.run == g.run && g.stage != gateShut {
		g.stage = gateOpen
	}
}

// words say what the person has to do, in a line; enters is what ↓ leads to.
func (g *gate) words(enters string) string {
	switch g.stage {
	case gateDoubted:
		return "↓ " + enters + ", or press nothing for a moment."
	case gateResting:
		return "Keys count as soon as you stop typing."
	}
	return "↓ " + enters + "; until then no key counts."
}
