package drafts

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// WriteOut replaces the relative times and ids of a text by what they mean: "Month 3
// (2027-04-30)", "2028-03-31 (the funding ends)", "C2 (no loan)".
func (d Draft) WriteOut(text string) string { return d.Writer()(text) }

// Writer returns WriteOut for the texts of one section, which says only once what
// an id means.
func (d Draft) Writer() func(text string) string {
	w := &writer{draft: d, said: map[string]bool{}}
	relative := relativeTime()
	return func(text string) string {
		return relative.ReplaceAllStringFunc(text, func(found string) string { return w.writtenOut(found, text) })
	}
}

type writer struct {
	draft Draft
	said  map[string]bool
}

// writtenOut returns a time or an id that was found in a text, with its meaning. If the
// text has nothing else, it returns only the day.
func (w *writer) writtenOut(found, text string) string {
	d := w.draft
	alone := text == found
	again := w.said[found]
	if constraint, ok := byID(d.Output("brief").Records("constraints"), found); ok {
		w.said[found] = true
		if again {
			return found
		}
		return fmt.Sprintf("%s (%s)", found, d.withDays(constraint.Text("text")))
	}
	if role, ok := byID(d.Output("team").Records("roles"), found); ok && alone {
		return role.Text("role")
	}
	named, isDay := byID(d.Output("brief").Records("days"), found)
	_, isMilestone := byID(d.Output("project").Records("milestones"), found)
	date, ok := d.date(found)
	switch {
	case !ok, isMilestone && !alone: // within a text M8 may be a screw
		return found
	case isDay && !alone && !again:
		w.said[found] = true
		return fmt.Sprintf("%s (%s)", date, named.Text("text"))
	case alone || isDay:
		return date.String()
	}
	return fmt.Sprintf("%s (%s)", found, date)
}

// Days writes the days in a text as people do: 8 May 2028 for 2028-05-08. Every text of a
// draft for a person goes through it; models and programs read the other form. A day within
// a longer name, such as that of a file, stays as it is.
func Days(text string) string {
	const length = len("2028-05-08")
	var out strings.Builder
	from := 0
	for at := 0; at+length <= len(text); at++ {
		if text[at+4] != '-' || text[at+7] != '-' || inName(text[:at], text[at+length:]) {
			continue
		}
		if day, err := schedule.ParseDate(text[at : at+length]); err == nil {
			out.WriteString(text[from:at] + day.Words())
			from = at + length
			at = from - 1
		}
	}
	return out.String() + text[from:]
}

