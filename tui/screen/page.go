package screen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
)

// Page is the frame of a screen for looking around: a header, a body, and a footer with the
// keys.
type Page struct {
	Look          *Look
	Width, Height int
}

// Lines that are not the body's.
const (
	HeaderLines = 2
	FooterLines = 2
)

// RoomyHeight is the height of a window from which on a line is left empty below the header.
const RoomyHeight = 30

// Unsized reports whether the window has not told a size yet.
func (p Page) Unsized() bool { return p.Width == 0 }

// BodyLines returns the number of lines of the body.
func (p Page) BodyLines() int { return max(p.Height-HeaderLines-FooterLines, 0) }

// Draw puts the parts together, exactly as high as the screen.
func (p Page) Draw(header, body, footer []string) string {
	lines := make([]string, 0, p.Height)
	lines = append(lines, header...)
	room := max(p.Height-len(header)-len(footer), 0)
	lines = append(lines, body[:min(len(body), room)]...)
	for range room - len(body) {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, footer...), "\n")
}

// Header returns the lines of the header: one text at the left, one at the right, and a rule.
func (p Page) Header(left, right string) []string {
	st := p.Look.Styles
	return []string{
		p.sides(1, st.Title.Render, left, st.Muted.Render, right),
		p.Rule(),
	}
}

// HeaderWith is Header with a quieter text behind the left one, of which as many parts are shown
// as there is room for.
func (p Page) HeaderWith(left, more, right string) []string {
	st := p.Look.Styles
	style := func(texts ...string) string {
		text := strings.Join(texts, " ")
		behind, whole := strings.CutPrefix(text, left)
		if !whole || behind == "" {
			return st.Title.Render(text)
		}
		return st.Title.Render(left) + st.Muted.Render(behind)
	}
	return []string{p.sides(1, style, cells.Join(left, more), st.Muted.Render, right), p.Rule()}
}

// Before joins a name and a text that must stay readable behind it, for the left side of a
// header with the given right side. If both do not fit, Before cuts the name, or leaves it out
// if fewer than leastName cells would be left.
func (p Page) Before(name, kept, right string) string {
	const leastName = 8
	right, room := p.rightSide(1, right)
	if right != "" {
		room -= ansi.StringWidth(right) + 2
	}
	room -= ansi.StringWidth(cells.Gap + kept)
	if room < leastName {
		name = ""
	}
	return cells.Join(cells.Cut(name, room), kept)
}

// Footer returns the keys of the moment below a rule. A status stands in the rule. A long one
// replaces the rule and the last row of the body.
func (p Page) Footer(keys []keymap.Binding, acts []keymap.Action, status string) []string {
	return p.FooterSaying(keys, acts, nil, status)
}

// FooterSaying is Footer with words of the screen's own for actions that do something else there.
func (p Page) FooterSaying(keys []keymap.Binding, acts []keymap.Action, words map[keymap.Action]string, status string) []string {
	st := &p.Look.Styles
	var hints []Hint
	for _, act := range acts {
		if label := keymap.Label(keys, act); label != "" {
			hints = append(hints, Hint{Label: label, Does: cmp.Or(words[act], keyWord(act)), Kept: act == keymap.Help, End: endOf(act)})
		}
	}
	return append(p.divider(st.Info, status), " "+st.KeyLine(hints, p.Width-2))
}

// endOf says where in a footer an action stands: the screen's own ones first, however few fit, then
// those of all screens, and last the way out.
func endOf(act keymap.Action) int {
	return 1 + slices.Index([]keymap.Action{keymap.Help, keymap.Theme, keymap.Quit}, act)
}

// divider returns the rule above the keys, with the status in it.
func (p Page) divider(style cells.Style, said string) []string {
	if said == "" {
		return []string{p.Rule()}
	}
	const lead, most = "── ", 2
	line := safe.New(said).Line()
	if rest := p.Width - ansi.StringWidth(lead+line+" "); rest >= 2 {
		st := &p.Look.Styles
		return []string{st.Rule.Render(lead) + style.Render(line) + " " + st.Rule.Render(strings.Repeat("─", rest))}
	}
	lines := markdown.Plain(safe.New(said), max(p.Width-2, 1)).Lines
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], cells.Cut(strings.Join(lines[most-1:], " "), p.Width-2))
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = " " + style.Render(line)
	}
	return out
}

