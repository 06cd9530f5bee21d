package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/questions/safe"
)

// section is one section of the report: a title, and the Markdown of its steps.
type section struct {
	Anchor   string
	Title    string
	Markdown string
	Open     bool // unfolded at first
	Appendix bool // in a file of its own beside report.md
	Aside    bool // on the page in its place, and beside report.md
}

// behind reports whether a section stands in appendix.md. So do the sections beside the
// chapters: a written plan tells its own calendar, and while the page has room for the
// schedule and its chart beside it, the Markdown has not.
func (s section) behind() bool { return s.Appendix || s.Aside }

// group is a section before it is filled: the parts that it shows.
type group struct {
	anchor, title string
	open          bool
	parts         []string
}

// What the report shows beside parts of the steps: "project/budget" is a part, "project"
// a whole step.
const (
	answersPart  = "pitch answers" // the questions of the pitch
	schedulePart = "schedule"
	followPart   = "follow"
	doubtsPart   = "doubts"
	workPart     = "wbs/short"
)

// decisionsAnchor is the section that follows the chapters: a person decides about what they
// have read.
const decisionsAnchor = "decisions"

// askedAnchor is the section that only a written plan has. In other drafts the sections
// of the ways and the assumptions say the same.
const askedAnchor = "asked"

// appendix begins the titles of the sections that stand behind the others.
const appendix = "Appendix: "

// groups returns the sections in the order in which a person reads them to decide: what is
// found and asked, the numbers, the money, the answers, the ways, the work, what may go
// wrong. The appendix comes last.
func groups() []group {
	return []group{
		{"summary", "Summary", true, []string{"summary/focus", doubtsPart}},
		{decisionsAnchor, "Decisions, and the first ten days", true, []string{"summary/decisions"}},
		{askedAnchor, "What was asked, and answered", true, []string{"choose/picked", "confirm/said"}},
		{"goal", "Goal, success and gates", true, []string{"project/goal", "project/gates"}},
		{"numbers", "What the numbers say", true, []string{"facts/calculations", "facts/sensitivity"}},
		{"budget", "Budget and money", true, []string{"project/budget", "project/sources", "project/cash", "project/year"}},
		{"answers", "The open questions, answered", true, []string{"project/answers"}},
		{"pitch", "Pitch", true, []string{"pitch"}},
		{"assumptions", "What is assumed, and when it is known", true, []string{"confirm/short"}},
		{"scenarios", "Scenarios and the choice", true, []string{"choose", "scenarios/ways"}},
		{"schedule", "Work and schedule", true, []string{schedulePart, workPart}},
		{"risks", "Risks", true, []string{"risks/risks", "risks/rules"}},
		{"premortem", "Premortem", true, []string{"premortem/failures", "premortem/bets"}},
		{"governance", "Governance", false, []string{"governance"}},
		{"team", "Team", false, []string{"team"}},
		{"resources", "Related resources and data", false, []string{"resources"}},
		{"documents", "Documents", false, []string{"documents"}},
		{"swot", "SWOT analysis", false, []string{"swot"}},
		{"experts", "Expert criticism", false, []string{"experts"}},
		{"review", "Review", false, []string{"review"}},
		{"questions", "Questions and answers", false, []string{answersPart}},
		{"premise", "Premise attack", false, []string{"premise"}},
		{"audit", "Audit", false, []string{"audit"}},
		{"follow", appendix + "what is known, decided and reached when", false, []string{followPart}},
		{"work", appendix + "the work in detail", false, []string{"wbs/work", "tasks"}},
		{"register", appendix + "all assumptions", false, []string{"confirm/register"}},
		{"levers", appendix + "how the scenarios differ", false, []string{"scenarios/levers"}},
		{"constraints", appendix + "what binds the plan, and how it is kept", false, []string{"brief/constraints", "project/parties"}},
		{"facts", appendix + "all numbers", false, []string{"facts/facts", "summary/new", "summary.2/new"}},
	}
}

// title is the draft's name for people.
func title(d drafts.Draft) string {
	return cmp.Or(safe.New(d.Output("brief").Text("title")).Line(), "Untitled plan")
}

