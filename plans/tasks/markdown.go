package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"planb/plans"
	"planb/questions/lenient"
	"planb/questions/safe"
)

// Document is a proposal that was read from Markdown.
type Document struct {
	Proposal
	Lines []int // the line of the heading of each item, from 1
}

// At returns the nodeKeys of the tasks in the section whose heading is on that line:
// one task, or all tasks if the line stands before the first.
func (d Document) At(line int) []string {
	i, found := slices.BinarySearch(d.Lines, line)
	if !found {
		i--
	}
	if i >= 0 {
		return []string{d.Items[i].Key}
	}
	var all []string
	for _, item := range d.Items {
		all = append(all, item.Key)
	}
	return all
}

// ParseMarkdown reads the format that Render writes. A person may have edited it:
// a task without {#key} gets one from its title. amends is the graph of the plan
// that is amended; nil for a new plan. The error is a *Error with all problems at
// once, each with its line.
func ParseMarkdown(text safe.Text, amends *Graph) (Document, error) {
	m := markdownReader{seedReader: seedReader{imports: true}}
	if !m.split(text.Raw()) {
		return Document{}, Invalid(m.Problems)
	}
	doc := m.document()
	if doc.Title.IsZero() && amends == nil {
		m.Problems.Add("line 1", "no title", "a first line with # and the title of the plan", "# Auth rewrite")
	}
	if len(doc.Items) == 0 {
		m.Problems.Add("", "no task", "a heading for each task", "## Write the API {#api}")
	}
	keys := map[string]int{}
	if amends != nil {
		keys = amends.Keys()
	}
	m.finish(doc.Items, keys, func(i int) string { return fmt.Sprintf("line %d", doc.Lines[i]) })
	if len(m.Problems) > 0 {
		return Document{}, Invalid(m.Problems)
	}
	return doc, nil
}

// markdownReader reads the format line by line.
type markdownReader struct {
	seedReader
	lines   []string
	trimmed []string            // each line without its surrounding white space
	code    []bool              // which lines are code
	blocks  map[int]plans.Block // by the line of the last fence
}

// split prepares the lines. It returns false for a text that is not to be read.
func (m *markdownReader) split(text string) bool {
	switch {
	case len(text) > MaxInputBytes:
		m.Problems.Add("", fmt.Sprintf("%d bytes", len(text)), fmt.Sprintf("at most %d bytes", MaxInputBytes), "")
		return false
	case !utf8.ValidString(text):
		m.Problems.Add("", "text that is not UTF-8", "Markdown in UTF-8", "")
		return false
	}
	text = unixLines(strings.TrimPrefix(text, "\uFEFF"))
	m.lines = strings.Split(text, "\n")
	m.trimmed, m.code = scan(text)
	m.blocks = map[int]plans.Block{}
	for _, block := range plans.Blocks(text) {
		m.blocks[block.To] = block
	}
	return true
}

// document reads all lines.
func (m *markdownReader) document() (doc Document) {
	from := 0 // the first line of the part that is being read
	var heading string
	part := func(end int) {
		switch {
		case len(doc.Lines) > 0:
			doc.Items = append(doc.Items, m.task(doc.Lines[len(doc.Lines)-1], heading, from, end))
		default:
			doc.Description = m.text(from, end)
		}
	}
	for i, line := range m.trimmed {
		level, text := 0, ""
		if !m.code[i] {
			level, text = taskHeading(line)
		}
		if level == 0 {
			continue
		}
		at := fmt.Sprintf("line %d", i+1)
		switch {
		case level == 1 && len(doc.Lines) == 0 && doc.Title.IsZero():
			if m.text(from, i).Raw() != "" {
				m.Problems.Add(at, "a title after other text", "the title first", "")
			}
			doc.Title = oneLine(safe.New(text))
			checkBytes(&m.Problems, at, doc.Title, MaxTitleBytes)
			from = i + 1
		case level == 1:
			m.Problems.Add(at, "a second heading with one #", `## for a task, ### or \# for a heading in its description`, "")
		case level == 2 && len(doc.Lines) == MaxTasks:
			m.Problems.Add(at, "one more task", fmt.Sprintf("at most %d", MaxTasks), "")
			return doc
		case level == 2:
			part(i)
			doc.Lines = append(doc.Lines, i+1)
			heading, from = text, i+1
		}
	}
	part(len(m.lines))
	return doc
}

// text returns the description that stands in some lines.
func (m *markdownReader) text(from, end int) safe.Text {
	for from < end && m.trimmed[from] == "" {
		from++
	}
	for end > from && m.trimmed[end-1] == "" {
		end--
	}
	text := tidyDescription(unescaped(strings.Join(m.lines[from:end], "\n")))
	if len(text.Raw()) > MaxDescriptionBytes {
		checkBytes(&m.Problems, fmt.Sprintf("line %d", from+1), text, MaxDescriptionBytes)
	}
	return text
}

// task reads the task below the heading on a line.
func (m *markdownReader) task(line int, heading string, from, end int) Item {
	title, key := splitHeading(heading)
	var fields fieldNodes
	fields.text("nodeKey", key)
	fields.text("title", title)
	from = m.facts(&fields, from, end)
	end = m.contract(&fields, from, end)
	fields.text("description", m.text(from, end).Raw())
	o, _ := m.Object(fmt.Sprintf("line %d", line), fields.node(), m.fields())
	return m.item(o)
}

