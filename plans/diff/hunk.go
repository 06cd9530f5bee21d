package diff

import (
	"fmt"
	"strings"
)

// Hunk is a stretch of a diff with changes and some of the lines around them.
type Hunk struct {
	From, To           int // of Diff.Lines: From is the first, To the first behind
	OldStart, OldLines int // number of its first line in the old text, and how many
	NewStart, NewLines int
}

// Hunks returns the stretches with changes, each with so many lines that are the
// same on either side. Between two hunks there is always something left out.
// There is none if nothing changed. A start is that of the line before, as in
// a patch, if the hunk has no line of that text.
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
	old, new, at := 0, 0, 0 // lines before at
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

func count(old, new int, op Op) (int, int) {
	if op != Added {
		old++
	}
	if op != Removed {
		new++
	}
	return old, new
}

// Header is the line of a patch that says where the hunk stands.
func (h Hunk) Header() string {
	return "@@ -" + span(h.OldStart, h.OldLines) + " +" + span(h.NewStart, h.NewLines) + " @@"
}

func span(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// noNewline is how a patch says that the line above has no line end.
const noNewline = "\\ No newline at end of file\n"

// Unified returns the diff as a patch that git apply and patch take, with so
// many lines around each change, in the exact bytes of the texts. It is empty
// if nothing changed. The names are those of the file in the patch; they are
// written as they are and must be plain file names.
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