// keyWord returns the word of an action in the footer.
func keyWord(act keymap.Action) string {
	switch act {
	case keymap.Up, keymap.Down, keymap.ScrollUp, keymap.ScrollDown:
		return "move"
	case keymap.PageUp, keymap.PageDown:
		return "page"
	case keymap.Enter:
		return "open"
	case keymap.Escape:
		return "back"
	case keymap.Filter:
		return "filter"
	case keymap.Find:
		return "find"
	case keymap.Copy:
		return "copy"
	case keymap.Pager:
		return "pager"
	case keymap.Edit:
		return "editor"
	case keymap.Outline:
		return "outline"
	case keymap.Led:
		return "what led where"
	case keymap.Theme:
		return "light/dark"
	case keymap.Help:
		return "help"
	case keymap.Quit:
		return "leave"
	case keymap.Archive:
		return "archive"
	case keymap.Delete:
		return "delete"
	case keymap.Undo:
		return "undo"
	case keymap.Snooze:
		return "snooze"
	case keymap.Withdraw:
		return "withdraw"
	case keymap.Older:
		return "older"
	case keymap.Newer:
		return "newer"
	case keymap.PanRight:
		return "wide code"
	}
	for _, word := range []string{taskWord(act), draftWord(act)} {
		if word != "" {
			return word
		}
	}
	return diffWord(act)
}

// draftWord is keyWord for the actions that only drafts know.
func draftWord(act keymap.Action) string {
	switch act {
	case keymap.NextSection:
		return "next section"
	case keymap.PrevSection:
		return "section before"
	case keymap.AnswerGate:
		return "answer"
	case keymap.Flags:
		return "how it is made"
	case keymap.ReviewSection:
		return "review"
	case keymap.Regenerate:
		return "write again"
	case keymap.Stop:
		return "stop"
	case keymap.Resume:
		return "go on"
	case keymap.Origin:
		return "origin"
	case keymap.OpenReport:
		return "report"
	case keymap.SaveReport:
		return "save"
	}
	return ""
}

// taskWord returns the word for an action on tasks.
func taskWord(act keymap.Action) string {
	switch act {
	case keymap.Next:
		return "view"
	case keymap.Why:
		return "why"
	case keymap.Approve:
		return "approve"
	case keymap.Space:
		return "accept"
	case keymap.Release:
		return "release"
	case keymap.Priority:
		return "priority"
	case keymap.CancelTask:
		return "cancel"
	case keymap.Visit:
		return "go to agent"
	case keymap.Select:
		return "select"
	}
	return ""
}

// Rule returns a line across the page.
func (p Page) Rule() string {
	return p.Look.Styles.Rule.Render(strings.Repeat("─", max(p.Width, 0)))
}

// RuleBelow returns the rule below a list, which says near its right end which of the rows are
// in view. The position is empty if all of them are.
func (p Page) RuleBelow(position string) string { return p.Look.Styles.RuleBelow(position, p.Width) }

// RuleBelow is Page.RuleBelow for a list of a width.
func (st *Styles) RuleBelow(position string, width int) string {
	const after = 1 // cells of the rule behind the position
	said := " " + position + " "
	before := width - ansi.StringWidth(said) - after
	if position == "" || before < 0 {
		return st.Rule.Render(strings.Repeat("─", max(width, 0)))
	}
	return st.Rule.Render(strings.Repeat("─", before)) + st.Faint.Render(said) + st.Rule.Render(strings.Repeat("─", after))
}

// sides returns a line with a text at each end. It cuts the left one first, down to a third of
// the line, then the right one.
func (p Page) sides(margin int, styleLeft func(...string) string, left string, styleRight func(...string) string, right string) string {
	right, room := p.rightSide(margin, right)
	rightCells := ansi.StringWidth(right)
	leftRoom := room
	if rightCells > 0 {
		leftRoom -= rightCells + 2
	}
	left = cells.CutParts(left, leftRoom)
	line := strings.Repeat(" ", margin) + styleLeft(left)
	if rightCells == 0 {
		return line
	}
	gap := room - ansi.StringWidth(left) - rightCells
	return line + strings.Repeat(" ", max(gap, 1)) + styleRight(right)
}

// rightSide returns the part of the right text that fits, and the cells of the whole line.
func (p Page) rightSide(margin int, text string) (fitted string, room int) {
	room = p.Width - 2*margin
	return cells.CutParts(text, max(room-max(room/3, 10)-2, 0)), room
}

// diffWord returns the word for an action of comparing, or for one that leads there.
func diffWord(act keymap.Action) string {
	switch act {
	case keymap.NextChange:
		return "next change"
	case keymap.PrevChange:
		return "previous"
	case keymap.Unfold:
		return "unfold"
	case keymap.AsRead:
		return "read view"
	case keymap.Markdown:
		return "Markdown"
	case keymap.Compare:
		return "compare"
	case keymap.Changes:
		return "what changed"
	}
	return ""
}

// Layout of a text: prose is easier to read in lines of this length at most.
const (
	ReadMargin = 2
	ReadCells  = 100
)
