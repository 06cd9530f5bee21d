package plans

import (
	"strings"

	"planb/questions/safe"
)

// Citation is a place in a plan's text of the form [q:questionId]. It says that
// the plan there follows from the answer to that question.
type Citation struct {
	Question string // the id, as it is written there
	Line     int    // counted from 1
	Start    int    // offset of the citation's first byte in the text
	End      int    // offset of the first byte behind it
}

// maxCitedBytes limits the id of a citation. Question ids are never longer.
const maxCitedBytes = 128

// Citations returns the citations in a plan's text, in text order. An id ends at
// the first ], has no white space at its ends, and has at most maxCitedBytes
// bytes. Fenced code has no citations.
func Citations(text safe.Text) []Citation {
	raw := text.Raw()
	if !strings.Contains(raw, CitationStart) {
		return nil
	}
	var list []Citation
	var f Fence
	at, number := 0, 0
	for line := range strings.Lines(raw) {
		number++
		if !f.Inside(line) {
			list = append(list, citationsIn(line, at, number)...)
		}
		at += len(line)
	}
	return list
}

// CitationStart begins each citation.
const CitationStart = "[q:"

// citationsIn returns the citations of one line, which begins at byte at of the
// text.
func citationsIn(line string, at, number int) (list []Citation) {
	for from := 0; ; {
		start := strings.Index(line[from:], CitationStart)
		if start < 0 {
			return list
		}
		start += from
		from = start + len(CitationStart)
		if id, ok := CutCitation(line[start:]); ok {
			from += len(id) + 1
			list = append(list, Citation{Question: id, Line: number, Start: at + start, End: at + from})
		}
	}
}

// CutCitation returns the id of the citation that a line begins with. The citation is
// that of a Citation's form: [q:, the id and ].
func CutCitation(line string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(line, CitationStart)
	length := strings.IndexByte(rest[:min(len(rest), maxCitedBytes+1)], ']')
	if !ok || length < 1 {
		return "", false
	}
	id = rest[:length]
	return id, strings.TrimSpace(id) == id
}

// OpenFence returns the fence that would close the code block which a text leaves
// open; empty if no block is open.
func OpenFence(text string) string {
	var f Fence
	for line := range strings.Lines(text) {
		f.Inside(line)
	}
	return f.mark
}

// Fence tracks, from line to line, whether a code block is open.
type Fence struct{ mark string }

// Inside reports whether the next line is fenced code, or a fence itself. A fence
// may have any indentation, because it may be part of a list.
func (f *Fence) Inside(line string) bool {
	line = strings.TrimSpace(line)
	mark := fenceMark(line)
	switch {
	case mark == "":
		return f.mark != ""
	case f.mark == "":
		f.mark = mark
	case strings.HasPrefix(mark, f.mark) && mark == line:
		f.mark = ""
	}
	return true
}
