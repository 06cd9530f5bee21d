package drafts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// section is what a frame tells of one step. levels are versions of its lines, from the
// longest to the shortest. A section with one level is cut only if it alone is too long.
type section struct {
	id     string
	levels [][]string
}

// whole returns all lines of a section.
func (s section) whole() []string { return s.levels[0] }

// short reports whether the lines leave out something that a model should fetch as
// another page. The bases of the facts are not worth a page.
func (s section) short(lines []string) bool {
	if s.rank() < 0 {
		return !slices.Equal(lines, s.whole())
	}
	return !slices.ContainsFunc(s.levels, func(level []string) bool { return slices.Equal(lines, level) })
}

// rank orders the sections that have more than one level.
func (s section) rank() int { return slices.Index([]string{"brief", "facts"}, s.id) }

// earlierID is the id of the section that shows the step's earlier answer.
const earlierID = "earlier answer"

// elsewhere stands for a section that has no room.
const elsewhere = "on the other pages"

// earlier reports whether the writer changes the answer that is there, as the user asked.
func (f *frame) earlier() bool {
	return f.draft.Records[f.step.ID].Guidance != "" && f.draft.Output(f.step.ID) != nil
}

// sections returns the inputs in their order: the answer that is to be changed, facts and
// the brief, then what the step needs.
func (f *frame) sections() (list []section) {
	d, s := f.draft, f.step
	if f.earlier() { // as the user read it, with the words that were put right
		list = append(list, section{earlierID, [][]string{s.Shape.JSONLines(d.Repaired(s.ID)), {elsewhere}}})
	}
	if len(s.Needs) == 0 {
		return append(list, section{"prompt", [][]string{strings.Split(d.Prompt, "\n")}})
	}
	for _, id := range append([]string{"facts", "brief"}, s.Needs...) {
		source, ok := d.Step(id)
		known := slices.ContainsFunc(list, func(sec section) bool { return sec.id == id })
		if !ok || d.Output(id) == nil || known || id == rereadID || source.Number >= s.Number && s.ID != rereadID && id != sketchID {
			continue
		}
		var levels [][]string
		switch {
		case id == "summary" && s.ID == rereadID:
			levels = [][]string{append(f.lines(source, shape.Whole), d.chapterLines(id)...), f.lines(source, shape.Digest)}
		case id == "brief" && slices.Contains(s.Needs, "brief"):
			levels = [][]string{f.lines(source, shape.Whole)}
		case id == sketchID:
			levels = [][]string{append(f.lines(source, shape.Whole), d.chapterLines(id)...), append(f.lines(source, shape.Digest), "the chapters: "+elsewhere)}
		case id == "choose", id == "confirm":
			levels = f.answerLines(source)
		case id == "brief":
			levels = [][]string{f.lines(source, shape.Digest), withoutGivens(f.lines(source, shape.Digest))}
		case id == "facts":
			levels = f.factLines()
		default:
			levels = [][]string{f.lines(source, shape.Whole), f.lines(source, shape.Digest), f.lines(source, shape.Heads)}
			if s.Number == lintNumber && !f.ask.Bare && !inThird(s.Part, source.Number) {
				levels = levels[1:]
			}
		}
		list = append(list, section{id, levels})
	}
	if s.Number == summaryNumber { // the writer of the plan reads the person's own words
		list = append(list, section{"prompt", [][]string{strings.Split(d.Prompt, "\n"), {elsewhere}}})
	}
	if s.ID == "summary" {
		list = append(list, section{"tables", [][]string{d.tableLines(true), d.tableLines(false)}})
	}
	if s.Number == summaryNumber || s.Number == lintNumber {
		list = append(list, section{"found by code", [][]string{d.foundLines()}})
	}
	if len(f.left) > 0 {
		list = append(list, section{"left unrepaired", [][]string{f.left}})
	}
	return list
}

// tableLines names the tables that the plan can show. If rows is true, the tables of the
// numbers have their rows.
func (d Draft) tableLines(rows bool) (lines []string) {
	lines = []string{"budget, sources, year, gates: of project. cash: what is due and comes in by month. effects: the lines with ~."}
	for i, table := range d.Output("facts").Records("calculations") {
		lines = append(lines, fmt.Sprintf("calculation_%d: %s", i+1, table.Text("title")))
		if rows {
			lines = append(append(lines, table.Text("head")), table.Texts("rows")...)
		}
	}
	return lines
}

