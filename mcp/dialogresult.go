package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/questions"
	"planb/store"
)

// dialogKey names the dialog among the inputs that a result asks for.
const dialogKey = "planb"

// givenInput is what a call brings with it that is made again because its result
// asked for input.
type givenInput struct {
	state   string // the ask's id
	replies sdk.InputResponses
}

// inputOf is nil for a call that is made for the first time.
func inputOf(params sdk.MultiRoundTripParams) *givenInput {
	if params.RequestState == "" {
		return nil
	}
	return &givenInput{state: params.RequestState, replies: params.InputResponses}
}

// askID is the ask that the call brings input for, "" if it brings none.
func (g *givenInput) askID() string {
	if g == nil {
		return ""
	}
	return g.state
}

// reply is what the client's dialog gave; null where it says nothing of it.
func (g *givenInput) reply() (json.RawMessage, error) {
	return json.Marshal(g.replies[dialogKey])
}

// askByResult has the client show the dialog and make the call again.
func (s *Server) askByResult(c *call, ask store.Ask, reason error) *result {
	params, err := newDialogForm(ask).params()
	if err != nil {
		s.log.Error("a dialog could not be encoded", "error", err)
		return s.nowhere(ask, reason)
	}
	s.attendance.enter(ask.ID)(dialogLinger)
	answer := &result{session: ask.Session, data: askData(ask)}
	answer.data.Nowhere = true
	answer.wants = server.NewInputRequestBuilder(ask.ID).Elicit(dialogKey, params).ToolResult()
	return answer
}

// calledAgain returns the ask whose dialog this call of ask_user brings the reply
// of. What is asked must still be the same.
func (s *Server) calledAgain(ctx context.Context, c *call, session string, spec questions.Spec) (store.Ask, *result) {
	id := c.input.askID()
	if id == "" {
		return store.Ask{}, nil
	}
	ask, err := s.store.Ask(ctx, id)
	var unknown *store.UnknownError
	switch {
	case errors.As(err, &unknown):
		return store.Ask{}, nil
	case err != nil:
		return store.Ask{}, notStored(session, "The question could not be read", err)
	case ask.Session != session || ask.Digest != spec.Digest():
		return store.Ask{}, nil
	}
	return ask, nil
}

// answeredDialog takes the reply that the call brings, and goes on from there.
func (s *Server) answeredDialog(c *call, ask store.Ask, limit time.Duration) *result {
	d := s.newDialog(c, ask)
	raw, err := c.input.reply()
	if err != nil {
		s.log.Warn("a dialog's reply could not be read", "ask", ask.ID, "error", err)
	}
	end := d.take(raw)
	switch {
	case end.err != nil:
		return s.ended(c, waited{end: waitUnstored, ask: ask, err: end.err})
	case !end.ask.Open():
		return s.ended(c, waited{end: waitSettled, ask: end.ask})
	case end.read:
		return s.await(c, ask, limit, nil)
	}
	return s.nowhere(ask, d.reason)
}

// dialogs remembers for which asks a client was made to show a dialog.
type dialogs struct {
	mu   sync.Mutex
	seen map[string]*seenDialog // by ask id
}

type seenDialog struct {
	since  time.Time
	reason error // why there is no pane
	open   bool  // a call waits while it is shown
}

// begin notes the ask's dialog. first is false if it has had one, and open is
// true if that is shown just now.
func (d *dialogs) begin(askID string, reason error, waits bool) (first, open bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if before := d.seen[askID]; before != nil {
		return false, before.open
	}
	if d.seen == nil {
		d.seen = map[string]*seenDialog{}
	}
	d.seen[askID] = &seenDialog{since: time.Now(), reason: reason, open: waits}
	return true, false
}

// of returns since when the ask has a dialog, and why. Of a dialog that another
// process had shown only that it was long ago is known.
func (d *dialogs) of(askID string) (since time.Time, reason error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if seen := d.seen[askID]; seen != nil {
		return seen.since, seen.reason
	}
	return time.Time{}, errNotShown
}

func (d *dialogs) isOpen(askID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen[askID] != nil && d.seen[askID].open
}

// end notes that the ask's dialog is shown no more.
func (d *dialogs) end(askID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if seen := d.seen[askID]; seen != nil {
		seen.open = false
	}
}

func (d *dialogs) forget(askID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.seen, askID)
}
