package canvas

// Stroke is how a line is drawn.
type Stroke uint8

const (
	noStroke Stroke = iota
	Light
	Heavy
	Dotted
)

// Direction is one of the four ways out of a cell.
type Direction uint8

// The directions, clockwise.
const (
	Up Direction = iota
	Right
	Down
	Left
)

// Opposite returns the direction that leads back.
func (d Direction) Opposite() Direction { return (d + 2) % 4 }

// arms holds the line that leaves a cell in each direction. All four together decide
// which character the cell shows, so lines that meet make the right junction.
type arms [4]Stroke

// junctions has a character for every way in which light and heavy lines meet. The
// index is a number in base 3, minus 1. Its digits are the arms up, right, down and
// left: 0 for none, 1 for light, 2 for heavy. Every character has 3 bytes.
const junctions = "╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"

// glyph returns the character for the arms. If round is true, a corner is round.
func (a arms) glyph(round, ascii bool) string {
	if ascii {
		return a.asciiGlyph(round)
	}
	switch a {
	case arms{0, Dotted, 0, Dotted}:
		return "┄"
	case arms{Dotted, 0, Dotted, 0}:
		return "┆"
	}
	index, bold := 0, false
	for _, s := range a {
		digit := 0
		switch s {
		case Light, Dotted:
			digit = 1
		case Heavy:
			digit, bold = 2, true
		}
		index = index*3 + digit
	}
	if index == 0 {
		return " "
	}
	if round && !bold {
		switch a.shape() {
		case arms{0, Light, Light, 0}:
			return "╭"
		case arms{0, 0, Light, Light}:
			return "╮"
		case arms{Light, 0, 0, Light}:
			return "╯"
		case arms{Light, Light, 0, 0}:
			return "╰"
		}
	}
	return junctions[3*(index-1) : 3*index]
}

// shape returns the arms with every line light.
func (a arms) shape() arms {
	for d, s := range a {
		if s != noStroke {
			a[d] = Light
		}
	}
	return a
}

func (a arms) asciiGlyph(round bool) string {
	switch a.shape() {
	case arms{}:
		return " "
	case arms{0, Light, 0, Light}, arms{0, Light, 0, 0}, arms{0, 0, 0, Light}:
		switch max(a[Right], a[Left]) {
		case Heavy:
			return "="
		case Dotted:
			return "."
		}
		return "-"
	case arms{Light, 0, Light, 0}, arms{Light, 0, 0, 0}, arms{0, 0, Light, 0}:
		switch max(a[Up], a[Down]) {
		case Heavy:
			return "#"
		case Dotted:
			return ":"
		}
		return "|"
	case arms{0, Light, Light, 0}, arms{0, 0, Light, Light}:
		if round {
			return "."
		}
	case arms{Light, 0, 0, Light}, arms{Light, Light, 0, 0}:
		if round {
			return "'"
		}
	}
	return "+"
}

// Sign is the end of a line, or a small symbol that stands alone. It fills one cell; in
// ASCII some signs fill more.
type Sign uint8

const (
	NoSign     Sign = iota
	ArrowSign       // a filled arrowhead
	OpenSign        // an open arrowhead
	CircleSign      // a small circle
	CrossSign       // a cross
	StartSign       // the start of a state diagram
	EndSign         // the end of a state diagram
	ChoiceSign      // a choice
)

// Glyph returns the characters of a sign that points to d.
func (s Sign) Glyph(d Direction, ascii bool) string {
	switch s {
	case ArrowSign:
		if ascii {
			return "^>v<"[d : d+1]
		}
		return "▲►▼◄"[3*int(d) : 3*int(d)+3]
	case OpenSign:
		if ascii {
			return "^)v("[d : d+1]
		}
		return []string{"^", ">", "v", "<"}[d]
	case CircleSign:
		return Pick(ascii, "o", "○")
	case CrossSign:
		return Pick(ascii, "x", "×")
	case StartSign:
		return Pick(ascii, "(*)", "●")
	case EndSign:
		return Pick(ascii, "(@)", "◉")
	case ChoiceSign:
		return Pick(ascii, "<>", "◇")
	}
	return " "
}

// Pick returns plain if the drawing may have only ASCII characters, else rich.
func Pick(ascii bool, plain, rich string) string {
	if ascii {
		return plain
	}
	return rich
}