// sections returns the sections that are not empty. The last ones say what code checked
// and who wrote what. Once the plan is written, its chapters are the report, and the
// sections from which they were made follow as an appendix.
func sections(d drafts.Draft, found []drafts.Finding) (list []section) {
	unsaid := d.Unsaid()
	chapters := d.Chapters()
	var last []section // the appendix
	for _, g := range groups() {
		if g.anchor == askedAnchor && len(chapters) == 0 {
			continue
		}
		inPlan := len(chapters) > 0 && !slices.Contains([]string{"summary", decisionsAnchor, askedAnchor, "schedule"}, g.anchor)
		var texts []string
		for _, name := range g.parts {
			if text := strings.TrimSpace(partText(d, name)); text != "" && (name != workPart || len(chapters) == 0) {
				if heading := headings()[name]; heading != "" {
					text = "### " + heading + "\n\n" + text
				}
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			s := section{g.anchor, g.title, unsaid(drafts.Days(strings.Join(texts, "\n\n")) + "\n"), g.open, strings.HasPrefix(g.title, appendix), len(chapters) > 0 && slices.Contains([]string{askedAnchor, "schedule"}, g.anchor)}
			if inPlan && !s.Appendix {
				s.Title, s.Open, s.Appendix = behind(g.title), false, true
			}
			if s.Appendix {
				last = append(last, s)
			} else {
				list = append(list, s)
			}
		}
		if g.anchor == "summary" {
			for i, c := range chapters {
				list = append(list, section{fmt.Sprint("chapter-", i+1), unsaid(safe.New(c.Title).Line()), unsaid(c.Markdown) + "\n", true, false, false})
			}
		}
	}
	return append(append(list, last...), section{"consistency", appendix + "what code checked", unsaid(drafts.Days(consistency(d, found))), false, true, false},
		section{"provenance", appendix + "who wrote what", drafts.Days(provenance(d)), false, true, false})
}

// behind is the title of a section in the appendix. An abbreviation, as SWOT, keeps its
// capitals.
func behind(title string) string {
	if len(title) > 1 && unicode.IsLower(rune(title[1])) {
		title = strings.ToLower(title[:1]) + title[1:]
	}
	return appendix + title
}

// headings stand above the parts that do not begin their section.
func headings() map[string]string {
	return map[string]string{
		"project/gates": "Milestones and gates", "facts/sensitivity": "What changes the results most", "project/sources": "Who pays", "project/cash": "The money month by month",
		"project/year": "One year afterwards", "scenarios/ways": "The ways compared", "wbs/short": "The work", "tasks": "The work in pieces", "risks/rules": "Decided in advance",
		"premortem/bets": "What the plan bets on", "project/parties": "Who must agree", "summary/new": "Numbers that only the plan has", "summary.2/new": "Numbers of the second reading",
	}
}

// partText returns the Markdown of a part.
func partText(d drafts.Draft, name string) string {
	step, part, _ := strings.Cut(name, "/")
	switch pitch := d.Output("pitch"); {
	case name == answersPart && pitch != nil:
		return d.With("pitch", shape.Object{"qa": pitch["qa"]}).Markdown("pitch")
	case name == "pitch" && pitch != nil:
		pitch = maps.Clone(pitch)
		delete(pitch, "qa")
		return d.With("pitch", pitch).Markdown("pitch")
	case name == followPart:
		return followText(d)
	case name == doubtsPart:
		return doubtsText(d)
	case name == schedulePart && d.Output("schedule") != nil:
		return scheduleText(d)
	case step == "confirm" && d.Output("confirm") == nil: // which has them as they are now
		if part == "short" {
			return d.Markdown("assumptions")
		}
		return ""
	}
	return d.Part(step, part)
}

// banner returns what is not as it should be, a line each. A reader must know it before
// anything else.
func banner(d drafts.Draft, found []drafts.Finding) (lines []string) {
	lines = unfinished(d)
	if why := d.Unusable(); why != "" {
		lines = append(lines, "The prompt was found unusable: "+safe.New(why).Line())
	}
	for _, line := range d.Late() {
		lines = append(lines, "Late: "+safe.New(line).Line())
	}
	if n := d.Unrepaired(); n > 0 {
		lines = append(lines, fmt.Sprintf("CONSISTENCY FAILED: serious contradictions between sections that nothing repaired: %d; see what code checked.", n))
	}
	switch n := len(found); {
	case n == 1:
		lines = append(lines, "Code found 1 contradiction; see what code checked.")
	case n > 1:
		lines = append(lines, fmt.Sprintf("Code found %d contradictions; see what code checked.", n))
	}
	for i, line := range lines {
		lines[i] = drafts.Days(line)
	}
	return lines
}

// doubtsText says which constraints the plan breaks or may break.
//
// A written plan tells in its chapters how each is kept, so that only the broken ones stand
// here.
func doubtsText(d drafts.Draft) string {
	var out strings.Builder
	write := d.Writer()
	written := len(d.Chapters()) > 0
	for _, doubt := range d.Repaired("project").Records("doubts") {
		if written && doubt.Text("state") != "violated" {
			continue
		}
		if out.Len() == 0 {
			out.WriteString("**In doubt**\n\n")
		}
		line := fmt.Sprintf("%s (%s: %s)", constraint(d, doubt.Text("id")), doubt.Text("state"), write(doubt.Text("why")))
		out.WriteString("- " + shape.EscapeMarkdown(safe.New(line).Line()) + "\n")
	}
	return out.String()
}

// unfinished says how many steps are not written, and which have to be written again.
func unfinished(d drafts.Draft) (lines []string) {
	standings, missing := d.Standings(), map[int]bool{} // by number: a step in several answers counts once
	var again []string
	for _, s := range d.Steps() {
		switch {
		case !d.Writes(s):
		case d.Output(s.ID) == nil:
			missing[s.Number] = true
		case !standings[s.ID].Done():
			again = append(again, s.Title)
		}
	}
	if _, of := d.Progress(); len(missing) > 0 {
		lines = append(lines, fmt.Sprintf("Unfinished: %d of %d steps are written.", of-len(missing), of))
	}
	if len(again) > 0 {
		lines = append(lines, "Out of date, because planb's steps or what they were written from changed since: "+strings.Join(again, "; ")+".")
	}
	return lines
}

// doubtful counts what stands on estimates, and what no person confirmed.
func doubtful(d drafts.Draft) (lines []string) {
	estimates, numbers := 0, 0
	for _, f := range d.Output("facts").Records("facts") {
		if _, ok := f["number"]; !ok {
			continue
		}
		if numbers++; f.Text("kind") == "estimate" || f.Text("kind") == "guess" {
			estimates++
		}
	}
	if numbers > 0 {
		lines = append(lines, fmt.Sprintf("Numbers that are estimates or guesses: %d of %d; the list of all numbers marks them.", estimates, numbers))
	}
	confirmed := d.Output("confirm")
	if confirmed == nil {
		return lines
	}
	unseen, unknown := 0, map[string]bool{}
	for _, a := range confirmed.Records("assumptions") {
		unknown[a.Text("id")] = a.Text("state") == "unknown"
	}
	for _, a := range d.Output("assumptions").Records("assumptions") {
		if confirmed.Text("by") == drafts.Nobody || !a.Flag("ask") || unknown[a.Text("id")] {
			unseen++
		}
	}
	if unseen > 0 {
		lines = append(lines, fmt.Sprintf("Assumptions that no person confirmed: %d.", unseen))
	}
	return lines
}

// Markdown returns the report as Markdown. A written plan tells itself what is a guess, and
// until when: the page and the appendix count them.
func Markdown(d drafts.Draft) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n", shape.EscapeMarkdown(title(d)))
	found := d.Lint()
	lines := banner(d, found)
	if len(d.Chapters()) == 0 || d.Output("confirm").Text("by") == drafts.Nobody {
		lines = append(lines, doubtful(d)...)
	}
	quote(&out, lines)
	for _, s := range sections(d, found) {
		if !s.behind() {
			fmt.Fprintf(&out, "\n## %s\n\n%s", shape.EscapeMarkdown(s.Title), s.Markdown)
		}
	}
	fmt.Fprintf(&out, "\nThe work in detail, all assumptions and numbers, and what was checked are in %s.\n", appendixPath)
	return []byte(out.String())
}

// quote writes lines as a quotation behind a blank row; nothing if there are none.
func quote(out *strings.Builder, lines []string) {
	for i, line := range lines {
		if i == 0 {
			out.WriteString("\n")
		}
		out.WriteString("> " + shape.EscapeMarkdown(line) + "\n")
	}
}

// appendixPath is the file of what stands behind the report.
const appendixPath = "appendix.md"

// Appendix returns what stands behind the report as Markdown.
func Appendix(d drafts.Draft) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s: appendix\n", shape.EscapeMarkdown(title(d)))
	quote(&out, doubtful(d))
	for _, s := range sections(d, d.Lint()) {
		if s.behind() {
			fmt.Fprintf(&out, "\n## %s\n\n%s", strings.TrimPrefix(s.Title, appendix), s.Markdown)
		}
	}
	return []byte(out.String())
}

// constraint is what a constraint says.
func constraint(d drafts.Draft, id string) string {
	return strings.TrimSuffix(strings.TrimPrefix(d.WriteOut(id), id+" ("), ")")
}
