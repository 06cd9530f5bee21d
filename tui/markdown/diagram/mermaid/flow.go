package mermaid

import (
	"fmt"
	"strings"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/graph"
)

// flowReader reads the statements of a flowchart.
type flowReader struct {
	g     *builder
	scan  scanner
	group int             // the open group, or none
	edges map[string]bool // the names of links
}

func readFlow(src source) (*graph.Graph, error) {
	r := flowReader{g: newBuilder(), scan: newScanner(src.lines), group: graph.None, edges: map[string]bool{}}
	if src.rest != "" {
		h, known := readHeading(src.rest)
		if !known {
			return nil, &Error{Why: fmt.Sprintf("the direction %q is not one of TB, TD, BT, LR and RL", src.rest)}
		}
		r.g.Heading = h
	}
	for r.scan.skipSeparators(); !r.scan.done(); r.scan.skipSeparators() {
		line := r.scan.line()
		if err := r.statement(); err != nil {
			return nil, &Error{Line: line, Why: err.Error()}
		}
	}
	if r.group != graph.None {
		return nil, &Error{Why: fmt.Sprintf("the subgraph %q has no end", r.g.Groups[r.group].Name)}
	}
	r.g.resolveGroups()
	return &r.g.Graph, nil
}

func (r *flowReader) statement() error {
	switch word := r.scan.peekWord(); word {
	case "subgraph":
		title := r.scan.restOfStatement()[len(word):]
		for len(title) <= maxLabel && endsInEntity(title) && r.scan.accept(";") {
			title += ";" + r.scan.restOfStatement()
		}
		return r.openGroup(title)
	case "end":
		if !r.scan.wordEndsStatement() {
			break
		}
		r.scan.restOfStatement()
		if r.group == graph.None {
			return fmt.Errorf("there is an end without a subgraph")
		}
		r.group = r.g.Groups[r.group].Parent
		return nil
	case "direction":
		rest := strings.TrimSpace(r.scan.restOfStatement()[len(word):])
		h, known := readHeading(rest)
		if !known {
			return fmt.Errorf("the direction %q is not one of TB, TD, BT, LR and RL", rest)
		}
		if r.group == graph.None {
			r.g.Heading = h
		} else {
			r.g.Groups[r.group].Heading = h
		}
		return nil
	case "classDef", "class", "style", "linkStyle", "click":
		if r.scan.joined(len(word)) {
			break
		}
		r.scan.skipStyle()
		return nil
	case "accTitle", "accDescr":
		r.scan.skipAccessible()
		return nil
	}
	if id := r.scan.peekID(); r.edges[id] && strings.HasPrefix(r.scan.rest()[len(id):], "@{") {
		_, _, err := r.scan.until("}") // the style of a link
		return err
	}
	return r.chain()
}

// openGroup reads the text behind "subgraph": a name, a title, or a name with its
// title in brackets.
func (r *flowReader) openGroup(s string) error {
	s = strings.TrimSpace(s)
	id, title := s, s
	if at := strings.IndexByte(s, '['); at > 0 && strings.HasSuffix(s, "]") {
		id, title = strings.TrimSpace(s[:at]), s[at+1:len(s)-1]
	}
	l := readLabel(title)
	id = strings.Trim(id, `"`)
	if id == "" {
		id, l = fmt.Sprintf("subgraph %d", len(r.g.Groups)+1), nil
	}
	if len(title) > maxLabel {
		return fmt.Errorf("a title has %d bytes; at most %d are drawn", len(title), maxLabel)
	}
	in, err := r.g.addGroup(graph.Group{Name: id, Title: l, Parent: r.group, Stroke: canvas.Light})
	if err == nil {
		r.group = in
	}
	return err
}

// chain reads nodes and the links between them: a & b --> c -.-> d.
func (r *flowReader) chain() error {
	from, err := r.nodes()
	if err != nil {
		return err
	}
	for {
		r.scan.skipBlanks()
		if r.scan.atSeparator() {
			return nil
		}
		if id := r.scan.edgeID(); id != "" {
			r.edges[id] = true
		}
		l, err := r.scan.link()
		if err != nil {
			return err
		}
		r.scan.skipAllBlanks()
		to, err := r.nodes()
		if err != nil {
			return err
		}
		for _, a := range from {
			for _, b := range to {
				l.From, l.To = a, b
				if err := r.g.addEdge(l); err != nil {
					return err
				}
			}
		}
		from = to
	}
}

func (r *flowReader) nodes() ([]int, error) {
	var all []int
	for {
		i, err := r.node()
		if err != nil {
			return nil, err
		}
		all = append(all, i)
		r.scan.skipBlanks()
		if !r.scan.accept("&") {
			return all, nil
		}
		if len(all) > maxNodes {
			return nil, fmt.Errorf("more than %d boxes are joined by &", maxNodes)
		}
		r.scan.skipAllBlanks()
	}
}

// node reads a name and, if there is one, the shape with the label behind it.
func (r *flowReader) node() (int, error) {
	id := r.scan.id()
	if id == "" {
		return graph.None, fmt.Errorf("the name of a box was expected, not %s", r.scan.found())
	}
	i, err := r.g.node(id, r.group)
	if err != nil {
		return graph.None, err
	}
	n := &r.g.Nodes[i]
	if r.scan.accept("@{") {
		if err := r.scan.attributes(n); err != nil {
			return graph.None, err
		}
	} else if err := r.scan.shape(n); err != nil {
		return graph.None, err
	}
	for r.scan.accept(":::") {
		r.scan.id()
	}
	return i, nil
}
