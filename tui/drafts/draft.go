package drafts

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	rules "planb/drafts"
	"planb/drafts/schedule"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// draft is a draft as it was read, with all that is derived from it. A read makes another one.
type draft struct {
	runs.Whole
	by        string // names the person
	steps     []rules.Step
	numbers   map[string]string // of the steps, as numbered
	standings map[string]rules.Standing
	writers   map[string]runs.Writer // by the step, also of a worker
	states    map[string]rules.StepState
	forms     map[string]questions.Spec // of the steps that wait for the person
	placed    *schedule.Schedule        // nil while there is no schedule
	replied   bool                      // to the form of the step that waits for the person; see store.RepliedTo
	findings  int                       // what the code's own checks found in it
	now       time.Time
	read      func(d rules.Draft, step string) string
	sections  map[string]safe.Text
}

// readDraft reads a draft. It takes what is made of the texts from the draft as it was read
// before, if nothing was written since.
func (d Deps) readDraft(ctx context.Context, id string, before *draft) (*draft, error) {
	whole, err := d.Store.Plan(ctx, id)
	if err != nil {
		return nil, err
	}
	claimed, err := d.Store.Writers(ctx, whole.ID)
	if err != nil {
		return nil, err
	}
	p := &draft{
		Whole: whole, by: d.By, steps: whole.Draft.Steps(), standings: whole.Draft.Standings(), states: map[string]rules.StepState{},
		forms: map[string]questions.Spec{}, now: d.Now(), read: d.Section, sections: map[string]safe.Text{},
	}
	p.numbers = numbered(whole.Draft)
	p.writers = whole.Writing(claimed, p.standings)
	for _, s := range p.steps {
		_, writing := p.writers[s.ID]
		p.states[s.ID] = whole.StepState(s, p.standings[s.ID], writing)
		if p.states[s.ID] == rules.StepForYou {
			if form, err := whole.Form(s); err == nil {
				p.forms[s.ID] = form
			}
		}
	}
	if d.Asks != nil && len(p.stepsIn(rules.StepForYou)) > 0 {
		// If this cannot be read, the draft waits for the person: better once too often.
		if asks, err := d.Asks(ctx, whole.Session); err == nil {
			p.replied = store.RepliedTo(whole.Summary, asks, p.now)
		}
	}
	if before != nil && before.Cursor == whole.Cursor && before.State == whole.State {
		p.placed, p.findings, p.sections = before.placed, before.findings, before.sections
		return p, nil
	}
	if whole.Draft.Output(scheduleStep) != nil {
		if placed, err := d.Schedule(whole.Draft); err == nil {
			p.placed = &placed
		} // else the section of the schedule says what is wrong
	}
	if whole.State == runs.Completed {
		p.findings = len(whole.Draft.Lint())
	}
	return p, nil
}

// scheduleStep is the step whose output the chart shows.
const scheduleStep = "schedule"

// title is the name of a draft: that of its brief, else the beginning of its prompt.
func title(p runs.Summary) string { return cmp.Or(p.Title.Line(), p.Excerpt.Line(), "Untitled draft") }

// project names the directory of the draft's project; empty if it has none.
func project(p runs.Summary) string {
	if p.Dir == "" {
		return ""
	}
	return safe.New(filepath.Base(p.Dir)).Line()
}

// short returns the short id of a draft, which commands accept.
func short(id string) string { return store.ShortID(id) }

// section is the text of a step; zero while there is none.
func (p *draft) section(step string) safe.Text {
	text, made := p.sections[step]
	if !made {
		text = safe.New(p.read(p.Draft, step))
		p.sections[step] = text
	}
	return text
}

// at returns the index of a step; -1 if the draft has no step with that id.
func (p *draft) at(id string) int {
	return slices.IndexFunc(p.steps, func(s rules.Step) bool { return s.ID == id })
}

// numbered numbers the steps as they are counted: those that the draft writes, from 1 on. The
// answers of one step share its number and have a letter each, "3a" and "3b".
func numbered(d rules.Draft) map[string]string {
	steps := slices.DeleteFunc(d.Steps(), func(s rules.Step) bool { return !d.Writes(s) })
	numbers := make(map[string]string, len(steps))
	for n, at := 1, 0; at < len(steps); n++ {
		end := at + 1
		for end < len(steps) && steps[end].Number == steps[at].Number {
			end++
		}
		for i, s := range steps[at:end] {
			if numbers[s.ID] = strconv.Itoa(n); end-at > 1 {
				numbers[s.ID] += string(rune('a' + i))
			}
		}
		at = end
	}
	return numbers
}

// closes reports whether a written step is counted at this answer: at its last one, once all
// are written.
func (p *draft) closes(s rules.Step) bool {
	last := true
	for _, other := range p.steps[p.at(s.ID):] {
		last = last && (other.ID == s.ID || other.Number != s.Number)
	}
	for _, other := range p.steps {
		last = last && (other.Number != s.Number || p.standings[other.ID].Done())
	}
	return last
}

// part says which of the answers of its step one is: "part 1 of 2".
func (p *draft) part(s rules.Step) string {
	n, of := 0, 0
	for _, other := range p.steps {
		if other.Number == s.Number {
			if of++; other.ID == s.ID {
				n = of
			}
		}
	}
	return fmt.Sprintf("part %d of %d", n, of)
}

// state is how a step stands.
func (p *draft) state(s rules.Step) rules.StepState { return p.states[s.ID] }

// stepsIn returns the steps in a state.
func (p *draft) stepsIn(wanted rules.StepState) (list []rules.Step) {
	for _, s := range p.steps {
		if p.state(s) == wanted {
			list = append(list, s)
		}
	}
	return list
}

// condition is how the draft stands.
func (p *draft) condition() rules.Condition { return p.Condition(p.states, p.replied, p.now) }

// author names who wrote a step.
func (p *draft) author(s rules.Step) string {
	by := p.Draft.Records[s.ID].By
	switch {
	case s.Author == rules.Code:
		return "planb"
	case s.Author == rules.Person && by == rules.Nobody:
		return "planb, " + asProposed
	}
	return p.named(by)
}

// asProposed says of a gate that no person answered it.
const asProposed = "as proposed"

// named is a name as the person reads it: their own is "you".
func (p *draft) named(who string) string {
	if who == p.by {
		return "you"
	}
	return safe.New(who).Line()
}

// acceptedAt is when a step was written; the zero time if it is not.
func (p *draft) acceptedAt(s rules.Step) time.Time {
	at, err := time.Parse(time.RFC3339, p.Draft.Records[s.ID].At)
	if err != nil {
		return time.Time{}
	}
	return at
}

// before are the steps that a step is written from.
func (p *draft) before(s rules.Step) (list []rules.Step) {
	for _, id := range s.Needs {
		if at := p.at(id); at >= 0 {
			list = append(list, p.steps[at])
		}
	}
	return list
}

// after are the steps that are written from this one.
func (p *draft) after(s rules.Step) (list []rules.Step) {
	for _, other := range p.steps {
		if slices.Contains(other.Needs, s.ID) {
			list = append(list, other)
		}
	}
	return list
}
