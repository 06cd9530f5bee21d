package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/marks"
)

// row is a laid-out line, and the lines of the source that it shows.
type row struct {
	text string
	Span
	whole whole
}

// whole says whether a row belongs to a block that keeps every cell, such as code or
// a table. It is 0 for a row of running text. Otherwise it is 1 plus the number of
// cells on the left that do not move when a person pans the block.
type whole int

// wholes marks rows as a block that keeps every cell. still is the number of cells
// that panning does not move.
func wholes(rows []row, still int) []row {
	for i := range rows {
		rows[i].whole = whole(still + 1)
	}
	return rows
}

// rowsOf returns rows that all show the same lines of the source.
func rowsOf(lines []string, from Span) []row {
	rows := make([]row, len(lines))
	for i, line := range lines {
		rows[i] = row{text: line, Span: from}
	}
	return rows
}

func textsOf(rows []row) []string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = row.text
	}
	return lines
}

// layout stacks the blocks of one document into rows.
type layout struct {
	src     []byte
	starts  []int // the offset of each line in src
	style   *style
	leaf    *leafRenderer
	painter *painter
	bullets int // how many lists are around the current block
	// surfaces puts code and the highest headings on the palette's surface. Two versions
	// are compared without it.
	surfaces bool
	joined   bool // see Renderer.Joined
	cited    Cited
}

// leastInside is the least width inside a quote or list. With less room, they do
// not indent their content.
const leastInside = 8

// blocks lays out the blocks inside parent, most with an empty line between them.
func (l *layout) blocks(parent ast.Node, width int) []row {
	var lines []row
	var above ast.Node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := l.block(n, width)
		if len(block) == 0 {
			continue
		}
		if above != nil && !l.tight(above, n) {
			lines = append(lines, row{})
		}
		lines, above = append(lines, block...), n
	}
	return lines
}

// tight reports whether a block follows the one above it without an empty line: text below
// the line of a heading, and in a tight list the list below the text of an item.
func (l *layout) tight(above, below ast.Node) bool {
	if heading, ok := above.(*ast.Heading); ok {
		return l.ruled(heading) && below.Kind() != ast.KindHeading
	}
	return above.Kind() == ast.KindTextBlock && below.Kind() == ast.KindList
}

// ruled reports whether a heading has a line below it.
func (l *layout) ruled(n *ast.Heading) bool {
	return n.Level == 2 || n.Level == 1 && !l.surfaces
}

func (l *layout) block(n ast.Node, width int) []row {
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
		return l.code(n, l.painter.sketch(l.text(n)), "", width)
	case *ast.HTMLBlock:
		return l.html(n, width)
	case *ast.ThematicBreak:
		return rowsOf([]string{l.style.rule.draw(strings.Repeat("─", min(width, 24)))}, l.span(n))
	case *east.Table:
		return l.table(n, width)
	default: // paragraphs, with or without space around them
		return l.paragraph(n, width)
	}
}

func (l *layout) paragraph(n ast.Node, width int) []row {
	drawn := l.flow(n, ast.NewParagraph())
	if drawn == "" {
		return nil
	}
	lines := wrap(drawn, width)
	if l.joined && len(lines) > 1+strings.Count(drawn, "\n") {
		return rowsOf(wrap(l.draw(n, ast.NewParagraph(), true), width), l.span(n))
	}
	return l.byLine(n, drawn, lines, width)
}

// flow draws the inside of n with Glamour, as the inside of block.
func (l *layout) flow(n, block ast.Node) string { return l.draw(n, block, false) }

func (l *layout) draw(n, block ast.Node, joined bool) string {
	source := newInlines(l.src, n, block, joined, l.cited)
	if !block.HasChildren() {
		return ""
	}
	if n.Kind() == east.KindTableCell {
		return draw(l.leaf.table, block, source)
	}
	return draw(l.leaf.prose, block, source)
}

// heading draws a heading. The highest level lies on the surface. The second level always
// has a line below. Without a surface the highest level has one, too, so that it can be
// told from text without colour.
func (l *layout) heading(n *ast.Heading, width int) []row {
	drawn := l.flow(n, ast.NewHeading(n.Level))
	if drawn == "" {
		return nil
	}
	if n.Level > 1 || !l.surfaces {
		return rowsOf(l.underlined(n, drawn, width), l.span(n))
	}
	lines := wrap(drawn, width-2*len(surfacePad))
	for i, line := range lines {
		lines[i] = l.style.surface.Paint(surfacePad+line, width)
	}
	return rowsOf(lines, l.span(n))
}

// underlined wraps a drawn heading and adds the line below it, if its level has one.
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

// list indents the text of each item behind the item's mark.
func (l *layout) list(list *ast.List, width int) []row {
	leads := l.leads(list)
	l.bullets++
	defer func() { l.bullets-- }()

	var lines []row
	item := list.FirstChild()
	for _, mark := range leads {
		cells := ansi.StringWidth(mark)
		body := l.blocks(item, inside(width, cells))
		if len(body) == 0 {
			body = []row{{}}
		}
		if len(lines) > 0 && !list.IsTight {
			lines = append(lines, row{})
		}
		lines = append(lines, indent(body, width, l.style.marker.draw(mark), strings.Repeat(" ", cells))...)
		item = item.NextSibling()
	}
	return lines
}

