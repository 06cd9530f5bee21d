package mcp

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"planb/mcp/planfile"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
)

// waitStore is what bringing an ask before a person, and waiting for them, needs of the
// store.
type waitStore interface {
	asks
	outcomes
	watcher
	claims
	claimer
	deliverer
	entrant
	AwaitDead(ctx context.Context, prefix kv.Key) error
}

// outcomes is what settling an ask needs of the store.
type outcomes interface {
	Settle(ctx context.Context, askID string, outcome questions.Outcome) (store.Ask, error)
}

// waiting brings asks before a person and waits for what becomes of them. All
// connections share it.
type waiting struct {
	store    waitStore
	log      *slog.Logger
	copies   planfile.Copies
	owner    string        // names this process in claims
	noOpen   bool          // somebody else shows the forms
	waitFlag time.Duration // how long a call may wait; 0 goes by what is known of the client

	hub        *hub
	attendance *attendance
	deliveries *deliveries
	stage      *stage
	queued     queued
	dialogs    dialogs
	expiries   expiries
	patience   patience
	unkept     unkept
}

func newWaiting(cfg Config, copies planfile.Copies) *waiting {
	s := &waiting{
		store: cfg.Store, log: cfg.Log, copies: copies, owner: uuid.NewString(), noOpen: cfg.NoOpen, waitFlag: cfg.Wait,
		hub: newHub(cfg.Store, cfg.Log), deliveries: newDeliveries(cfg.Store, cfg.Log), stage: newStage(cfg),
	}
	s.attendance = newAttendance(cfg.Store, s.owner, cfg.Log)
	s.queued.wanted, s.queued.knows = s.wantsPane, s.knowsPutOff
	s.queued.putOff, s.queued.show = s.putOffs, s.showQueued
	return s
}