// inName reports whether what stands between two texts is a part of a longer name.
func inName(before, behind string) bool {
	joins := func(c byte) bool {
		return c == '-' || c == '_' || c == '/' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	if before != "" && (joins(before[len(before)-1]) || before[len(before)-1] == '.') {
		return true
	}
	file := len(behind) > 1 && behind[0] == '.' && joins(behind[1]) // 2028-05-08.pdf
	return file || behind != "" && joins(behind[0])
}

// withDays replaces the ids of days in a text by the days.
func (d Draft) withDays(text string) string {
	return relativeTime().ReplaceAllStringFunc(text, func(found string) string {
		if _, ok := byID(d.Output("brief").Records("days"), found); ok {
			if date, ok := d.date(found); ok {
				return date.String()
			}
		}
		return found
	})
}

// Unsaid returns a function that replaces each word that the user forbade by its first letter.
// So no report has such a word, even where it says which words are forbidden.
func (d Draft) Unsaid() func(text string) string {
	var words []string
	for _, word := range d.wordsOf("banned_word") {
		if word = strings.Trim(strings.ToValidUTF8(word, ""), `"'“”„ `); word != "" {
			words = append(words, regexp.QuoteMeta(word))
		}
	}
	if len(words) == 0 {
		return func(text string) string { return text }
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) // the longest that fits
	banned := regexp.MustCompile(`(?i)(` + strings.Join(words, "|") + `)(?:$|[^\pL\pN])`)
	return func(text string) string {
		var out strings.Builder
		for from := 0; ; {
			at := banned.FindStringSubmatchIndex(text[from:])
			if at == nil {
				return out.String() + text[from:]
			}
			first, end := from+at[2], from+at[3]
			_, size := utf8.DecodeRuneInString(text[first:])
			if letterAt(text, first-1, true) { // the end of a longer word
				end = first + size
				out.WriteString(text[from:end])
			} else {
				out.WriteString(text[from:first+size] + "…")
			}
			from = end
		}
	}
}

// Markdown returns the section of a step as a person reads it, with days in words. It is
// empty if the step has no output.
func (d Draft) Markdown(step string) string { return d.Part(step, "") }

// Part returns a part of a section: "budget" of the project. Without a name it is the
// whole section, each part under its heading. It is empty if there is nothing to say.
func (d Draft) Part(step, name string) string {
	s, ok := d.Step(step)
	if !ok && step == "tasks" { // all parts together
		s, ok = tasksStep(), true
	}
	if !ok || d.Output(step) == nil {
		return ""
	}
	p := page{draft: d, out: d.Repaired(step), write: d.Writer()}
	var texts []string
	for _, part := range p.parts(s) {
		if name != "" && part.name != name || name == "" && part.short {
			continue
		}
		text := strings.TrimSpace(part.text())
		if text != "" && name == "" && part.title != "" {
			text = "### " + part.title + "\n\n" + text
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return Days(strings.Join(texts, "\n\n")) + "\n"
}

// page writes the sections. Sections made from the declarations of the steps alone would be
// tables that are hard to read.
type page struct {
	draft Draft
	out   shape.Object
	write func(string) string
}

// part is a part of a section.
type part struct {
	name, title string // both empty if it is the whole section
	text        func() string
	short       bool // says less of what another part says
}

func (p page) parts(s Step) []part {
	one := func(text func() string) []part { return []part{{text: text}} }
	id, _, _ := strings.Cut(s.ID, ".")
	switch s.ID {
	case sketchID:
		return []part{{"plan", "", p.plan, false}, {"weak", "What carries most and is least certain", p.weak, false}}
	case rereadID:
		return []part{{"tested", "", p.tested, false}, {"changes", "What is put right", p.changes, false}, {"new", "Numbers that it adds", p.added, false}}
	}
	switch id {
	case "brief":
		return []part{{"goal", "", p.wanted, false}, {"constraints", "What binds the plan", p.constraints, false}, {"givens", "What is there", p.givens, false}}
	case "scenarios":
		return []part{{"ways", "", p.ways, false}, {"levers", "", p.levers, false}}
	case "choose":
		return []part{{"", "", p.choose, false}, {"picked", "", p.picked, true}}
	case "assumptions":
		return one(func() string { return p.assumptions(nil) })
	case "confirm":
		return []part{{"register", "", p.confirm, false}, {"short", "", p.assumed, true}, {"said", "", p.said, true}}
	case "facts":
		return []part{{"calculations", "", p.calculations, false}, {"sensitivity", "What changes the results most", p.sensitivity, false}, {"facts", "All numbers", p.facts, false}}
	case "project":
		return []part{
			{"goal", "", p.goal, false}, {"gates", "Milestones and gates", p.gates, false}, {"budget", "Budget", p.budget, false}, {"sources", "Who pays", p.sources, false},
			{"cash", "The money month by month", p.cash, false}, {"plain gates", "", p.plainGates, true},
			{"year", "One year afterwards", p.year, false}, {"answers", "The open questions, answered", p.answers, false}, {"parties", "Who must agree", p.parties, false},
		}
	case "risks":
		return []part{{"risks", "", p.risks, false}, {"rules", "Decided in advance", p.rules, false}}
	case "wbs":
		return []part{{"work", "", p.wbs, false}, {"short", "", p.work, true}}
	case "tasks":
		return one(p.tasks)
	case "premortem":
		return []part{{"failures", "", p.failures, false}, {"bets", "What the plan bets on", p.bets, false}}
	case "summary":
		return []part{{"focus", "", p.focus, false}, {"decisions", "", p.decisions, false}, {"plan", "", p.plan, false}, {"new", "Numbers that only the plan has", p.added, false}}
	}
	return one(func() string { return s.Shape.Markdown(p.out, p.write) })
}

// cell returns a text of the output as Markdown in one line.
func (p page) cell(text string) string { return shape.EscapeMarkdown(p.write(text)) }
