package mcp

import (
	"crypto/sha256"
	"encoding/json"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/store"
)

// A reply to a dialog decides like a key on planb's own screen, so planb accepts
// one only from the connection that was given the dialog. Each dialog gets a
// secret state, which the client returns with the reply and which is good once.

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
