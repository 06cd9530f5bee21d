package agent

import (
	"context"
	"maps"
	"slices"
	"time"

	"planb/store"
	"planb/store/kv"
)

// An answer is for the agent that asked. Another agent is told only that there is an answer,
// and where, unless the process that asked is gone.

// Asks remembers that the agent is to learn the ask's outcome, and
// claims that its process lives until it has.
func (a *Agent) Asks(askID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asking == nil {
		a.asking = map[string]func(time.Duration){}
	}
	if a.asking[askID] == nil {
		a.asking[askID] = a.cfg.Claim(askID)
	}
}

// Asking returns the asks that the agent asked and whose outcome it does not know yet.
func (a *Agent) Asking() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Keys(a.asking))
}

// Learned notes that the agent knows the outcomes of these asks, or needs them no more.
func (a *Agent) Learned(askIDs ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range askIDs {
		if leave := a.asking[id]; leave != nil {
			leave(0)
			delete(a.asking, id)
		}
	}
}

// ForgetAsked gives the claims back when the connection ends.
func (a *Agent) ForgetAsked() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, leave := range a.asking {
		leave(0)
	}
	a.asking = nil
}

// IsAsking reports whether the agent asked the ask and does not know its outcome yet.
func (a *Agent) IsAsking(askID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asking[askID] != nil
}

// AskerGone reports whether no process that asked the ask lives, or waits for it.
func (a *Agent) AskerGone(ctx context.Context, askID string) bool {
	for _, prefix := range []kv.Key{store.WaitClaims(askID), store.AskerClaims(askID)} {
		if alive, err := a.cfg.Store.AliveAny(ctx, prefix); alive || err != nil {
			return false
		}
	}
	return true
}

// MayInherit reports whether the agent may take the place of the agent that asked, once
// that agent is gone. It may if it has the same client and project.
func (a *Agent) MayInherit(ctx context.Context, ask store.Ask) bool {
	if !a.IsOfItsClient(ctx, ask) {
		return false
	}
	sees, err := a.Sees(ctx, ask.Session)
	return sees && err == nil
}

// IsOfItsClient reports whether the agent has the same client as the agent that asked.
func (a *Agent) IsOfItsClient(ctx context.Context, ask store.Ask) bool {
	return ask.Client.Name == a.Client(ctx).Name
}

// IsFor reports whether the ask's outcome is for the agent.
func (a *Agent) IsFor(ctx context.Context, ask store.Ask) bool {
	return a.ChoseSession(ask.Session) || a.IsAsking(ask.ID) || a.MayInherit(ctx, ask) && a.AskerGone(ctx, ask.ID)
}
