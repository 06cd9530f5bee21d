package screen

// Block is a drawing, with what the screen has to know about it.
type Block struct {
	Lines []string
	Focus Span   // the rows of what has the focus
	Near  Span   // Focus and further rows that should be in view with it; zero if there are none
	Lit   int    // how many rows of Focus, from the first, are on the focus ground
	Caret *Place // where letters go; nil for nowhere
	Hits  []Hit

	Coloured bool // the rows on the focus ground say something in their colours
}

// Span is rows from top to bottom, both included.
type Span struct{ Top, Bottom int }

// below returns the span that many rows further down.
func (s Span) below(rows int) Span { return Span{s.Top + rows, s.Bottom + rows} }

// Place is a cell of a block.
type Place struct{ X, Y int }

// Hit is a run of cells that can be clicked.
type Hit struct {
	X, Y, Width int
	At          int   // names the clicked thing
	From        Place // the run's first cell, counted from the first cell of that thing
}

// Add puts a line below the others.
func (b *Block) Add(line string) { b.Lines = append(b.Lines, line) }

// FocusOn puts the focus on the rows from top to the last one. If lit is true, they are on the
// focus ground.
func (b *Block) FocusOn(top int, lit bool) {
	b.Focus = Span{top, len(b.Lines) - 1}
	b.Near, b.Lit, b.Coloured = b.Focus, 0, false
	if lit {
		b.Lit = len(b.Lines) - top
	}
}

// HitLast marks the last line as clickable.
func (b *Block) HitLast(at, width int) {
	b.Hits = append(b.Hits, Hit{Y: len(b.Lines) - 1, Width: width, At: at})
}

// Append puts another block below, indented.
func (b *Block) Append(other Block, indent string, cells int) {
	top := len(b.Lines)
	for _, line := range other.Lines {
		b.Lines = append(b.Lines, indent+line)
	}
	for _, h := range other.Hits {
		h.X, h.Y = h.X+cells, h.Y+top
		b.Hits = append(b.Hits, h)
	}
	if other.Caret != nil {
		b.Caret = &Place{other.Caret.X + cells, other.Caret.Y + top}
	}
	if other.Near == (Span{}) {
		other.Near = other.Focus
	}
	b.Focus, b.Near = other.Focus.below(top), other.Near.below(top)
	b.Lit, b.Coloured = other.Lit, other.Coloured
}
