package pane

// The least room a form and the agent beside or above it need, in cells.
const (
	formColumns  = 80
	agentColumns = 60
	leastRows    = 20
	formPercent  = 60 // of what there is, where there is more
	border       = 1
)

// The least room in which a form is drawn at all, and an agent can be followed.
const (
	drawnColumns = 40
	drawnRows    = 12
	agentRows    = 4
)

// side is where a new pane goes.
type side int

const (
	below     side = iota
	right          // of the agent
	over           // it covers its window until it ends
	elsewhere      // in a window of its own
)

// placement is where a new pane goes, and how large it is there.
type placement struct {
	side   side
	cells  int  // its width or height; 0: half
	behind bool // the focus stays where it is
}

// fit places the form in an agent's pane of that many columns and rows: to the
// right if it gets 80 columns and the agent keeps 60; else below if both get 20
// rows; else over everything.
func fit(width, height int) placement {
	switch {
	case width >= formColumns+agentColumns+border && height >= drawnRows:
		return placement{side: right, cells: share(width, formColumns, agentColumns+border)}
	case height >= 2*leastRows+border && width >= drawnColumns:
		return placement{cells: share(height, leastRows, leastRows+border)}
	}
	return placement{side: over}
}

// fitBehind places a form that must neither take the focus nor cover anything. Where
// fit would cover the window, the form goes below if it can be drawn there and the
// agent keeps a few rows, else into a window of its own.
func fitBehind(width, height int) placement {
	where := fit(width, height)
	where.behind = true
	switch {
	case where.side != over:
		return where
	case width >= drawnColumns && height >= drawnRows+border+agentRows:
		return placement{cells: max(height/2, drawnRows), behind: true}
	}
	return placement{side: elsewhere, behind: true}
}

// share is the form's part of all cells: its percentage, but at least least,
// and rest is left over.
func share(all, least, rest int) int {
	return min(max(all*formPercent/100, least), all-rest)
}
