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
	marks    changeStyle
}

// part is a block of the combined document. It was removed, or added, or it is a block
// of the old document with the block that it became in the new one.
type part struct {
	old, new ast.Node // nil if the block is not in that document
	lines    []DiffLine
}

// node returns the block that is shown: the new one if there is one.
func (p part) node() ast.Node {
	if p.new != nil {
		return p.new
	}
	return p.old
}

func (d *differ) document(old, new ast.Node, width int) DiffDoc {
	parts := d.parts(old, new, width)
	blocks := make([]DiffBlock, len(parts))
	oldLines, newLines := lineCounter{src: d.old.src}, lineCounter{src: d.new.src}
	for i, p := range parts {
		b := &blocks[i]
		b.Lines = p.lines
		if i+1 < len(parts) && !tightParts(p, parts[i+1]) {
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

// lineCounter counts the lines of a source from heading to heading.
type lineCounter struct {
	src  []byte
	at   int // offset in src
	line int // lines before at
}

// of returns a heading's line, from 1; 0 for an empty heading. Headings must come
// in the order of the source.
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

// lines compares the blocks inside two blocks and lays them out, most with an empty
// line between them.
func (d *differ) lines(old, new ast.Node, width int) []DiffLine {
	var lines []DiffLine
	parts := d.parts(old, new, width)
	for i, p := range parts {
		if i > 0 && !tightParts(parts[i-1], p) {
			lines = append(lines, blankBetween(parts[i-1], p))
		}
		lines = append(lines, p.lines...)
	}
	return lines
}

// tightParts reports whether no empty line stands between two blocks; see layout.tight.
func tightParts(above, below part) bool {
	switch above.node().Kind() {
	case ast.KindHeading:
		return below.node().Kind() != ast.KindHeading
	case ast.KindTextBlock:
		return below.node().Kind() == ast.KindList
	}
	return false
}

// blankBetween returns the empty line between two blocks. If both blocks were
// removed, or both added, so was the line.
func blankBetween(above, below part) DiffLine {
	a, b := above.lines[len(above.lines)-1].Change, below.lines[0].Change
	if a == b && (a == Removed || a == Added) {
		return DiffLine{Change: a}
	}
	return DiffLine{}
}

// drawnBlock is a block of one document, drawn without comparing it.
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

// keys returns the keys for comparing blocks: their drawn lines.
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
		parts = append(parts, part{new: news[j].node, lines: withChange(news[j].lines, Added)})
	}
	compare(keys(olds), keys(news), comparison{
		oldText: func(i int) string { return d.old.plainText(olds[i].node) },
		newText: func(j int) string { return d.new.plainText(news[j].node) },
		same: func(i, j int) {
			parts = append(parts, part{olds[i].node, news[j].node, withChange(news[j].lines, Same)})
		},
		removed: removed,
		added:   added,
		changed: func(i, j int) {
			a, b := olds[i].node, news[j].node
			if !sameKind(d.old, a, d.new, b) {
				removed(i)
				added(j)
				return
			}
			parts = append(parts, part{a, b, d.block(a, b, width)})
		},
	})
	return parts
}

// withChange returns lines that all have the same change.
func withChange(lines []string, change Change) []DiffLine {
	out := make([]DiffLine, len(lines))
	for i, line := range lines {
		out[i] = DiffLine{line, change}
	}
	return out
}

// removed returns removed lines. They lose their own colours, so that people do not
// mistake them for lines of the new document.
func (d *differ) removed(lines []string) []DiffLine {
	out := make([]DiffLine, len(lines))
	for i, line := range lines {
		out[i] = DiffLine{d.marks.style.removed.draw(ansi.Strip(line)), Removed}
	}
	return out
}

// sameKind reports whether two blocks are of one kind, so that they can be shown as
// one changed block.
func sameKind(old *layout, a ast.Node, new *layout, b ast.Node) bool {
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

// block shows an old block and the new block that it became as one. Both must be of
// one kind.
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
		return d.tables(old.(*east.Table), n, width)
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

// indentDiff is indent for DiffLines.
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
		// indent may have put the mark on a line of its own above the first line.
		out[i] = DiffLine{text, lines[max(i-(len(texts)-len(lines)), 0)].Change}
	}
	return out
}

