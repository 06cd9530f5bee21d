package compare

import (
	"fmt"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/wording"
)

// Words says in words what changed between two texts, because screen readers leave out
// marks at the beginnings of lines.
func Words(c Comparison) string {
	lines := []string{"What changed in " + c.To + " since " + c.From + ":"}
	if len(c.Diff.Hunks(0)) == 0 {
		return lines[0] + " nothing."
	}
	stat := c.Diff.Stat()
	lines = append(lines, cells.JoinBy(", ", linesOf(stat.New(), "new"), linesOf(stat.Gone(), "gone"), linesOf(stat.Moved, "moved"))+".")
	for _, move := range c.Diff.Moves {
		lines = append(lines, "", fmt.Sprintf("Moved: %s, from line %d to line %d.", move.Title.Line(), move.Old, move.New))
	}
	headings := plans.Outline(c.After)
	for _, hunk := range c.Diff.Hunks(0) {
		lines = append(lines, hunkWords(c.Diff, hunk, headings)...)
	}
	return strings.Join(lines, "\n")
}

func linesOf(n int, what string) string {
	if n == 0 {
		return ""
	}
	return wording.Count(n, what+" line")
}

// hunkWords says one change and in which section it is. It says nothing about lines that
// only moved.
func hunkWords(d *diff.Diff, hunk diff.Hunk, headings []plans.Section) []string {
	var was, now []string
	for _, line := range d.Lines[hunk.From:hunk.To] {
		switch text := cells.JoinBy(" ", safe.New(line.Body()).Block(), lineNote(line, 0, d.MixedEnds)); {
		case line.Moved:
		case line.Op == diff.Removed:
			was = append(was, text)
		case line.Op == diff.Added:
			now = append(now, text)
		}
	}
	if len(was)+len(now) == 0 {
		return nil
	}
	where := fmt.Sprintf("Line %d", hunk.NewStart)
	switch {
	case hunk.NewLines == 0 && hunk.NewStart == 0:
		where = "At the start"
	case hunk.NewLines == 0:
		where = fmt.Sprintf("After line %d", hunk.NewStart)
	}
	in := ""
	for _, section := range headings {
		if section.Line <= hunk.NewStart && hunk.NewStart < section.End {
			in = "in " + section.Title.Line()
		}
	}
	where = cells.JoinBy(", ", where, in)
	switch {
	case len(now) == 0:
		return append([]string{"", where + ", gone:"}, was...)
	case len(was) == 0:
		return append([]string{"", where + ", new:"}, now...)
	}
	return append(append(append([]string{"", where + ", was:"}, was...), "Now:"), now...)
}
