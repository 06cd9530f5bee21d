package cells

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Cut cuts a text to a number of cells, with an ellipsis if anything is gone.
func Cut(text string, cells int) string {
	if cells <= 0 {
		return ""
	}
	return ansi.Truncate(text, cells, "…")
}

// CutWords cuts a text like Cut, but behind a whole word if that costs at most a fifth of the
// room.
func CutWords(text string, cells int) string {
	if ansi.StringWidth(text) <= cells || cells <= 1 {
		return Cut(text, cells)
	}
	plain := ansi.Strip(text)
	kept := ansi.Truncate(plain, cells-1, "")
	if end := strings.LastIndexByte(kept, ' '); end >= 0 && !strings.HasPrefix(plain[len(kept):], " ") {
		if words := ansi.StringWidth(strings.TrimRight(kept[:end], " ")); words >= cells-1-cells/5 {
			return Cut(text, words+1)
		}
	}
	return Cut(text, cells)
}

// CutParts cuts a line made by Join to a number of cells. It drops whole parts from the end as
// long as the others fill half of the room. Otherwise it cuts the text.
func CutParts(text string, cells int) string {
	whole := text
	for ansi.StringWidth(whole) > cells {
		end := strings.LastIndex(whole, Gap)
		if end < 0 || ansi.StringWidth(whole[:end]) < cells/2 {
			return Cut(text, cells)
		}
		whole = whole[:end]
	}
	return whole
}

// Gap stands between the parts that Join joins.
const Gap = " · "

// Join puts the parts that are not empty into one line, with Gap between them.
func Join(parts ...string) string { return JoinBy(Gap, parts...) }

// JoinBy puts a separator between the parts that are not empty.
func JoinBy(separator string, parts ...string) string {
	var some []string
	for _, part := range parts {
		if part != "" {
			some = append(some, part)
		}
	}
	return strings.Join(some, separator)
}

// Pad cuts a text to a number of cells, or fills it up to them at the right.
func Pad(text string, cells int) string {
	text = Cut(text, cells)
	return text + strings.Repeat(" ", max(cells-ansi.StringWidth(text), 0))
}

// Fill fills a styled line with spaces up to a width. It cuts nothing.
func Fill(line string, width int) string {
	return line + strings.Repeat(" ", max(0, width-lipgloss.Width(line)))
}

// PadLeft is Pad with the spaces at the left.
func PadLeft(text string, cells int) string {
	text = Cut(text, cells)
	return strings.Repeat(" ", max(cells-ansi.StringWidth(text), 0)) + text
}

// SidesGap is the fewest cells between the texts that Sides puts on a line.
const SidesGap = 2

// Sides puts one text at the left end of a line and another at the right.
// The left one is cut if both do not fit.
func Sides(left, right string, width int) string {
	rightCells := ansi.StringWidth(right)
	if rightCells == 0 {
		return ansi.Truncate(left, width, "…")
	}
	room := width - rightCells - SidesGap
	if room < 8 { // no use: the left one alone
		return ansi.Truncate(left, width, "…")
	}
	left = ansi.Truncate(left, room, "…")
	return left + strings.Repeat(" ", width-rightCells-ansi.StringWidth(left)) + right
}

// Longest returns the first of some texts, given from long to short, that fits into
// the room; the last one if none does.
func Longest(room int, texts ...string) string {
	for _, text := range texts {
		if ansi.StringWidth(text) <= room {
			return text
		}
	}
	return texts[len(texts)-1]
}

// TopRow returns what the first row of a scrolled view shows for a line of a text: nothing for
// the rule below a heading, because the heading is out of view; else the line.
func TopRow(line string) string {
	if IsRule(line) {
		return ""
	}
	return line
}

// IsRule reports whether a line is a rule across: below a heading, or between paragraphs.
func IsRule(line string) bool {
	text := strings.TrimSpace(ansi.Strip(line))
	return text != "" && strings.Trim(text, "─━") == ""
}

// Position says which rows of how many are visible, "3–9 of 20"; it is empty if all are.
func Position(top, rows, total int) string {
	if total <= rows {
		return ""
	}
	return fmt.Sprintf("%d–%d of %d", top+1, min(top+rows, total), total)
}

// Styled gives every line a style.
func Styled(lines []string, style interface{ Render(...string) string }) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = style.Render(line)
	}
	return out
}

// Fold keeps the first lines, at most so many, and ends the last of them with an
// ellipsis if others follow.
func Fold(lines []string, most, width int) []string {
	if len(lines) <= most {
		return lines
	}
	kept := append([]string(nil), lines[:most]...)
	kept[most-1] = ansi.Truncate(kept[most-1], width-2, "") + " …"
	return kept
}

// AddMark puts a styled mark behind the last line, or below it if there is no room.
func AddMark(lines []string, mark, indent string, width int) []string {
	last := len(lines) - 1
	if ansi.StringWidth(lines[last])+2+ansi.StringWidth(mark) <= width {
		lines[last] += "  " + mark
		return lines
	}
	return append(lines, indent+mark)
}

// Overlay puts a piece, which is width cells wide, over a line of whole cells, left
// cells from its start. A blank stands for a wide character that the piece covers in half.
func Overlay(under, piece string, left, width, whole int) string {
	under = Fill(under, whole)
	before, behind := Fill(ansi.Truncate(under, left, ""), left), ansi.TruncateLeft(under, left+width, "")
	if ansi.StringWidth(behind) > ansi.StringWidth(under)-left-width {
		behind = " " + ansi.TruncateLeft(under, left+width+1, "")
	}
	const plain = "\x1b[m"
	return before + plain + piece + plain + behind
}

// Lines breaks a text into lines that fit both kinds of terminal.
func Lines(text string, width int) []string {
	return Wrap(width, func(width int) []string { return strings.Split(ansi.Wrap(text, width, ""), "\n") })
}

// PartLines breaks a text made by Join into lines, between its parts where that is possible.
// Gap is left out where a line ends. A part is broken only if it has no room in a line. The
// further lines of a paragraph that begins with a bullet hang below its first word.
func PartLines(text string, width int) []string {
	return Wrap(width, func(width int) (lines []string) {
		for paragraph := range strings.SplitSeq(text, "\n") {
			if item, ok := strings.CutPrefix(paragraph, "• "); ok && width > 2 {
				lines = append(lines, strings.Split("• "+strings.Join(PartLines(item, width-2), "\n  "), "\n")...)
				continue
			}
			line := ""
			for i, part := range strings.Split(paragraph, Gap) {
				switch {
				case i == 0:
					line = part
				case ansi.StringWidth(line+Gap+part) <= width:
					line += Gap + part
				default:
					lines = append(lines, line)
					line = part
				}
				broken := strings.Split(ansi.Wrap(line, width, ""), "\n")
				lines = append(lines, broken[:len(broken)-1]...)
				line = broken[len(broken)-1]
			}
			lines = append(lines, line)
		}
		return lines
	})
}

// LineCount returns the number of lines of a text that is wrapped to some cells.
func LineCount(text string, cells int) int {
	if len(text) <= cells || ansi.StringWidth(text) <= cells {
		return 1
	}
	n := 1
	for _, c := range ansi.Wrap(text, cells, "") {
		if c == '\n' {
			n++
		}
	}
	return n
}
