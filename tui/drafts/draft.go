package drafts

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	rules "planb/drafts"
	"planb/drafts/schedule"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// draft is a draft as it was read, with all that is derived from it. A read makes another one.
type draft struct {
	runs.Whole
	by        string // names the person
	steps     []rules.Step
	standings map[string]rules.Standing
	writers   map[string]runs.Writer // by the step, also of a worker
	states    map[string]state
	placed    *schedule.Schedule // nil while there is no schedule
	findings  int                // what the code's own checks found in it
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
	writers, err := d.Store.Writers(ctx, whole.ID)
	if err != nil {
		return nil, err
	}
	p := &draft{
		Whole: whole, by: d.By, steps: whole.Draft.Steps(), standings: whole.Draft.Standings(), writers: writers,
		now: d.Now(), read: d.Section, sections: map[string]safe.Text{},
	}
	p.seeWorker()
	p.states = map[string]state{}
	for _, s := range p.steps {
		p.states[s.ID] = p.stateOf(s)
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

// short is the id of a draft as commands take it.
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

// at is the place of a step in their order; -1 if the draft has none of that id.
func (p *draft) at(id string) int {
	return slices.IndexFunc(p.steps, func(s rules.Step) bool { return s.ID == id })
}

// state says how a step stands for the person.
type state uint8

// The states.
const (
	later   state = iota // it waits for other steps
	next                 // it could be written now, and nobody does
	inWork               // somebody writes it
	forYou               // it waits for the person
	again                // there is a text, which will be written again
	failed               // the run failed here
	kept                 // the person edited it, and its inputs have changed since
	written              // it is written
)

// state is how a step stands.
func (p *draft) state(s rules.Step) state { return p.states[s.ID] }

// stateOf finds out how a step stands.
func (p *draft) stateOf(s rules.Step) state {
	_, writing := p.writers[s.ID]
	switch standing := p.standings[s.ID]; {
	case standing == rules.Clean:
		return written
	case standing == rules.Kept:
		return kept
	case p.State == runs.Failed && p.Error != nil && p.Error.Step == s.ID:
		return failed
	case writing:
		return inWork
	case standing == rules.Ready && s.Author == rules.Person && !p.State.Ended():
		return forYou
	case p.Draft.Output(s.ID) != nil:
		return again
	case standing == rules.Ready:
		return next
	}
	return later
}

// seeWorker makes a program that writes without an agent the writer of the first step that
// is ready. A run that has ended has no writer.
func (p *draft) seeWorker() {
	switch {
	case p.State.Ended():
		p.writers = nil
	case p.Mode == runs.ByWorker && p.State == runs.Processing:
		for _, s := range p.steps {
			if s.Author == rules.Model && p.standings[s.ID] == rules.Ready {
				p.writers = map[string]runs.Writer{s.ID: {Name: worker}}
				return
			}
		}
	}
}

// worker is what a program that writes without an agent is called.
const worker = "planb draft run"

// stepsIn returns the steps in a state.
func (p *draft) stepsIn(wanted state) (list []rules.Step) {
	for _, s := range p.steps {
		if p.state(s) == wanted {
			list = append(list, s)
		}
	}
	return list
}

// condition says how a draft stands as a whole.
type condition uint8

// The conditions, in the order of the list.
const (
	waitsForYou condition = iota
	stalled               // nothing was written for some time, though it should be
	beingWritten
	ready // an agent or a program may go on
	broken
	stopped
	finished
)

// condition is how the draft stands.
func (p *draft) condition() condition {
	switch p.State {
	case runs.Completed:
		return finished
	case runs.Failed:
		return broken
	case runs.Stopped:
		return stopped
	}
	switch {
	case len(p.stepsIn(inWork)) > 0:
		return beingWritten
	case len(p.stepsIn(forYou)) > 0:
		return waitsForYou
	case p.Stalled(p.now):
		return stalled
	}
	return ready
}

// author names who wrote a step.
func (p *draft) author(s rules.Step) string {
	if s.Author == rules.Code {
		return "planb"
	}
	return p.named(p.Draft.Records[s.ID].By)
}

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
