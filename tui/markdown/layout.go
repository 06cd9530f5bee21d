package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"planb/questions/safe"
)

// layout stacks the blocks of one document into lines.
type layout struct {
	src     []byte
	style   *style
	leaf    *leafRenderer
	painter *painter
	bullets int // lists around the current block
}

// leastInside is the width below which quotes and lists stop indenting what is
// in them.
const leastInside = 8

// blocks lays out the blocks inside parent, most with an empty line between them.
func (l *layout) blocks(parent ast.Node, width int) []string {
	var lines []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := l.block(n, width)
		if len(block) == 0 {
			continue
		}
		if len(lines) > 0 && !tight(n) {
			lines = append(lines, "")
		}
		lines = append(lines, block...)
	}
	return lines
}

// tight reports whether a block follows the one before it without an empty
// line: whatever is below its heading, and in a tight list a list below the text
// of its item.
func tight(n ast.Node) bool {
	switch n.PreviousSibling().Kind() {
	case ast.KindHeading:
		return n.Kind() != ast.KindHeading
	case ast.KindTextBlock:
		return n.Kind() == ast.KindList
	}
	return false
}

func (l *layout) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return l.heading(n, width)
	case *ast.Blockquote:
		bar := l.style.rule.draw("│")
		return indent(l.blocks(n, inside(width, 2)), width, bar+" ", bar+" ")
	case *ast.List:
		return l.list(n, width)
	case *ast.FencedCodeBlock:
		return l.fenced(n, width)
	case *ast.CodeBlock:
		return l.painter.sketch(l.text(n))
	case *ast.HTMLBlock:
		return l.html(n, width)
	case *ast.ThematicBreak:
		return []string{l.style.rule.draw(strings.Repeat("─", min(width, 24)))}
	case *east.Table:
		return l.table(n, width)
	default: // paragraphs, with or without space around them
		return l.paragraph(n, width)
	}
}

func (l *layout) paragraph(n ast.Node, width int) []string {
	drawn := l.flow(n, ast.NewParagraph())
	if drawn == "" {
		return nil
	}
	return wrap(drawn, width)
}

// flow draws what is inside n with Glamour, as the inside of block.
func (l *layout) flow(n, block ast.Node) string {
	source := newInlines(l.src, n, block)
	if !block.HasChildren() {
		return ""
	}
	return l.leaf.draw(block, source)
}

// heading marks the two highest levels with a line below, so that levels differ
// without colour and size.
func (l *layout) heading(n *ast.Heading, width int) []string {
	drawn := l.flow(n, ast.NewHeading(n.Level))
	if drawn == "" {
		return nil
	}
	return l.underlined(n, drawn, width)
}

// underlined wraps what was drawn of a heading, and draws the line below it.
func (l *layout) underlined(n *ast.Heading, drawn string, width int) []string {
	lines := wrap(drawn, width)
	under := map[int]string{1: "━", 2: "─"}[n.Level]
	if under == "" {
		return lines
	}
	widest := 1
	for _, line := range lines {
		widest = max(widest, ansi.StringWidth(line))
	}
	return append(lines, l.style.rule.draw(strings.Repeat(under, widest)))
}

// list hangs the text of each item behind its mark.
func (l *layout) list(list *ast.List, width int) []string {
	marks := l.marks(list)
	l.bullets++
	defer func() { l.bullets-- }()

	var lines []string
	item := list.FirstChild()
	for _, mark := range marks {
		cells := ansi.StringWidth(mark)
		body := l.blocks(item, inside(width, cells))
		if len(body) == 0 {
			body = []string{""}
		}
		if len(lines) > 0 && !list.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, indent(body, width, l.style.marker.draw(mark), strings.Repeat(" ", cells))...)
		item = item.NextSibling()
	}
	return lines
}

// marks returns what stands before each item of a list, all equally wide but
// for those of tasks.
func (l *layout) marks(list *ast.List) []string {
	bullet := []string{"• ", "◦ ", "▪ "}[l.bullets%3]
	last := strconv.Itoa(list.Start + list.ChildCount() - 1)
	var marks []string
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		mark := bullet
		if list.IsOrdered() {
			digits := strconv.Itoa(number)
			mark = strings.Repeat(" ", max(0, len(last)-len(digits))) + digits + string(list.Marker) + " "
		}
		if box, ok := task(item); ok {
			mark = "[ ] "
			if box.IsChecked {
				mark = "[✓] "
			}
			if list.IsOrdered() {
				mark = strconv.Itoa(number) + string(list.Marker) + " " + mark
			}
		}
		marks = append(marks, mark)
		number++
	}
	return marks
}

// task returns the checkbox an item starts with.
func task(item ast.Node) (*east.TaskCheckBox, bool) {
	if item.FirstChild() == nil {
		return nil, false
	}
	box, ok := item.FirstChild().FirstChild().(*east.TaskCheckBox)
	return box, ok
}

// inside returns the width that is left behind an indent, or all of it when
// little would be.
func inside(width, indent int) int {
	if width-indent < leastInside {
		return width
	}
	return width - indent
}

// indent puts first before the first line and rest before the others, unless
// inside found no room for them: then the mark stands on a line of its own.
func indent(lines []string, width int, first, rest string) []string {
	if inside(width, ansi.StringWidth(first)) == width {
		return slices.Insert(lines, 0, strings.TrimSpace(first))
	}
	for i, line := range lines {
		if i == 0 {
			lines[i] = first + line
			continue
		}
		lines[i] = rest + line
	}
	return lines
}

// fenced draws a block of code, below whatever its fence says beyond the
// language.
func (l *layout) fenced(n *ast.FencedCodeBlock, width int) []string {
	language := string(n.Language(l.src))
	code := l.painter.fenced(language, l.text(n), width)
	if n.Info == nil {
		return code
	}
	info := strings.TrimSpace(string(n.Info.Segment.Value(l.src)))
	if info == language {
		return code
	}
	return append(l.written(info, width, l.style.caption), code...)
}

// text returns the lines of a block of code or HTML as they are.
func (l *layout) text(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(l.src))
	}
	return b.String()
}

// html shows a block of HTML, comments included, as it was written: the agent
// will read what the person approved, so the person must be able to read it too.
func (l *layout) html(n *ast.HTMLBlock, width int) []string {
	source := l.text(n)
	if n.HasClosure() {
		source += string(n.ClosureLine.Value(l.src))
	}
	return l.written(source, width, l.style.html)
}

// written shows source as it is, wrapped.
func (l *layout) written(source string, width int, p pen) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(source, "\n"), "\n") {
		for part := range strings.SplitSeq(ansi.Wrap(safe.New(line).Line(), width, ""), "\n") {
			lines = append(lines, p.draw(part))
		}
	}
	return lines
}
