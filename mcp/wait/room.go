package wait

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"planb/mcp/agent"
	"planb/mcp/pane"
	"planb/mcp/tool"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
)

// Store is what bringing an ask before a person, and waiting for them, needs of the store.
type Store interface {
	Ask(ctx context.Context, id string) (store.Ask, error)
	OpenAsk(ctx context.Context, ask store.Ask) (store.Ask, bool, error)
	Due(ctx context.Context, session string) ([]store.Ask, error)
	Undelivered(ctx context.Context, session string) ([]store.Ask, error)
	Expire(ctx context.Context, id string, asked time.Time) (store.Ask, error)
	Settle(ctx context.Context, askID string, outcome questions.Outcome) (store.Ask, error)
	SaveEntry(ctx context.Context, askID string, entry questions.Entry) error
	AwaitDead(ctx context.Context, prefix kv.Key) error
	watcher
	claims
	claimer
	deliverer
	entries
}

// Config is what a Room works with.
type Config struct {
	Store Store
	Log   *slog.Logger
	Dir   string // the store's, to name it where nothing can be written
	// Keep puts a reply that the store refuses into a file.
	Keep func(session, askID, file, text string) (path string, err error)
	// Subject is what the ask is about.
	Subject func(store.Ask) Subject

	Opener  pane.Opener
	Command func(ask store.Ask) pane.Command // shows the ask
	NoOpen  bool                             // another program shows the forms
	Limit   time.Duration                    // how long a call may wait; 0 goes by what is known of the client
	Timeout time.Duration                    // how long an ask may stay unanswered
}

// Room brings asks before a person and waits for what becomes of them.
type Room struct {
	cfg        Config
	results    results
	records    *records
	stage      *stage
	hub        *hub
	waiting    *attendance // the claims of calls that wait
	askers     *attendance // the claims of agents that asked
	deliveries deliveries
	unkept     unkept
}

// New returns a Room. It reads and opens nothing yet.
func New(cfg Config) *Room {
	owner, known := uuid.NewString(), &records{}
	words := results{cfg.Subject}
	return &Room{
		cfg: cfg, results: words, records: known, stage: newStage(cfg, owner, words, known),
		hub:        newHub(cfg.Store, cfg.Log),
		waiting:    newAttendance(cfg.Store, store.WaitClaim, owner, "waits for the answer", cfg.Log),
		askers:     newAttendance(cfg.Store, store.AskerClaim, owner, "asked, and is to learn the answer", cfg.Log),
		deliveries: deliveries{store: cfg.Store, log: cfg.Log},
	}
}

// Claim claims that the process of the agent that asked lives, until leave is called.
func (r *Room) Claim(askID string) (leave func(after time.Duration)) { return r.askers.enter(askID) }

// Close gives all claims back, and waits at most that long. Claims that are not given
// back by then end with the process.
func (r *Room) Close(patience time.Duration) {
	r.waiting.releaseAll(patience / 2)
	r.askers.releaseAll(patience / 2)
}

// FindPlace asks the multiplexer in advance where forms belong, so that the first
// question need not wait for the answer. It ignores failures: the first question meets
// them again and reports them.
func (r *Room) FindPlace(ctx context.Context) {
	go func() { _, _ = r.cfg.Opener.Place(context.WithoutCancel(ctx)) }()
}

// Place is where a person finds the agents of this server: their pane, else the window in
// which the multiplexer shows forms beside them; empty if that is unknown.
func (r *Room) Place(ctx context.Context) string {
	opener := pane.Resolve(ctx, r.cfg.Opener)
	if resident, ok := opener.(pane.Resident); ok {
		return resident.Seat()
	}
	place, err := opener.Place(ctx)
	if err != nil {
		r.cfg.Log.Debug("where the agents of this server are could not be found out", "error", err)
	}
	return place
}

// InHand reports whether a call of this process waits for the ask, or is just telling its
// outcome.
func (r *Room) InHand(askID string) bool { return r.hub.waited(askID) || r.deliveries.running(askID) }

// Outcome is the result that carries an ask's final outcome.
func (r *Room) Outcome(ask store.Ask) *tool.Result { return r.results.outcome(ask) }

// Part tells a part of a final outcome, from that character on: of the piece with the
// name, or of the whole outcome if the name is empty.
func (r *Room) Part(ask store.Ask, name string, offset int) *tool.Result {
	return r.results.part(ask, name, offset)
}

// Withdraw takes an ask back. If an answer was quicker, the result tells that answer.
func (r *Room) Withdraw(ctx context.Context, a *agent.Agent, ask store.Ask) *tool.Result {
	settled, err := r.cfg.Store.Settle(ctx, ask.ID, questions.Outcome{State: questions.Withdrawn, By: agent.Title(a.Client(ctx))})
	if late, ok := errors.AsType[*questions.SettledError](err); ok {
		ask.Outcome = late.Winner
		return r.results.outcome(ask)
	}
	if err != nil {
		return tool.NotStored(ask.Session, "The question could not be withdrawn", err)
	}
	r.records.forget(ask.ID)
	a.Learned(ask.ID)
	settled.Spec = ask.Spec
	return r.results.withdrawn(settled)
}
