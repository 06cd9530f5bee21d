package compare

import (
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/tui/markdown"
)

// readUnit is a part of both versions that is rendered by itself: a stretch of the texts,
// or a section that moved. A stretch leaves out the sections that moved; its marks say
// where they belong.
type readUnit struct {
	before, after markdown.Excerpt
	marks         []moveMark
	done          bool
	doc           markdown.DiffDoc
	same          int // lines of a section that moved unchanged, as far as both places have them
}

// moveMark is a place in a stretch where a section stood or stands that moved.
type moveMark struct {
	move int  // index in Diff.Moves
	came bool // the section stands here now; else it stood here before
	line int  // how many lines of the stretch are above it: of the new text if it came, else of the old
}

// readUnits cuts the texts into the sections that moved, in the order of Diff.Moves, and
// stretches, in the order of reading.
func (r *sourceRows) readUnits() (moved, stretches []readUnit) {
	d := r.diff
	old, new := d.Texts()
	before, after := safe.New(strings.Join(old, "")), safe.New(strings.Join(new, ""))
	c := stretchCutter{
		small:    len(before.Raw())+len(after.Raw()) <= 2*markdown.WholeBytes,
		oldHeads: headingLines(r.oldOutline), newHeads: headingLines(r.outline),
	}
	var links [2]safe.Text // that one part may have and another refer to
	if !c.small || len(d.Moves) > 0 {
		links = [2]safe.Text{markdown.LinkDefinitions(before), markdown.LinkDefinitions(after)}
	}
	excerpts := func(old, new string) (a, b markdown.Excerpt) {
		return markdown.Excerpt{Text: safe.New(old), Links: links[0]}, markdown.Excerpt{Text: safe.New(new), Links: links[1]}
	}
	for i, line := range d.Lines {
		if move, ok := r.went[i]; ok {
			c.marks = append(c.marks, moveMark{move, false, c.oldLines})
		}
		if move, ok := r.came[i]; ok {
			c.marks = append(c.marks, moveMark{move, true, c.newLines})
		}
		if !r.moving[i] {
			c.add(line)
		}
	}
	c.cut()
	for _, s := range c.done {
		unit := readUnit{marks: s.marks}
		unit.before, unit.after = excerpts(s.old, s.new)
		stretches = append(stretches, unit)
	}
	same := make([]int, len(d.Moves))
	for _, line := range d.Lines {
		if line.Op == diff.Added && line.Move > 0 {
			same[line.Move-1]++
		}
	}
	for i, m := range d.Moves {
		unit := readUnit{same: same[i]}
		unit.before, unit.after = excerpts(strings.Join(old[m.Old-1:m.OldBehind-1], ""), strings.Join(new[m.New-1:m.NewBehind-1], ""))
		moved = append(moved, unit)
	}
	return moved, stretches
}

func headingLines(outline []plans.Section) []int {
	lines := make([]int, len(outline))
	for i, s := range outline {
		lines[i] = s.Line
	}
	return lines
}

// stretchCutter cuts two texts at the same heading of both, so that no block is torn. A
// long part without a heading is cut at an empty line of both.
type stretchCutter struct {
	small              bool // the texts are short enough for one stretch
	oldHeads, newHeads []int
	oldFence, newFence markdown.Fence

	old, new           strings.Builder
	oldLines, newLines int
	marks              []moveMark
	done               []cutStretch
}

type cutStretch struct {
	old, new string
	marks    []moveMark
}

func (c *stretchCutter) add(line diff.Line) {
	if line.Op == diff.Same && !c.small && c.here(line) {
		c.cut()
	}
	if line.Op != diff.Added {
		c.old.WriteString(line.Text)
		c.oldLines++
		c.oldFence.Read(line.Text)
	}
	if line.Op != diff.Removed {
		c.new.WriteString(line.Text)
		c.newLines++
		c.newFence.Read(line.Text)
	}
}

// here reports whether to cut above a line of both texts.
func (c *stretchCutter) here(line diff.Line) bool {
	size := max(c.old.Len(), c.new.Len())
	switch {
	case size <= markdown.SectionBytes:
		return false
	case size > markdown.LongSectionBytes && strings.TrimSpace(line.Text) == "":
		return !c.oldFence.Open() && !c.newFence.Open()
	}
	_, old := slices.BinarySearch(c.oldHeads, line.Old)
	_, new := slices.BinarySearch(c.newHeads, line.New)
	return old && new
}

func (c *stretchCutter) cut() {
	if c.oldLines+c.newLines+len(c.marks) > 0 {
		c.done = append(c.done, cutStretch{c.old.String(), c.new.String(), c.marks})
	}
	c.old.Reset()
	c.new.Reset()
	c.oldLines, c.newLines, c.marks = 0, 0, nil
}
