package diff

import (
	"fmt"
	"strings"
)

// Hunk is a stretch of a diff with changes and some of the lines around them.
type Hunk struct {
	From, To           int // its lines are Diff.Lines[From:To]
	OldStart, OldLines int // the number of its first line in the old text, and how many lines
	NewStart, NewLines int // the same for the new text
}

// Hunks returns the stretches with changes. context is how many unchanged lines a
// hunk has on either side of its changes. At least one unchanged line lies between
// two hunks. Hunks is empty if nothing changed. If a hunk has no line of one text,
// its start in that text is the number of the line before it, as in a patch.
func (d *Diff) Hunks(context int) []Hunk {
	context = max(context, 0)
	var hunks []Hunk
	for i := range d.Lines {
		if d.Lines[i].Op == Same {
			continue
		}
		from, to := max(i-context, 0), min(i+1+context, len(d.Lines))
		if n := len(hunks); n > 0 && from <= hunks[n-1].To {
			hunks[n-1].To = to
			continue
		}
		hunks = append(hunks, Hunk{From: from, To: to})
	}
	old, new, at := 0, 0, 0 // old and new count the lines before at
	for i := range hunks {
		h := &hunks[i]
		for ; at < h.From; at++ {
			old, new = count(old, new, d.Lines[at].Op)
		}
		oldStart, newStart := old, new
		for ; at < h.To; at++ {
			old, new = count(old, new, d.Lines[at].Op)
		}
		h.OldLines, h.NewLines = old-oldStart, new-newStart
		h.OldStart, h.NewStart = oldStart+min(h.OldLines, 1), newStart+min(h.NewLines, 1)
	}
	return hunks
}

// count adds a line to the counts of the texts that have it.
func count(old, new int, op Op) (int, int) {
	if op != Added {
		old++
	}
	if op != Removed {
		new++
	}
	return old, new
}

// Header returns the line of a patch that names the hunk's place in both texts.
func (h Hunk) Header() string {
	return "@@ -" + span(h.OldStart, h.OldLines) + " +" + span(h.NewStart, h.NewLines) + " @@"
}

func span(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// noNewline says, in a patch, that the line above has no line end.
const noNewline = "\\ No newline at end of file\n"

// Unified returns the diff as a patch for git apply and patch, with the exact bytes
// of the texts and context unchanged lines around each change. It is empty if
// nothing changed. oldName and newName are the file's names in the patch. Unified
// writes them as they are, so they must be plain file names.
func (d *Diff) Unified(oldName, newName string, context int) string {
	hunks := d.Hunks(context)
	if len(hunks) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n", oldName, newName, oldName, newName)
	for _, h := range hunks {
		out.WriteString(h.Header() + "\n")
		for _, line := range d.Lines[h.From:h.To] {
			out.WriteString(line.Op.String())
			out.WriteString(line.Text)
			if line.End() == "" {
				out.WriteString("\n" + noNewline)
			}
		}
	}
	return out.String()
}
