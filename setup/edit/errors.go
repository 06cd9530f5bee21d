package edit

import (
	"fmt"
	"strconv"
	"strings"
)

// SyntaxError says where and why a text cannot be parsed.
type SyntaxError struct {
	Line, Column int // from 1; the column counts bytes
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// ConflictError says that the text does not allow a change.
type ConflictError struct {
	Path   []string
	Line   int // from 1; 0 if not known
	Reason string
}

func (e *ConflictError) Error() string {
	where := ""
	if e.Line > 0 {
		where = "line " + strconv.Itoa(e.Line) + ": "
	}
	return fmt.Sprintf("%s%s can't be changed: %s", where, strings.Join(e.Path, "."), e.Reason)
}
