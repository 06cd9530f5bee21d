package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/keymap"
)

// Hint is a key and what it does right now.
type Hint struct {
	// Act is the action of the key. A screen that knows its actions but not a person's keys
	// leaves Label to the code that draws the line.
	Act         keymap.Action
	Label, Does string
	Brief       string // Does in fewer words; empty: there are no fewer
	Main        bool   // the only thing left to do
	Tone        Tone   // ToneBad: what it does is the button that cannot be taken back
	Kept        bool   // the others make room for it
	End         int    // a hint with a greater End is drawn behind the others, however early it comes
}

// keyGap is the cells between two hints.
const keyGap = 3

// mostHints is how many keys stand in a line beside those that are kept: a person who looks
// for one there reads no more.
const mostHints = 5

func (h Hint) cells() int { return ansi.StringWidth(h.Label) + 1 + ansi.StringWidth(h.Does) }

// KeyLine draws as many hints as fit, up to mostHints, the first ones first. It uses the
// brief words if these make room for another key.
func (st *Styles) KeyLine(hints []Hint, width int) string {
	hints = mostUseful(mergedKeys(hints))
	fit, first := fitKeys(hints, width)
	if len(fit) < len(hints) {
		brief := make([]Hint, len(hints))
		for i, h := range hints {
			if brief[i] = h; h.Brief != "" {
				brief[i].Does = h.Brief
			}
		}
		if fewer, left := fitKeys(brief, width); left > first {
			fit = fewer
		}
	}
	slices.SortStableFunc(fit, func(a, b Hint) int { return a.End - b.End })
	parts := make([]string, len(fit))
	for i, h := range fit {
		if h.Main {
			parts[i] = st.Cursor.Render(h.Label + " " + h.Does)
			continue
		}
		key := st.Keycap
		if h.Tone == ToneBad {
			key = st.Danger
		}
		parts[i] = key.Render(h.Label) + " " + st.Faint.Render(h.Does)
	}
	return strings.Join(parts, st.Faint.Render(strings.Repeat(" ", keyGap)))
}

// mergedKeys drops hints without a key, and joins neighbours that do the same.
func mergedKeys(hints []Hint) []Hint {
	merged := make([]Hint, 0, len(hints))
	for _, h := range hints {
		if h.Label == "" {
			continue
		}
		if last := len(merged) - 1; last >= 0 && merged[last].Does == h.Does {
			merged[last].Label += "/" + h.Label
			continue
		}
		merged = append(merged, h)
	}
	return merged
}

// mostUseful returns the first mostHints hints, and those that are kept.
func mostUseful(hints []Hint) []Hint {
	shown, others := make([]Hint, 0, mostHints+1), 0
	for _, h := range hints {
		if !h.Kept {
			if others++; others > mostHints {
				continue
			}
		}
		shown = append(shown, h)
	}
	return shown
}

// fitKeys returns the hints that fit, and the index of the first that does not. Kept hints go
// before all others.
func fitKeys(hints []Hint, width int) (fit []Hint, left int) {
	kept := 0
	for _, h := range hints {
		if h.Kept {
			kept += h.cells() + keyGap
		}
	}
	left = len(hints)
	used := 0
	for i, h := range hints {
		cells := h.cells()
		if used > 0 {
			cells += keyGap
		}
		behind := kept
		if h.Kept {
			kept -= h.cells() + keyGap
			behind = kept
		}
		if used+cells+behind > width {
			left = min(left, i)
			continue
		}
		used += cells
		fit = append(fit, h)
	}
	return fit, left
}
