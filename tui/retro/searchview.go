package retro

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/store/search"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// aboveList is how many lines stand above the hits: the text, the problem, and an empty
// line.
func (s *Search) aboveList() int { return 2 + len(s.problem()) }

// problem says what is wrong with the text, or what could not be searched.
func (s *Search) problem() []string {
	const most = 3
	text := "! " + s.state.problem
	switch {
	case s.state.problem != "":
	case s.state.unreadable > 0:
		text = fmt.Sprintf("! %s cannot be read. The first: %s", wording.Count(s.state.unreadable, "record"), s.state.why)
	default:
		return nil
	}
	lines := markdown.Plain(safe.New(text), max(s.page.Width-2, 1)).Lines
	return lines[:min(len(lines), most)]
}

// View draws the search.
func (s *Search) View() screen.Frame {
	acts := []keymap.Action{keymap.Escape, keymap.Help, keymap.Quit}
	if _, ok := s.state.hit(); ok {
		acts = append([]keymap.Action{keymap.Enter}, acts...)
	}
	return screen.Frame{
		Title: "planb: find",
		Content: s.page.Draw(
			s.page.Header("Find in everything", s.counts()),
			s.body(),
			s.page.Footer(s.keys, acts, s.status)),
	}
}

// counts says how far the search is, and what it found.
func (s *Search) counts() string {
	st := &s.state
	if st.text == "" || st.problem != "" && len(st.hits) == 0 {
		return ""
	}
	found := 0
	for _, hit := range st.hits {
		found += places(hit)
	}
	hits := wording.Count(found, "place")
	if st.more {
		hits = "the first " + hits
	}
	if len(st.hits) > 0 {
		hits += " in " + wording.Count(st.countSessions(), "session")
	}
	progress := ""
	if st.running {
		progress = "looking …"
		if st.older {
			progress = "looking at older versions …"
		}
	}
	return cells.Join(hits, progress)
}

func (s *Search) body() []string {
	st := s.page.Look.Styles
	lines := []string{" " + s.typed.Draw(&st, "› ", true, s.page.Width-4), ""}
	if problem := s.problem(); len(problem) > 0 {
		lines = lines[:1]
		for _, line := range problem {
			lines = append(lines, " "+st.Danger.Render(line))
		}
		lines = append(lines, "")
	}
	switch {
	case s.state.text == "":
		return append(lines, s.teach()...)
	case len(s.state.hits) > 0:
		return append(lines, s.state.list.Visible(s.row)...)
	case s.state.running || s.state.problem != "":
		return lines
	}
	return append(lines, s.nothing()...)
}

// nothing says that no place has all of the words, and what the person can do.
func (s *Search) nothing() []string {
	const margin = 2
	st, room := &s.page.Look.Styles, max(s.page.Width-2*margin, 1)
	lines := []string{strings.Repeat(" ", margin) + st.Strong.Render(cells.Cut("Nothing contains all of these words.", room))}
	for _, line := range markdown.Plain(safe.New("Fewer words find more. An empty field shows what else can be typed."), room).Lines {
		lines = append(lines, strings.Repeat(" ", margin)+st.Muted.Render(line))
	}
	return lines
}

// teach says what can be typed, while the text is empty.
func (s *Search) teach() []string {
	st := s.page.Look.Styles
	const margin = 2
	room := max(min(s.page.Width-2*margin, 96), 1)
	var lines []string
	say := func(text string) {
		for _, line := range markdown.Plain(safe.New(text), room).Lines {
			lines = append(lines, "  "+st.Muted.Render(line))
		}
	}
	say("Words in titles, questions, options, answers, notes and every version of every plan. All of them have to occur in one place.")
	lines = append(lines, "")
	const term, least = 18, 12
	for _, help := range [][2]string{
		{`"two words"`, "that follow each other"},
		{"project:shop", "in the path of the session's project"},
		{"client:codex", "asked or planned by that client"},
		{"after:7d", "in the last 7 days; after: and before: take a day, month or year, too: 2026-05"},
		{"kind:answer", explained(search.Kinds(), map[string]string{
			"ask": " (a form)", "text": " (a line)", "longtext": " (lines)", "single": " (one choice)", "multi": " (several)",
		})},
		{"status:declined", statusWords()},
	} {
		if room < term+least { // there is no room beside the term
			lines = append(lines, "  "+st.Accent.Render(cells.Cut(help[0], room)))
			say(help[1])
			continue
		}
		wrapped := markdown.Plain(safe.New(help[1]), room-term).Lines
		for i, line := range wrapped {
			name := ""
			if i == 0 {
				name = help[0]
			}
			lines = append(lines, "  "+st.Accent.Render(cells.Pad(name, term))+st.Text.Render(line))
		}
	}
	return lines
}

