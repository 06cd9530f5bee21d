package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// widerRest is how long the window waits, after its terminal became wider, before it has
// everything drawn again. By then Bubble Tea has drawn the first frame of the new width,
// which it does at its next tick, within 9 ms.
const widerRest = 100 * time.Millisecond

// widerRested says that widerRest has passed since the terminal became that wide.
type widerRested struct{ width int }

// drawAgain has the whole screen drawn once more, after the first frame of a greater
// width. Bubble Tea's renderer takes the columns that a terminal gained for empty even
// after it has drawn into them, so what stands there would show through the next screen.
// Bubble Tea 2.1.1 mends that; but it brings a go-runewidth that takes as long to start as
// all the rest of planb.
func (w *window) drawAgain(width int) tea.Cmd {
	if w.width == 0 || width <= w.width {
		return nil
	}
	return tea.Tick(widerRest, func(time.Time) tea.Msg { return widerRested{width} })
}

// rested clears the screen if the terminal still has the width that it was given.
func (w *window) rested(msg widerRested) tea.Cmd {
	if msg.width != w.width {
		return nil // a later change has its own, or made the terminal narrower
	}
	return tea.ClearScreen
}
