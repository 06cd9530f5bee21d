package mermaid

import (
	"fmt"
	"strings"

	"planb/tui/markdown/diagram/graph"
)

// brackets says how shapes are written: what opens them and what closes them.
type brackets struct {
	open  string
	close []string
	shape []graph.Shape // the shape for each of close
}

// flowBrackets lists the longer opening words first.
func flowBrackets() []brackets {
	return []brackets{
		{"(((", []string{")))"}, []graph.Shape{graph.DoubleCircle}},
		{"((", []string{"))"}, []graph.Shape{graph.Circle}},
		{"([", []string{"])"}, []graph.Shape{graph.Stadium}},
		{"(-", []string{"-)"}, []graph.Shape{graph.Stadium}},
		{"(", []string{")"}, []graph.Shape{graph.Rounded}},
		{"[[", []string{"]]"}, []graph.Shape{graph.Subroutine}},
		{"[(", []string{")]"}, []graph.Shape{graph.Cylinder}},
		{"[/", []string{"/]", `\]`}, []graph.Shape{graph.LeanRight, graph.Trapezoid}},
		{`[\`, []string{`\]`, "/]"}, []graph.Shape{graph.LeanLeft, graph.TrapezoidDown}},
		{"[", []string{"]"}, []graph.Shape{graph.Rectangle}},
		{"{{", []string{"}}"}, []graph.Shape{graph.Hexagon}},
		{"{", []string{"}"}, []graph.Shape{graph.Diamond}},
		{">", []string{"]"}, []graph.Shape{graph.Flag}},
	}
}

// shape reads the shape and the label behind a name, if there are any.
func (s *scanner) shape(n *graph.Node) error {
	for _, b := range flowBrackets() {
		if !strings.HasPrefix(s.rest(), b.open) || !s.encloses(b.open) {
			continue
		}
		s.at += len(b.open)
		text, closer, err := s.until(b.close...)
		if err != nil {
			return err
		}
		for i, c := range b.close {
			if c == closer {
				n.Shape = b.shape[i]
			}
		}
		n.Label = readLabel(text)
		return nil
	}
	return nil
}

// encloses reports whether the opening brackets at the current place enclose one text:
// whether each is closed just before the one around it. Those of [(a) or (b)] do not.
func (s scanner) encloses(open string) bool {
	end := -1 // where the bracket around is closed
	for i := 0; i < len(open) && len(open) > 1; i++ {
		kind := strings.IndexByte("([{", open[i])
		if kind < 0 { // a slash or a hyphen
			return s.at+i < end-1 && (s.text[end-1] == '-') == (open[i] == '-') && strings.Contains(`/\-`, s.text[end-1:end])
		}
		inner := scanner{text: s.text, at: s.at + i + 1}
		closed, _ := inner.closing([]string{")]}"[kind : kind+1]}, true)
		if closed < 0 {
			return true // until says what is missing
		}
		if end >= 0 && closed != end-1 {
			return false
		}
		end = closed
	}
	return true
}

// attributes reads the newer form of a shape, { shape: name, label: words }, behind
// its opening brace.
func (s *scanner) attributes(n *graph.Node) error {
	text, _, err := s.until("}")
	if err != nil {
		return err
	}
	for text != "" {
		var name, value string
		name, text, _ = strings.Cut(text, ":")
		value, text = attributeValue(text)
		switch strings.TrimSpace(name) {
		case "shape":
			named, known := shapeNamed(value)
			if !known {
				return fmt.Errorf("the shape %q is not known", printable(value))
			}
			n.Shape = named
		case "label":
			n.Label = readLabel(value)
		}
	}
	return nil
}

// attributeValue returns the value up to the next comma or line break outside quotes,
// without single quotes around it.
func attributeValue(s string) (value, rest string) {
	s = strings.TrimLeft(s, " \t\n")
	quote, end := byte(0), 0
	for ; end < len(s); end++ {
		switch c := s[end]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
			continue
		case c == '"', c == '\'' && end == 0:
			quote = c
			continue
		case c != ',' && c != '\n':
			continue
		}
		rest = s[end+1:]
		break
	}
	value = strings.TrimSpace(s[:end])
	if n := len(value); n > 1 && value[0] == '\'' && value[n-1] == '\'' {
		value = value[1 : n-1]
	}
	return value, rest
}

// shapeNamed finds a shape by one of Mermaid's names; see
// https://mermaid.js.org/syntax/flowchart.html. A shape without an outline here gets
// the most similar one.
func shapeNamed(name string) (graph.Shape, bool) {
	switch strings.Trim(name, `"`) {
	case "rect", "proc", "process", "rectangle",
		"notch-rect", "card", "notched-rectangle", "sl-rect", "manual-input", "sloped-rectangle",
		"st-rect", "procs", "processes", "stacked-rectangle", "tag-rect", "tag-proc", "tagged-process", "tagged-rectangle",
		"doc", "document", "docs", "documents", "st-doc", "stacked-document", "lin-doc", "lined-document",
		"tag-doc", "tagged-document", "flag", "paper-tape", "bow-rect", "bow-tie-rectangle", "stored-data", "datastore", "data-store":
		return graph.Rectangle, true
	case "rounded", "event", "cloud", "bang", "hourglass", "collate", "bolt", "com-link", "lightning-bolt":
		return graph.Rounded, true
	case "stadium", "terminal", "pill", "delay", "half-rounded-rectangle", "curv-trap", "curved-trapezoid", "display":
		return graph.Stadium, true
	case "fr-rect", "framed-rectangle", "subproc", "subprocess", "subroutine",
		"lin-rect", "lin-proc", "lined-process", "lined-rectangle", "shaded-process",
		"div-rect", "div-proc", "divided-process", "divided-rectangle", "win-pane", "internal-storage", "window-pane":
		return graph.Subroutine, true
	case "cyl", "cylinder", "database", "db", "h-cyl", "das", "horizontal-cylinder", "lin-cyl", "disk", "lined-cylinder":
		return graph.Cylinder, true
	case "circle", "circ":
		return graph.Circle, true
	case "dbl-circ", "double-circle":
		return graph.DoubleCircle, true
	case "odd":
		return graph.Flag, true
	case "diam", "diamond", "decision", "question":
		return graph.Diamond, true
	case "hex", "hexagon", "prepare", "notch-pent", "loop-limit", "notched-pentagon":
		return graph.Hexagon, true
	case "lean-r", "lean-right", "in-out":
		return graph.LeanRight, true
	case "lean-l", "lean-left", "out-in":
		return graph.LeanLeft, true
	case "trap-b", "trapezoid", "trapezoid-bottom", "priority", "tri", "extract", "triangle":
		return graph.Trapezoid, true
	case "trap-t", "inv-trapezoid", "trapezoid-top", "manual", "flip-tri", "flipped-triangle", "manual-file":
		return graph.TrapezoidDown, true
	case "text", "brace", "brace-l", "brace-r", "braces", "comment":
		return graph.Bare, true
	case "fork", "join":
		return graph.Bar, true
	case "sm-circ", "small-circle", "start", "f-circ", "filled-circle", "junction":
		return graph.Start, true
	case "fr-circ", "framed-circle", "stop", "cross-circ", "crossed-circle", "summary":
		return graph.End, true
	}
	return graph.Unshaped, false
}
