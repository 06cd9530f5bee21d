package mcp

import (
	"context"
	"time"

	"planb/store"
)

// An answer is for the agent that asked. Another one is told only that it is there,
// and where, unless the process that asked is gone.

// asks remembers that the agent is to learn the ask's outcome, and
// claims that its process lives until it has.
func (a *agent) asks(askID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asking == nil {
		a.asking = map[string]func(time.Duration){}
	}
	if a.asking[askID] == nil {
		a.asking[askID] = a.claim(askID)
	}
}

// learned notes that the agent knows the outcomes of these asks, or needs them no more.
func (a *agent) learned(askIDs ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range askIDs {
		if leave := a.asking[id]; leave != nil {
			leave(0)
			delete(a.asking, id)
		}
	}
}

// forgetAsked gives the claims back when the connection ends.
func (a *agent) forgetAsked() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, leave := range a.asking {
		leave(0)
	}
	a.asking = nil
}

func (a *agent) isAsking(askID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asking[askID] != nil
}

// askerGone reports whether no process that asked the ask lives, or waits for it.
func (a *agent) askerGone(ctx context.Context, askID string) bool {
	for _, prefix := range []store.Key{store.WaitClaims(askID), store.AskerClaims(askID)} {
		if alive, err := a.store.AliveAny(ctx, prefix); alive || err != nil {
			return false
		}
	}
	return true
}

// mayInherit reports whether the agent takes the place of the one that
// asked, once that one is gone: it is of the same client, in the same project.
func (a *agent) mayInherit(ctx context.Context, ask store.Ask) bool {
	if !a.isOfItsClient(ctx, ask) {
		return false
	}
	sees, err := a.sees(ctx, ask.Session)
	return sees && err == nil
}

func (a *agent) isOfItsClient(ctx context.Context, ask store.Ask) bool {
	return ask.Client.Name == a.client(ctx).Name
}

// isFor reports whether the ask's outcome is for the agent.
func (a *agent) isFor(ctx context.Context, ask store.Ask) bool {
	return a.choseSession(ask.Session) || a.isAsking(ask.ID) || a.mayInherit(ctx, ask) && a.askerGone(ctx, ask.ID)
}
