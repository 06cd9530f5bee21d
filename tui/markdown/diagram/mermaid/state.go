package mermaid

import (
	"fmt"
	"slices"
	"strings"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/graph"
	"planb/tui/markdown/diagram/label"
)

// stateReader reads the lines of a state diagram.
type stateReader struct {
	g         *builder
	lines     []sourceLine
	at        int          // index of the line that is read
	group     int          // the open composite state or region, or none
	regions   []bool       // whether each open body is a region
	described map[int]bool // the states that have a description
}

func readStates(src source) (*graph.Graph, error) {
	r := stateReader{g: newBuilder(), lines: src.lines, group: graph.None, described: map[int]bool{}}
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at].number
		if err := r.line(withoutSemicolon(withoutComment(r.lines[r.at].text))); err != nil {
			return nil, &Error{Line: line, Why: err.Error()}
		}
	}
	if r.group != graph.None {
		return nil, &Error{Why: fmt.Sprintf("the composite state %q is not closed by }", r.g.Groups[r.group].Name)}
	}
	r.nameGroups()
	r.g.resolveGroups()
	for i := range r.g.Nodes {
		if r.g.Nodes[i].Shape == graph.Unshaped {
			r.g.Nodes[i].Shape = graph.Rounded
		}
	}
	return &r.g.Graph, nil
}

// withoutSemicolon removes the semicolon that may end a line.
func withoutSemicolon(line string) string {
	if before, found := strings.CutSuffix(line, ";"); found && !endsInEntity(before) {
		return strings.TrimSpace(before)
	}
	return line
}

func (r *stateReader) line(line string) error {
	if len(line) > maxLabel {
		return fmt.Errorf("the line has %d bytes; at most %d are drawn", len(line), maxLabel)
	}
	word, rest := firstWord(line)
	if strings.HasPrefix(rest, ":") && word != "accTitle" && word != "accDescr" {
		word = "" // a state may have the name of a statement
	}
	names, _ := cutDescription(line)
	switch {
	case line == "}":
		return r.close()
	case line == "--":
		return r.nextRegion()
	case strings.Contains(names, "-->") && !strings.Contains(names, `"`):
		return r.transition(line)
	case word == "state" && rest != "":
		return r.state(rest)
	case word == "note":
		return r.note(rest)
	case word == "direction":
		h, known := readHeading(rest)
		if !known {
			return fmt.Errorf("the direction %q is not one of TB, BT, LR and RL", rest)
		}
		if r.group == graph.None {
			r.g.Heading = h
		} else {
			r.g.Groups[r.group].Heading = h
		}
		return nil
	case word == "accDescr" && strings.HasPrefix(rest, "{"):
		for !strings.Contains(r.lines[r.at].text, "}") && r.at+1 < len(r.lines) {
			r.at++
		}
		return nil
	case slices.Contains([]string{"classDef", "class", "style", "click", "scale", "hide", "accTitle", "accDescr"}, word) && rest != "":
		return nil
	}
	return r.description(line)
}

// transition reads "a --> b : words".
func (r *stateReader) transition(line string) error {
	before, after, _ := strings.Cut(line, "-->")
	to, said := cutDescription(after)
	a, err := r.end(before, true)
	if err != nil {
		return err
	}
	b, err := r.end(to, false)
	if err != nil {
		return err
	}
	return r.g.addEdge(graph.Edge{From: a, To: b, Label: readLabel(said), Stroke: canvas.Light, Head: canvas.ArrowSign, Length: 1})
}

// cutDescription cuts a line at the colon before a description. It skips the three
// colons before a class.
func cutDescription(s string) (before, after string) {
	for i := 0; i < len(s); i++ {
		if s[i] != ':' {
			continue
		}
		if strings.HasPrefix(s[i:], ":::") {
			i += 2
			continue
		}
		return s[:i], s[i+1:]
	}
	return s, ""
}

// end returns the state at one end of a transition. [*] is the start of the diagram
// or composite state if first is true, else its end.
func (r *stateReader) end(s string, first bool) (int, error) {
	s = withoutClass(s)
	if s != "[*]" {
		return r.named(s)
	}
	id, shape := fmt.Sprintf("[*] end %d", r.group), graph.End
	if first {
		id, shape = fmt.Sprintf("[*] start %d", r.group), graph.Start
	}
	i, err := r.g.node(id, r.group)
	if err == nil {
		r.g.Nodes[i].Shape = shape
	}
	return i, err
}

func withoutClass(s string) string {
	before, _, _ := strings.Cut(s, ":::")
	return strings.TrimSpace(before)
}

func (r *stateReader) named(s string) (int, error) {
	if s == "" || strings.ContainsAny(s, " \t\"{}[]<>") {
		return graph.None, fmt.Errorf("the name of a state was expected, not %q", printable(s))
	}
	return r.g.node(s, r.group)
}

// description reads "a : words", or a state alone.
func (r *stateReader) description(line string) error {
	name, said := cutDescription(line)
	i, err := r.named(withoutClass(name))
	if err == nil {
		r.describe(i, readLabel(said))
	}
	return err
}

// describe adds lines to the description of a state. A description replaces the
// state's name in its box.
func (r *stateReader) describe(i int, description label.Label) {
	if len(description) == 0 {
		return
	}
	n := &r.g.Nodes[i]
	if !r.described[i] {
		n.Label = nil
	}
	r.described[i] = true
	n.Label = append(n.Label, description...)
}

// state reads the text behind the word "state": a description with a name, a kind, or
// the beginning of a composite state.
func (r *stateReader) state(s string) error {
	s, opens := strings.CutSuffix(s, "{")
	s = strings.TrimSpace(s)
	var said label.Label
	if strings.HasPrefix(s, `"`) {
		text, rest, closed := strings.Cut(s[1:], `"`)
		name, as := strings.CutPrefix(strings.TrimSpace(rest), "as ")
		if !closed || !as {
			return fmt.Errorf(`state "words" as name was expected`)
		}
		s, said = strings.TrimSpace(name), readLabel(text)
	}
	s, kind := stateKind(s)
	if name, text := cutDescription(s); len(said) == 0 {
		s, said = name, readLabel(text)
	}
	i, err := r.named(withoutClass(s))
	if err != nil {
		return err
	}
	r.describe(i, said)
	switch kind {
	case "":
	case "choice":
		r.g.Nodes[i].Shape = graph.Choice
	case "fork", "join":
		r.g.Nodes[i].Shape = graph.Bar
	default:
		return fmt.Errorf("states of the kind %q are not drawn", printable(kind))
	}
	if opens {
		return r.open(i)
	}
	return nil
}

// stateKind cuts <<choice>> or [[choice]] from the end of a name.
func stateKind(s string) (name, kind string) {
	for _, b := range [][2]string{{"<<", ">>"}, {"[[", "]]"}} {
		if before, rest, found := strings.Cut(s, b[0]); found {
			kind, _, _ = strings.Cut(rest, b[1])
			return strings.TrimSpace(before), strings.TrimSpace(kind)
		}
	}
	return s, ""
}
