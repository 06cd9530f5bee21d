package review

import (
	"fmt"
	"sort"
	"strings"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/wording"
)

// A plan under review is cut into pieces. Each is laid out when it comes into view, so
// that the first screen of a long plan is there at once.
const (
	pieceBytes    = 8 << 10  // a piece ends at the first heading after so many bytes
	longPiece     = 24 << 10 // after so many, it ends at any empty line
	mostPiece     = 64 << 10 // after so many, it ends anywhere, and is shown as written
	mostPieceLine = 8 << 10  // most bytes of one line that are shown
)

// planPiece is some lines of a plan.
type planPiece struct {
	from, to int       // its lines
	text     safe.Text // those lines, and the plan's link definitions
	raw      bool      // shown as written

	doc      *markdown.Doc // nil until it is rendered
	underway bool
	base     []reviewRow // laid out, without comments
	rows     []reviewRow // with comments
	made     rowsMade
}

// rowsMade is what a piece's rows depend on, besides its text.
type rowsMade struct {
	width, changes int
	rendered       bool
}

// planPieces cuts a plan into pieces. lines is its number of lines.
func planPieces(text safe.Text, lines int) []planPiece {
	sections := markdown.Sizes{Heading: pieceBytes, Blank: longPiece, Most: mostPiece}.Cut(text)
	pieces := make([]planPiece, len(sections))
	for i, section := range sections {
		to := lines
		if i+1 < len(sections) {
			to = sections[i+1].Line - 1
		}
		pieces[i] = planPiece{from: section.Line, to: to, text: section.Text, raw: section.Broken}
	}
	return pieces
}

// planBlocks returns the numbers of the lines that follow an empty one. Code between
// fences is one block.
func planBlocks(lines []string) []int {
	var blocks []int
	var fence markdown.Fence
	blank := true
	for i, line := range lines {
		inside := fence.Open()
		fence.Read(line)
		empty := strings.TrimSpace(line) == ""
		if !inside && blank && !empty {
			blocks = append(blocks, i+1)
		}
		if !inside {
			blank = empty
		}
	}
	return blocks
}

// rowKind is what a row of a review shows.
type rowKind uint8

const (
	rowPlan    rowKind = iota // the plan
	rowComment                // a comment
	rowNotice                 // a note of planb's on how the plan is shown
)

// reviewRow is one row of a plan or of a comment.
type reviewRow struct {
	text     string
	kind     rowKind
	from, to int          // the plan's lines that it shows or comments on; zero for none
	first    bool         // the first row of its lines or its comment: a stop for the cursor
	goesOn   bool         // it has more text, which is folded
	comment  string       // the comment's id
	composed bool         // it belongs to the comment being written
	caret    int          // the cell of the caret, from 1; 0 for none
	bar      *cells.Style // of a comment's bar; nil for other rows
}

// pieceOf returns the index of the piece that has a line.
func (b *Body) pieceOf(line int) int {
	i := sort.Search(len(b.pieces), func(i int) bool { return b.pieces[i].to >= line })
	return min(i, len(b.pieces)-1)
}

// rowsIn returns the rows of a piece.
func (b *Body) rowsIn(i int) []reviewRow {
	p := &b.pieces[i]
	if doc, ok := b.rendered(p); ok && p.doc == nil {
		p.doc, p.base = &doc, nil
	}
	now := rowsMade{b.textWidth, b.State.Changes() + b.drawnAnew, p.doc != nil}
	if p.made == now && p.rows != nil {
		return p.rows
	}
	if p.base == nil || p.made.width != now.width || p.made.rendered != now.rendered {
		p.base = b.layPiece(p)
	}
	p.made = now
	p.rows = b.withComments(p, b.folds.shown(p.base, p.from))
	return p.rows
}

// rendered returns a piece as rendered Markdown, if it is rendered already.
func (b *Body) rendered(p *planPiece) (markdown.Doc, bool) {
	if p.raw || p.doc != nil || b.renderer == nil || b.asWritten {
		return markdown.Doc{}, false
	}
	return b.renderer.Cached(p.text, b.textWidth)
}

// layPiece makes the rows of a piece: rendered, or as written until it is rendered.
func (b *Body) layPiece(p *planPiece) []reviewRow {
	if p.doc == nil || p.doc.Notice != "" {
		rows := b.layWritten(p)
		if p.doc != nil {
			rows = append([]reviewRow{{text: p.doc.Notice, kind: rowNotice}}, rows...)
		}
		return rows
	}
	rows := make([]reviewRow, 0, len(p.doc.Lines))
	last := markdown.Span{}
	for i, line := range p.doc.Lines {
		at := p.doc.Source[i]
		if at.To > p.to-p.from+1 {
			break // only the definitions of links follow
		}
		row := reviewRow{text: line}
		if !at.IsZero() {
			row.from, row.to = p.from+at.From-1, p.from+at.To-1
			row.first = at != last
			last = at
		}
		rows = append(rows, row)
	}
	return b.withDetails(rows, p)
}

