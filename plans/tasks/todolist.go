package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planb/plans"
	"planb/questions/lenient"
	"planb/questions/safe"
)

// Import is a proposal that was made of another tool's file.
type Import struct {
	Proposal
	Dropped []string // what of the file is not in it, in words
}

// OnlyNew returns the tasks that the plan of a graph does not have yet: what an
// import adds when it is repeated.
func (p Proposal) OnlyNew(g *Graph) Proposal {
	keys := g.Keys()
	p.Items = slices.DeleteFunc(slices.Clone(p.Items), func(item Item) bool { return keys[item.Key] != 0 })
	return p
}

// checkedOff is the summary of a task whose item in a list is ticked: [x].
const checkedOff = "checked off in the list"

// ImportMarkdown reads Markdown that people write: the format of Render, if a
// heading has a nodeKey, else lists. An item of a list is a task:
//
//   - [ ] title {#key} (after: a, b) (30m) !1
//
// Indented items come before the one around them, and the items of an ordered list
// come one after another. [x] is done. If any item has a box, those without one are
// text. Text belongs to the item above it, or to the plan. title names a plan whose
// text has no heading. The error is a *Error with all problems at once.
func ImportMarkdown(text, title safe.Text) (Import, error) {
	var m markdownReader
	if !m.split(text.Raw()) {
		return Import{}, Invalid(m.Problems)
	}
	for i, line := range m.trimmed {
		if level, heading := taskHeading(line); level == 2 && !m.code[i] {
			if _, key := splitHeading(heading); key != "" {
				doc, err := ParseMarkdown(text, nil)
				return Import{Proposal: doc.Proposal}, err
			}
		}
	}
	l := listReader{seedReader: seedReader{imports: true}, lines: m.lines}
	l.read()
	p := l.proposal(title)
	if len(l.Problems) > 0 {
		return Import{}, Invalid(l.Problems)
	}
	return Import{p, l.dropped}, nil
}

// listReader makes tasks of the items of lists.
type listReader struct {
	seedReader
	lines   []string
	title   string
	about   []string // the description of the plan
	items   []*listItem
	open    []*listItem // the items around the current line, outermost first
	dropped []string
	section int
}

type listItem struct {
	line     int // from 1
	indent   int
	inner    int // the indentation of its text
	ordered  bool
	done     bool
	fields   fieldNodes
	text     []string
	children []*listItem
	index    int // among all items
	section  int // items under different headings are different lists
}

// marker is the beginning of a line that is an item of a list.
type marker struct {
	indent  int
	width   int // of the mark and the space behind it
	ordered bool
	box     string // " " or "x"; empty if there is none
	rest    string
}

func readMarker(line string) (mark marker, ok bool) {
	rest := strings.TrimLeft(line, " \t")
	for _, c := range line[:len(line)-len(rest)] {
		if mark.indent++; c == '\t' {
			mark.indent += 3
		}
	}
	number := strings.TrimLeft(rest, "0123456789")
	switch digits := len(rest) - len(number); {
	case digits > 0 && digits < 10 && number != "" && strings.ContainsRune(".)", rune(number[0])):
		mark.ordered, mark.width = true, digits+1
	case rest != "" && strings.ContainsRune("-*+", rune(rest[0])) && strings.Trim(rest, rest[:1]+" \t") != "": // else a line across the page: * * *
		mark.width = 1
	default:
		return mark, false
	}
	text := rest[mark.width:]
	mark.rest = strings.TrimLeft(text, " \t")
	if mark.rest == "" || mark.rest == text {
		return mark, false
	}
	mark.width++
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		if after, found := strings.CutPrefix(mark.rest, box); found && strings.TrimSpace(after) != "" && strings.TrimLeft(after, " \t") != after {
			mark.box, mark.rest = strings.ToLower(box[1:2]), strings.TrimSpace(after)
		}
	}
	return mark, true
}

func (l *listReader) read() {
	boxes := l.hasBoxes()
	underlined := l.underlined()
	var fence plans.Fence
	for i, line := range l.lines {
		inside := fence.Inside(line)
		mark, isItem := readMarker(line)
		level, heading := headingOf(line)
		if text := underlined[i+1]; text != "" {
			level, heading = 1, text
		}
		switch {
		case underlined[i] != "": // the line below its text
		case inside:
			l.write(line)
		case level > 0 && l.title == "" && len(l.items) == 0:
			l.title = heading
		case level > 0:
			l.dropped = append(l.dropped, fmt.Sprintf("line %d: the heading %s", i+1, lenient.Quote(heading)))
			l.open, l.section = nil, l.section+1
		case isItem && (!boxes || mark.box != ""):
			l.item(i+1, mark)
		default:
			l.write(line)
		}
	}
}

// headingOf returns the level and the text of a heading of any level.
func headingOf(line string) (level int, text string) {
	for _, section := range plans.Outline(safe.New(line)) {
		return section.Level, section.Title.Raw()
	}
	return 0, ""
}