// splitHeading returns the title of a task and its nodeKey, if it has one.
func splitHeading(heading string) (title, key string) {
	if at := strings.LastIndex(heading, "{#"); at >= 0 && strings.HasSuffix(heading, "}") {
		return strings.TrimSpace(heading[:at]), heading[at+2 : len(heading)-1]
	}
	return heading, ""
}

// facts reads the lines below a heading and returns the line behind them.
func (m *markdownReader) facts(fields *fieldNodes, from, end int) int {
	for from < end && m.trimmed[from] == "" {
		from++
	}
	seen := map[string]bool{}
	for ; from < end && !m.code[from] && looksLikeFact(m.trimmed[from]); from++ {
		name, value, _ := strings.Cut(m.trimmed[from], ":")
		name, value = strings.Join(strings.Fields(name), " "), strings.TrimSpace(value)
		at := fmt.Sprintf("line %d", from+1)
		if !slices.Contains(factNames(), name) {
			near, ok := lenient.Nearest(name, factNames())
			if !ok && len(seen) == 0 {
				break // the description
			}
			m.unknownFact(at, name, near)
			continue
		}
		if seen[name] {
			m.Problems.Add(at, "a second line "+lenient.Quote(name), "each once", "")
		}
		seen[name] = true
		m.fact(fields, at, name, value)
	}
	return from
}

func (m *markdownReader) unknownFact(at, name, near string) {
	text := lenient.Quote(name) + " is nothing that a task has"
	if near != "" {
		text += "; did you mean " + lenient.Quote(near) + "?"
	} else {
		text += "; a description begins after a blank line"
	}
	m.Problems.Say(at, text)
}

func (m *markdownReader) fact(fields *fieldNodes, at, name, value string) {
	switch name {
	case factAfter:
		fields.list("dependsOn", splitKeys(value))
	case factAlsoAfter:
		fields.list("alsoAfter", splitKeys(value))
	case factSoft:
		fields.list("soft", splitKeys(value))
	case factEstimate:
		fields.text("estimateMinutes", value)
	case factPriority:
		fields.text("priority", value)
	case factSplitFrom:
		fields.text("splitFrom", value)
	case factCancel:
		fields.text("cancel", value)
	case factDone:
		fields.text("done", m.value(at, value))
	}
}

// value reads what quotedValue wrote.
func (m *markdownReader) value(at, text string) string {
	if !strings.HasPrefix(text, `"`) {
		return text
	}
	n, err := lenient.Parse([]byte(text))
	if err != nil || n.Kind != lenient.TextNode {
		m.Problems.Add(at, lenient.Quote(text), "a text, or a whole JSON string", strconv.Quote("a text"))
		return ""
	}
	return n.Text
}

// contract reads the block with the contracts at the end of a task, and returns the
// line where the description ends.
func (m *markdownReader) contract(fields *fieldNodes, from, end int) int {
	last := end
	for last > from && m.trimmed[last-1] == "" {
		last--
	}
	block, found := m.blocks[last]
	if !found || last == 0 || block.Info != contractInfo {
		return end
	}
	var execution, verification fieldNodes
	owner := map[string]*fieldNodes{
		"execution": &execution, "files": &execution, "inputs": &execution, "constraints": &execution, "output": &execution,
		"verification": &verification, "commands": &verification, "criteria": &verification,
	}
	name := "" // of the list that is being read
	lists := map[string][]string{}
	for i := block.From; i < block.To-1; i++ {
		line, at := m.trimmed[i], fmt.Sprintf("line %d", i+1)
		item, isItem := strings.CutPrefix(line, "- ")
		switch {
		case line == "":
		case isItem && name != "":
			lists[name] = append(lists[name], m.value(at, strings.TrimSpace(item)))
		default:
			name = m.contractLine(at, line, owner, lists)
		}
	}
	for list, items := range lists {
		owner[list].list(list, items)
	}
	fields.object("executionContract", execution)
	fields.object("verificationContract", verification)
	return block.From - 1
}

// contractLine reads a line of a contract that is no item of a list. It returns the
// name of the list that begins with it.
func (m *markdownReader) contractLine(at, line string, owner map[string]*fieldNodes, lists map[string][]string) string {
	name, value, found := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch fields := owner[name]; {
	case !found || fields == nil:
		m.Problems.Add(at, lenient.Quote(line), "execution, files, inputs, constraints, output, verification, commands or criteria, with a colon", "files:")
	case name == "execution" || name == "verification":
		fields.text("kind", m.value(at, value))
	case name == "output":
		fields.text("output", m.value(at, value))
	case value != "":
		lists[name] = append(lists[name], m.value(at, value))
	default:
		return name
	}
	return ""
}

// fieldNodes are the fields of an object, as JSON would give them.
type fieldNodes []lenient.Member

func (f *fieldNodes) add(name string, n lenient.Node) {
	*f = append(*f, lenient.Member{Key: name, Value: n})
}

func (f *fieldNodes) text(name, text string) {
	if text != "" {
		f.add(name, lenient.Node{Kind: lenient.TextNode, Text: text})
	}
}

func (f *fieldNodes) list(name string, texts []string) {
	list := lenient.Node{Kind: lenient.ListNode}
	for _, text := range texts {
		list.Items = append(list.Items, lenient.Node{Kind: lenient.TextNode, Text: text})
	}
	f.add(name, list)
}

func (f *fieldNodes) object(name string, fields fieldNodes) {
	if len(fields) > 0 {
		f.add(name, fields.node())
	}
}

func (f fieldNodes) node() lenient.Node { return lenient.Node{Kind: lenient.ObjectNode, Members: f} }
