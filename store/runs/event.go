package runs

import (
	"context"
	"time"

	"planb/store/kv"
	"planb/store/ledger"
)

// MaxEvents is how many events of a plan are kept.
const MaxEvents = 2000

// Action names what happened to a plan.
type Action string

// The actions.
const (
	PlanCreated     Action = "plan_created"
	RunBegun        Action = "run_begun" // by a worker
	StepAccepted    Action = "step_accepted"
	StepStale       Action = "step_stale" // an answer to inputs that had changed
	StepEdited      Action = "step_edited"
	StepRegenerated Action = "step_regenerated" // somebody wants it written again
	FlagsSet        Action = "flags_set"        // of the schedule
	RunFailed       Action = "run_failed"
	RunStopped      Action = "run_stopped"
	RunResumed      Action = "run_resumed"
	RunRetried      Action = "run_retried"
)

// Event is what one commit did to a plan.
type Event struct {
	Cursor int       `json:"cursor"`
	At     time.Time `json:"ts"`
	Action Action    `json:"type"`
	By     string    `json:"by"`
	Step   string    `json:"step,omitempty"`
	State  State     `json:"state"`            // of the run after the commit
	Done   int       `json:"done"`             // steps that are written, with that of this commit
	Why    string    `json:"why,omitempty"`    // of a stop or a failure
	SHA256 string    `json:"sha256,omitempty"` // of the output
	Model  string    `json:"model,omitempty"`  // that wrote it
	Took   int64     `json:"ms,omitempty"`     // how long the writing took, in milliseconds
	Answer string    `json:"ask,omitempty"`    // the ask that it settles
}

type eventRecord struct {
	ledger.Header
	Event
}

// putEvent adds an event, and ends the oldest if there are too many. The run that the
// change writes names its cursor.
func putEvent(c *ledger.Change, plan string, e Event) error {
	if e.Cursor > MaxEvents {
		c.Delete(eventKey(plan, e.Cursor-MaxEvents))
	}
	return c.Put(eventKey(plan, e.Cursor), eventRecord{ledger.NewHeader(), e})
}

// Events returns what happened to a plan, the oldest first, at most limit events. With a
// cursor these are the first ones behind it, else the newest. An event that cannot be
// read is left out.
func (s *Store) Events(ctx context.Context, p Summary, after, limit int) ([]Event, error) {
	if p.ID == ExampleID {
		return nil, nil
	}
	limit = min(max(limit, 1), kv.MaxPageRecords)
	if after < 0 {
		after = max(p.Cursor-limit, 0)
	}
	page, _, err := s.ledger.Page(ctx, eventsOf(p.ID), eventKey(p.ID, after), limit)
	if err != nil {
		return nil, err
	}
	var list []Event
	for _, f := range page {
		e, err := ledger.DecodeFound[eventRecord](s.ledger, f)
		if err != nil && !ledger.AboutOne(err) {
			return nil, err
		}
		if err == nil {
			list = append(list, e.Event)
		}
	}
	return list, nil
}