// chapterLines returns the chapters of the plan or of its sketch, each with the rows of its
// tables below it, as the person reads them.
func (d Draft) chapterLines(step string) (lines []string) {
	for _, chapter := range d.Output(step).Records("chapters") {
		lines = append(append(lines, "### "+chapter.Text("title")), chapter.Texts("text")...)
		for _, name := range chapter.Texts("tables") {
			lines = append(append(lines, "(table "+name+", made by code)"), strings.Split(strings.TrimSpace(d.table(name)), "\n")...)
		}
	}
	return lines
}

// foundLines returns the contradictions that code finds in the outputs so far.
func (d Draft) foundLines() (lines []string) {
	for _, f := range d.contradictions(reading{again: true, apart: true}) {
		lines = append(lines, "- "+f.Step+" "+f.String())
	}
	if len(lines) == 0 {
		return []string{"no contradiction"}
	}
	return lines
}

// lines returns the lines that a model reads of a step's output, with the results that
// code has calculated from it.
func (f *frame) lines(s Step, detail shape.Detail) []string {
	d, o := f.draft, f.draft.Output(s.ID)
	lines := s.Shape.Lines(o, detail)
	switch s.ID {
	case "brief":
		return d.briefLines(lines)
	case "confirm":
		return d.confirmLines(lines)
	case "project":
		if income, cost, ok := d.balance(); ok {
			sum := fmt.Sprintf("running, added up: income %s - cost %s = %s a year", shape.FormatNumber(income), shape.FormatNumber(cost), shape.FormatNumber(income-cost))
			lines = append([]string{sum}, lines...)
		}
		if short := d.Shortage(); short != "" {
			lines = append([]string{"money, added up by month: " + short}, lines...)
		}
	case "schedule":
		lines = append(d.loadLines(), lines...)
		if first := d.firstLeaves(); first != "" {
			lines = append([]string{"begins in the first month: " + first}, lines...)
		}
	}
	return lines
}

// briefLines adds to each day its distance from Month 0, so that no model counts
// it, and says which questions the person left open.
func (d Draft) briefLines(lines []string) []string {
	lines = slices.Clone(lines)
	for _, day := range d.Output("brief").Records("days") {
		date, err := schedule.ParseDate(day.Text("day"))
		if err != nil {
			continue // the shape of the brief accepts no such day
		}
		head := day.Text("id") + " " + day.Text("day")
		for i, line := range lines {
			if rest, ok := strings.CutPrefix(line, head+" "); ok {
				lines[i] = fmt.Sprintf("%s (%s) %s", head, d.distance(date), rest)
			}
		}
	}
	if d.Output("choose") == nil {
		for _, m := range d.Output("brief").Records("missing") {
			lines = append(lines, "not known: "+m.Text("question"))
		}
		return lines
	}
	for _, m := range d.Output("brief").Records("missing") {
		if d.Output("choose").Record("answers").Text(m.Text("topic")) == "" {
			lines = append(lines, "asked, and not answered by the user: "+m.Text("question"))
		}
	}
	return lines
}

// withoutGivens leaves out the givens, which the facts and the project repeat.
func withoutGivens(lines []string) []string {
	from := slices.Index(lines, "givens:")
	if from < 0 {
		return lines
	}
	to := from + 1
	for to < len(lines) && strings.HasPrefix(lines[to], "- ") {
		to++
	}
	return slices.Concat(lines[:from], lines[to:])
}

// distance says how far a day is from Month 0: "day 170, after Month 5".
func (d Draft) distance(date schedule.Date) string {
	days := d.Start.DaysUntil(date)
	if days < 0 {
		return shape.Counted(-days, "day") + " before Month 0"
	}
	n := d.month(date)
	if d.Start.AddMonths(n).DaysUntil(date) == 0 {
		return fmt.Sprintf("day %d, Month %d", days, n)
	}
	return fmt.Sprintf("day %d, after Month %d", days, n-1)
}

