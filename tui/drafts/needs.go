package drafts

import (
	"context"
	"slices"
	"time"

	rules "planb/drafts"
	"planb/questions"
	"planb/questions/safe"
	"planb/store/runs"
)

// Need is a draft that needs the person: it waits for their answer, or it is stalled.
type Need struct {
	ID       string
	Title    safe.Text
	Project  string // its name
	Words    string // what it needs
	Progress string // "6/12 steps"
	Created  time.Time
	Updated  time.Time // when something was written last
	// Gate reports whether it waits for the answer to a form.
	Gate bool
}

// Needs returns the drafts that need the person, the newest first. A draft that cannot be read
// is left out; the list of drafts shows it. A draft whose form the person replied to is left out
// while that reply is the agent's.
func (d Deps) Needs(ctx context.Context) ([]Need, error) {
	all, err := d.Store.List(ctx, nil, maxListed)
	if err != nil {
		return nil, err
	}
	var needs []Need
	for _, p := range all {
		if p.Err != nil || p.State.Ended() {
			continue
		}
		row := d.listed(ctx, p)
		if row.err == nil && row.rank() == needsYou && !d.repliedTo(ctx, row) {
			needs = append(needs, row.need())
		}
	}
	return needs, nil
}

// repliedTo reports whether an agent has the person's reply to the form that the draft waits for,
// and is to go on. It is the agent's no more once it has written, or has done nothing for so long
// that a draft counts as stalled: then the person has to open the form themselves.
func (d Deps) repliedTo(ctx context.Context, p listed) bool {
	if d.Asks == nil || p.condition != rules.DraftForYou {
		return false
	}
	asks, err := d.Asks(ctx, p.Session)
	if err != nil {
		return false // the draft is listed rather than left out
	}
	for _, ask := range slices.Backward(asks) {
		if gate, err := runs.ParseGate(ask.Subject.ID); err != nil || ask.Err != nil || ask.About() != runs.SubjectKind || gate.Plan != p.ID {
			continue
		}
		at := ask.Outcome.At
		return ask.Outcome.State == questions.Discuss && !at.Before(p.LastProgress) && d.Now().Sub(at) <= runs.StallTime
	}
	return false
}

// need is what a draft of the list needs.
func (p listed) need() Need {
	n := Need{
		ID: p.ID, Title: safe.New(title(p.Summary)), Project: project(p.Summary), Words: p.happens[0], Progress: stepCount(p.Done, p.Of) + " steps",
		Created: p.Created, Updated: p.LastProgress, Gate: p.condition == rules.DraftForYou,
	}
	if n.Updated.IsZero() {
		n.Updated = p.Created
	}
	return n
}

// SubjectOf reports whether an ask with that subject is a form of the draft.
func (n Need) SubjectOf(kind, subject string) bool {
	gate, err := runs.ParseGate(subject)
	return err == nil && kind == runs.SubjectKind && gate.Plan == n.ID
}
