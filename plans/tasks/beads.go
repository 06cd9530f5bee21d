package tasks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// ImportBeads reads the JSONL that beads exports: an issue a line. Ids become
// nodeKeys, and closed issues are done. Issues wait for those that block them and
// for their children; all other links are soft. The error is a *Error with all
// problems at once; Build finds cycles, which beads can have.
func ImportBeads(data []byte, title safe.Text) (Import, error) {
	b := beadsReader{seedReader: seedReader{imports: true}, dropped: map[string]int{}}
	if len(data) > MaxInputBytes {
		b.Problems.Add("", fmt.Sprintf("%d bytes", len(data)), fmt.Sprintf("at most %d bytes", MaxInputBytes), "")
		return Import{}, Invalid(b.Problems)
	}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\uFEFF")) {
		if number++; strings.TrimSpace(line) != "" {
			b.line(number, line)
		}
	}
	if len(b.issues) == 0 || len(b.issues) > MaxTasks {
		b.Problems.Add("", fmt.Sprintf("%d issues", len(b.issues)), fmt.Sprintf("1 to %d, each as JSON on a line", MaxTasks), `{"id":"bd-1","title":"Write the API"}`)
		return Import{}, Invalid(b.Problems)
	}
	p := b.proposal(title)
	if len(b.Problems) > 0 {
		return Import{}, Invalid(b.Problems)
	}
	return Import{p, b.told()}, nil
}

// beadsReader makes tasks of beads' issues.
type beadsReader struct {
	seedReader
	issues  []issue
	lines   []int          // of each issue
	dropped map[string]int // how often what was dropped
}

type issue map[string]lenient.Node

func (i issue) text(field string) string {
	text, _ := lenient.Plain(i[field])
	return text
}

// line reads one line. It drops records that are no issues.
func (b *beadsReader) line(number int, text string) {
	at := fmt.Sprintf("line %d", number)
	n, err := lenient.Parse([]byte(text))
	switch {
	case err != nil:
		b.Problems.Add(at, err.Error(), "an issue as JSON", `{"id":"bd-1","title":"Write the API"}`)
		return
	case n.Kind != lenient.ObjectNode:
		b.Problems.Add(at, n.String(), "an issue as JSON", `{"id":"bd-1","title":"Write the API"}`)
		return
	}
	i := issue{}
	for _, m := range n.Members {
		i[m.Key] = m.Value
	}
	kind := i.text("_type")
	switch {
	case kind != "" && kind != "issue":
		b.dropped[fmt.Sprintf("lines of the type %s", lenient.Quote(kind))]++
	case i.text("status") == "tombstone":
		b.dropped["deleted issues"]++
	case i["is_template"].Truth:
		b.dropped["templates"]++
	case i.text("id") == "" && i.text("title") == "":
		b.dropped["lines without id and title"]++
	default:
		b.issues = append(b.issues, i)
		b.lines = append(b.lines, number)
	}
}

func (b *beadsReader) proposal(title safe.Text) Proposal {
	p := Proposal{Title: oneLine(title)}
	if p.Title.IsZero() {
		p.Title = safe.New("Imported from beads")
	}
	at := func(i int) string { return fmt.Sprintf("line %d", b.lines[i]) }
	for i, issue := range b.issues {
		fields := b.fields(issue)
		o, _ := b.Object(at(i), fields.node(), b.seedReader.fields())
		p.Items = append(p.Items, b.item(o))
		for _, field := range []string{"labels", "comments", "assignee", "owner", "external_ref", "due_at", "defer_until"} {
			if n, found := issue[field]; found && !n.Empty() {
				b.dropped["fields "+lenient.Quote(field)]++
			}
		}
	}
	giveKeys(p.Items, map[string]bool{})
	b.link(p.Items)
	b.finish(p.Items, nil, at)
	return p
}

