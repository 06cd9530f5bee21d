package plans

import (
	"strings"

	"planb/questions/safe"
)

// Citation is a place in a plan's text that names the question whose answer it
// follows from: [q:questionId].
type Citation struct {
	Question string // the id, as it stands there
	Line     int    // 1 is the first line
	Start    int    // the first byte of the citation in the text
	End      int    // the byte behind it
}

// maxCitedBytes bounds the id of a citation. No question's id is longer.
const maxCitedBytes = 128

// Citations returns the citations of a plan's text in their order. An id ends at
// the first ], begins and ends with something visible and is as long as ids may
// be at most; what is in fenced code cites nothing.
func Citations(text safe.Text) []Citation {
	raw := text.Raw()
	if !strings.Contains(raw, citationStart) {
		return nil
	}
	var list []Citation
	var f fence
	at, number := 0, 0
	for line := range strings.Lines(raw) {
		number++
		if !f.inside(line) {
			list = append(list, citationsIn(line, at, number)...)
		}
		at += len(line)
	}
	return list
}

const citationStart = "[q:"

// citationsIn returns the citations of one line, which begins at the byte at.
func citationsIn(line string, at, number int) (list []Citation) {
	for from := 0; ; {
		start := strings.Index(line[from:], citationStart)
		if start < 0 {
			return list
		}
		start += from
		from = start + len(citationStart)
		length := strings.IndexByte(line[from:], ']')
		if length < 1 || length > maxCitedBytes {
			continue
		}
		id := line[from : from+length]
		if strings.TrimSpace(id) != id {
			continue
		}
		from += length + 1
		list = append(list, Citation{Question: id, Line: number, Start: at + start, End: at + from})
	}
}

// OpenFence is the fence that ends the code which a text begins and does not end;
// empty if there is none.
func OpenFence(text string) string {
	var f fence
	for line := range strings.Lines(text) {
		f.inside(line)
	}
	return f.mark
}

// fence follows the fences of code from line to line.
type fence struct{ mark string }

// inside reports whether the next line is fenced code, or a fence itself. A fence
// may be indented as deeply as the list it belongs to.
func (f *fence) inside(line string) bool {
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
