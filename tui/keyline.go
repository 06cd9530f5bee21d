package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// keyHint is a key and what it does right now.
type keyHint struct {
	label, does string
	brief       string // does in fewer words; empty: there are none
	main        bool   // it is what is left to do
	kept        bool   // the others make room for it
}

// keyGap is the cells between two hints.
const keyGap = 3

func (h keyHint) cells() int { return ansi.StringWidth(h.label) + 1 + ansi.StringWidth(h.does) }

// keyLine draws as many hints as fit, alike in every footer, the first ones
// before the last: in fewer words, where these make room for another key.
func (st *styles) keyLine(hints []keyHint, width int) string {
	hints = mergedKeys(hints)
	fit, first := fitKeys(hints, width)
	if len(fit) < len(hints) {
		brief := make([]keyHint, len(hints))
		for i, h := range hints {
			if brief[i] = h; h.brief != "" {
				brief[i].does = h.brief
			}
		}
		if fewer, left := fitKeys(brief, width); left > first {
			fit = fewer
		}
	}
	parts := make([]string, len(fit))
	for i, h := range fit {
		if h.main {
			parts[i] = st.buttonMain.Render(h.label + " " + h.does)
			continue
		}
		parts[i] = st.keycap.Render(h.label) + " " + st.faint.Render(h.does)
	}
	return strings.Join(parts, st.faint.Render(strings.Repeat(" ", keyGap)))
}

// mergedKeys leaves out what has no key, and names two keys that do the same
// once, if they stand side by side.
func mergedKeys(hints []keyHint) []keyHint {
	merged := make([]keyHint, 0, len(hints))
	for _, h := range hints {
		if h.label == "" {
			continue
		}
		if last := len(merged) - 1; last >= 0 && merged[last].does == h.does {
			merged[last].label += "/" + h.label
			continue
		}
		merged = append(merged, h)
	}
	return merged
}

// fitKeys is the hints that fit, the kept ones before all others, and which is the
// first that does not.
func fitKeys(hints []keyHint, width int) (fit []keyHint, left int) {
	kept := 0
	for _, h := range hints {
		if h.kept {
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
		if h.kept {
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
