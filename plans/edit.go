package plans

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Edit replaces a part of a plan's text.
type Edit struct {
	Old string // the text to replace, byte for byte
	New string
	All bool // replace every occurrence, not only the first
}

// EditFailure says why one edit of a list cannot be made.
type EditFailure struct {
	Index  int // of the edit in the list
	Reason string
}

// EditsError says why none of the edits was made.
type EditsError struct {
	Failures []EditFailure
}

// Error names every failure, each on a line of its own.
func (e *EditsError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d edit(s) failed", len(e.Failures))
	for _, f := range e.Failures {
		fmt.Fprintf(&text, "\n  edits[%d]: %s", f.Index, f.Reason)
	}
	return text.String()
}

// TooLongError says how long the edits would make a text. Bytes is more than
// MaxPlanBytes.
type TooLongError struct{ Bytes int64 }

// Error names the length and the limit.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("the edits would make the plan %d bytes long; at most %d are allowed", e.Bytes, MaxPlanBytes)
}

// replacement is one place where an edit applies.
type replacement struct {
	start, end int
	edit       int
}

// Apply makes all edits at once or none. Each edit applies to the original text. An
// edit must change something, and two edits must not touch the same bytes. Apply
// returns the new text and the number of places replaced. The error is an
// *EditsError with every failure, or a *TooLongError if the new text would exceed
// MaxPlanBytes; in that case Apply does not build the text.
func Apply(text string, edits []Edit) (changed string, replaced int, err error) {
	var places []replacement
	failed := map[int]string{}
	for i, edit := range edits {
		found, reason := edit.places(text, i)
		if reason != "" {
			failed[i] = reason
		}
		places = append(places, found...)
	}
	slices.SortStableFunc(places, func(a, b replacement) int { return cmp.Compare(a.start, b.start) })
	for i := 1; i < len(places); i++ {
		before, here := places[i-1], places[i]
		if here.start >= before.end {
			continue
		}
		late, early := max(before.edit, here.edit), min(before.edit, here.edit)
		if _, found := failed[late]; !found {
			failed[late] = fmt.Sprintf("edit overlaps the edit at index %d; use non-overlapping edits or combine them", early)
		}
		if before.end > here.end {
			places[i] = before // the next place may overlap this longer one, too
		}
	}
	if len(failed) > 0 {
		e := &EditsError{}
		for i := range edits {
			if reason, ok := failed[i]; ok {
				e.Failures = append(e.Failures, EditFailure{i, reason})
			}
		}
		return "", 0, e
	}
	size := int64(len(text))
	for _, p := range places {
		size += int64(len(edits[p.edit].New)) - int64(p.end-p.start)
	}
	if size > MaxPlanBytes {
		return "", 0, &TooLongError{size}
	}
	var out strings.Builder
	out.Grow(int(size))
	at := 0
	for _, p := range places {
		out.WriteString(text[at:p.start])
		out.WriteString(edits[p.edit].New)
		at = p.end
	}
	out.WriteString(text[at:])
	return out.String(), len(places), nil
}

// places finds where the edit applies, or gives the reason why it cannot.
func (e Edit) places(text string, index int) (found []replacement, reason string) {
	switch {
	case e.Old == "":
		return nil, "oldString is empty; give the exact text to replace"
	case e.Old == e.New:
		return nil, fmt.Sprintf("oldString and newString are the same: `%s`", excerpt(e.Old))
	}
	for at := 0; ; {
		i := strings.Index(text[at:], e.Old)
		if i < 0 {
			break
		}
		found = append(found, replacement{at + i, at + i + len(e.Old), index})
		if at += i + len(e.Old); !e.All {
			break
		}
	}
	if len(found) == 0 {
		return nil, fmt.Sprintf("string not found: `%s`", excerpt(e.Old))
	}
	return found, ""
}

// maxExcerptBytes limits how much of an agent's text an error quotes.
const maxExcerptBytes = 400

func excerpt(text string) string {
	if len(text) <= maxExcerptBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxExcerptBytes], "") + "…"
}