// confirmLines adds to each changed assumption what it was before: the person's
// words may be no more than a number.
func (d Draft) confirmLines(lines []string) []string {
	lines = slices.Clone(lines)
	for i, line := range lines {
		id, rest, _ := strings.Cut(line, " ")
		before, ok := byID(d.Output("assumptions").Records("assumptions"), id)
		if ok && strings.HasPrefix(rest, "changed") {
			lines[i] += fmt.Sprintf(" (by the user; it was: %s)", before.Text("text"))
		}
	}
	return lines
}

// answerLines returns what a person said at a gate. Once there are facts, which repeat
// what was proposed, a second level has only what the person chose, changed or added.
func (f *frame) answerLines(s Step) (levels [][]string) {
	whole := f.lines(s, shape.Whole)
	if f.draft.Output("facts") == nil {
		return [][]string{whole}
	}
	scenario := f.draft.Output("choose").Record("scenario")
	own := slices.DeleteFunc(slices.Clone(whole), func(line string) bool {
		if s.ID == "confirm" {
			id, rest, _ := strings.Cut(line, " ")
			return strings.HasPrefix(id, "A") && strings.HasPrefix(rest, "kept: ")
		}
		return scenario.Text("id") != "" && (strings.HasPrefix(line, "logic: ") || strings.HasPrefix(line, "cost: "))
	})
	return [][]string{whole, own}
}

// firstLeaves names the tasks that begin in the first month.
func (d Draft) firstLeaves() string {
	var names []string
	for _, l := range d.Output("schedule").Records("leaves") {
		start, err := schedule.ParseDate(l.Text("start"))
		if err == nil && start.DaysUntil(d.Start.AddMonths(1)) > 0 {
			names = append(names, l.Text("id")+" "+l.Text("name"))
		}
	}
	return strings.Join(names, "; ")
}

// factLines returns the facts, those first that the step needs most: the facts of every
// plan, the amounts that the user set, the facts that the brief or another input names,
// and the others. A second level has no formulas and no bases. Both levels keep to
// maxFacts and to the share of the facts in a frame.
func (f *frame) factLines() (levels [][]string) {
	about := f.about()
	var lists [4][]shape.Object
	for _, fact := range f.draft.Output("facts").Records("facts") {
		rank := 3
		switch key := fact.Text("key"); {
		case key == "total_budget" || key == "duration_months":
			rank = 0
		case fact.Text("kind") == "user_constraint":
			rank = 1
		case named(key, about):
			rank = 2
		}
		lists[rank] = append(lists[rank], fact)
	}
	var long, short []string
	for _, fact := range slices.Concat(lists[:]...) {
		line := "- " + fact.Text("key") + ": " + fact.Text("value")
		mark := ""
		if kind := fact.Text("kind"); kind == "estimate" || kind == "guess" {
			mark = " (" + kind + ")"
		}
		short = append(short, line+mark)
		if formula := fact.Text("formula"); formula != "" {
			line += " = " + formula
		}
		long = append(long, line+" ("+strings.ReplaceAll(fact.Text("kind"), "_", " ")+", "+fact.Text("basis")+")")
	}
	for _, line := range f.draft.resultLines() {
		long, short = append(long, line), append(short, line)
	}
	most := min(f.ask.Limit/factsShare, maxFacts)
	short = cut(short, most)
	if size(long...) > most {
		return [][]string{short}
	}
	return [][]string{long, short}
}

// resultLines returns the results of the numbers: those of the tables, and the effects
// that code calculated.
func (d Draft) resultLines() (lines []string) {
	o := d.Output("facts")
	for _, table := range o.Records("calculations") {
		lines = append(lines, "= "+table.Text("title")+": "+table.Text("result"))
	}
	for _, e := range d.sensitivity() {
		lines = append(lines, fmt.Sprintf("~ %s %s instead of %s: %s %s instead of %s", e.Driver, shape.FormatNumber(e.To), shape.FormatNumber(e.From),
			e.Watch, shape.FormatNumber(round(e.After)), shape.FormatNumber(round(e.Before))))
	}
	if notes := o.Text("notes"); notes != "" {
		lines = append(lines, "notes: "+notes)
	}
	return lines
}

