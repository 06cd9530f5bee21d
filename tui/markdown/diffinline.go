package markdown

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"planb/plans/diff"
)

// token is a word of drawn text, with its attributes.
type token struct{ sgr, text string }

// tokens cuts drawn text into words.
func tokens(drawn string) []token {
	var list []token
	for i, line := range strings.Split(drawn, "\n") {
		if i > 0 {
			list = append(list, token{text: "\n"})
		}
		for _, run := range runs(line) {
			for _, word := range diff.Split(run.text) {
				list = append(list, token{run.sgr, word})
			}
		}
	}
	return list
}

func (t token) blank() bool { return strings.TrimSpace(t.text) == "" }

func allBlank(list []token) bool {
	return !slices.ContainsFunc(list, func(t token) bool { return !t.blank() })
}

// stretch is a part of two texts: the same in both, or what became what.
type stretch struct {
	same           []token
	removed, added []token
}

// stretches compares two lists of words. What is but a blank between two changes
// is part of them: one mark reads better than many crumbs.
func stretches(old, new []token) []stretch {
	var list []stretch
	for _, step := range diff.Sequence(wordsOf(old), wordsOf(new)) {
		n := len(list)
		if n == 0 || (step.Op == diff.Same) != (len(list[n-1].same) > 0) {
			list = append(list, stretch{})
			n++
		}
		last := &list[n-1]
		switch step.Op {
		case diff.Same:
			last.same = append(last.same, new[step.New])
		case diff.Removed:
			last.removed = append(last.removed, old[step.Old])
		case diff.Added:
			last.added = append(last.added, new[step.New])
		}
	}
	return joinStretches(list)
}

// wordsOf makes all white space alike: where lines break says nothing.
func wordsOf(list []token) []token {
	out := make([]token, len(list))
	for i, t := range list {
		if out[i] = t; t.blank() {
			out[i] = token{text: " "}
		}
	}
	return out
}

func joinStretches(list []stretch) []stretch {
	replaces := func(s stretch) bool { return len(s.removed) > 0 && len(s.added) > 0 }
	var out []stretch
	for i, s := range list {
		n := len(out)
		crumb := n > 1 && len(s.same) == 0 && len(out[n-1].same) == 1 && out[n-1].same[0].blank()
		if !crumb || !replaces(s) || !replaces(out[n-2]) || out[n-1].same[0].text == "\n" {
			out = append(out, list[i])
			continue
		}
		between := out[n-1].same
		out = out[:n-1]
		last := &out[n-2]
		last.removed = slices.Concat(last.removed, between, s.removed)
		last.added = slices.Concat(last.added, between, s.added)
	}
	return out
}

// mixture is two drawn texts shown as one.
type mixture struct {
	drawn strings.Builder
	// marked says of each character that is no white space whether it is part of
	// what was taken out or put in; wrapping changes nothing but white space.
	marked []bool
}

func (m *mixture) add(drawn string, marked bool) {
	m.drawn.WriteString(drawn)
	for _, r := range ansi.Strip(drawn) {
		if !unicode.IsSpace(r) {
			m.marked = append(m.marked, marked)
		}
	}
}

// changed reports whether anything is marked.
func (m *mixture) changed() bool { return slices.Contains(m.marked, true) }

// wrapped are the lines of the mixture in so many cells; those in which something
// is marked are Mixed.
func (m *mixture) wrapped(width int) []DiffLine {
	lines := with(wrap(m.drawn.String(), width), Same)
	at := 0
	for i := range lines {
		for _, r := range ansi.Strip(lines[i].Text) {
			if unicode.IsSpace(r) || at >= len(m.marked) {
				continue
			}
			if m.marked[at] {
				lines[i].Change = Mixed
			}
			at++
		}
	}
	return lines
}

// mixed shows two drawn texts as one. Where only white space differs, the new one
// counts.
func (m marks) mixed(old, new string) *mixture {
	out := &mixture{}
	if old == new {
		out.add(new, false)
		return out
	}
	for _, s := range stretches(tokens(old), tokens(new)) {
		if allBlank(s.removed) && allBlank(s.added) {
			out.add(drawTokens(s.same), false)
			out.add(drawTokens(s.added), false)
			continue
		}
		out.add(m.takenOut(s.removed), true)
		if !m.words && len(s.removed) > 0 && len(s.added) > 0 {
			out.add(" ", false) // else 5 that became 10 looks like 510
		}
		out.add(m.putIn(s.added), true)
	}
	return out
}

func drawTokens(list []token) string {
	var out strings.Builder
	for _, t := range list {
		out.WriteString(styled(t.sgr, t.text))
	}
	return out.String()
}

func styled(sgr, text string) string {
	if sgr == "" || text == "" {
		return text
	}
	return "\x1b[" + sgr + "m" + text + ansi.ResetStyle
}

// takenOut marks words that are no longer there. They stay in one line.
func (m marks) takenOut(list []token) string {
	var text strings.Builder
	for _, t := range list {
		text.WriteString(strings.ReplaceAll(t.text, "\n", " "))
	}
	switch {
	case text.Len() == 0:
		return ""
	case m.words:
		return "[−" + text.String() + "−]" // a line may break behind a hyphen
	}
	return styled(m.removed, text.String())
}

// putIn marks words that were not there before.
func (m marks) putIn(list []token) string {
	if len(list) == 0 {
		return ""
	}
	if m.words {
		return "{+" + drawTokens(list) + "+}"
	}
	var out strings.Builder
	for _, t := range list {
		if t.text == "\n" {
			out.WriteString("\n")
			continue
		}
		out.WriteString(styled(after(t.sgr, m.added), t.text))
	}
	return out.String()
}

// over marks parts of a drawn line, given by where they are in its text.
func (m marks) over(line string, spans []diff.Span, sgr string) string {
	if m.words {
		sgr = "7"
	}
	var out strings.Builder
	at := 0
	for _, run := range runs(line) {
		start := at
		for at < start+len(run.text) {
			next, marked := start+len(run.text), false
			for _, s := range spans {
				switch {
				case s.From <= at && at < s.To:
					next, marked = min(next, s.To), true
				case at < s.From:
					next = min(next, s.From)
				}
			}
			text, params := run.text[at-start:next-start], run.sgr
			if marked {
				params = after(params, sgr)
			}
			out.WriteString(styled(params, text))
			at = next
		}
	}
	return out.String()
}
