package wait

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/mcp/wait/dialog"
	"planb/mcp/wire"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
)

// A client's own dialog (an elicitation) is the last resort for an ask that no pane can
// show. It tells the person what to run in a terminal, and asks the questions itself if
// they fit. One ask has one dialog at most.

const (
	// readTime is how long it takes a person to read a dialog. A dialog that is dismissed
	// sooner was not read: clients without a screen decline every dialog at once.
	readTime = 2 * time.Second
	// dialogLinger is how long an agent counts as waiting while its client shows
	// a dialog and no call is open.
	dialogLinger = 10 * time.Minute
)

// WayOf returns how the client of this request shows dialogs, as it declared. A client that
// declares elicitation and no mode has the mode of forms.
func WayOf(ctx context.Context, a *agent.Agent) tool.Way {
	way, declared := tool.ByRequest, a.GetClientCapabilities()
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.Modern {
		way, declared = tool.ByResult, sdk.ClientCapabilities{}
		if request.ClientCapabilities != nil {
			declared = *request.ClientCapabilities
		}
	}
	modes := declared.Elicitation
	if modes == nil || modes.Form == nil && modes.URL != nil {
		return tool.NoDialog
	}
	return way
}

// cannotShow asks by the client's dialog, because no pane can show the ask; if there is no
// dialog, the result sends the user to a terminal.
func (r *Room) cannotShow(c call, ask store.Ask, reason error) *tool.Result {
	form, has := r.results.dialog(ask)
	if !has || c.Way == tool.NoDialog || errors.Is(reason, store.ErrPutOff) {
		return r.stage.notShown(ask, reason)
	}
	if r.stage.isShown(c.Context(), ask) {
		return r.await(c, ask, nil)
	}
	switch first, open := r.records.beginDialog(ask.ID, reason, c.Way == tool.ByRequest); {
	case open:
		return r.await(c, ask, nil) // by another call
	case !first:
		return r.stage.notShown(ask, reason)
	}
	r.records.setPushed(ask.ID, pushedOff)
	if c.Way == tool.ByResult {
		return r.askByResult(c, ask, reason)
	}
	d := r.newElicitation(c, ask, form)
	if err := d.open(c); err != nil {
		d.close()
		r.cfg.Log.Warn("the client's dialog could not be asked for", "error", err)
		return r.stage.notShown(ask, reason)
	}
	return r.await(c, ask, d)
}

// elicitation is one ask in a client's dialog.
type elicitation struct {
	room   *Room
	agent  *agent.Agent
	ask    store.Ask
	form   dialog.Form
	by     string // the answer is recorded as given by it
	since  time.Time
	reason error // why no pane shows the ask
	news   chan dialogEnd
	sent   *wire.Outgoing // nil by result
}

// dialogEnd is how an ask stands after its dialog.
type dialogEnd struct {
	ask  store.Ask // open where the dialog did not answer it
	read bool      // the person has read what to run
	err  error     // the reply could not be stored yet
}

func (r *Room) newElicitation(c call, ask store.Ask, form dialog.Form) *elicitation {
	since, reason := r.records.dialogOf(ask.ID)
	return &elicitation{
		room: r, agent: c.Agent, ask: ask, form: form, by: c.Who + "'s dialog",
		since: since, reason: reason, news: make(chan dialogEnd, 1),
	}
}

// open asks the client to show the dialog. Its reply counts whenever it comes, also after
// the call has ended.
func (d *elicitation) open(c call) error {
	params, err := d.form.Params()
	if err != nil {
		return err
	}
	defer c.Park()()
	d.sent, err = c.Agent.Request(string(sdk.MethodElicitationCreate), params, func(reply wire.Reply) {
		if reply.Refused() {
			d.room.cfg.Log.Warn("the client shows no dialog", "error", string(reply.Problem))
			d.news <- dialogEnd{ask: d.ask}
			return
		}
		d.news <- d.act(reply.Result)
	})
	return err
}

// ended returns a channel that gives how the dialog ended. Without a dialog it never does.
func (d *elicitation) ended() <-chan dialogEnd {
	if d == nil {
		return nil
	}
	return d.news
}

// why returns the reason why the client shows the dialog; nil without a dialog.
func (d *elicitation) why() error {
	if d == nil {
		return nil
	}
	return d.reason
}