// list compares two lists item by item.
func (d *differ) list(old, new *ast.List, width int) []DiffLine {
	oldLeads, newChangeStyle := d.old.leads(old), d.new.leads(new)
	d.old.bullets++
	d.new.bullets++
	defer func() { d.old.bullets--; d.new.bullets-- }()

	olds, news := d.items(d.old, old, oldLeads, width), d.items(d.new, new, newChangeStyle, width)
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
		oldText: func(i int) string { return d.old.plainText(olds[i].node) },
		newText: func(j int) string { return d.new.plainText(news[j].node) },
		same:    func(_, j int) { add(withChange(news[j].lines, Same), newChangeStyle[j]) },
		removed: func(i int) { add(d.removed(olds[i].lines), oldLeads[i]) },
		added:   func(j int) { add(withChange(news[j].lines, Added), newChangeStyle[j]) },
		changed: func(i, j int) {
			item := d.lines(olds[i].node, news[j].node, inside(width, ansi.StringWidth(newChangeStyle[j])))
			if len(item) == 0 {
				item = []DiffLine{{}}
			}
			if olds[i].task != news[j].task && item[0].Change == Same {
				item[0].Change = Mixed
			}
			add(item, newChangeStyle[j])
		},
	})
	return lines
}

// hang indents the lines of an item behind its mark. If the item begins with
// removed lines, the first remaining line gets the mark, too.
func (d *differ) hang(item []DiffLine, width int, mark string) []DiffLine {
	kept := 0 // the first line that was not removed
	if item[0].Change == Removed {
		kept = slices.IndexFunc(item, func(l DiffLine) bool { return l.Change != Removed && l.Text != "" })
	}
	if kept < 0 {
		kept = len(item)
	}
	st, rest := d.marks.style, strings.Repeat(" ", ansi.StringWidth(mark))
	out := indentDiff(item[:kept:kept], width, st.removed.draw(mark), rest)
	return append(out, indentDiff(item[kept:], width, st.marker.draw(mark), rest)...)
}

// drawnItem is an item of a list with its lines, without its mark.
type drawnItem struct {
	node  ast.Node
	lines []string
	task  string // its box, if it has one
}

func (d *differ) items(l *layout, list *ast.List, leads []string, width int) []drawnItem {
	var items []drawnItem
	item := list.FirstChild()
	for _, mark := range leads {
		lines := textsOf(l.blocks(item, inside(width, ansi.StringWidth(mark))))
		if len(lines) == 0 {
			lines = []string{""}
		}
		drawn := drawnItem{node: item, lines: lines}
		if box, ok := task(item); ok {
			drawn.task = taskMark(box)
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

// comparison holds the functions that compare calls with indices of the two lists,
// in the order in which the elements are shown.
type comparison struct {
	// oldText and newText return an element's plain text, without its layout. Two
	// elements with similar texts count as one changed element.
	oldText, newText func(i int) string

	same    func(old, new int)
	removed func(old int)
	added   func(new int)
	changed func(old, new int) // the old element became a similar new one
}

// compare compares two lists of drawn elements.
func compare(old, new []string, do comparison) {
	var removed, added []int
	flush := func() {
		i, j := 0, 0
		until := func(a, b int) {
			for ; i < a; i++ {
				do.removed(removed[i])
			}
			for ; j < b; j++ {
				do.added(added[j])
			}
		}
		for _, pair := range diff.Pairs(texts(removed, do.oldText), texts(added, do.newText)) {
			until(pair[0], pair[1])
			do.changed(removed[i], added[j])
			i, j = i+1, j+1
		}
		until(len(removed), len(added))
		removed, added = nil, nil
	}
	for _, step := range diff.Sequence(old, new) {
		switch step.Op {
		case diff.Removed:
			removed = append(removed, step.Old)
		case diff.Added:
			added = append(added, step.New)
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

// plainText returns the text of a block's paragraphs and lines of code.
func (l *layout) plainText(n ast.Node) string {
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
