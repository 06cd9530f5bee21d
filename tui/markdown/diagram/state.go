package diagram

import (
	"fmt"
	"slices"
	"strings"
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

func readStates(src source) (*graph, error) {
	r := stateReader{g: newBuilder(), lines: src.lines, group: none, described: map[int]bool{}}
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at].number
		if err := r.line(withoutSemicolon(withoutComment(r.lines[r.at].text))); err != nil {
			return nil, &readError{line: line, why: err.Error()}
		}
	}
	if r.group != none {
		return nil, &readError{why: fmt.Sprintf("the composite state %q is not closed by }", r.g.groups[r.group].name)}
	}
	r.nameGroups()
	r.g.resolveGroups()
	for i := range r.g.nodes {
		if r.g.nodes[i].shape == unshaped {
			r.g.nodes[i].shape = rounded
		}
	}
	return &r.g.graph, nil
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
	switch {
	case line == "}":
		return r.close()
	case line == "--":
		return r.nextRegion()
	case strings.Contains(line, "-->"):
		return r.transition(line)
	case word == "state" && rest != "" && rest[0] != ':':
		return r.state(rest)
	case word == "note":
		return r.note(rest)
	case word == "direction":
		h, known := readHeading(rest)
		if !known {
			return fmt.Errorf("the direction %q is not one of TB, BT, LR and RL", rest)
		}
		if r.group == none {
			r.g.heading = h
		} else {
			r.g.groups[r.group].heading = h
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
	return r.g.addEdge(edge{from: a, to: b, label: readLabel(said), stroke: light, head: arrowMark, length: 1})
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
	id, shape := fmt.Sprintf("[*] end %d", r.group), endSign
	if first {
		id, shape = fmt.Sprintf("[*] start %d", r.group), startSign
	}
	i, err := r.g.node(id, r.group)
	if err == nil {
		r.g.nodes[i].shape = shape
	}
	return i, err
}

func withoutClass(s string) string {
	before, _, _ := strings.Cut(s, ":::")
	return strings.TrimSpace(before)
}

// named returns the state with a name.
func (r *stateReader) named(s string) (int, error) {
	if s == "" || strings.ContainsAny(s, " \t\"{}[]<>") {
		return none, fmt.Errorf("the name of a state was expected, not %q", printable(s))
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
func (r *stateReader) describe(i int, description label) {
	if len(description) == 0 {
		return
	}
	n := &r.g.nodes[i]
	if !r.described[i] {
		n.label = nil
	}
	r.described[i] = true
	n.label = append(n.label, description...)
}

// state reads the text behind the word "state": a description with a name, a kind, or
// the beginning of a composite state.
func (r *stateReader) state(s string) error {
	s, opens := strings.CutSuffix(s, "{")
	s = strings.TrimSpace(s)
	var said label
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
		r.g.nodes[i].shape = choiceSign
	case "fork", "join":
		r.g.nodes[i].shape = bar
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
