package tasks

import (
	"context"
	"time"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// Action names what a commit did.
type Action string

// The actions.
const (
	ProjectCreated Action = "project.created"
	PlanProposed   Action = "plan.proposed" // the first time, or with new content
	PlanApproved   Action = "plan.approved"
	TaskClaimed    Action = "task.claimed"
	TaskResumed    Action = "task.resumed" // its holder came back, with its claimId
	TaskBegun      Action = "task.in_progress"
	TaskGivenBack  Action = "task.given_back"
	TaskReported   Action = "task.needs_review"
	TaskUnmet      Action = "task.unmet" // a report that does not meet the contract
	TaskDone       Action = "task.done"
	TaskLate       Action = "task.late" // a report of a claim that has ended
	HolderGone     Action = "task.holder_gone"
	TaskAdded      Action = "task.added"
	TaskEdges      Action = "task.dependencies"
	TaskAccepted   Action = "task.accepted"
	TaskSentBack   Action = "task.sent_back"
	TaskFinished   Action = "task.finished"
	TaskReleased   Action = "task.released"
	TaskCancelled  Action = "task.cancelled"
	TaskPriority   Action = "task.priority"
	TaskEdited     Action = "task.edited"
	PlanPaused     Action = "plan.paused"
	PlanResumed    Action = "plan.resumed"
	PlanCancelled  Action = "plan.cancelled"
	PlanRejected   Action = "plan.amendment_rejected"
)

// Event is an audit row: what one commit did to a project or a plan.
type Event struct {
	Action Action `json:"action"`
	Actor  string `json:"actor"`           // agent, user or planb
	By     string `json:"by"`              // the actor's name
	Tasks  []int  `json:"tasks,omitempty"` // the numbers of the tasks that it changed
	From   string `json:"from,omitempty"`  // the status of the plan, or the state of the task
	To     string `json:"to,omitempty"`
	Hash   string `json:"hash,omitempty"` // of the plan after it
	Ask    string `json:"ask,omitempty"`  // the review that it settles
	Given  Given  `json:"given,omitzero"` // where a person decided it
	// About, At and Op are parts of the key: About is the project or the plan.
	About string    `json:"-"`
	At    time.Time `json:"-"`
	Op    string    `json:"-"`
	// Err is why the row cannot be read; then only At and Op are set.
	Err error `json:"-"`
}

type rowRecord struct {
	ledger.Header
	Event
}

func rowKey(about string, at time.Time, op kv.OpID) kv.Key {
	return rowsOf(about) + ledger.Inverted(at) + "/" + kv.Key(op.String())
}

// commit runs intent and adds the audit row of what it did, so that no write goes
// without one. An intent that writes nothing has no row. intent is not run again if
// an earlier try turns out to have happened.
func (s *Store) commit(ctx context.Context, by Caller, about string, intent func(c *ledger.Change) (Event, error)) error {
	return s.ledger.Commit(ctx, s.withRow(ctx, by, about, intent))
}

// commitInTurn is commit for what many agents do to one plan at once.
func (s *Store) commitInTurn(ctx context.Context, by Caller, about string, intent func(c *ledger.Change) (Event, error)) error {
	return s.ledger.CommitInTurn(ctx, s.withRow(ctx, by, about, intent))
}

// begins says that an agent begins something with the commit, which can wait for room on the
// disk.
func begins(c *ledger.Change, by Caller) { c.CanWait = by.Actor == tasks.Agent }

func (s *Store) withRow(ctx context.Context, by Caller, about string, intent func(c *ledger.Change) (Event, error)) func(c *ledger.Change) error {
	at := s.ledger.Clock()
	return func(c *ledger.Change) error {
		if c.Unclear {
			records, err := s.ledger.Get(ctx, rowKey(about, at, c.Op))
			if err != nil || records[0].Exists() {
				return err
			}
		}
		event, err := intent(c)
		if err != nil || len(c.Puts)+len(c.Deletes) == 0 {
			return err
		}
		if by.Actor == tasks.User {
			event.Given = s.given()
		}
		return putRow(c, by, about, at, event)
	}
}

func putRow(c *ledger.Change, by Caller, about string, at time.Time, event Event) error {
	event.Actor, event.By = actorName(by.Actor), by.Name
	return c.Put(rowKey(about, at, c.Op), rowRecord{ledger.NewHeader(), event})
}

func actorName(a tasks.Actor) string {
	switch a {
	case tasks.Agent:
		return "agent"
	case tasks.User:
		return "user"
	}
	return "planb"
}

// History returns what was done to a project or a plan, the newest first, at most
// limit events.
func (s *Store) History(ctx context.Context, about string, limit int) ([]Event, error) {
	page, _, err := s.ledger.Page(ctx, rowsOf(about), "", min(max(limit, 1), kv.MaxPageRecords))
	if err != nil {
		return nil, err
	}
	events := make([]Event, 0, len(page))
	for _, f := range page {
		event, err := s.readRow(f)
		if err != nil {
			return nil, err
		}
		events = append(events, event)
	}
	return events, nil
}

// readRow reads an audit row. If it cannot be read, Err says why.
func (s *Store) readRow(f ledger.Found) (Event, error) {
	row, err := ledger.DecodeFound[rowRecord](s.ledger, f)
	if err != nil && !ledger.AboutOne(err) {
		return Event{}, err
	}
	row.About, row.At, row.Op = planOf(f.Key), ledger.InvertedTime(ledger.Parent(f.Key)), ledger.LastPart(f.Key)
	row.Err = err
	return row.Event, nil
}
