package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/tool"
	"planb/questions"
	"planb/store"
)

// dialogKey names the dialog among the inputs that a result asks for.
const dialogKey = "planb"

// askByResult has the client show the dialog and make the call again.
func (s *waiting) askByResult(c call, ask store.Ask, reason error) *tool.Result {
	params, shown, err := dialogOf(ask)
	if err != nil {
		s.log.Error("a dialog could not be encoded", "error", err)
		return s.nowhere(ask, reason)
	}
	s.attendance.enter(ask.ID)(dialogLinger)
	data := dataOf(ask)
	data.Nowhere = true
	answer := &tool.Result{Session: ask.Session, Data: data, Ask: ask}
	answer.Wants = server.NewInputRequestBuilder(c.Dialogs.Add(shown)).Elicit(dialogKey, params).ToolResult()
	return answer
}

// calledAgain is the result of a call that asks again because it brings the reply
// to the ask's dialog; nil for any other. What it asks must still be the same.
func (s *waiting) calledAgain(ctx context.Context, c *tool.Caller, session string, spec questions.Spec) *tool.Result {
	if c.Input == nil {
		return nil
	}
	ask, err := s.store.Ask(ctx, c.Input.Dialog.AskID)
	var unknown *store.UnknownError
	switch {
	case errors.As(err, &unknown):
		s.refuseReply(c.Who, c.Input.Dialog.AskID, "its ask is no longer in the store")
		return nil
	case err != nil:
		return tool.NotStored(session, "The question could not be read", err)
	case ask.Session != session || ask.Digest != spec.Digest():
		s.refuseReply(c.Who, ask.ID, "its dialog showed another question than this call asks")
		return nil
	}
	reply, ok := s.replyTo(c, ask)
	if !ok {
		return nil
	}
	return s.answeredDialog(s.call(ctx, c, false), ask, reply)
}

// answeredDialog acts on the reply to the ask's dialog, and goes on from there.
func (s *waiting) answeredDialog(c call, ask store.Ask, reply json.RawMessage) *tool.Result {
	d := s.newDialog(c, ask)
	end := d.take(reply)
	switch {
	case end.err != nil:
		return s.ended(c, waited{end: waitUnstored, ask: ask, err: end.err})
	case !end.ask.Open():
		return s.ended(c, waited{end: waitSettled, ask: end.ask})
	case end.read:
		return s.await(c, ask, nil)
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
	return time.Time{}, errAnotherDialog
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
