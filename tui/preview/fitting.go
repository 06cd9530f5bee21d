package preview

import "planb/tui/screen"

// Draw returns the lines of a preview in the most spacious form that fits. It calls draws once for
// each form that it tries. draws adds the lines, and asks the Lines what the form leaves out.
func Draw(st *screen.Styles, s Split, draws func(*Lines)) []string {
	for f := spacious; ; f++ {
		l := newLines(st, s, f)
		draws(l)
		if f == densest || l.beside || !l.cramped {
			return l.Done()
		}
	}
}

// form says how much of a preview below the list is left out for want of lines. Each form leaves
// out what the one before it does, too.
type form uint8

const (
	spacious form = iota
	tight         // what the row says already
	near          // the gap above the questions
	brief         // an answer has no lines of its own
	densest       // nor are there gaps
)
