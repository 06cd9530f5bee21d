package form

import (
	"testing"

	"planb/tui/keymap"
	"planb/tui/markdown"
)

// End goes to the end of the text that is on its way, not to that of the one before it.
func TestEndWaitsForTheTextThatIsDrawn(t *testing.T) {
	t.Parallel()
	wide := func(cells int) markdown.Doc {
		return markdown.Doc{Lines: []string{""}, Wide: []markdown.Block{{To: 1, Width: cells}}}
	}
	const room = 100
	for _, presses := range []int{1, 2} {
		var r reach
		r.pan.Fit(wide(160), room)
		for range presses {
			r.scroll(keymap.End)
		}
		r.pan.Fit(wide(500), room)
		if r.pan.Left != 500-room {
			t.Errorf("after %d presses %d cells are panned, want %d", presses, r.pan.Left, 500-room)
		}
	}
}
