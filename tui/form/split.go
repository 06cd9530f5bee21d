package form

import (
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Split is how the person divides a form between the questions and the panel with the
// illustration. It holds shares, so that it fits a frame of any size. Neither side gets less
// than it needs to be of use. A share of 0 leaves the choice to planb.
type Split struct {
	Beside int // the panel's share of the width if it stands beside the questions, in thousandths
	Below  int // the panel's share of the height if it stands below them, in thousandths
}

// splitOf returns the split whose panel has a percentage of the form.
func splitOf(percent int) Split {
	panel := percent * splitWhole / 100
	return Split{Beside: panel, Below: panel}
}

// Least sizes of the two sides, and how far one key moves the border.
const (
	leastQuestions = 38 // cells
	leastPanel     = 28 // cells, with the border
	splitCells     = 4

	panelLeastBody    = 13 // rows of body from which there is a panel below
	leastQuestionRows = 6
	panelLeast        = 5 // rows, with the rule above it
	panelMost         = 24
	leastIllustration = 2 // rows, for the words that stand in an illustration's place
	splitRows         = 1

	splitWhole = 1000
)

// beside returns the cells of the panel beside the questions, with its border.
func (s Split) beside(width int) int {
	cells := width - min(max(width*45/100, 50), 72)
	if s.Beside > 0 {
		cells = portion(width, s.Beside)
	}
	return max(min(cells, width-leastQuestions), leastPanel)
}

// below returns the rows of the panel below the questions, with the rule above it.
func (s Split) below(rows int) int {
	high := min(max(rows*2/5, panelLeast), panelMost)
	if s.Below > 0 {
		high = portion(rows, s.Below)
	}
	return max(min(high, rows-leastQuestionRows), panelLeast)
}

// portion returns a share of a whole, given in thousandths, in cells or rows.
func portion(whole, thousandths int) int { return (whole*thousandths + splitWhole/2) / splitWhole }

// thousandths returns the share that a part has of a whole. For whole sizes that a screen may
// have it undoes portion.
func thousandths(whole, part int) int { return (part*splitWhole + whole/2) / whole }

// size returns the cells (beside) or rows (below) that a split gives to the panel.
func (p panelPlan) size(s Split) int {
	switch {
	case p.below && s.Below == 0:
		return p.rows // as many as its illustrations need
	case p.below:
		return s.below(p.of)
	}
	return s.beside(p.of)
}

// with returns the split in which the panel has that size, or the nearest size that it
// may have.
func (p panelPlan) with(s Split, size int) Split {
	size = max(size, 1)
	if p.below {
		s.Below = min(thousandths(p.of, size), splitWhole)
		s.Below = thousandths(p.of, s.below(p.of))
		return s
	}
	s.Beside = min(thousandths(p.of, size), splitWhole)
	s.Beside = thousandths(p.of, s.beside(p.of))
	return s
}

// moveBorder makes the panel larger or smaller by one key.
func (q *questionnaire) moveBorder(act keymap.Action) {
	p := q.panel.plan
	if p.of == 0 {
		switch {
		case q.illustratesCurrent() && !q.shows():
			q.host.Say(screen.ToneCalm, noIllustration)
		case q.tabIllustrated(q.state.tab):
			q.host.Say(screen.ToneCalm, "No room for a panel here; %s zooms it.", q.host.Keys().Label(keymap.Zoom))
		}
		return
	}
	to := q.resized(act)
	if to == q.panel.Split {
		if act == keymap.Smaller {
			q.host.Say(screen.ToneCalm, "The panel cannot be smaller.")
		} else {
			q.host.Say(screen.ToneCalm, "The panel cannot be larger.")
		}
		return
	}
	q.panel.Split = to
}

// resized returns the split after a key that moves the border. It returns the split as it
// is if the panel cannot be larger or smaller. Below the questions it starts from the rows
// that the panel has, because the questions may leave it fewer than its share.
func (q *questionnaire) resized(act keymap.Action) Split {
	p, now := q.panel.plan, q.panel.Split
	was, by, most := p.size(now), splitCells, p.of
	if p.below {
		was, by, most = p.rows, splitRows, p.most
	}
	if act == keymap.Smaller {
		by = -by
	}
	to := p.with(now, was+by)
	size := p.size(to)
	if size > most || act == keymap.Larger && size <= was || act == keymap.Smaller && size >= was {
		return now
	}
	return to
}
