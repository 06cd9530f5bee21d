package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"planb/plans/diff"
)

// differ lays out two documents as one.
type differ struct {
	old, new *layout
	marks    marks
}

// part is a block of one document, or one that became another.
type part struct {
	old, new ast.Node // nil for none
	lines    []DiffLine
}

// node is the block as it is shown.
func (p part) node() ast.Node {
	if p.new != nil {
		return p.new
	}
	return p.old
}

// document lays out two whole documents.
func (d *differ) document(old, new ast.Node, width int) DiffDoc {
	parts := d.parts(old, new, width)
	blocks := make([]DiffBlock, len(parts))
	oldLines, newLines := lineCounter{src: d.old.src}, lineCounter{src: d.new.src}
	for i, p := range parts {
		b := &blocks[i]
		b.Lines = p.lines
		if i+1 < len(parts) && !together(p, parts[i+1]) {
			b.Lines = append(b.Lines, blankBetween(p, parts[i+1]))
		}
		if h, ok := p.old.(*ast.Heading); ok {
			b.Old = oldLines.of(h)
		}
		if h, ok := p.new.(*ast.Heading); ok {
			b.New = newLines.of(h)
		}
		if h, ok := p.node().(*ast.Heading); ok {
			l := d.new
			if p.new == nil {
				l = d.old
			}
			b.Heading = clean(strings.ReplaceAll(ansi.Strip(l.flow(h, ast.NewHeading(h.Level))), "\n", " "))
		}
	}
	return newDiffDoc(blocks, "")
}

// lineCounter finds in which line of a source headings stand, one after another.
type lineCounter struct {
	src  []byte
	at   int
	line int // lines before at
}

func (c *lineCounter) of(h *ast.Heading) int {
	if h.Lines().Len() == 0 {
		return 0
	}
	start := h.Lines().At(0).Start
	if start > c.at {
		c.line += bytes.Count(c.src[c.at:start], []byte("\n"))
		c.at = start
	}
	return c.line + 1
}

// lines lays out the blocks inside two blocks, most with an empty line between them.
func (d *differ) lines(old, new ast.Node, width int) []DiffLine {
	var lines []DiffLine
	parts := d.parts(old, new, width)
	for i, p := range parts {
		if i > 0 && !together(parts[i-1], p) {
			lines = append(lines, blankBetween(parts[i-1], p))
		}
		lines = append(lines, p.lines...)
	}
	return lines
}

// together reports whether a block follows another without an empty line; see tight.
func together(above, below part) bool {
	switch above.node().Kind() {
	case ast.KindHeading:
		return below.node().Kind() != ast.KindHeading
	case ast.KindTextBlock:
		return below.node().Kind() == ast.KindList
	}
	return false
}

// blankBetween is the empty line between two blocks; between two that were taken
// out, or two that were put in, it was too.
func blankBetween(above, below part) DiffLine {
	a, b := above.lines[len(above.lines)-1].Change, below.lines[0].Change
	if a == b && (a == Removed || a == Added) {
		return DiffLine{Change: a}
	}
	return DiffLine{}
}

// drawnBlock is a block with its lines as they are without any comparison.
type drawnBlock struct {
	node  ast.Node
	lines []string
}

func drawBlocks(l *layout, parent ast.Node, width int) []drawnBlock {
	var list []drawnBlock
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if lines := textsOf(l.block(n, width)); len(lines) > 0 {
			list = append(list, drawnBlock{n, lines})
		}
	}
	return list
}

// keys are what blocks are compared by: what is read of them.
func keys(list []drawnBlock) []string {
	out := make([]string, len(list))
	for i, b := range list {
		out[i] = strings.Join(b.lines, "\n")
	}
	return out
}

// parts compares the blocks inside two blocks.
func (d *differ) parts(old, new ast.Node, width int) []part {
	olds, news := drawBlocks(d.old, old, width), drawBlocks(d.new, new, width)
	var parts []part
	removed := func(i int) {
		parts = append(parts, part{old: olds[i].node, lines: d.removed(olds[i].lines)})
	}
	added := func(j int) {
		parts = append(parts, part{new: news[j].node, lines: with(news[j].lines, Added)})
	}
	compare(keys(olds), keys(news), comparison{
		oldText: func(i int) string { return d.old.said(olds[i].node) },
		newText: func(j int) string { return d.new.said(news[j].node) },
		same: func(i, j int) {
			parts = append(parts, part{olds[i].node, news[j].node, with(news[j].lines, Same)})
		},
		removed: removed,
		added:   added,
		changed: func(i, j int) {
			a, b := olds[i].node, news[j].node
			if !alike(d.old, a, d.new, b) {
				removed(i)
				added(j)
				return
			}
			parts = append(parts, part{a, b, d.block(a, b, width)})
		},
	})
	return parts
}

func with(lines []string, change Change) []DiffLine {
	out := make([]DiffLine, len(lines))
	for i, line := range lines {
		out[i] = DiffLine{line, change}
	}
	return out
}