// underlined returns the headings that have a line of = or - below, by their lines from 1. A
// line that belongs to an item, also without indentation, is none.
func (l *listReader) underlined() map[int]string {
	found := map[int]string{}
	for _, section := range plans.Outline(safe.New(strings.Join(l.lines, "\n"))) {
		line := l.lines[section.Line-1]
		_, isItem := readMarker(line)
		level, _ := headingOf(line)
		afterText := section.Line > 1 && strings.TrimSpace(l.lines[section.Line-2]) != ""
		if level == 0 && !isItem && !afterText && strings.TrimLeft(line, " \t") == line {
			found[section.Line] = section.Title.Raw()
		}
	}
	return found
}

func (l *listReader) hasBoxes() bool {
	var fence plans.Fence
	return slices.ContainsFunc(l.lines, func(line string) bool {
		inside := fence.Inside(line)
		mark, ok := readMarker(line)
		return ok && !inside && mark.box != ""
	})
}

// write adds a line to the item above it, or to the plan.
func (l *listReader) write(line string) {
	if len(l.open) == 0 {
		l.about = append(l.about, line)
		return
	}
	item := l.open[len(l.open)-1]
	for range item.inner {
		line = strings.TrimPrefix(line, " ")
	}
	item.text = append(item.text, line)
}

func (l *listReader) item(line int, mark marker) {
	at := slices.IndexFunc(l.open, func(other *listItem) bool { return other.indent >= mark.indent })
	if at >= 0 {
		l.open = l.open[:at]
	}
	item := &listItem{line: line, indent: mark.indent, inner: mark.indent + mark.width, ordered: mark.ordered, done: mark.box == "x", index: len(l.items), section: l.section}
	item.attributes(mark.rest)
	if len(l.open) > 0 {
		around := l.open[len(l.open)-1]
		around.children = append(around.children, item)
	}
	l.items = append(l.items, item)
	l.open = append(l.open, item)
}

// attributes reads what stands behind the title.
func (i *listItem) attributes(text string) {
	for {
		text = strings.TrimSpace(text)
		at := strings.LastIndexByte(text, ' ')
		if strings.HasSuffix(text, ")") {
			at = strings.LastIndex(text, " (")
		}
		if at < 0 || !i.attribute(text[at+1:]) {
			i.fields.text("title", text)
			return
		}
		text = text[:at]
	}
}

// attribute reads one attribute; it returns false if the text is not one.
func (i *listItem) attribute(text string) bool {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	after, isAfter := strings.CutPrefix(inner, "after:")
	_, isMinutes := parseMinutes(inner)
	switch {
	case strings.HasPrefix(text, "{#") && strings.HasSuffix(text, "}"):
		i.fields.text("nodeKey", text[2:len(text)-1])
	case len(inner) == len(text)-2 && isAfter:
		i.fields.list("dependsOn", splitKeys(after))
	case len(inner) == len(text)-2 && isMinutes && strings.Trim(inner, "0123456789") != "":
		i.fields.text("estimateMinutes", inner)
	case len(text) == 2 && text[0] == '!' && text[1] >= '0' && text[1] <= '0'+MaxPriority:
		i.fields.text("priority", text[1:])
	default:
		return false
	}
	return true
}

// proposal makes the plan of what was read.
func (l *listReader) proposal(title safe.Text) Proposal {
	p := Proposal{Title: oneLine(safe.New(or(l.title, title.Raw()))), Description: tidyDescription(strings.Join(l.about, "\n"))}
	if p.Title.IsZero() {
		p.Title = safe.New("Imported tasks")
	}
	checkBytes(&l.Problems, "title", p.Title, MaxTitleBytes)
	checkBytes(&l.Problems, "text before the first task", p.Description, MaxDescriptionBytes)
	if len(l.items) == 0 || len(l.items) > MaxTasks {
		l.Problems.Add("", strconv.Itoa(len(l.items))+" tasks", fmt.Sprintf("1 to %d: items of a list, or headings with a nodeKey", MaxTasks), "- [ ] Write the API")
		return p
	}
	at := func(i int) string { return fmt.Sprintf("line %d", l.items[i].line) }
	for i, item := range l.items {
		item.fields.text("description", strings.Join(item.text, "\n"))
		if item.done {
			item.fields.text("done", checkedOff)
		}
		o, _ := l.Object(at(i), item.fields.node(), l.seedReader.fields())
		p.Items = append(p.Items, l.seedReader.item(o))
	}
	giveKeys(p.Items, map[string]bool{})
	l.link(p.Items)
	l.finish(p.Items, nil, at)
	return p
}

// link makes each item wait for those inside it, and the items of an ordered list
// for the one before.
func (l *listReader) link(items []Item) {
	before := map[int]*listItem{} // the last item at an indentation
	for _, item := range l.items {
		for _, child := range item.children {
			waitFor(items, item, child)
		}
		previous := before[item.indent]
		for indent := range before {
			if indent >= item.indent {
				delete(before, indent)
			}
		}
		if item.ordered && previous != nil && previous.ordered && previous.section == item.section {
			chain(items, item, previous)
		}
		before[item.indent] = item
	}
}

// chain makes an item, and what is inside it, wait for another.
func chain(items []Item, item, previous *listItem) {
	if len(item.children) == 0 {
		waitFor(items, item, previous)
	}
	for _, child := range item.children {
		chain(items, child, previous)
	}
}

func waitFor(items []Item, item, other *listItem) {
	key := items[other.index].Key
	if list := &items[item.index].DependsOn; !slices.Contains(*list, key) {
		*list = append(*list, key)
	}
}
