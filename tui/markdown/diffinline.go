package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// stretch is a part of two texts: words that are the same in both, or removed words
// and the words added in their place.
type stretch struct {
	same           []token
	removed, added []token
}

// stretches compares two lists of words. A single blank between two changes becomes
// a part of them: one mark is easier to read than many small ones.
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

// wordsOf makes all white space the same, so that a moved line break is no change.
func wordsOf(list []token) []token {
	out := make([]token, len(list))
	for i, t := range list {
		if out[i] = t; t.blank() {
			out[i] = token{text: " "}
		}
	}
	return out
}

// joinStretches joins two replacements that only one blank separates.
func joinStretches(list []stretch) []stretch {
	replaces := func(s stretch) bool { return len(s.removed) > 0 && len(s.added) > 0 }
	var out []stretch
	for i, s := range list {
		n := len(out)
		behindBlank := n > 1 && len(s.same) == 0 && len(out[n-1].same) == 1 && out[n-1].same[0].blank()
		if !behindBlank || !replaces(s) || !replaces(out[n-2]) || out[n-1].same[0].text == "\n" {
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
	// marked says, for each character except white space, whether it was removed or
	// added. Wrapping changes only white space, so the indices stay right.
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

// wrapped wraps the mixture into lines of at most width cells. A line with a marked
// part is Mixed.
func (m *mixture) wrapped(width int) []DiffLine {
	lines := withChange(wrap(m.drawn.String(), width), Same)
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

// mixed shows two drawn texts as one. If only white space differs, it shows that of
// the new text.
func (m changeStyle) mixed(old, new string) *mixture {
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
		out.add(m.markRemoved(s.removed), true)
		if !m.brackets && len(s.removed) > 0 && len(s.added) > 0 {
			out.add(" ", false) // without it, a 5 that became 10 looks like 510
		}
		out.add(m.markAdded(s.added), true)
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

// markRemoved marks removed words. It replaces their line breaks by spaces.
func (m changeStyle) markRemoved(list []token) string {
	var text strings.Builder
	for _, t := range list {
		text.WriteString(strings.ReplaceAll(t.text, "\n", " "))
	}
	switch {
	case text.Len() == 0:
		return ""
	case m.brackets:
		return "[−" + text.String() + "−]" // a minus sign, because a line may break behind a hyphen
	}
	return styled(m.removed, text.String())
}

// markAdded marks added words.
func (m changeStyle) markAdded(list []token) string {
	if len(list) == 0 {
		return ""
	}
	if m.brackets {
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

// words returns the spans without the white space in them, except single blanks between
// words. Padding of several blanks, struck through, would look like a rule.
func words(text string, spans []diff.Span) []diff.Span {
	var out []diff.Span
	for _, s := range spans {
		from, to := -1, 0 // the words so far, in the span
		for i, r := range text[s.From:s.To] {
			switch {
			case !unicode.IsSpace(r) && r != '│':
				if from < 0 {
					from = i
				}
				to = i + utf8.RuneLen(r)
			case from >= 0 && (r != ' ' || i > to):
				out = append(out, diff.Span{From: s.From + from, To: s.From + to})
				from = -1
			}
		}
		if from >= 0 {
			out = append(out, diff.Span{From: s.From + from, To: s.From + to})
		}
	}
	return out
}

// markSpans marks parts of a drawn line with SGR parameters. The spans count bytes
// of the line's text, without its attributes.
func (m changeStyle) markSpans(line string, spans []diff.Span, sgr string) string {
	if m.brackets {
		sgr = "7" // reverse video
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
