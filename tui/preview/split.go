package preview

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/screen"
)

// Sizes of a window from which on the preview stands beside the list, or else below it.
const (
	besideWidth              = 100
	belowWidth, belowHeight  = 60, 22
	belowLines, belowPerLine = 7, 3   // the height of the preview, and how many more lines of the window make it one higher
	listShare, mostListCells = 51, 72 // of the width in per cent, and in cells
	gutterCells              = 3      // the border, and a cell at each side of the preview
)

// Split divides the lines of a page between a list and its preview.
type Split struct {
	Width, Height int    // of the window
	Lines         int    // of the page that the two have together
	Alone         bool   // the lines below the list are needed for something else
	Most          int    // the most cells of a list beside the preview; 0: as most lists
	Position      string // which rows of the list are in view; empty if all are
	Share         int    // per cent of the width that such a list gets; 0: as most lists

	// Rows is how many lines all rows of the list take. A preview below the list then gets half
	// of the lines, and those that the list does not fill. 0: see Fills.
	Rows int
	// Needs goes with Rows: how many lines the preview fills. The list gets the rest of the
	// preview's half. 0: the preview fills its half.
	Needs int
	// Fills is Rows for a preview that gets only a few lines, and those that the list does not
	// fill. 0: the preview gets a few lines, however long the list is.
	Fills int
}

// Beside reports whether the preview stands at the right of the list.
func (s Split) Beside() bool { return s.Width >= besideWidth }

// Shown reports whether there is a preview.
func (s Split) Shown() bool {
	return s.Width > 0 && (s.Beside() || !s.Alone && s.Width >= belowWidth && s.Height >= belowHeight)
}

// ListWidth is the width of the list in cells.
func (s Split) ListWidth() int {
	if !s.Beside() {
		return s.Width
	}
	return min(s.Width*cmp.Or(s.Share, listShare)/100, cmp.Or(s.Most, mostListCells))
}

// ListLines is the height of the list.
func (s Split) ListLines() int { return max(s.Lines-s.below(), 0) }

// Room is the width of a line of the preview in cells.
func (s Split) Room() int {
	if s.Beside() {
		return min(s.Width-s.ListWidth()-gutterCells, screen.ReadCells)
	}
	return min(s.Width-2, screen.ReadCells)
}

// PreviewLines is the height of the preview.
func (s Split) PreviewLines() int {
	if s.Beside() {
		return s.Lines
	}
	return max(s.below()-1, 0)
}

// below is how many lines the preview and the rule above it take from the list.
func (s Split) below() int {
	if !s.Shown() || s.Beside() {
		return 0
	}
	if s.Rows > 0 {
		list := s.Lines / 2
		if s.Needs > 0 {
			list = max(list, s.Lines-s.Needs-1)
		}
		return s.Lines - min(s.Rows, list)
	}
	few := belowLines + (s.Height-belowHeight)/belowPerLine
	if s.Fills > 0 {
		return max(few, s.Lines-s.Fills)
	}
	return few
}

// Draw returns the lines of the list with the preview beside or below it.
func (s Split) Draw(st *screen.Styles, list, preview []string) []string {
	if !s.Shown() {
		return list
	}
	if s.Beside() {
		return s.drawBeside(st, list, preview)
	}
	lines := append(make([]string, 0, s.Lines), list...)
	for len(lines) < s.ListLines() {
		lines = append(lines, "")
	}
	lines = append(lines, st.RuleBelow(s.Position, s.Width))
	for _, line := range preview {
		lines = append(lines, " "+line)
	}
	return lines
}

// Joined returns a rule of the page with a sign where the border of the preview meets it.
func (s Split) Joined(st *screen.Styles, rule, sign string) string {
	at := s.ListWidth()
	if !s.Beside() || ansi.Strip(ansi.Cut(rule, at, at+1)) != "─" {
		return rule
	}
	return cells.Overlay(rule, st.Rule.Render(sign), at, 1, s.Width)
}

// Below returns the rule below the body: joined with the border of the preview, and with the
// position if the list ends there.
func (s Split) Below(st *screen.Styles, rule string) string {
	width := s.ListWidth()
	if s.Position != "" && (s.Beside() || !s.Shown()) && strings.Trim(ansi.Strip(rule), "─") == "" {
		rule = cells.Overlay(rule, st.RuleBelow(s.Position, width), 0, width, s.Width)
	}
	return s.Joined(st, rule, "┴")
}

func (s Split) drawBeside(st *screen.Styles, list, preview []string) []string {
	bar := st.Rule.Render("│")
	lines := make([]string, s.Lines)
	for i := range lines {
		var left, right string
		if i < len(list) {
			left = list[i]
		}
		if i < len(preview) {
			right = " " + preview[i]
		}
		lines[i] = cells.Pad(left, s.ListWidth()) + bar + right
	}
	return lines
}
