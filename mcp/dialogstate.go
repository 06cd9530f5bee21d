package mcp

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"sync"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/store"
)

// A reply to a dialog decides like a key on planb's own screen, so planb accepts
// one only from the connection that was given the dialog. Each dialog gets a
// secret state, which the client returns with the reply and which is good once.

// maxDialogStates is how many dialogs of one connection are remembered. The state
// of an older one is refused.
const maxDialogStates = 100

// dialogStates are the dialogs that one connection was given and has not replied
// to.
type dialogStates struct {
	mu     sync.Mutex
	shown  map[string]shownDialog // by state
	oldest []string               // their states
}

// shownDialog is what a dialog asked.
type shownDialog struct {
	askID   string
	content [sha256.Size]byte
}

// add returns the state of a new dialog.
func (d *dialogStates) add(shown shownDialog) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown == nil {
		d.shown = map[string]shownDialog{}
	}
	if len(d.oldest) == maxDialogStates {
		delete(d.shown, d.oldest[0])
		d.oldest = d.oldest[1:]
	}
	state := rand.Text()
	d.shown[state] = shown
	d.oldest = append(d.oldest, state)
	return state
}

// redeem returns the dialog of that state, whose reply has come. The state is
// worth nothing afterwards.
func (d *dialogStates) redeem(state string) (shownDialog, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	shown, ok := d.shown[state]
	delete(d.shown, state)
	return shown, ok
}

// dialogOf returns the ask's dialog as a client is given it, and what is
// remembered of it: the content is all that is drawn, and the ask's own digest.
func dialogOf(ask store.Ask) (sdk.ElicitationParams, shownDialog, error) {
	params, err := newDialogForm(ask).params()
	if err != nil {
		return sdk.ElicitationParams{}, shownDialog{}, err
	}
	drawn, err := json.Marshal(params)
	return params, shownDialog{ask.ID, sha256.Sum256(append(drawn, ask.Digest...))}, err
}

// givenInput is the reply to a dialog of this connection, which a client returns
// by making its call again.
type givenInput struct {
	dialog shownDialog
	reply  json.RawMessage // null where the client says nothing of the dialog
}

// inputOf returns the reply that the call brings; nil if it brings none, or one
// that is refused. A refused reply leaves the call as if it were made for the
// first time.
func (s *Server) inputOf(c *call, params sdk.MultiRoundTripParams) *givenInput {
	if params.RequestState == "" && len(params.InputResponses) == 0 {
		return nil
	}
	shown, ok := c.dialogs.redeem(params.RequestState)
	switch {
	case !ok:
		s.refuseReply(c, "", "this connection has no open dialog of that state")
		return nil
	case c.way != dialogByResult:
		s.refuseReply(c, shown.askID, "its request declares no dialogs")
		return nil
	}
	reply, err := json.Marshal(params.InputResponses[dialogKey])
	if err != nil {
		s.refuseReply(c, shown.askID, "it cannot be read: "+err.Error())
		return nil
	}
	return &givenInput{dialog: shown, reply: reply}
}

// replyTo returns the reply that the call brings to the ask's dialog. It is
// refused if the dialog showed another ask, or this one as it is no more.
func (s *Server) replyTo(c *call, ask store.Ask) (reply json.RawMessage, ok bool) {
	if c.input == nil {
		return nil, false
	}
	if c.input.dialog.askID != ask.ID {
		s.refuseReply(c, ask.ID, "its dialog showed ask "+c.input.dialog.askID)
		return nil, false
	}
	if _, now, err := dialogOf(ask); err != nil || now != c.input.dialog {
		s.refuseReply(c, ask.ID, "its dialog showed another content")
		return nil, false
	}
	return c.input.reply, true
}

// refuseReply notes a reply that counts for nothing. askID is empty where none
// is known.
func (s *Server) refuseReply(c *call, askID, reason string) {
	s.log.Warn("a dialog's reply was refused", "client", c.who, "ask", askID, "reason", reason)
}
