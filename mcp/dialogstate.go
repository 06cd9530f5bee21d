package mcp

import (
	"crypto/sha256"
	"encoding/json"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/tool"
	"planb/store"
)

// A reply to a dialog decides like a key on planb's own screen, so planb accepts
// one only from the connection that was given the dialog. Each dialog gets a
// secret state, which the client returns with the reply and which is good once.

// dialogOf returns the ask's dialog as a client is given it, and what is
// remembered of it: the content is all that is drawn, and the ask's own digest.
func dialogOf(ask store.Ask) (sdk.ElicitationParams, tool.Dialog, error) {
	params, err := newDialogForm(ask).params()
	if err != nil {
		return sdk.ElicitationParams{}, tool.Dialog{}, err
	}
	drawn, err := json.Marshal(params)
	return params, tool.Dialog{AskID: ask.ID, Content: sha256.Sum256(append(drawn, ask.Digest...))}, err
}

// inputOf returns the reply that the call brings; nil if it brings none, or one
// that is refused. A refused reply leaves the call as if it were made for the
// first time.
func (s *waiting) inputOf(r *tool.Request, who string, way tool.Way, params sdk.MultiRoundTripParams) *tool.DialogReply {
	if params.RequestState == "" && len(params.InputResponses) == 0 {
		return nil
	}
	shown, ok := r.Dialogs.Redeem(params.RequestState)
	switch {
	case !ok:
		s.refuseReply(who, "", "this connection has no open dialog of that state")
		return nil
	case way != tool.ByResult:
		s.refuseReply(who, shown.AskID, "its request declares no dialogs")
		return nil
	}
	reply, err := json.Marshal(params.InputResponses[dialogKey])
	if err != nil {
		s.refuseReply(who, shown.AskID, "it cannot be read: "+err.Error())
		return nil
	}
	return &tool.DialogReply{Dialog: shown, Reply: reply}
}

// replyTo returns the reply that the call brings to the ask's dialog. It is
// refused if the dialog showed another ask, or this one as it is no more.
func (s *waiting) replyTo(c *tool.Caller, ask store.Ask) (reply json.RawMessage, ok bool) {
	if c.Input == nil {
		return nil, false
	}
	if c.Input.Dialog.AskID != ask.ID {
		s.refuseReply(c.Who, ask.ID, "its dialog showed ask "+c.Input.Dialog.AskID)
		return nil, false
	}
	if _, now, err := dialogOf(ask); err != nil || now != c.Input.Dialog {
		s.refuseReply(c.Who, ask.ID, "its dialog showed another content")
		return nil, false
	}
	return c.Input.Reply, true
}

// refuseReply notes a reply that counts for nothing. askID is empty where none
// is known.
func (s *waiting) refuseReply(who, askID, reason string) {
	s.log.Warn("a dialog's reply was refused", "client", who, "ask", askID, "reason", reason)
}
