package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// pasteRest is how long the person must press nothing after a paste before keys
// and clicks count again.
const pasteRest = 100 * time.Millisecond

// pasteRests bounds how many rests in a row a paste begins, so that a person who types on
// without a pause is heard again.
const pasteRests = 3

// pasteGuard drops keys and clicks right behind a paste. A pasted text may contain
// the sequence that ends a paste; what follows it then looks like keys.
type pasteGuard struct {
	resting bool
	rests   int // how many began since the last paste
	run     int // counts the rests that began; an older one ends nothing
}

// pasteRested ends a rest, unless a newer one began.
type pasteRested struct{ run int }

// lets reports whether an input counts, and returns the command that ends the rest
// it began or prolonged.
func (g *pasteGuard) lets(msg tea.Msg) (counts bool, rest tea.Cmd) {
	switch msg.(type) {
	case tea.PasteStartMsg, tea.PasteMsg:
		return true, nil
	case tea.PasteEndMsg:
		g.rests = 0
		return true, g.rest()
	}
	if !g.resting {
		return true, nil
	}
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseClickMsg:
		if g.rests < pasteRests {
			return false, g.rest()
		}
	}
	return false, nil
}

// rest begins a rest. A message ends it, not the clock: a message comes behind the
// keys that already wait, however long the screen takes to draw the paste.
func (g *pasteGuard) rest() tea.Cmd {
	g.resting = true
	g.rests++
	g.run++
	rested := pasteRested{g.run}
	return tea.Tick(pasteRest, func(time.Time) tea.Msg { return rested })
}

func (g *pasteGuard) rested(msg pasteRested) {
	if msg.run == g.run {
		g.resting = false
	}
}
