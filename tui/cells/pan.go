package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The marks at the edges of lines that go on there.
const (
	goesOnLeft  = "‹"
	goesOnRight = "›"
)

// mostKept is the most cells of a number or a table's cell that an edge hides altogether. The
// edge cuts a longer one: hiding it would leave a hole.
const mostKept = 24

// Panned returns the part of a styled line that is in view: room cells from left on. The first
// still cells do not move. If the line goes on beyond an edge, a mark stands there; a line that
// is drawn of rules alone just ends. Panned cuts no character in half, and no number or cell of
// a table, because half of it reads as another: it shows blanks for one that is half in view.
func Panned(line string, left, room, still int) string {
	if room <= 0 {
		return ""
	}
	cells := ansi.StringWidth(line)
	if left <= 0 && cells <= room {
		return line
	}
	left = max(left, 0)
	still = max(min(still, room-2), 0)
	if cells <= still {
		return line
	}
	var out cutter
	out.take(line, 0, still)
	from, to := still+left, left+room
	if ruled(line) {
		var part cutter
		part.take(line, from, to)
		out.WriteString(uncrossed(part.String(), left > 0, cells > to))
		return strings.TrimRight(out.String(), " ")
	}
	before, after := left > 0, cells > to && inkWidth(line) > to
	if before {
		out.mark(goesOnLeft)
		from++
	}
	if after {
		to--
	}
	// A person pans by a few cells, so what an edge hides must have room between the edges.
	kept := pieces{columns(line), min(mostKept, room-still-10)}
	begin, end := from, to
	if before {
		_, begin = kept.cut(from)
	}
	if after {
		end, _ = kept.cut(to)
	}
	if begin = min(begin, to); begin > from {
		out.restyle("")
		out.WriteString(strings.Repeat(" ", begin-from))
	}
	out.take(line, begin, max(end, begin))
	if after {
		out.restyle("")
		out.WriteString(strings.Repeat(" ", max(to-max(end, begin), 0)))
		out.mark(goesOnRight)
	}
	return strings.TrimRight(out.String(), " ")
}

// uncrossed returns a part of a rule without a crossing at an edge where the rule goes on: the lines
// above and below it have a mark in the place of theirs.
func uncrossed(rule string, before, after bool) string {
	const crossing = "┼"
	plain := ansi.Strip(rule)
	if before && strings.HasPrefix(plain, crossing) {
		rule = strings.Replace(rule, crossing, "─", 1)
	}
	if after && strings.HasSuffix(plain, crossing) {
		at := strings.LastIndex(rule, crossing)
		rule = rule[:at] + "─" + rule[at+len(crossing):]
	}
	return rule
}

// ruled reports whether a line is drawn of rules alone.
func ruled(line string) bool {
	for _, r := range ansi.Strip(line) {
		if r != ' ' && (r < '─' || r > '╿') {
			return false
		}
	}
	return true
}

// columns returns the character of each cell of a line. The second cell of a wide one is empty.
func columns(line string) []string {
	var at []string
	state := byte(0)
	for line = ansi.Strip(line); line != ""; {
		seq, cells, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		for i := range cells {
			if i > 0 {
				seq = ""
			}
			at = append(at, seq)
		}
	}
	return at
}

// pieces are the cells of a line whose pieces of up to most cells stay whole.
type pieces struct {
	at   []string
	most int
}

// cut returns the first cell of the piece that an edge before cell n would cut, and the cell after
// its last. Both are n if the edge cuts no such piece.
func (p pieces) cut(n int) (from, to int) {
	if n >= len(p.at) {
		return n, n
	}
	from, to = p.around(n, bar)
	if from > 0 || to < len(p.at) { // a cell of a table
		for from < to && p.at[from] == " " {
			from++
		}
		for to > from && p.at[to-1] == " " {
			to--
		}
		if from < n && n < to && to-from <= p.most {
			return from, to
		}
	}
	from, to = p.around(n, bar+" ")
	if from < n && n < to && to-from <= p.most && strings.ContainsAny(strings.Join(p.at[from:to], ""), "0123456789") {
		return from, to
	}
	return n, n
}

// bar stands between two columns of a table.
const bar = "│"

// around returns the cells before and behind an edge up to the next of the characters ends.
func (p pieces) around(n int, ends string) (from, to int) {
	inside := func(i int) bool { return p.at[i] == "" || !strings.Contains(ends, p.at[i]) }
	for from = n; from > 0 && inside(from-1); from-- {
	}
	for to = n; to < len(p.at) && inside(to); to++ {
	}
	return from, to
}

// inkWidth returns the cells of a line up to the last one that is not blank.
func inkWidth(line string) int { return ansi.StringWidth(strings.TrimRight(ansi.Strip(line), " ")) }

// CutInk cuts a line like Cut, but says nothing of what is gone if that is blank: a surface below
// other lines, which are wider.
func CutInk(line string, cells int) string {
	if inkWidth(line) <= cells {
		return ansi.Truncate(line, cells, "")
	}
	return Cut(line, cells)
}

// cutter puts a line together from parts of others.
type cutter struct {
	strings.Builder
	style string // the sequences in force where the line ends
}

// take appends the cells from the one up to the other, each with the style it has there. It
// appends nothing for cells behind the line's end.
func (c *cutter) take(line string, from, to int) {
	style, at, state := "", 0, byte(0)
	whole := false // the last character was taken as it is
	for len(line) > 0 {
		seq, cells, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		if at >= to && cells > 0 {
			break
		}
		switch {
		case ansi.HasCsiPrefix(seq):
			if style += seq; seq == ansi.ResetStyle || seq == "\x1b[0m" {
				style = ""
			}
			continue
		case cells == 0: // it belongs to the character before it
			if whole {
				c.WriteString(seq)
			}
			continue
		}
		end := at + cells
		whole = at >= from && end <= to
		if end > from {
			c.restyle(style)
			if !whole {
				seq = strings.Repeat(" ", min(end, to)-max(at, from))
			}
			c.WriteString(seq)
		}
		at = end
	}
	c.restyle("")
}

// mark appends a mark, without a style.
func (c *cutter) mark(mark string) {
	c.restyle("")
	c.WriteString(mark)
}

// restyle puts other sequences in force.
func (c *cutter) restyle(style string) {
	if style == c.style {
		return
	}
	if c.style != "" {
		c.WriteString(ansi.ResetStyle)
	}
	c.WriteString(style)
	c.style = style
}
