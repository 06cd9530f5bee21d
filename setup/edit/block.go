package edit

import (
	"bytes"
	"slices"
	"strings"
)

// The marks around planb's block, as comments of a file whose comments begin
// with #.
const (
	blockBegin = "# >>> planb >>> written by planb setup, which asks before it changes this back"
	blockEnd   = "# <<< planb <<<"
	beginMark  = "# >>> planb >>>"
)

// Block replaces the lines between planb's marks. If there are no marks yet, it
// adds them at the end; without lines it removes them. The error, a
// *ConflictError, says that the marks do not enclose one block.
func Block(text []byte, lines []string) ([]byte, error) {
	start, end, err := findBlock(text)
	if err != nil {
		return nil, err
	}
	nl := newline(text)
	block := ""
	if len(lines) > 0 {
		block = strings.Join(slices.Concat([]string{blockBegin}, lines, []string{blockEnd}), nl) + nl
	}
	switch {
	case start >= 0 && block != "" && slices.Equal(linesWithin(text[start:end]), lines):
		return text, nil // even if the line ends differ
	case start >= 0 && block == "":
		before := withoutBlankLine(text[:start], []byte(nl))
		return spliced(text, splice{len(before), end, ""}), nil
	case start >= 0:
		return spliced(text, splice{start, end, block}), nil
	case block == "":
		return text, nil
	}
	if !blank(text) {
		block = nl + block
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		block = nl + block
	}
	return append(slices.Clone(text), block...), nil
}

// linesWithin returns the lines of a block without its marks.
func linesWithin(block []byte) []string {
	var lines []string
	for line := range strings.Lines(string(block)) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	return lines[1 : len(lines)-1]
}

// findBlock returns where the block begins and ends, with its marks; -1 if
// there is none.
func findBlock(text []byte) (start, end int, err error) {
	start, end = -1, -1
	offset := 0
	for line := range bytes.Lines(text) {
		switch trimmed := strings.TrimSpace(string(line)); {
		case strings.HasPrefix(trimmed, beginMark):
			if start >= 0 {
				return 0, 0, wrongMark(text, offset, "planb's begin mark is there twice; remove one block")
			}
			start = offset
		case trimmed == blockEnd:
			if start < 0 || end >= 0 {
				return 0, 0, wrongMark(text, offset, "planb's end mark is there without a begin mark before it; remove it")
			}
			end = offset + len(line)
		}
		offset += len(line)
	}
	if start >= 0 && end < 0 {
		return 0, 0, wrongMark(text, start, "planb's begin mark is there without its end mark, "+blockEnd+"; put that after planb's lines")
	}
	return start, end, nil
}

func wrongMark(text []byte, offset int, reason string) error {
	return &ConflictError{Path: []string{"planb's block"}, Line: lineOf(text, offset), Reason: reason}
}