// about returns the digests of what the step is written from, in lower case.
func (f *frame) about() string {
	var out strings.Builder
	for _, id := range append([]string{"brief"}, f.step.Needs...) {
		if source, ok := f.draft.Step(id); ok && f.draft.Output(id) != nil && id != "facts" {
			out.WriteString(strings.ToLower(strings.Join(source.Shape.Lines(f.draft.Output(id), shape.Digest), "\n")))
		}
	}
	return out.String()
}

// named reports whether a text has one of the words of a key. Short words are in
// every text.
func named(key, text string) bool {
	const least = 4
	return slices.ContainsFunc(strings.Split(key, "_"), func(word string) bool { return len(word) >= least && strings.Contains(text, word) })
}

// fit chooses how much of each input the frame has. First the facts, the brief and the
// inputs with one level get their shortest level. Then the needs share what is left. As
// long as there is room, all get their digests, and after that their whole text: first
// the needs, then the brief, then the facts.
func (f *frame) fit(sections []section) fitted {
	for _, sec := range sections { // the frame is longest if it names all as shortened
		f.inputs.short = append(f.inputs.short, sec.id)
	}
	room := f.ask.Limit - reserved - Length(f.around(""))
	for _, sec := range sections {
		room -= size(header(sec.id))
	}
	chosen := make([][]string, len(sections))
	var first, needs []int
	least := 0 // kept free for the needs
	for i, sec := range sections {
		chosen[i] = sec.levels[len(sec.levels)-1]
		if sec.id == earlierID {
			room -= size(chosen[i]...)
			continue
		}
		if sec.rank() >= 0 || len(sec.levels) == 1 {
			first = append(first, i)
			continue
		}
		needs = append(needs, i)
		least += min(minDigest, size(chosen[i]...))
	}
	for _, i := range first {
		chosen[i] = cut(chosen[i], room-least)
		room -= size(chosen[i]...)
	}
	room = share(chosen, needs, room)
	slices.SortStableFunc(first, func(a, b int) int { return cmp.Compare(sections[a].rank(), sections[b].rank()) })
	room = grow(sections, chosen, append(needs, first...), room)
	if room += size(elsewhere); f.earlier() && room >= minDigest {
		chosen[0] = squeeze(sections[0].whole(), room)
	}
	var out fitted
	for i, sec := range sections {
		if len(sections) > 1 {
			out.lines = append(out.lines, header(sec.id))
		}
		out.lines = append(out.lines, chosen[i]...)
		if sec.short(chosen[i]) {
			out.short = append(out.short, sec.id)
		}
	}
	return out
}

// share divides the room between the open sections, which have their shortest level.
// Small sections stay as they are, and the others share what is left.
func share(chosen [][]string, open []int, room int) (left int) {
	bySize := slices.SortedFunc(slices.Values(open), func(a, b int) int { return size(chosen[a]...) - size(chosen[b]...) })
	for k, i := range bySize {
		chosen[i] = squeeze(chosen[i], room/(len(open)-k))
		room -= size(chosen[i]...)
	}
	return room
}

// grow gives the open sections more as long as there is room.
func grow(sections []section, chosen [][]string, open []int, room int) (left int) {
	const digest, whole = 1, 0
	for _, level := range []int{digest, whole} {
		for _, i := range open {
			if level >= len(sections[i].levels) || slices.Equal(chosen[i], sections[i].levels[0]) {
				continue
			}
			more := sections[i].levels[level]
			if cost := size(more...) - size(chosen[i]...); cost <= room {
				chosen[i], room = more, room-cost
			}
		}
	}
	return room
}

// squeeze makes lines fit. It cuts the ends of the long ones. If that is not enough, it
// keeps only the first ones.
func squeeze(lines []string, room int) []string {
	if size(lines...) <= room {
		return lines
	}
	for _, most := range []int{400, 280, 200, 140, 100, 70} {
		short := make([]string, 0, len(lines))
		for _, line := range lines {
			if size(line) > most {
				line = shorten(line, most)
			}
			short = append(short, line)
		}
		if size(short...) <= room {
			return short
		}
	}
	return cut(lines, room)
}
