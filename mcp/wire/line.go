package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// maxLine is the longest message that is read, in bytes without its newline.
const maxLine = 64 << 20

// errLineTooLong says that a line was longer than the limit and was skipped.
var errLineTooLong = errors.New("the line is too long")

// lineReader splits its input into lines of bounded length.
type lineReader struct {
	in  *bufio.Reader
	max int
}

func newLineReader(in io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), max: limit}
}

// next returns the next line without its newline; the caller owns it. A last
// line that lacks a newline is returned like any other. A line over the limit
// gives errLineTooLong, and the following call returns the line after it. At
// the end of the input the error is io.EOF.
func (l *lineReader) next() ([]byte, error) {
	var parts [][]byte // joined once, because a slice that grows is copied at each step
	size := 0
	for {
		part, err := l.in.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		if size += len(part); size > l.max {
			return nil, l.skip(err)
		}
		parts = append(parts, bytes.Clone(part))
		switch {
		case err == nil:
			return slices.Concat(parts...), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && size > 0:
			return slices.Concat(parts...), nil
		default:
			return nil, err
		}
	}
}

// skip drops the rest of a line that is too long; last is the error of its most recent
// read.
func (l *lineReader) skip(last error) error {
	for errors.Is(last, bufio.ErrBufferFull) {
		_, last = l.in.ReadSlice('\n')
	}
	if last == nil || errors.Is(last, io.EOF) {
		return errLineTooLong
	}
	return last
}
