package form

import (
	"planb/tui/keymap"
)

// Split is how the person divides a form between its questions and the
// illustration. It is a share, so that it fits a frame of any size; neither side
// ever gets less than it can be used with.
type Split struct {
	Beside int // thousandths of the width, where the illustration is beside the questions; 0: planb's choice
	Below  int // thousandths of the height, where it is below them; 0: planb's choice
}

// splitOf is the split whose panel has a percentage of the form; 0: planb's choice.
func splitOf(percent int) Split {
	share := percent * splitWhole / 100
	return Split{Beside: share, Below: share}
}

// Least sizes of the two sides, and how far one key moves the border.
const (
	leastQuestions = 38 // cells
	leastPanel     = 28 // cells, with the border
	splitCells     = 4

	panelLeastBody    = 13 // rows of body from which there is a panel below
	leastQuestionRows = 6
	panelLeast        = 5 // rows, with the rule over it
	panelMost         = 14
	splitRows         = 1

	splitWhole = 1000
)

// beside is the cells of the panel beside the questions, with its border.
func (s Split) beside(width int) int {
	cells := width - min(max(width*45/100, 50), 72)
	if s.Beside > 0 {
		cells = share(width, s.Beside)
	}
	return max(min(cells, width-leastQuestions), leastPanel)
}

// below is the rows of the panel below the questions, with the rule over it.
func (s Split) below(rows int) int {
	high := min(max(rows*2/5, panelLeast), panelMost)
	if s.Below > 0 {
		high = share(rows, s.Below)
	}
	return max(min(high, rows-leastQuestionRows), panelLeast)
}

// share is so many thousandths of a size, and shareOf which those are; for sizes
// that a screen may have, each is the other's reverse.
func share(of, thousandths int) int { return (of*thousandths + splitWhole/2) / splitWhole }

func shareOf(of, part int) int { return (part*splitWhole + of/2) / of }

// size is how much of the frame the panel has.
func (p panelPlan) size(s Split) int {
	if p.below {
		return s.below(p.of)
	}
	return s.beside(p.of)
}

// with is the split that gives a panel that size, or the nearest it may have.
func (p panelPlan) with(s Split, size int) Split {
	size = max(size, 1)
	if p.below {
		s.Below = min(shareOf(p.of, size), splitWhole)
		s.Below = shareOf(p.of, s.below(p.of))
		return s
	}
	s.Beside = min(shareOf(p.of, size), splitWhole)
	s.Beside = shareOf(p.of, s.beside(p.of))
	return s
}

// moveBorder makes the panel larger or smaller by one key.
func (q *questionnaire) moveBorder(act keymap.Action) {
	p := q.panel.plan
	if p.of == 0 {
		if q.tabIllustrated(q.state.tab) {
			q.host.Say(ToneCalm, "No room for a panel here; %s shows it on the whole screen.", q.host.Keys().Label(keymap.Zoom))
		}
		return
	}
	to := q.resized(act)
	if to == q.panel.Split {
		q.host.Say(ToneCalm, "The border goes no further.")
		return
	}
	q.panel.Split = to
}

// resized is the split that a key makes of a panel there is; the same, where its
// border goes no further.
func (q *questionnaire) resized(act keymap.Action) Split {
	by := splitCells
	if q.panel.plan.below {
		by = splitRows
	}
	if act == keymap.Smaller {
		by = -by
	}
	return q.withPanel(q.panel.plan.size(q.panel.Split) + by)
}

// withPanel is the split for a panel of that size; the same, if that changes nothing.
func (q *questionnaire) withPanel(size int) Split {
	p := q.panel.plan
	if to := p.with(q.panel.Split, size); p.size(to) != p.size(q.panel.Split) {
		return to
	}
	return q.panel.Split
}