// leads returns the mark before each item of a list. All are equally wide, except
// those of tasks.
func (l *layout) leads(list *ast.List) []string {
	bullet := []string{"• ", "◦ ", "▪ "}[l.bullets%3]
	last := strconv.Itoa(list.Start + list.ChildCount() - 1)
	var leads []string
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		mark := bullet
		if list.IsOrdered() {
			digits := strconv.Itoa(number)
			mark = strings.Repeat(" ", max(0, len(last)-len(digits))) + digits + string(list.Marker) + " "
		}
		if box, ok := task(item); ok {
			mark = taskMark(box)
			if list.IsOrdered() {
				mark = strconv.Itoa(number) + string(list.Marker) + " " + mark
			}
		}
		leads = append(leads, mark)
		number++
	}
	return leads
}

func taskMark(box *east.TaskCheckBox) string {
	if box.IsChecked {
		return marks.Ticked + " "
	}
	return marks.Unticked + " "
}

// task returns the checkbox an item starts with.
func task(item ast.Node) (*east.TaskCheckBox, bool) {
	if item.FirstChild() == nil {
		return nil, false
	}
	box, ok := item.FirstChild().FirstChild().(*east.TaskCheckBox)
	return box, ok
}

// inside returns the width that an indent leaves, or the whole width if that would
// be less than leastInside.
func inside(width, indent int) int {
	if width-indent < leastInside {
		return width
	}
	return width - indent
}

// indent puts first before the first line and rest before the others. If there is
// no room to indent (see inside), it puts the mark on a line of its own.
func indent(lines []row, width int, first, rest string) []row {
	if len(lines) == 0 {
		return nil
	}
	cells := ansi.StringWidth(first)
	if inside(width, cells) == width {
		return slices.Insert(lines, 0, row{text: strings.TrimSpace(first), Span: lines[0].Span})
	}
	for i := range lines {
		lead := rest
		if i == 0 {
			lead = first
		}
		lines[i].text = lead + lines[i].text
		if lines[i].whole > 0 {
			lines[i].whole += whole(cells)
		}
	}
	return lines
}

// fenced draws a block of code. If the fence says more than the language, that
// stands above the code.
func (l *layout) fenced(n *ast.FencedCodeBlock, width int) []row {
	language := string(n.Language(l.src))
	var code []row
	info := language
	if n.Info != nil {
		info = strings.TrimSpace(string(n.Info.Segment.Value(l.src)))
	}
	switch label := language; {
	case isMermaid(language):
		code = l.diagram(n, width)
	case info != language:
		label = ""
		fallthrough
	default:
		code = l.code(n, l.painter.fenced(language, l.text(n), l.codeWidth(width)), label, width)
	}
	if info == language {
		return code
	}
	return append(rowsOf(l.written(info, width, l.style.caption), l.nth(n, 0)), code...)
}

// surfacePad is the empty cell at each side of what lies on a surface.
const surfacePad = " "

// codeWidth returns the width for which code is indented. On a surface code is not
// indented.
func (l *layout) codeWidth(width int) int {
	if l.surfaces {
		return 0
	}
	return width
}

// onSurface puts rows of code on the surface. The surface is as wide as width or, if that is
// too little, as the widest row. The name of the language stands at the top right, but at the
// left if it has a row of its own above code that is wider than the page: where the window
// ends is not known here.
func (l *layout) onSurface(rows []row, language string, width int) []row {
	if !l.surfaces || len(rows) == 0 {
		return rows
	}
	widest := 0
	for _, row := range rows {
		widest = max(widest, ansi.StringWidth(row.text))
	}
	pad := surfacePad
	if widest == width { // it fits only without padding
		pad = ""
	}
	label := safe.New(language).Line()
	if isSketch(language) || len(label) > maxLanguage {
		label = ""
	}
	at := width - len(surfacePad) - ansi.StringWidth(label)
	first := &rows[0].text
	if room := at - ansi.StringWidth(pad+*first); label != "" && room >= len(surfacePad) {
		*first += strings.Repeat(" ", room) + l.style.label.draw(label)
	} else if label != "" && at > 0 {
		if widest > width {
			at = len(pad)
		}
		named := row{text: strings.Repeat(" ", at-len(pad)) + l.style.label.draw(label), Span: rows[0].Span, whole: rows[0].whole}
		rows = slices.Insert(rows, 0, named)
	}
	for i := range rows {
		rows[i].text = l.style.surface.Paint(pad+rows[i].text, max(width, widest+len(pad)))
	}
	return rows
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

// html shows a block of HTML as it was written, with its comments. The agent reads the
// comments in the approved text, so the person must see them before they approve.
func (l *layout) html(n *ast.HTMLBlock, width int) []row {
	source := l.text(n)
	if n.HasClosure() {
		source += string(n.ClosureLine.Value(l.src))
	}
	var rows []row
	for i, line := range strings.Split(strings.TrimRight(source, "\n"), "\n") {
		rows = append(rows, rowsOf(l.written(line, width, l.style.html), l.nth(n, i))...)
	}
	return rows
}

// written shows source as it is, wrapped.
func (l *layout) written(source string, width int, p pen) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(source, "\n"), "\n") {
		for _, part := range wrapPlain(safe.New(line).Line(), width) {
			lines = append(lines, p.draw(part))
		}
	}
	return lines
}

func wrapPlain(text string, width int) []string {
	return cells.Wrap(width, func(width int) []string { return strings.Split(ansi.Wrap(text, width, ""), "\n") })
}