// removed are lines that were taken out. Without their own colours they cannot
// be taken for lines that are there.
func (d *differ) removed(lines []string) []DiffLine {
	out := make([]DiffLine, len(lines))
	for i, line := range lines {
		out[i] = DiffLine{d.marks.style.removed.draw(ansi.Strip(line)), Removed}
	}
	return out
}

// alike reports whether two blocks are of one kind, so that one can be shown as
// having become the other.
func alike(old *layout, a ast.Node, new *layout, b ast.Node) bool {
	switch a := a.(type) {
	case *ast.Heading:
		b, ok := b.(*ast.Heading)
		return ok && a.Level == b.Level
	case *ast.List:
		b, ok := b.(*ast.List)
		return ok && a.IsOrdered() == b.IsOrdered()
	case *ast.FencedCodeBlock:
		b, ok := b.(*ast.FencedCodeBlock)
		return ok && fenceInfo(old, a) == fenceInfo(new, b)
	case *ast.Paragraph, *ast.TextBlock:
		return b.Kind() == ast.KindParagraph || b.Kind() == ast.KindTextBlock
	}
	return a.Kind() == b.Kind()
}

func fenceInfo(l *layout, n *ast.FencedCodeBlock) string {
	if n.Info == nil {
		return ""
	}
	return string(n.Info.Segment.Value(l.src))
}

// block shows a block that became another of its kind as one.
func (d *differ) block(old, new ast.Node, width int) []DiffLine {
	switch n := new.(type) {
	case *ast.Heading:
		return d.heading(old, n, width)
	case *ast.Blockquote:
		bar := d.marks.style.rule.draw("│") + " "
		return indentDiff(d.lines(old, new, inside(width, 2)), width, bar, bar)
	case *ast.List:
		return d.list(old.(*ast.List), n, width)
	case *east.Table:
		return d.table(old.(*east.Table), n, width)
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		return d.code(old, new, width)
	}
	return d.marks.mixed(d.old.flow(old, ast.NewParagraph()), d.new.flow(new, ast.NewParagraph())).wrapped(width)
}

func (d *differ) heading(old ast.Node, new *ast.Heading, width int) []DiffLine {
	text := d.marks.mixed(d.old.flow(old, ast.NewHeading(new.Level)), d.new.flow(new, ast.NewHeading(new.Level)))
	lines := text.wrapped(width)
	for _, under := range d.new.underlined(new, text.drawn.String(), width)[len(lines):] {
		lines = append(lines, DiffLine{under, lines[len(lines)-1].Change})
	}
	return lines
}

// indentDiff is indent for lines that were compared.
func indentDiff(lines []DiffLine, width int, first, rest string) []DiffLine {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	if len(lines) == 0 {
		return nil
	}
	texts = textsOf(indent(rowsOf(texts, Span{}), width, first, rest))
	out := make([]DiffLine, len(texts))
	for i, text := range texts {
		// A mark with a line of its own is above the first line.
		out[i] = DiffLine{text, lines[max(i-(len(texts)-len(lines)), 0)].Change}
	}
	return out
}

// list compares two lists item by item.
func (d *differ) list(old, new *ast.List, width int) []DiffLine {
	oldMarks, newMarks := d.old.marks(old), d.new.marks(new)
	d.old.bullets++
	d.new.bullets++
	defer func() { d.old.bullets--; d.new.bullets-- }()

	olds, news := d.items(d.old, old, oldMarks, width), d.items(d.new, new, newMarks, width)
	var lines []DiffLine
	add := func(item []DiffLine, mark string) {
		if len(lines) > 0 && !new.IsTight {
			blank := DiffLine{}
			if c := item[0].Change; c == lines[len(lines)-1].Change && (c == Removed || c == Added) {
				blank.Change = c
			}
			lines = append(lines, blank)
		}
		lines = append(lines, d.hang(item, width, mark)...)
	}
	compare(drawnKeys(olds), drawnKeys(news), comparison{
		oldText: func(i int) string { return d.old.said(olds[i].node) },
		newText: func(j int) string { return d.new.said(news[j].node) },
		same:    func(_, j int) { add(with(news[j].lines, Same), newMarks[j]) },
		removed: func(i int) { add(d.removed(olds[i].lines), oldMarks[i]) },
		added:   func(j int) { add(with(news[j].lines, Added), newMarks[j]) },
		changed: func(i, j int) {
			item := d.lines(olds[i].node, news[j].node, inside(width, ansi.StringWidth(newMarks[j])))
			if len(item) == 0 {
				item = []DiffLine{{}}
			}
			if olds[i].task != news[j].task && item[0].Change == Same {
				item[0].Change = Mixed
			}
			add(item, newMarks[j])
		},
	})
	return lines
}

// hang hangs the text of an item behind its mark. What it begins with may have
// been taken out; then what it begins with now has the mark, too.
func (d *differ) hang(item []DiffLine, width int, mark string) []DiffLine {
	gone := 0
	if item[0].Change == Removed {
		gone = slices.IndexFunc(item, func(l DiffLine) bool { return l.Change != Removed && l.Text != "" })
	}
	if gone < 0 {
		gone = len(item)
	}
	st, rest := d.marks.style, strings.Repeat(" ", ansi.StringWidth(mark))
	out := indentDiff(item[:gone:gone], width, st.removed.draw(mark), rest)
	return append(out, indentDiff(item[gone:], width, st.marker.draw(mark), rest)...)
}