// fields are those of a seed that an issue gives.
func (b *beadsReader) fields(i issue) (fields fieldNodes) {
	fields.text("nodeKey", i.text("id"))
	fields.text("title", b.cut("titles", strings.Join(strings.Fields(i.text("title")), " "), MaxTitleBytes))
	criteria, inText := beadsCriteria(i.text("acceptance_criteria"))
	var parts []string
	part := func(heading, text string) {
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, heading+text)
		}
	}
	part("", i.text("description"))
	part("### Design\n\n", i.text("design"))
	part("### Notes\n\n", i.text("notes"))
	part("### Acceptance criteria\n\n", inText)
	fields.text("description", b.cut("descriptions", strings.Join(parts, "\n\n"), MaxDescriptionBytes-fenceRoom))
	if priority, ok := parsePriority(i.text("priority")); ok {
		fields.text("priority", fmt.Sprint(priority))
	}
	if minutes, ok := parseMinutes(i.text("estimated_minutes")); ok {
		fields.text("estimateMinutes", fmt.Sprint(minutes))
	}
	if len(criteria) > 0 {
		fields.list("acceptanceCriteria", criteria)
	}
	if i.text("status") == "closed" {
		fields.text("done", b.cut("close reasons", or(strings.TrimSpace(i.text("close_reason")), "closed in beads"), MaxNoteBytes))
	}
	return fields
}

// cut shortens a text to its limit and counts that.
func (b *beadsReader) cut(what, text string, most int) string {
	if len(text) > most {
		b.dropped["ends of long "+what]++
	}
	return lenient.Cut(text, most)
}

// beadsCriteria makes criteria from a text: one of each item if the text is a list, else
// one of the whole text. If they would be too long or too many, it returns the text for the
// description, and one criterion that refers to it.
func beadsCriteria(text string) (criteria []string, inText string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, ""
	}
	for line := range strings.Lines(text) {
		mark, ok := readMarker(strings.TrimSpace(line))
		if !ok {
			criteria = nil
			break
		}
		criteria = append(criteria, strings.TrimSpace(mark.rest))
	}
	if len(criteria) == 0 {
		criteria = []string{text}
	}
	if len(criteria) > MaxListItems || slices.ContainsFunc(criteria, func(c string) bool { return len(c) > MaxItemBytes }) {
		return []string{"The acceptance criteria in the description are met"}, text
	}
	return criteria, ""
}

// link gives tasks the edges of their issues.
func (b *beadsReader) link(items []Item) {
	index := make(map[string]int, len(items))
	for i, item := range items {
		index[item.Key] = i
	}
	for i, issue := range b.issues {
		for _, n := range issue["dependencies"].Items {
			b.dependency(items, index, i, n)
		}
	}
	for i := range items {
		items[i].Edges = items[i].Edges.strict()
	}
}

func (b *beadsReader) dependency(items []Item, index map[string]int, from int, n lenient.Node) {
	d := issue{}
	for _, m := range n.Members {
		d[m.Key] = m.Value
	}
	to, found := index[d.text("depends_on_id")]
	if !found || to == from {
		b.dropped["links to issues that are not in the file"]++
		return
	}
	switch d.text("type") {
	case "blocks", "waits-for", "conditional-blocks", "":
		items[from].DependsOn = append(items[from].DependsOn, items[to].Key)
	case "parent-child":
		items[to].DependsOn = append(items[to].DependsOn, items[from].Key)
	default:
		items[from].Soft = append(items[from].Soft, items[to].Key)
	}
}

// strict returns the edges with each task once, in the strictest list.
func (e Edges) strict() Edges {
	seen := map[string]bool{}
	once := func(keys []string) (list []string) {
		for _, key := range keys {
			if !seen[key] {
				list = append(list, key)
			}
			seen[key] = true
		}
		return list
	}
	return Edges{once(e.DependsOn), once(e.AlsoAfter), once(e.Soft)}
}

// told says what was dropped, the most frequent first.
func (b *beadsReader) told() (list []string) {
	for _, what := range slices.SortedFunc(maps.Keys(b.dropped), func(x, y string) int {
		if d := b.dropped[y] - b.dropped[x]; d != 0 {
			return d
		}
		return strings.Compare(x, y)
	}) {
		list = append(list, fmt.Sprintf("%s: %d", what, b.dropped[what]))
	}
	return list
}

// fenceRoom is left free where a description is cut, for the fence that closes a code
// block.
const fenceRoom = 64