// close has the client take the dialog away, if it still shows it.
func (d *elicitation) close() {
	if d == nil {
		return
	}
	d.room.records.endDialog(d.ask.ID)
	if d.sent != nil {
		d.sent.Cancel("the question needs this dialog no more")
	}
}

// act does what the reply means. A declined dialog declines the ask only if it showed the
// questions, and long enough to be read.
func (d *elicitation) act(raw json.RawMessage) dialogEnd {
	reply, err := d.form.Read(raw)
	if err != nil {
		d.room.cfg.Log.Warn("a dialog's reply cannot be understood", "ask", d.ask.ID, "error", err)
		return dialogEnd{ask: d.ask}
	}
	unread := time.Since(d.since) < readTime
	switch reply.Action {
	case sdk.ElicitationResponseActionDecline:
		if len(d.form.Fields) > 0 && !unread {
			return d.decline()
		}
	case sdk.ElicitationResponseActionAccept:
		says := len(reply.Answer.Answers) > 0
		if says && reply.Wrong == nil && !reply.Elsewhere {
			return d.settle(questions.Outcome{State: questions.Answered, Reply: reply.Answer, By: d.by})
		}
		if says {
			d.keep(reply.Answer)
		}
		if reply.Wrong != nil {
			d.room.cfg.Log.Warn("a dialog's reply does not fit the questions", "ask", d.ask.ID, "error", reply.Wrong)
		}
		return dialogEnd{ask: d.ask, read: reply.Elsewhere || reply.Wrong == nil && !unread}
	}
	return dialogEnd{ask: d.ask}
}

// decline settles the ask as declined. If it has an outcome already, the person only put
// the dialog away.
func (d *elicitation) decline() dialogEnd {
	ctx, cancel := d.step()
	defer cancel()
	if now, err := d.room.cfg.Store.Ask(ctx, d.ask.ID); err == nil && !now.Open() {
		return dialogEnd{ask: now}
	}
	return d.settle(questions.Outcome{State: questions.Declined, By: d.by})
}

// settle stores the outcome. It tries again after an error that may pass, for as
// long as the connection lives; the call is told after a few attempts.
func (d *elicitation) settle(outcome questions.Outcome) dialogEnd {
	end := d.try(outcome)
	for range hubPatience - 1 {
		if !kv.Passing(end.err) || !d.pause() {
			return end
		}
		end = d.try(outcome)
	}
	if kv.Passing(end.err) {
		d.agent.Background(func() {
			for d.pause() && kv.Passing(d.try(outcome).err) {
			}
		})
	}
	return end
}

// try stores the outcome. If another outcome was quicker, the store keeps this one beside
// it; if the store keeps too many already, this one goes into a file.
func (d *elicitation) try(outcome questions.Outcome) dialogEnd {
	ctx, cancel := d.step()
	defer cancel()
	settled, err := d.room.cfg.Store.Settle(ctx, d.ask.ID, outcome)
	if err == nil {
		return dialogEnd{ask: settled}
	}
	ask := d.ask
	if late, ok := errors.AsType[*questions.SettledError](err); ok {
		ask.Outcome = late.Winner
		return dialogEnd{ask: ask}
	}
	if late, ok := errors.AsType[*store.TooLateError](err); ok {
		d.room.keepAside(ask, outcome)
		ask.Outcome = late.Winner
		return dialogEnd{ask: ask}
	}
	d.room.cfg.Log.Warn("a dialog's answer could not be stored", "ask", ask.ID, "error", err, "trying again", kv.Passing(err))
	return dialogEnd{ask: ask, err: err}
}

// keep puts the person's answers into the form that waits in a terminal, unless they have
// begun to fill it in there.
func (d *elicitation) keep(reply questions.Reply) {
	ctx, cancel := d.step()
	defer cancel()
	_, begun, err := d.room.cfg.Store.Entry(ctx, d.ask.ID)
	if err == nil && !begun {
		err = d.room.cfg.Store.SaveEntry(ctx, d.ask.ID, d.ask.Spec.EntryFrom(reply))
	}
	if err != nil {
		d.room.cfg.Log.Warn("what a dialog took could not be kept", "ask", d.ask.ID, "error", err)
	}
}

// step bounds one use of the store. The end of the call does not cut it short.
func (d *elicitation) step() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), deliverTime)
}

// pause waits before the next attempt; false when the connection has ended.
func (d *elicitation) pause() bool {
	t := time.NewTimer(hubPoll)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-d.agent.Closing():
		return false
	}
}
