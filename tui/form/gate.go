package form

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/tui/screen"
)

const (
	// gateQuiet is how long no key may come before keys count, once the person has
	// shown that they mean this screen.
	gateQuiet = screen.Quiet
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
	now   func() time.Time
	// typed is when the last key came that the person may have pressed for something
	// else. Shortly behind it ↓ is in doubt, too.
	typed time.Time
}

// gateStage is how far the person is in.
type gateStage uint8

const (
	// gateOpen lets everything through.
	gateOpen gateStage = iota
	// gateShut waits for a key that enters.
	gateShut
	// gateDoubted opens after gateDoubt, and shuts again if the person types: people
	// press the key that entered while they write to an agent, too.
	gateDoubted
	// gateEntered opens after gateQuiet, and shuts again if the person types.
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
	intentEntering        // this screen, unless the person has just typed
	intentPointing        // this screen, whatever came before
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
	case tea.MouseWheelMsg:
		return intentEntering
	case tea.MouseClickMsg:
		return intentPointing
	}
	return intentNone
}

// writes reports whether an input is text.
func writes(msg tea.Msg) bool {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		return key.Text != ""
	}
	_, paste := msg.(tea.PasteMsg)
	return paste
}

// shut waits for a key that enters.
func (g *gate) shut() { g.stage = gateShut }

// doubts reports whether ↓ may belong to what the person has just typed.
func (g *gate) doubts() bool { return g.now().Sub(g.typed) < gateDoubt }

// follow takes over what was typed at the gate of the form that was here before: the
// person may be in the middle of a burst.
func (g *gate) follow(before gate) { g.typed = before.typed }

// trust forgets what was typed: it was meant for what lies behind the gate, and the
// person has ended that.
func (g *gate) trust() { g.typed = time.Time{} }

// rest lets nothing through until no key came for a moment.
func (g *gate) rest() tea.Cmd {
	g.stage = gateResting
	return g.pause()
}

// pass reports whether an input may act, and returns the command of the pause that
// it began. The wheel always scrolls.
func (g *gate) pass(msg tea.Msg) (acts bool, pause tea.Cmd) {
	i, open := intentOf(msg), g.stage == gateOpen
	_, wheel := msg.(tea.MouseWheelMsg)
	return open || wheel || i == intentNone, g.heed(i)
}

// heed goes to the stage that an intent leads to, and begins its pause. Repeats of a
// held ↓ do not restart the pause, unless they are in doubt.
func (g *gate) heed(i intent) tea.Cmd {
	before := g.stage
	g.stage = before.after(i, g.doubts())
	if i == intentTyping || i != intentNone && g.stage == gateDoubted {
		g.typed = g.now()
	}
	switch {
	case i == intentNone, g.stage == gateOpen, g.stage == gateShut,
		g.stage == gateEntered && before == gateEntered,
		g.stage == gateResting && i != intentTyping:
		return nil
	}
	return g.pause()
}

// after is the stage that an intent leads to. Typed says that the person has just
// typed.
func (s gateStage) after(i intent, typed bool) gateStage {
	switch {
	case i == intentNone, s == gateOpen, s == gateResting:
		return s
	case i == intentPointing:
		return gateEntered
	case i == intentTyping:
		return gateShut
	case i == intentDoubtful:
		return gateDoubted
	case s == gateShut && typed: // and the intent is to enter
		return gateDoubted
	case s == gateShut:
		return gateEntered
	}
	return s
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
		return "Keys count as soon as you press none for a few seconds."
	case gateEntered:
		return "Keys count as soon as you press none for a moment."
	case gateResting:
		return "Keys count as soon as you stop typing."
	}
	return "↓ " + enters + "; until then no key counts."
}