// drawnItem is an item of a list with its lines, without its mark.
type drawnItem struct {
	node  ast.Node
	lines []string
	task  string // its box, if it has one
}

func (d *differ) items(l *layout, list *ast.List, marks []string, width int) []drawnItem {
	var items []drawnItem
	item := list.FirstChild()
	for _, mark := range marks {
		lines := textsOf(l.blocks(item, inside(width, ansi.StringWidth(mark))))
		if len(lines) == 0 {
			lines = []string{""}
		}
		drawn := drawnItem{node: item, lines: lines}
		if box, ok := task(item); ok {
			drawn.task = map[bool]string{true: "[x] ", false: "[ ] "}[box.IsChecked]
		}
		items = append(items, drawn)
		item = item.NextSibling()
	}
	return items
}

func drawnKeys(items []drawnItem) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = item.task + strings.Join(item.lines, "\n")
	}
	return out
}

// comparison is what is done with the elements of two lists, in the order in
// which they are shown.
type comparison struct {
	// What is said in an element, however it is laid out: two that say about the
	// same are taken for one that changed.
	oldText, newText func(i int) string

	same    func(old, new int)
	removed func(old int)
	added   func(new int)
	changed func(old, new int) // one became a similar one
}

// compare compares two lists of drawn elements.
func compare(old, new []string, do comparison) {
	var gone, come []int
	flush := func() {
		i, j := 0, 0
		until := func(a, b int) {
			for ; i < a; i++ {
				do.removed(gone[i])
			}
			for ; j < b; j++ {
				do.added(come[j])
			}
		}
		for _, pair := range diff.Pairs(texts(gone, do.oldText), texts(come, do.newText)) {
			until(pair[0], pair[1])
			do.changed(gone[i], come[j])
			i, j = i+1, j+1
		}
		until(len(gone), len(come))
		gone, come = nil, nil
	}
	for _, step := range diff.Sequence(old, new) {
		switch step.Op {
		case diff.Removed:
			gone = append(gone, step.Old)
		case diff.Added:
			come = append(come, step.New)
		case diff.Same:
			flush()
			do.same(step.Old, step.New)
		}
	}
	flush()
}

func texts(at []int, text func(int) string) []string {
	list := make([]string, len(at))
	for i, n := range at {
		list[i] = text(n)
	}
	return list
}

// said is what a block says: the text of its paragraphs and lines of code.
func (l *layout) said(n ast.Node) string {
	var out strings.Builder
	var walk func(ast.Node)
	walk = func(n ast.Node) {
		switch {
		case n.Type() == ast.TypeInline:
			inlines := inlines{src: l.src}
			out.WriteString(inlines.plain(n))
			return
		case !n.HasChildren() && n.Lines() != nil:
			out.WriteString(l.text(n))
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			walk(c)
		}
		out.WriteByte('\n')
	}
	walk(n)
	return out.String()
}

// codeIndent is how far highlighted code stands in where it fits; see painter.fenced.
const codeIndent = "  "

// code compares two blocks of code, or of HTML, line by line.
func (d *differ) code(old, new ast.Node, width int) []DiffLine {
	// Whether code stands in depends on its longest line, in one of them or both.
	olds, news := d.old.comparable(old, width), d.new.comparable(new, width)
	if a, b := stands(olds), stands(news); a != b && new.Kind() == ast.KindFencedCodeBlock {
		olds, news = outdent(olds, a), outdent(news, b)
	}
	plain := func(lines []string) []string {
		out := make([]string, len(lines))
		for i, line := range lines {
			out[i] = ansi.Strip(line)
		}
		return out
	}
	oldTexts, newTexts := plain(olds), plain(news)
	var gone, come []DiffLine
	var lines []DiffLine
	flush := func() {
		lines = append(append(lines, gone...), come...)
		gone, come = nil, nil
	}
	compare(oldTexts, newTexts, comparison{
		oldText: func(i int) string { return oldTexts[i] },
		newText: func(j int) string { return newTexts[j] },
		same:    func(_, j int) { flush(); lines = append(lines, DiffLine{news[j], Same}) },
		removed: func(i int) { gone = append(gone, d.removed(olds[i:i+1])...) },
		added:   func(j int) { come = append(come, DiffLine{news[j], Added}) },
		changed: func(i, j int) {
			out, in, _ := diff.Words(oldTexts[i], newTexts[j])
			was := d.removed(olds[i : i+1])[0].Text
			gone = append(gone, DiffLine{d.marks.over(was, out, d.marks.removed), Removed})
			come = append(come, DiffLine{d.marks.over(news[j], in, d.marks.added), Added})
		},
	})
	flush()
	return lines
}

// stands reports whether all lines stand in.
func stands(lines []string) bool {
	for _, line := range lines {
		if line != "" && !strings.HasPrefix(line, codeIndent) {
			return false
		}
	}
	return true
}

func outdent(lines []string, stands bool) []string {
	if !stands {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimPrefix(line, codeIndent)
	}
	return out
}
