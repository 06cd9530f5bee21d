package cli

import (
	"fmt"
	"strings"
	"time"

	"planb/plans/diff"
	"planb/questions/safe"
	"planb/store"
)

// shownDiff is a comparison as planb diff --json prints it.
type shownDiff struct {
	Session string      `json:"session"`
	Older   diffVersion `json:"older"`
	Newer   diffVersion `json:"newer"`
	Stat    diff.Stat   `json:"stat"`
	Moves   []diffMove  `json:"moves"`
	Hunks   []diffHunk  `json:"hunks"`
}

type diffVersion struct {
	Number  int       `json:"number"`
	Title   safe.Text `json:"title,omitzero"`
	Created time.Time `json:"created"`
	Digest  string    `json:"digest"`
}

// diffMove is a section that was moved. Lines count from 1.
type diffMove struct {
	Title   safe.Text `json:"title"`
	OldLine int       `json:"oldLine"`
	NewLine int       `json:"newLine"`
	Lines   int       `json:"lines"` // in the newer version
}

// diffHunk is a change with the lines around it, as in a patch.
type diffHunk struct {
	OldStart int        `json:"oldStart"`
	OldLines int        `json:"oldLines"`
	NewStart int        `json:"newStart"`
	NewLines int        `json:"newLines"`
	Lines    []diffText `json:"lines"`
}

type diffText struct {
	Op   string    `json:"op"` // "same", "removed" or "added"
	Old  int       `json:"old,omitempty"`
	New  int       `json:"new,omitempty"`
	Text safe.Text `json:"text"` // with its line end
	// Words are the changed parts of the line, compared with the line it
	// replaced or became.
	Words []string `json:"words,omitempty"`
	Moved bool     `json:"moved,omitempty"` // the line was moved with its section
}

func (c comparison) shown(context int) shownDiff {
	shown := shownDiff{
		Session: c.session.ID, Older: aboutVersion(c.older), Newer: aboutVersion(c.newer),
		Stat: c.diff.Stat(), Moves: []diffMove{}, Hunks: []diffHunk{},
	}
	for _, m := range c.diff.Moves {
		shown.Moves = append(shown.Moves, diffMove{m.Title, m.Old, m.New, m.NewBehind - m.New})
	}
	for _, h := range c.diff.Hunks(context) {
		hunk := diffHunk{h.OldStart, h.OldLines, h.NewStart, h.NewLines, nil}
		for _, line := range c.diff.Lines[h.From:h.To] {
			text := diffText{Op: opName(line.Op), Old: line.Old, New: line.New, Text: safe.New(line.Text), Moved: line.Move > 0}
			for _, span := range line.Words {
				text.Words = append(text.Words, line.Text[span.From:span.To])
			}
			hunk.Lines = append(hunk.Lines, text)
		}
		shown.Hunks = append(shown.Hunks, hunk)
	}
	return shown
}

func aboutVersion(v store.Plan) diffVersion {
	return diffVersion{v.Number, v.Title, v.Created, v.Digest}
}

func opName(op diff.Op) string {
	switch op {
	case diff.Removed:
		return "removed"
	case diff.Added:
		return "added"
	}
	return "same"
}

// The terminal's own colours fit every background.
const (
	sgrBold    = "\x1b[1m"
	sgrHunk    = "\x1b[36m"
	sgrRemoved = "\x1b[31m"
	sgrAdded   = "\x1b[32m"
	sgrMoved   = "\x1b[34m"
	sgrWord    = "\x1b[7m"
	sgrNoWord  = "\x1b[27m"
	sgrEnd     = "\x1b[m"
)

// drawn formats the patch for a terminal: cleaned, and with colours if wanted.
func (c comparison) drawn(context int, colours bool) string {
	var out strings.Builder
	put := func(sgr, text string) {
		if colours && sgr != "" {
			text = sgr + text + sgrEnd
		}
		out.WriteString(text + "\n")
	}
	hunks := c.diff.Hunks(context)
	if len(hunks) > 0 {
		put(sgrBold, "--- a/"+versionFile(c.older))
		put(sgrBold, "+++ b/"+versionFile(c.newer))
	}
	for _, m := range c.diff.Moves {
		put(sgrMoved, fmt.Sprintf("moved: “%s” from line %d to line %d", m.Title.Line(), m.Old, m.New))
	}
	for _, h := range hunks {
		put(sgrHunk, h.Header())
		for _, line := range c.diff.Lines[h.From:h.To] {
			sgr := map[diff.Op]string{diff.Removed: sgrRemoved, diff.Added: sgrAdded}[line.Op]
			if line.Move > 0 {
				sgr = sgrMoved
			}
			put(sgr, line.Op.String()+drawnLine(line, c.diff.MixedEnds, colours))
		}
	}
	return out.String()
}

// drawnLine formats a line for a terminal and marks its changed words. With
// ends it names the line's end, because that may be what changed.
func drawnLine(line diff.Line, ends, colours bool) string {
	var out strings.Builder
	body, done := line.Body(), 0
	for _, span := range line.Words {
		from, to := min(span.From, len(body)), min(span.To, len(body))
		out.WriteString(safe.New(body[done:from]).Block())
		word := safe.New(body[from:to]).Block()
		if colours && word != "" {
			word = sgrWord + word + sgrNoWord
		}
		out.WriteString(word)
		done = to
	}
	out.WriteString(safe.New(body[done:]).Block())
	if line.Op == diff.Same || line.Move > 0 {
		return out.String()
	}
	switch end := line.End(); {
	case end == "":
		out.WriteString(" (no line end)")
	case ends && end == "\n":
		out.WriteString(" (LF)")
	case ends:
		out.WriteString(" (CR LF)")
	}
	return out.String()
}