// layWritten makes the rows of a piece as written. It cuts lines after mostPieceLine.
func (b *Body) layWritten(p *planPiece) []reviewRow {
	var rows []reviewRow
	for number := p.from; number <= p.to; number++ {
		line := b.State.Lines[number-1]
		more := ""
		if len(line) > mostPieceLine {
			end := cells.CharStart(line, mostPieceLine)
			more = fmt.Sprintf(" … %s more", wording.Bytes(len(line)-end))
			line = line[:end]
		}
		if strings.TrimSpace(line) == "" {
			rows = append(rows, reviewRow{})
			continue
		}
		text := strings.TrimRight(safe.New(line).Block(), " \n") + more
		for i, part := range cells.Lines(text, max(b.textWidth, 1)) {
			rows = append(rows, reviewRow{text: part, from: number, to: number, first: i == 0})
		}
	}
	return rows
}

// empty reports whether a row of the plan shows nothing.
func (r reviewRow) empty() bool { return r.from == 0 && r.kind == rowPlan }

// sameItem reports whether two rows show the same lines of the plan, or the same comment. The
// rule below a heading counts as no row of it.
func (r reviewRow) sameItem(other reviewRow) bool {
	return (r.first || r.kind != rowPlan || !cells.IsRule(r.text)) &&
		r.from > 0 && r.kind == other.kind && r.comment == other.comment && r.from == other.from && r.to == other.to
}

// withComments returns the rows of a piece that are shown with each comment below its lines,
// between empty rows.
func (b *Body) withComments(p *planPiece, shown []reviewRow) []reviewRow {
	below := b.commentsIn(p)
	if len(below) == 0 {
		return shown
	}
	rows := make([]reviewRow, 0, len(shown)+6*len(below))
	add := func(upTo int) {
		for len(below) > 0 && below[0].to < upTo {
			if len(rows) > 0 && !rows[len(rows)-1].empty() {
				rows = append(rows, reviewRow{})
			}
			rows = append(append(rows, below[0].rows...), reviewRow{})
			below = below[1:]
		}
	}
	next := 0 // the line of the plan that follows
	for i, row := range shown {
		if row.first && i > 0 {
			next = row.from
			// Empty rows before a line belong to it.
			gap := len(rows)
			for gap > 0 && rows[gap-1].empty() {
				gap--
			}
			tail := append([]reviewRow(nil), rows[gap:]...)
			rows = rows[:gap]
			if add(next); len(tail) > 0 && len(rows) > gap {
				tail = tail[1:] // the comment brought one
			}
			rows = append(rows, tail...)
		}
		rows = append(rows, row)
	}
	add(p.to + 1)
	return rows
}

// reviewAt is a place among a plan's rows.
type reviewAt struct{ piece, row int }

// locate returns the row where a spot begins.
func (b *Body) locate(spot review.Spot) reviewAt {
	i := b.pieceOf(spot.Line)
	rows := b.rowsIn(i)
	best, found := 0, false
	for n, row := range rows {
		if !row.first {
			continue
		}
		switch {
		case spot.Comment != "" && row.comment == spot.Comment:
			return reviewAt{i, n}
		case row.kind == rowPlan && (row.from <= spot.Line || !found):
			best, found = n, true
		}
	}
	if !found { // this piece has no stop for the cursor
		if at, ok := b.nextStop(reviewAt{i, len(rows)}); ok {
			return at
		}
		if at, ok := b.prevStop(reviewAt{i, 0}); ok {
			return at
		}
	}
	return reviewAt{i, best}
}

// spotAt returns the spot of a row.
func (b *Body) spotAt(at reviewAt) review.Spot {
	row := b.row(at)
	line := row.from
	if row.kind == rowComment {
		line = row.to
	}
	return review.Spot{Line: max(line, 1), Comment: row.comment}
}

func (b *Body) row(at reviewAt) reviewRow {
	if rows := b.rowsIn(at.piece); at.row >= 0 && at.row < len(rows) {
		return rows[at.row]
	}
	return reviewRow{}
}

// next and prev return the row after or before a row; false at the plan's ends.
func (b *Body) next(at reviewAt) (reviewAt, bool) {
	for at.row++; at.row >= len(b.rowsIn(at.piece)); {
		if at.piece+1 >= len(b.pieces) {
			return at, false
		}
		at = reviewAt{at.piece + 1, 0}
	}
	return at, true
}

func (b *Body) prev(at reviewAt) (reviewAt, bool) {
	for at.row--; at.row < 0; {
		if at.piece == 0 {
			return at, false
		}
		at = reviewAt{at.piece - 1, len(b.rowsIn(at.piece-1)) - 1}
	}
	return at, true
}

// nextStop and prevStop return the nearest row after or before at which the cursor can
// be; false if there is none.
func (b *Body) nextStop(at reviewAt) (reviewAt, bool) {
	for {
		to, ok := b.next(at)
		if !ok || b.row(to).first {
			return to, ok
		}
		at = to
	}
}

func (b *Body) prevStop(at reviewAt) (reviewAt, bool) {
	for {
		to, ok := b.prev(at)
		if !ok || b.row(to).first {
			return to, ok
		}
		at = to
	}
}

// heightOf returns the rows from a stop to the next one, at most most.
func (b *Body) heightOf(at reviewAt, most int) int {
	n := 1
	for n < most {
		to, ok := b.next(at)
		if !ok || b.row(to).first {
			return n
		}
		at = to
		n++
	}
	return n
}
