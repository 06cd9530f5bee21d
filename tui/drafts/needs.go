package drafts

import (
	"context"
	"time"

	rules "planb/drafts"
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
// is left out; the list of drafts shows it.
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
		if row.err == nil && row.rank() == needsYou {
			needs = append(needs, row.need())
		}
	}
	return needs, nil
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
