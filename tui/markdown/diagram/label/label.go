package label

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Label is the text of a part of a diagram, in lines.
type Label []string

// Width returns the cells of the widest line.
func (l Label) Width() int {
	width := 0
	for _, line := range l {
		width = max(width, ansi.StringWidth(line))
	}
	return width
}

// String returns the label in one line.
func (l Label) String() string { return strings.Join(l, " ") }
