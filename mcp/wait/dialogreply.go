package wait

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/tool"
	"planb/mcp/wait/dialog"
	"planb/store"
)

// dialogKey names the dialog among the inputs that a result asks for.
const dialogKey = "planb"

// askByResult returns a result that has the client show the dialog and make the call
// again.
func (r *Room) askByResult(c call, ask store.Ask, reason error) *tool.Result {
	params, shown, err := r.dialogOf(ask)
	if err != nil {
		r.cfg.Log.Error("a dialog could not be encoded", "error", err)
		return r.stage.notShown(ask, reason)
	}
	r.waiting.enter(ask.ID)(dialogLinger)
	answer := &tool.Result{Session: ask.Session, Data: r.results.data(ask, Standing{Nowhere: true}), Ask: ask}
	answer.Wants = server.NewInputRequestBuilder(c.Dialogs.Add(shown)).Elicit(dialogKey, params).ToolResult()
	return answer
}

// calledAgain returns the result of a call that the client has made again with the reply
// to the ask's dialog; nil for any other call. The form must still be the same.
func (r *Room) calledAgain(ctx context.Context, c *tool.Caller, asked store.Ask) *tool.Result {
	if c.Input == nil {
		return nil
	}
	ask, err := r.cfg.Store.Ask(ctx, c.Input.Dialog.AskID)
	var unknown *store.UnknownError
	switch {
	case errors.As(err, &unknown):
		r.refuseReply(c.Who, c.Input.Dialog.AskID, "its ask is no longer in the store")
		return nil
	case err != nil:
		return tool.NotStored(asked.Session, "The question could not be read", err)
	case ask.Session != asked.Session || ask.Digest != asked.Spec.Digest():
		r.refuseReply(c.Who, ask.ID, "its dialog showed another question than this call asks")
		return nil
	}
	return r.Replied(ctx, c, ask, Terms{})
}

// Replied is the result of a call that brings the reply to the ask's dialog; nil for any
// other.
func (r *Room) Replied(ctx context.Context, c *tool.Caller, ask store.Ask, t Terms) *tool.Result {
	form, has := r.results.dialog(ask)
	reply, ok := r.replyTo(c, ask)
	if !has || !ok {
		return nil
	}
	return r.answeredDialog(r.call(ctx, c, t), ask, form, reply)
}

// answeredDialog acts on the reply to the ask's dialog, and goes on from there.
func (r *Room) answeredDialog(c call, ask store.Ask, form dialog.Form, reply json.RawMessage) *tool.Result {
	d := r.newElicitation(c, ask, form)
	end := d.act(reply)
	switch {
	case end.err != nil:
		return r.ended(c, waited{end: waitUnstored, ask: ask, err: end.err})
	case !end.ask.Open():
		return r.ended(c, waited{end: waitSettled, ask: end.ask})
	case end.read:
		return r.await(c, ask, nil)
	}
	return r.stage.notShown(ask, d.reason)
}

// A reply to a dialog decides like a key on planb's own screen, so planb accepts
// one only from the connection that was given the dialog. Each dialog gets a
// secret state, which the client returns with the reply and which is good once.

// errNoDialog is for an ask that no client's dialog may decide.
var errNoDialog = errors.New("only planb's own screen decides this ask")

// dialogOf returns the ask's dialog as a client is given it, and what this process
// remembers of it: the ask, and a digest of everything that is drawn.
func (r *Room) dialogOf(ask store.Ask) (sdk.ElicitationParams, tool.Dialog, error) {
	form, ok := r.results.dialog(ask)
	if !ok {
		return sdk.ElicitationParams{}, tool.Dialog{}, errNoDialog
	}
	params, err := form.Params()
	if err != nil {
		return sdk.ElicitationParams{}, tool.Dialog{}, err
	}
	drawn, err := json.Marshal(params)
	return params, tool.Dialog{AskID: ask.ID, Content: sha256.Sum256(append(drawn, ask.Digest...))}, err
}

// Input returns the reply that a call brings; nil if it brings none, or one that is
// refused. With a refused reply the call goes on as if it were made for the first time.
func (r *Room) Input(request *tool.Request, who string, way tool.Way, params sdk.MultiRoundTripParams) *tool.DialogReply {
	if params.RequestState == "" && len(params.InputResponses) == 0 {
		return nil
	}
	shown, ok := request.Dialogs.Redeem(params.RequestState)
	switch {
	case !ok:
		r.refuseReply(who, "", "this connection has no open dialog of that state")
		return nil
	case way != tool.ByResult:
		r.refuseReply(who, shown.AskID, "its request declares no dialogs")
		return nil
	}
	reply, err := json.Marshal(params.InputResponses[dialogKey])
	if err != nil {
		r.refuseReply(who, shown.AskID, "it cannot be read: "+err.Error())
		return nil
	}
	return &tool.DialogReply{Dialog: shown, Reply: reply}
}

// replyTo returns the reply that the call brings to the ask's dialog. It is refused if the
// dialog showed another ask, or this ask with another content.
func (r *Room) replyTo(c *tool.Caller, ask store.Ask) (reply json.RawMessage, ok bool) {
	if c.Input == nil {
		return nil, false
	}
	if c.Input.Dialog.AskID != ask.ID {
		r.refuseReply(c.Who, ask.ID, "its dialog showed ask "+c.Input.Dialog.AskID)
		return nil, false
	}
	if _, now, err := r.dialogOf(ask); err != nil || now != c.Input.Dialog {
		r.refuseReply(c.Who, ask.ID, "its dialog showed another content")
		return nil, false
	}
	return c.Input.Reply, true
}

// refuseReply logs a reply that was refused. askID is empty if it is not known.
func (r *Room) refuseReply(who, askID, reason string) {
	r.cfg.Log.Warn("a dialog's reply was refused", "client", who, "ask", askID, "reason", reason)
}
