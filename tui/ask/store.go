package ask

import (
	"context"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/timeline"
)

// Store is what showing and answering asks needs of the store.
type Store interface {
	reader
	writer
	places
	plansKept
	memory
}

type reader interface {
	Ask(ctx context.Context, id string) (store.Ask, error)
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	Session(ctx context.Context, id string) (store.Session, error)
	Entry(ctx context.Context, askID string) (questions.Entry, bool, error)
	EarlierForm(ctx context.Context, ask store.Ask) (store.Ask, bool, error)
	BegunBefore(ctx context.Context, ask store.Ask) (store.Begun, bool, error)
}

type writer interface {
	Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error)
	MergeEntry(ctx context.Context, askID string, entry questions.Entry, merge func(kept questions.Entry) questions.Entry) error
	MarkShown(ctx context.Context, id string) error
}

type places interface {
	Queue(ctx context.Context, place string) ([]store.Ask, error)
	Hold(ctx context.Context, key kv.Key, note string) (*store.Held, error)
	LeavePlace(ctx context.Context, held *store.Held, place string) (left bool, err error)
	PutOff(ctx context.Context, place string) error
	PutOffAsk(ctx context.Context, id string) error
	PutOffAgent(ctx context.Context, place string, agent store.Client) error
	PutOffs(ctx context.Context, place string) (store.PutOffs, error)
	EndPutOff(ctx context.Context, ask store.Ask) error
	Standing(ctx context.Context) (store.Standing, error)
	AliveAny(ctx context.Context, prefix kv.Key) (bool, error)
	AliveBeside(ctx context.Context, prefix kv.Key, own *store.Held) (bool, error)
}

// plansKept is what reviewing a plan needs.
type plansKept interface {
	ApprovedTasks(ctx context.Context, ask store.Ask) (store.ApprovedTasks, error)
	TasksAsApproved(ctx context.Context, ask store.Ask, text safe.Text) (safe.Text, time.Time, error)
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	PlanText(ctx context.Context, session string, number int) (safe.Text, error)
	timeline.Texts
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	SavePlanEdit(ctx context.Context, of store.PlanID, text string) (plan store.Plan, unchanged bool, err error)
}

// memory tells which answers were given before.
type memory interface {
	EarlierAnswers(ctx context.Context, ask store.Ask) (map[string]store.EarlierAnswer, error)
}
