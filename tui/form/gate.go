package form

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/tui/screen"
)

const (
	// gateQuiet is the pause without keys that opens the gate, once the person has shown
	// that they mean this screen.
	gateQuiet = screen.Quiet
	// gateDoubt is the same pause after a key that may belong to something else. It is
	// longer than the pauses of a person who types a message.
	gateDoubt = 3500 * time.Millisecond
	// gateLate is how late the end of a pause may come. On a busy machine, or after the program
	// was stopped, it comes later, and keys that were pressed in the pause may wait behind it.
	gateLate = 200 * time.Millisecond
)

// gate stands before a form and its dialogs. It keeps out keys that the person types for
// something else: for the agent, when a form comes up beside it; for the form, when a
// dialog comes up over it.
type gate struct {
	stage gateStage
	run   int // counts the pauses; only the end of the newest opens the gate
	tick  ticker
	now   func() time.Time
	// typed is the time of the last key that may have been meant for something else. For
	// gateDoubt after it, ↓ is in doubt, too.
	typed time.Time
}

// gateStage says how far the person has come through the gate.
type gateStage uint8

const (
	// gateOpen lets everything through.
	gateOpen gateStage = iota
	// gateShut waits for a key that enters.
	gateShut
	// gateDoubted opens after gateDoubt, and shuts again if the person types. The key
	// that led here is one that people also press while they write to an agent.
	gateDoubted
	// gateEntered opens after gateQuiet, and shuts again if the person types.
	gateEntered
	// gateResting opens after gateQuiet, too. It stands before a dialog that the person
	// opened and that sends a decision: no key of the same burst may send it.
	gateResting
)

// ticker makes a command that waits and then returns the message of fn, as tea.Tick does.
type ticker func(wait time.Duration, fn func(time.Time) tea.Msg) tea.Cmd

// gatePaused says that a pause is over.
type gatePaused struct {
	gate *gate
	run  int
	due  time.Time // when it was to be over
}

// intent says what the person probably means an input for.
type intent uint8

const (
	intentNone     intent = iota
	intentTyping          // letters, Enter, Esc, a paste: something else
	intentDoubtful        // ↑, Tab and the like: history and completion in an agent's prompt, or this screen
	intentEntering        // ↓ and the like: this screen, unless the person has just typed
	intentPointing        // a click: this screen, whatever came before
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

// writes reports whether an input enters text.
func writes(msg tea.Msg) bool {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		return key.Text != ""
	}
	_, paste := msg.(tea.PasteMsg)
	return paste
}

// shut closes the gate until a key that enters.
func (g *gate) shut() { g.stage = gateShut }

// doubts reports whether the person typed a moment ago, so that ↓ may belong to what
// they typed.
func (g *gate) doubts() bool { return g.now().Sub(g.typed) < gateDoubt }

// follow copies the time of the last typed key from the gate of the form that was here
// before, because the person may be in the middle of a burst.
func (g *gate) follow(before gate) { g.typed = before.typed }

// trust forgets the last typed key: it was meant for this form, and the person is done
// with the form.
func (g *gate) trust() { g.typed = time.Time{} }

// rest closes the gate until no key has come for gateQuiet.
func (g *gate) rest() tea.Cmd {
	g.stage = gateResting
	return g.pause()
}

// pass reports whether an input may act. If the input begins a pause, pass returns the
// pause's command, else nil. The wheel always scrolls.
func (g *gate) pass(msg tea.Msg) (acts bool, pause tea.Cmd) {
	i, open := intentOf(msg), g.stage == gateOpen
	_, wheel := msg.(tea.MouseWheelMsg)
	return open || wheel || i == intentNone, g.heed(i)
}

// heed moves the gate to the stage that an intent leads to, and begins the stage's pause.
// Repeats of a held ↓ do not restart the pause, unless they are in doubt.
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

// after returns the stage that an intent leads to. typed says that the person has just
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
	if g.stage == gateDoubted {
		return g.wait(gateDoubt)
	}
	return g.wait(gateQuiet)
}

func (g *gate) wait(pause time.Duration) tea.Cmd {
	g.run++
	paused := gatePaused{g, g.run, g.now().Add(pause)}
	return g.tick(pause, func(time.Time) tea.Msg { return paused })
}

// paused opens the gate at the end of the newest pause, unless the gate is shut. If the end
// comes late, another pause begins.
func (g *gate) paused(msg gatePaused) tea.Cmd {
	switch {
	case msg.gate != g, msg.run != g.run, g.stage == gateShut:
		return nil
	case g.now().Sub(msg.due) > gateLate:
		return g.wait(gateQuiet)
	}
	g.stage = gateOpen
	return nil
}

// waits reports whether a key must first enter what the gate stands before.
func (g *gate) waits() bool { return g.stage != gateOpen && g.stage != gateResting }

// words says in a line what opens the gate. enter says it of a gate that is shut.
func (g *gate) words(enter string) string {
	switch g.stage {
	case gateDoubted:
		return "Keys count as soon as you press none for a few seconds."
	case gateEntered:
		return "Keys count as soon as you press none for a moment."
	case gateResting:
		return "Keys count as soon as you stop typing."
	}
	return enter
}
