package pane

// The least room a form and the agent beside or above it need, in cells.
const (
	formColumns  = 80
	agentColumns = 60
	leastRows    = 20
	formPercent  = 60 // of what there is, where there is more
)

// placement is where a new pane goes.
type placement struct {
	right  bool // else below
	cells  int  // its width or height; 0: half
	zoomed bool // it covers everything until it ends
	behind bool // the focus stays where it is
}

// fit places the form in an agent's pane of that many columns and rows: to the
// right if it gets 80 columns and the agent keeps 60; else below if both get 20
// rows; else over everything.
func fit(width, height int) placement {
	const border = 1
	switch {
	case width >= formColumns+agentColumns+border:
		return placement{right: true, cells: share(width, formColumns, agentColumns+border)}
	case height >= 2*leastRows+border:
		return placement{cells: share(height, leastRows, leastRows+border)}
	}
	return placement{zoomed: true}
}

// shareOfSmall is the form's height below an agent's pane where both are too small: what
// a form needs to be drawn at all, if the agent keeps a few rows; else half.
func shareOfSmall(height int) int {
	const drawn, few, border = 12, 4, 1
	if height < drawn+few+border {
		return 0
	}
	return max(height/2, drawn)
}

// share is the form's part of all cells: its percentage, but at least least,
// and rest is left over.
func share(all, least, rest int) int {
	return min(max(all*formPercent/100, least), all-rest)
}
