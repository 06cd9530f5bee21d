package pane

// The room that a form and the agent beside or above it need, in cells.
const (
	formColumns  = 80
	agentColumns = 60
	minRows      = 20
	formPercent  = 60 // the form's part, if there is more room
	border       = 1
)

// The smallest room in which a form can be drawn and an agent can be followed.
const (
	drawnColumns = 40
	drawnRows    = 12
	agentRows    = 4
)

// side is the position of a new pane.
type side int

const (
	below     side = iota
	right          // right of the agent
	over           // covers its window until it ends
	elsewhere      // in a window of its own
)

// placement is the position and size of a new pane.
type placement struct {
	side   side
	cells  int  // its width or height; 0: half
	behind bool // leave the focus where it is
}

// fit places a form in an agent's pane of that many columns and rows: to the
// right if the form gets 80 columns and the agent keeps 60; else below if both
// get 20 rows; else over the whole window.
func fit(width, height int) placement {
	switch {
	case width >= formColumns+agentColumns+border && height >= drawnRows:
		return placement{side: right, cells: share(width, formColumns, agentColumns+border)}
	case height >= 2*minRows+border && width >= drawnColumns:
		return placement{cells: share(height, minRows, minRows+border)}
	}
	return placement{side: over}
}

// fitBehind places a form that must neither take the focus nor cover anything.
// If fit would cover the window, the form goes below, provided it can be drawn
// there and the agent keeps a few rows; else it gets a window of its own.
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

// share returns the form's part of all cells: formPercent of them, but at least
// least, and at most all but rest.
func share(all, least, rest int) int {
	return min(max(all*formPercent/100, least), all-rest)
}
