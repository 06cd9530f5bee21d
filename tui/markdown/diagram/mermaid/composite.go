package mermaid

import (
	"fmt"
	"strings"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/graph"
)

// open begins a composite state in place of a node. A divided one has a group for each
// of its regions.
func (r *stateReader) open(node int) error {
	id := r.g.ids[node]
	if _, again := r.g.inGroup[id]; again {
		return fmt.Errorf("the state %q has two bodies", id)
	}
	in, err := r.g.addGroup(graph.Group{Name: id, Parent: r.group, Stroke: canvas.Light, Round: true})
	if err != nil {
		return err
	}
	r.group = in
	if r.divided() {
		return r.openRegion()
	}
	r.regions = append(r.regions, false)
	return nil
}

// divided reports whether the body that begins on the next line has a line of two
// hyphens outside any inner body.
func (r *stateReader) divided() bool {
	depth := 0
	for _, line := range r.lines[r.at+1:] {
		text := withoutComment(line.text)
		switch {
		case text == "}":
			if depth--; depth < 0 {
				return false
			}
		case strings.HasSuffix(text, "{") && strings.HasPrefix(text, "state"):
			depth++
		case text == "--" && depth == 0:
			return true
		}
	}
	return false
}

func (r *stateReader) openRegion() error {
	in, err := r.g.addGroup(graph.Group{Name: fmt.Sprintf("region %d", len(r.g.Groups)), Parent: r.group, Stroke: canvas.Dotted, Round: true})
	if err != nil {
		return err
	}
	r.group = in
	r.regions = append(r.regions, true)
	return nil
}

func (r *stateReader) nextRegion() error {
	n := len(r.regions)
	if n == 0 || !r.regions[n-1] {
		return fmt.Errorf("two hyphens divide a composite state, and none is open")
	}
	r.group = r.g.Groups[r.group].Parent
	r.regions = r.regions[:n-1]
	return r.openRegion()
}

func (r *stateReader) close() error {
	n := len(r.regions)
	if n == 0 {
		return fmt.Errorf("there is a } without a composite state")
	}
	if r.regions[n-1] {
		r.group = r.g.Groups[r.group].Parent
	}
	r.regions = r.regions[:n-1]
	r.group = r.g.Groups[r.group].Parent
	return nil
}

// nameGroups gives composite states their descriptions as titles.
func (r *stateReader) nameGroups() {
	for id, i := range r.g.inGroup {
		if node, known := r.g.byID[id]; known {
			r.g.Groups[i].Title = r.g.Nodes[node].Label
		}
	}
}

// note reads the text behind the word "note": "right of a : words". Without words
// there, the words are on the lines up to "end note".
func (r *stateReader) note(s string) error {
	side, s := firstWord(s)
	of, s := firstWord(s)
	if side != "left" && side != "right" || of != "of" {
		return fmt.Errorf(`a note must be "left of" or "right of" a state`)
	}
	name, said := cutDescription(s)
	i, err := r.named(withoutClass(name))
	if err != nil {
		return err
	}
	if strings.TrimSpace(said) == "" {
		if said, err = r.noteBody(); err != nil {
			return err
		}
	}
	n := &r.g.Nodes[i]
	n.Notes = append(n.Notes, graph.Note{Label: readLabel(said), After: side == "right"})
	return nil
}

func (r *stateReader) noteBody() (string, error) {
	var lines []string
	for r.at++; r.at < len(r.lines); r.at++ {
		text := r.lines[r.at].text
		if strings.EqualFold(strings.Join(strings.Fields(text), " "), "end note") {
			said := strings.Join(lines, "\n")
			if len(said) > maxLabel {
				return "", fmt.Errorf("a note has %d bytes; at most %d are drawn", len(said), maxLabel)
			}
			return said, nil
		}
		lines = append(lines, text)
	}
	return "", fmt.Errorf("a note is not closed by end note")
}
