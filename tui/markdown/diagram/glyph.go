package diagram

// stroke is how a line is drawn.
type stroke uint8

const (
	noStroke stroke = iota
	light
	heavy
	dotted
)

// direction is one of the four ways out of a cell.
type direction uint8

const (
	up direction = iota
	right
	down
	left
)

// opposite returns the direction that leads back.
func (d direction) opposite() direction { return (d + 2) % 4 }

// arms holds the line that leaves a cell in each direction. All four together decide
// which character the cell shows, so lines that meet make the right junction.
type arms [4]stroke

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
	case arms{0, dotted, 0, dotted}:
		return "┄"
	case arms{dotted, 0, dotted, 0}:
		return "┆"
	}
	index, bold := 0, false
	for _, s := range a {
		digit := 0
		switch s {
		case light, dotted:
			digit = 1
		case heavy:
			digit, bold = 2, true
		}
		index = index*3 + digit
	}
	if index == 0 {
		return " "
	}
	if round && !bold {
		switch a.shape() {
		case arms{0, light, light, 0}:
			return "╭"
		case arms{0, 0, light, light}:
			return "╮"
		case arms{light, 0, 0, light}:
			return "╯"
		case arms{light, light, 0, 0}:
			return "╰"
		}
	}
	return junctions[3*(index-1) : 3*index]
}

// shape returns the arms with every line light.
func (a arms) shape() arms {
	for d, s := range a {
		if s != noStroke {
			a[d] = light
		}
	}
	return a
}

func (a arms) asciiGlyph(round bool) string {
	switch a.shape() {
	case arms{}:
		return " "
	case arms{0, light, 0, light}, arms{0, light, 0, 0}, arms{0, 0, 0, light}:
		switch max(a[right], a[left]) {
		case heavy:
			return "="
		case dotted:
			return "."
		}
		return "-"
	case arms{light, 0, light, 0}, arms{light, 0, 0, 0}, arms{0, 0, light, 0}:
		switch max(a[up], a[down]) {
		case heavy:
			return "#"
		case dotted:
			return ":"
		}
		return "|"
	case arms{0, light, light, 0}, arms{0, 0, light, light}:
		if round {
			return "."
		}
	case arms{light, 0, 0, light}, arms{light, light, 0, 0}:
		if round {
			return "'"
		}
	}
	return "+"
}

// mark is a sign: the end of a line, or a small symbol that stands alone. It fills
// one cell; in ASCII some fill more.
type mark uint8

const (
	noMark     mark = iota
	arrowMark       // a filled arrowhead
	openMark        // an open arrowhead
	circleMark      // a small circle
	crossMark       // a cross
	startMark       // the start of a state diagram
	endMark         // the end of a state diagram
	choiceMark      // a choice
)

// glyph returns the characters of a mark that points to d.
func (m mark) glyph(d direction, ascii bool) string {
	switch m {
	case arrowMark:
		if ascii {
			return "^>v<"[d : d+1]
		}
		return "▲►▼◄"[3*int(d) : 3*int(d)+3]
	case openMark:
		if ascii {
			return "^)v("[d : d+1]
		}
		return []string{"^", ">", "v", "<"}[d]
	case circleMark:
		return pick(ascii, "o", "○")
	case crossMark:
		return pick(ascii, "x", "×")
	case startMark:
		return pick(ascii, "(*)", "●")
	case endMark:
		return pick(ascii, "(@)", "◉")
	case choiceMark:
		return pick(ascii, "<>", "◇")
	}
	return " "
}

// pick returns plain if only ASCII characters can be shown, else rich.
func pick(ascii bool, plain, rich string) string {
	if ascii {
		return plain
	}
	return rich
}
