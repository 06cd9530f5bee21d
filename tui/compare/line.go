package compare

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans/diff"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Lines draws how one text becomes another: all lines with their signs, and stronger the
// words that changed. Each line is wrapped to a width.
func Lines(st *screen.Styles, before, after string, width int) []string {
	d := diff.Between(ended(before), ended(after))
	var lines []string
	for _, line := range d.Lines {
		lines = append(lines, inkOf(st, line.Op).draw("", piecesOf(line, d.MixedEnds), width)...)
	}
	return lines
}

// ended returns a text that ends with a line end, so that none is said to be missing.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// signCells are the cells of a sign and the space behind it.
const signCells = 2

// lineInk is how a line looks: its sign, and the styles of its text, of its changed words and
// of what stands before them.
type lineInk struct {
	styles           *screen.Styles
	sign             string
	text, word, head cells.Style
	// ground draws the whole row; nil for a line that lies on no ground of its own.
	ground func(line string, width int) string
}

func inkOf(st *screen.Styles, op diff.Op) lineInk {
	switch op {
	case diff.Removed:
		return lineInk{st, "−", st.Text, st.RemovedWord, st.Removed, st.OnRemoved}
	case diff.Added:
		return lineInk{st, "+", st.Text, st.AddedWord, st.Added, st.OnAdded}
	}
	return lineInk{st, " ", st.Text, st.Text, st.Faint, nil}
}

// draw draws a line behind its number and its sign, wrapped, as rows of a width.
func (ink lineInk) draw(number string, pieces []piece, width int) []string {
	var text strings.Builder
	for _, p := range pieces {
		switch {
		case p.note:
			text.WriteString(ink.head.Render(p.text))
		case p.word:
			text.WriteString(ink.word.Render(p.text))
		default:
			text.WriteString(ink.text.Render(p.text))
		}
	}
	sign := ink.head
	if ink.sign != " " {
		sign = sign.Bold(true)
	}
	head := ink.head.Render(number) + sign.Render(ink.sign) + " "
	indent := ansi.StringWidth(head)
	lines := strings.Split(lipgloss.Wrap(text.String(), max(width-indent, 1), ""), "\n")
	for i, line := range lines {
		if i > 0 {
			head = strings.Repeat(" ", indent)
		}
		if lines[i] = head + line; ink.ground != nil {
			lines[i] = ink.ground(lines[i], width)
		}
	}
	return lines
}

// piece is a part of a line with one style.
type piece struct {
	text string // cleaned
	word bool   // it changed
	note bool   // a remark, which is not part of the line
}

// piecesOf returns the parts of a line. If the line is longer than maxLineShown, it returns
// only a part, with a remark. mixedEnds is that of the diff.
func piecesOf(line diff.Line, mixedEnds bool) []piece {
	body, from, to := line.Body(), 0, len(line.Body())
	if to > maxLineShown {
		if len(line.Words) > 0 {
			from = cells.CharStart(body, max(line.Words[0].From-beforeWord, 0))
		}
		to = cells.CharStart(body, min(from+maxLineShown, to))
	}
	var pieces []piece
	add := func(from, to int, word bool) {
		if from < to {
			pieces = append(pieces, piece{text: safe.New(body[from:to]).Block(), word: word})
		}
	}
	if from > 0 {
		pieces = append(pieces, piece{text: "… ", note: true})
	}
	done := from
	for _, span := range line.Words {
		start, end := max(min(span.From, to), done), max(min(span.To, to), done)
		add(done, start, false)
		add(start, end, true)
		done = end
	}
	add(done, to, false)
	pieces = keepBar(pieces)
	if note := lineNote(line, len(body)-to, mixedEnds); note != "" {
		pieces = append(pieces, piece{text: " " + note, note: true})
	}
	return pieces
}

// keepBar keeps the bar that ends a row of a table beside the word before it. Otherwise the
// bar alone would often be a row of its own.
func keepBar(pieces []piece) []piece {
	const bar, noBreak = " |", "\u00a0|"
	if last := len(pieces) - 1; last >= 0 && !pieces[last].note && strings.HasSuffix(pieces[last].text, bar) {
		pieces[last].text = strings.TrimSuffix(pieces[last].text, bar) + noBreak
	}
	return pieces
}

// lineNote says how much of a line is not drawn, and how the line ends if that may be the
// change.
func lineNote(line diff.Line, hidden int, mixedEnds bool) string {
	cut, end := "", ""
	if hidden > 0 {
		cut = "… " + wording.Bytes(hidden) + " more"
	}
	if line.Op != diff.Same && line.Move == 0 {
		switch {
		case line.End() == "":
			end = "(no line end)"
		case mixedEnds && line.End() == "\n":
			end = "(LF)"
		case mixedEnds:
			end = "(CR LF)"
		}
	}
	return strings.TrimSpace(cut + " " + end)
}