// statusWords lists what a status may be.
func statusWords() string {
	return explained(search.Statuses(), map[string]string{
		"open": " (overdue, too)", "replied": " (without finishing)",
		"undelivered": " (no agent has fetched it)", "late": " (a reply came too late)",
	})
}

// explained lists words, and explains what they do not say themselves.
func explained(list []string, means map[string]string) string {
	var words []string
	for _, word := range list {
		words = append(words, word+means[word])
	}
	return strings.Join(words, ", ")
}

// Cells before the texts of the hits.
const (
	hitIndent     = 4
	excerptIndent = 6
)

// row draws a hit with its excerpts, the first one of a session below the session's name.
func (s *Search) row(i int) []string {
	st, hit := &s.page.Look.Styles, s.state.hits[i]
	var lines []string
	if s.state.begins(i) {
		if i > 0 {
			lines = append(lines, "")
		}
		about := cells.Join(wording.ClientName(hit.Session.Client), wording.ProjectName(hit.Session))
		count := fmt.Sprintf("  %d", s.state.countSession(i))
		name := cells.Cut(wording.SessionTitle(hit.Session), max(s.page.Width*2/3-len(count), 1))
		lines = append(lines, cells.Sides("  "+st.Strong.Render(name)+st.Muted.Render(count), st.Muted.Render(about), s.page.Width-1))
	}
	when := wording.Ago(hit.At, s.deps.Now())
	room := s.page.Width - hitIndent - 3 - ansi.StringWidth(when)
	drawn := []string{strings.Repeat(" ", hitIndent) + st.ItemTitle(i == s.state.list.Cursor).Render(cells.Pad(hitName(hit), room)) + "  " + st.Faint.Render(when)}
	label := len(search.FieldQuestion) // lines and questions begin at the same cell
	excerpts, more := s.state.shown(hit)
	for _, e := range excerpts {
		label = min(max(label, ansi.StringWidth(excerptLabel(e))), max(s.page.Width/3, 12))
	}
	for _, e := range excerpts {
		drawn = append(drawn, s.excerpt(e, label))
	}
	if more > 0 {
		drawn = append(drawn, strings.Repeat(" ", excerptIndent+label+2)+st.Faint.Render(wording.Count(more, "more place")))
	}
	if i == s.state.list.Cursor {
		drawn[0] = st.Focused(drawn[0], s.page.Width)
		for n := range drawn[1:] {
			drawn[1+n] = st.FocusedEdge(drawn[1+n], s.page.Width) // its colours say what was found
		}
	}
	return append(lines, drawn...)
}

// hitName says what a hit is.
func hitName(hit search.Hit) string {
	switch {
	case hit.Ask.ID != "":
		return cells.Join("Form: "+hit.Ask.Spec.Title.Line(), hit.Ask.Outcome.State.Standing(hit.Ask.Spec.Plan != nil).Short)
	case hit.Plan.Number > 0:
		name := fmt.Sprintf("Plan v%d", hit.Plan.Number)
		if !hit.Plan.Title.Blank() {
			name += ": " + hit.Plan.Title.Line()
		}
		return name
	}
	return "Session"
}

// excerpt draws a line with a match behind its label, cut so that the first match is seen
// in any width. If both the label's end and the line's start are cut, one ellipsis says so.
func (s *Search) excerpt(e search.Excerpt, label int) string {
	st := &s.page.Look.Styles
	room := s.page.Width - excerptIndent - 1 - label - 2
	lead, rest := "", e.Shown()
	for len(rest) > 0 && !rest[0].Match {
		lead += rest[0].Text.Line()
		rest = rest[1:]
	}
	lead = strings.TrimLeft(lead, " ")
	need := 0
	if len(rest) > 0 {
		need = min(ansi.StringWidth(rest[0].Text.Line()), room/2)
	}
	if over := ansi.StringWidth(lead) + need - room*3/4; over > 0 {
		cut := "…"
		if ansi.StringWidth(excerptLabel(e)) > label {
			cut = ""
		}
		lead = ansi.TruncateLeft(lead, over+1, "")
		if at := strings.IndexByte(lead, ' '); at >= 0 && at <= room/5 {
			lead = lead[at+1:]
		}
		lead = cut + lead
	}
	line := st.Text.Render(lead)
	for _, piece := range rest {
		style := st.Text
		if piece.Match {
			style = st.Match
		}
		line += style.Render(piece.Text.Line())
	}
	return strings.Repeat(" ", excerptIndent) + st.Faint.Render(cells.Pad(excerptLabel(e), label)) + "  " + cells.CutWords(line, room)
}

func excerptLabel(e search.Excerpt) string {
	switch {
	case e.Field == search.FieldPlan:
		return fmt.Sprintf("line %d", e.Line)
	case e.Question != "" && e.Field != search.FieldQuestion && !e.Of.Blank():
		return e.Of.Line()
	}
	return string(e.Field)
}
