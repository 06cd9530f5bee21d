package diagram

import (
	"fmt"
	"strings"
)

// brackets says how shapes are written: what opens them and what closes them.
type brackets struct {
	open  string
	close []string
	shape []shape // the shape for each of close
}

// flowBrackets lists the longer opening words first.
func flowBrackets() []brackets {
	return []brackets{
		{"(((", []string{")))"}, []shape{doubleCircle}},
		{"((", []string{"))"}, []shape{circle}},
		{"([", []string{"])"}, []shape{stadium}},
		{"(-", []string{"-)"}, []shape{stadium}},
		{"(", []string{")"}, []shape{rounded}},
		{"[[", []string{"]]"}, []shape{subroutine}},
		{"[(", []string{")]"}, []shape{cylinder}},
		{"[/", []string{"/]", `\]`}, []shape{leanRight, trapezoid}},
		{`[\`, []string{`\]`, "/]"}, []shape{leanLeft, trapezoidDown}},
		{"[", []string{"]"}, []shape{rectangle}},
		{"{{", []string{"}}"}, []shape{hexagon}},
		{"{", []string{"}"}, []shape{diamond}},
		{">", []string{"]"}, []shape{flag}},
	}
}

// shape reads the shape and the label behind a name, if there are any.
func (s *scanner) shape(n *node) error {
	for _, b := range flowBrackets() {
		if !s.accept(b.open) {
			continue
		}
		text, closer, err := s.until(b.close...)
		if err != nil {
			return err
		}
		for i, c := range b.close {
			if c == closer {
				n.shape = b.shape[i]
			}
		}
		n.label = readLabel(text)
		return nil
	}
	return nil
}

// attributes reads the newer form of a shape, { shape: name, label: words }, behind
// its opening brace.
func (s *scanner) attributes(n *node) error {
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
			n.shape = named
		case "label":
			n.label = readLabel(value)
		}
	}
	return nil
}

// attributeValue returns the value up to the next comma or line break outside quotes.
func attributeValue(s string) (value, rest string) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case !quoted && (s[i] == ',' || s[i] == '\n' && strings.TrimSpace(s[:i]) != ""):
			return strings.TrimSpace(s[:i]), s[i+1:]
		}
	}
	return strings.TrimSpace(s), ""
}

// shapeNamed finds a shape by one of Mermaid's names; see
// https://mermaid.js.org/syntax/flowchart.html. A shape without an outline here gets
// the most similar one.
func shapeNamed(name string) (shape, bool) {
	switch strings.Trim(name, `"`) {
	case "rect", "proc", "process", "rectangle",
		"notch-rect", "card", "notched-rectangle", "sl-rect", "manual-input", "sloped-rectangle",
		"st-rect", "procs", "processes", "stacked-rectangle", "tag-rect", "tag-proc", "tagged-process", "tagged-rectangle",
		"doc", "document", "docs", "documents", "st-doc", "stacked-document", "lin-doc", "lined-document",
		"tag-doc", "tagged-document", "flag", "paper-tape", "bow-rect", "bow-tie-rectangle", "stored-data", "datastore", "data-store":
		return rectangle, true
	case "rounded", "event", "cloud", "bang", "hourglass", "collate", "bolt", "com-link", "lightning-bolt":
		return rounded, true
	case "stadium", "terminal", "pill", "delay", "half-rounded-rectangle", "curv-trap", "curved-trapezoid", "display":
		return stadium, true
	case "fr-rect", "framed-rectangle", "subproc", "subprocess", "subroutine",
		"lin-rect", "lin-proc", "lined-process", "lined-rectangle", "shaded-process",
		"div-rect", "div-proc", "divided-process", "divided-rectangle", "win-pane", "internal-storage", "window-pane":
		return subroutine, true
	case "cyl", "cylinder", "database", "db", "h-cyl", "das", "horizontal-cylinder", "lin-cyl", "disk", "lined-cylinder":
		return cylinder, true
	case "circle", "circ":
		return circle, true
	case "dbl-circ", "double-circle":
		return doubleCircle, true
	case "odd":
		return flag, true
	case "diam", "diamond", "decision", "question":
		return diamond, true
	case "hex", "hexagon", "prepare", "notch-pent", "loop-limit", "notched-pentagon":
		return hexagon, true
	case "lean-r", "lean-right", "in-out":
		return leanRight, true
	case "lean-l", "lean-left", "out-in":
		return leanLeft, true
	case "trap-b", "trapezoid", "trapezoid-bottom", "priority", "tri", "extract", "triangle":
		return trapezoid, true
	case "trap-t", "inv-trapezoid", "trapezoid-top", "manual", "flip-tri", "flipped-triangle", "manual-file":
		return trapezoidDown, true
	case "text", "brace", "brace-l", "brace-r", "braces", "comment":
		return bare, true
	case "fork", "join":
		return bar, true
	case "sm-circ", "small-circle", "start", "f-circ", "filled-circle", "junction":
		return startSign, true
	case "fr-circ", "framed-circle", "stop", "cross-circ", "crossed-circle", "summary":
		return endSign, true
	}
	return unshaped, false
}
