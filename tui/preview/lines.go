package preview

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/plans"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// Lines collects the lines of a preview until there is no room for more. In a preview below
// the list that has few lines it leaves out the gaps.
type Lines struct {
	Styles *screen.Styles
	room   int // cells
	most   int // lines
	beside bool
	form   form

	lines   []string
	gap     bool // an empty line comes before the next one
	loose   bool // the same before a text, if that hides nothing of it
	full    bool // something was left out
	cramped bool // another form may show more
}

func newLines(st *screen.Styles, s Split, f form) *Lines {
	return &Lines{Styles: st, room: s.Room(), most: s.PreviewLines(), beside: s.Beside(), form: f}
}

// Tight reports whether there are few lines.
func (l *Lines) Tight() bool { return l.form >= tight }

// Near reports whether there are so few lines that the questions have no gap above them.
func (l *Lines) Near() bool { return l.form >= near }

// Cramp notes that the caller left something out because few lines are left.
func (l *Lines) Cramp() { l.cramped = true }

// Beside reports whether the preview stands beside the list, where rows are short.
func (l *Lines) Beside() bool { return l.beside }

// Room is the width of a line in cells.
func (l *Lines) Room() int { return l.room }

// Left is how many more lines there is room for.
func (l *Lines) Left() int { return l.most - len(l.lines) }

// Add adds a line, cut to the width.
func (l *Lines) Add(line string) {
	if l.gap && len(l.lines) > 0 && l.form < densest {
		l.gap = false
		l.Add("")
	}
	l.gap = false
	if len(l.lines) >= l.most {
		l.full, l.cramped = true, true
		return
	}
	l.lines = append(l.lines, cells.Cut(line, l.room))
}

// Gap puts an empty line before the next one.
func (l *Lines) Gap() { l.gap = true }

// Say adds a sentence of planb's own, on at most that many lines. It adds nothing for an
// empty one.
func (l *Lines) Say(style func(...string) string, text string, most int) {
	if text != "" {
		l.Text(style, safe.New(text), most)
	}
}

// Parts adds what cells.Join joined, on at most that many lines, which end between two parts
// where that is possible. It adds nothing for an empty text.
func (l *Lines) Parts(style func(...string) string, text string, most int) {
	if text != "" {
		l.put("", style, cells.PartLines(safe.New(text).Block(), l.room), most)
	}
}

// Text adds a text on at most that many lines. It adds nothing for a blank one.
func (l *Lines) Text(style func(...string) string, text safe.Text, most int) {
	if !text.Blank() {
		l.behind("", style, text, most)
	}
}

// Hang adds a text behind a mark, its further lines indented, on a few lines at most.
func (l *Lines) Hang(style func(...string) string, mark, text string) {
	const most = 8
	l.behind(style(mark), style, safe.New(text), most)
}

// behind adds a text on at most that many lines, the first one behind a drawn mark and the
// others indented by its width.
func (l *Lines) behind(mark string, style func(...string) string, text safe.Text, most int) {
	l.put(mark, style, markdown.Plain(text, l.room-ansi.StringWidth(mark)).Lines, most)
}

// put adds the lines of a text as behind does.
func (l *Lines) put(mark string, style func(...string) string, wrapped []string, most int) {
	indent := ansi.StringWidth(mark)
	for i, line := range wrapped[:min(len(wrapped), most)] {
		if i == most-1 && len(wrapped) > most {
			line = cells.Cut(line+"…", l.room-indent)
		}
		l.Add(mark + style(line))
		mark = strings.Repeat(" ", indent)
	}
}

// Rule adds a heading with a line behind it.
func (l *Lines) Rule(heading string) {
	rule := max(l.room-ansi.StringWidth(heading)-1, 0)
	l.Add(l.Styles.Muted.Render(heading) + " " + l.Styles.Rule.Render(strings.Repeat("─", rule)))
}

// Sides adds a line with a text at each end, and a further one behind the left text if there is
// room for it. The left text is cut if there is no room for both ends.
func (l *Lines) Sides(left, further, right string) {
	l.Add(l.Ends(left, further, right))
}

// Ends returns the line that Sides adds.
func (l *Lines) Ends(left, further, right string) string {
	const gap = 2
	if ansi.StringWidth(left+further+right)+gap <= l.room {
		left += further
	}
	return cells.Sides(left, right, l.room)
}

// Items adds drawn items of one line or more. It says how many it leaves out, together with further
// ones that the caller leaves out.
func (l *Lines) Items(items [][]string, further int) {
	const least = 2 // a gap is worth less than these
	for i, item := range items {
		need, after := len(item), len(items)-i-1+further
		if after > 0 {
			need++
		}
		if need > l.Left() {
			l.cramped = l.cramped || i < least
			l.Add(l.Styles.Faint.Render(fmt.Sprintf("%d more", after+1)))
			return
		}
		for _, line := range item {
			l.Add(line)
		}
	}
	if further > 0 {
		l.Add(l.Styles.Faint.Render(fmt.Sprintf("%d more", further)))
	}
}

// Loosen puts an empty line before the text that Doc adds next. In a tight preview the line may not
// hide anything of the text.
func (l *Lines) Loosen() { l.loose = true }

// Doc adds a rendered text. If it has to be cut, it does not end with a heading.
func (l *Lines) Doc(doc markdown.Doc, text safe.Text) {
	const least = 4 // lines; a gap is worth less than these
	loose := l.loose
	l.loose, l.gap = false, l.gap || loose && !l.Tight()
	if l.gap && len(l.lines) > 0 && l.form < densest {
		l.gap = false
		l.Add("")
	}
	shown, cut := shownOf(doc, text, l.Left()), l.Left() < len(doc.Lines)
	l.cramped = l.cramped || cut && l.Left() < least
	if loose && l.Tight() && shownOf(doc, text, l.Left()-1) == shown {
		l.Add("")
	}
	for _, line := range doc.Lines[:shown] {
		l.Add(cells.CutInk(line, l.room))
	}
	if cut {
		l.Add(l.Styles.Faint.Render("…"))
	}
}

// shownOf returns how many lines of a text are shown in that many. If it is cut, the last one says
// that more follows.
func shownOf(doc markdown.Doc, text safe.Text, lines int) int {
	if lines >= len(doc.Lines) {
		return len(doc.Lines)
	}
	return withoutHeading(doc, text, max(lines-1, 0))
}

// withoutHeading returns how many of the first lines of a text are left without a heading at their
// end, and without empty lines there. If they are nothing else, all are left.
func withoutHeading(doc markdown.Doc, text safe.Text, lines int) int {
	headings := map[int]bool{}
	for _, heading := range plans.Outline(text) {
		headings[heading.Line] = true
	}
	for i := lines; i > 0; i-- {
		if !doc.Source[i-1].IsZero() && !headings[doc.Source[i-1].From] {
			return i
		}
	}
	return lines
}

// Done returns the lines. The last one is "…" if something was left out.
func (l *Lines) Done() []string {
	if l.full && len(l.lines) > 1 {
		l.lines[len(l.lines)-1] = l.Styles.Faint.Render("…")
	}
	return l.lines
}
