package drafts

import (
	"context"
	"fmt"
	"strings"

	rules "planb/drafts"
	"planb/store/runs"
	"planb/tui/cells"
	"planb/tui/wording"
)

// Reading is a draft for a person who reads it line by line, without a drawn screen: it has what
// the screens show. All its texts are cleaned, except the text of a section, which is Markdown.
type Reading struct{ draft *draft }

// Read reads a draft.
func (d Deps) Read(ctx context.Context, id string) (Reading, error) {
	p, err := d.readDraft(ctx, id, nil)
	return Reading{p}, err
}

// Listed is a draft of the list of all drafts.
type Listed struct{ ID, Line string }

// Drafts lists all drafts, those that need the person first.
func (d Deps) Drafts(ctx context.Context) ([]Listed, error) {
	drafts, err := d.readList(ctx)
	list := make([]Listed, 0, len(drafts))
	for _, p := range drafts {
		if p.err != nil {
			list = append(list, Listed{p.ID, "A draft that cannot be read: " + wording.Sentence(p.err)})
			continue
		}
		line := fmt.Sprintf("%s, %d of %d steps, %s", title(p.Summary), p.Done, p.Of, spoken(p.happens[0]))
		list = append(list, Listed{p.ID, line})
	}
	return list, err
}

// spoken is a line of the screen as it is read out.
func spoken(text string) string { return strings.ReplaceAll(text, cells.Gap, ", ") }

// Whole is the draft as the store has it.
func (r Reading) Whole() runs.Whole { return r.draft.Whole }

// Title is the title of the draft.
func (r Reading) Title() string { return title(r.draft.Summary) }

// Standing says how far the draft is, and what happens now.
func (r Reading) Standing() string {
	p := r.draft
	return fmt.Sprintf("%d of %d steps, %s", p.Done, p.Of, spoken(p.happens()))
}

// Steps are the steps in their order, a line each, with their numbers.
func (r Reading) Steps() []string {
	list := make([]string, len(r.draft.steps))
	for i, s := range r.draft.steps {
		list[i] = s.Name + ", " + r.draft.state(s).Word()
		if number := r.draft.numbers[s.ID]; number != "" {
			list[i] = number + ". " + list[i]
		}
		if hint := r.draft.hint(s); hint != "" && hint != "for you" && hint != "next" {
			list[i] += ", " + spoken(hint)
		}
	}
	return list
}

// Find returns the step that a person names by its number, its id or its name.
func (r Reading) Find(name string) (rules.Step, bool) {
	for _, s := range r.draft.steps {
		if number := r.draft.numbers[s.ID]; name == s.ID || strings.EqualFold(name, s.Name) || number != "" && (name == number || name+"a" == number) {
			return s, true
		}
	}
	return rules.Step{}, false
}

// About tells of a step who wrote it, how it stands, and what it says.
func (r Reading) About(s rules.Step) []string {
	p := r.draft
	lines := []string{s.Name + "."}
	for _, text := range []string{spoken(p.about(s)), p.why(s), p.guidance(s)} {
		if text != "" {
			lines = append(lines, strings.TrimSuffix(wording.Capital(text), ".")+".")
		}
	}
	if _, mistakes := p.refused(s); len(mistakes) > 0 {
		lines = append(append(lines, "What was wrong with the last answer:"), mistakes...)
	}
	switch {
	case s.ID == scheduleStep && p.placed != nil:
		lines = append(lines, r.Schedule()...)
	case p.section(s.ID).Blank():
		if before := p.before(s); len(before) > 0 {
			lines = append(lines, "Written from: "+strings.Join(titles(before), "; ")+".")
		}
	default:
		lines = append(lines, "", p.section(s.ID).Block())
	}
	return lines
}

// Schedule tells the schedule, a line for each leaf and each fixed day; empty while there is
// none.
func (r Reading) Schedule() []string {
	p := r.draft
	if p.placed == nil {
		return nil
	}
	var c chart
	c.show(p.placed, 0)
	lines := []string{"The plan " + endWords(p.placed) + "."}
	for _, row := range c.rows {
		name, about := rowWords(p.placed, row)
		lines = append(lines, name+": "+spoken(about)+".")
	}
	return lines
}

// ForYou are the steps that wait for the person.
func (r Reading) ForYou() []rules.Step { return r.draft.stepsIn(rules.StepForYou) }

// Written reports whether a step has a text.
func (r Reading) Written(s rules.Step) bool { return r.draft.Draft.Output(s.ID) != nil }
