package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
)

// A client's own dialog (an elicitation) is the last resort for an ask that no
// pane can show. It tells the person what to run in a terminal, and asks what it
// can itself. One ask has one dialog at most.

const (
	// readTime is how long it takes a person to read a dialog. What is dismissed
	// in less was not: clients without a screen decline every dialog at once.
	readTime = 2 * time.Second
	// dialogLinger is how long an agent counts as waiting while its client shows
	// a dialog and no call is open.
	dialogLinger = 10 * time.Minute
)

// entrant is where the part of an answer is kept that a dialog could take.
type entrant interface {
	SaveEntry(ctx context.Context, askID string, entry questions.Entry) error
}

// dialogWayOf is what the client of this request declared. A client that declares
// elicitation and no mode has that of forms.
func dialogWayOf(ctx context.Context, a *agent.Agent) tool.Way {
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

// cannotShow is what is left for an ask that no pane can show: the client's
// dialog, else the words that send its user to a terminal.
func (s *waiting) cannotShow(c call, ask store.Ask, reason error) *tool.Result {
	if c.Way == tool.NoDialog || errors.Is(reason, store.ErrPutOff) {
		return s.notShown(ask, reason)
	}
	shown, err := s.stage.shown(c.Context(), ask)
	if err != nil {
		s.log.Warn("whether the form is shown could not be read", "ask", ask.ID, "error", err)
	}
	if shown {
		return s.await(c, ask, nil)
	}
	switch first, open := s.dialogs.begin(ask.ID, reason, c.Way == tool.ByRequest); {
	case open:
		return s.await(c, ask, nil) // by another call
	case !first:
		return s.nowhere(ask, reason)
	}
	s.stage.setPush(ask.ID, pushedOff)
	if c.Way == tool.ByResult {
		return s.askByResult(c, ask, reason)
	}
	d := s.newDialog(c, ask)
	if err := d.open(c); err != nil {
		d.close()
		s.log.Warn("the client's dialog could not be asked for", "error", err)
		return s.nowhere(ask, reason)
	}
	return s.await(c, ask, d)
}

// dialog is one ask in a client's dialog.
type dialog struct {
	room   *waiting
	agent  *agent.Agent
	ask    store.Ask
	form   dialogForm
	by     string // who the answer is from
	since  time.Time
	reason error // why no pane shows the ask
	news   chan dialogEnd
	sent   *wire.Outgoing // nil by result
}

// dialogEnd is how an ask stands after its dialog.
type dialogEnd struct {
	ask  store.Ask // open where the dialog did not answer it
	read bool      // the person knows what to run
	err  error     // the reply could not be stored yet
}

func (s *waiting) newDialog(c call, ask store.Ask) *dialog {
	since, reason := s.dialogs.of(ask.ID)
	return &dialog{
		room: s, agent: c.Agent, ask: ask, form: newDialogForm(ask), by: c.Who + "'s dialog",
		since: since, reason: reason, news: make(chan dialogEnd, 1),
	}
}

// open asks the client to show the dialog. Its reply is taken whenever it comes,
// also after the call has ended.
func (d *dialog) open(c call) error {
	params, err := d.form.params()
	if err != nil {
		return err
	}
	defer c.Park()()
	d.sent, err = c.Agent.Request(string(sdk.MethodElicitationCreate), params, func(reply wire.Reply) {
		if reply.Refused() {
			d.room.log.Warn("the client shows no dialog", "error", string(reply.Problem))
			d.news <- dialogEnd{ask: d.ask}
			return
		}
		d.news <- d.take(reply.Result)
	})
	return err
}

// ended gives how the dialog ended; never, where there is none.
func (d *dialog) ended() <-chan dialogEnd {
	if d == nil {
		return nil
	}
	return d.news
}

// why is the reason for which there is a dialog, nil where there is none.
func (d *dialog) why() error {
	if d == nil {
		return nil
	}
	return d.reason
}

// close has the client take the dialog away, if it still shows it.
func (d *dialog) close() {
	if d == nil {
		return
	}
	d.room.dialogs.end(d.ask.ID)
	if d.sent != nil {
		d.sent.Cancel("the question needs this dialog no more")
	}
}

// take does what the reply means. A dialog that was declined is no question
// that was, unless it showed the questions and was there long enough.
func (d *dialog) take(raw json.RawMessage) dialogEnd {
	reply, err := d.form.read(raw)
	if err != nil {
		d.room.log.Warn("a dialog's reply cannot be understood", "ask", d.ask.ID, "error", err)
		return dialogEnd{ask: d.ask}
	}
	unread := time.Since(d.since) < readTime
	switch reply.action {
	case sdk.ElicitationResponseActionDecline:
		if len(d.form.fields) > 0 && !unread {
			return d.decline()
		}
	case sdk.ElicitationResponseActionAccept:
		says := len(reply.reply.Answers) > 0
		if says && reply.wrong == nil && !reply.elsewhere {
			return d.settle(questions.Outcome{State: questions.Answered, Reply: reply.reply, By: d.by})
		}
		if says {
			d.keep(reply.reply)
		}
		if reply.wrong != nil {
			d.room.log.Warn("a dialog's reply does not fit the questions", "ask", d.ask.ID, "error", reply.wrong)
		}
		return dialogEnd{ask: d.ask, read: reply.elsewhere || reply.wrong == nil && !unread}
	}
	return dialogEnd{ask: d.ask}
}

// decline settles the ask, unless it has an outcome: then the person only put
// the dialog away.
func (d *dialog) decline() dialogEnd {
	ctx, cancel := d.step()
	defer cancel()
	if now, err := d.room.store.Ask(ctx, d.ask.ID); err == nil && !now.Open() {
		return dialogEnd{ask: now}
	}
	return d.settle(questions.Outcome{State: questions.Declined, By: d.by})
}

// settle stores the outcome. It tries again after an error that may pass, for as
// long as the connection lives; the call is told after a few attempts.
func (d *dialog) settle(outcome questions.Outcome) dialogEnd {
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

// try stores the outcome. When somebody else was quicker, the store keeps this one
// beside theirs; where it keeps too many already, this one goes into a file.
func (d *dialog) try(outcome questions.Outcome) dialogEnd {
	ctx, cancel := d.step()
	defer cancel()
	settled, err := d.room.store.Settle(ctx, d.ask.ID, outcome)
	if err == nil {
		return dialogEnd{ask: settled}
	}
	ask := d.ask
	if late, ok := errors.AsType[*questions.SettledError](err); ok {
		ask.Outcome = late.Winner
		return dialogEnd{ask: ask}
	}
	if late, ok := errors.AsType[*store.LateError](err); ok {
		d.room.keepAside(ask, outcome)
		ask.Outcome = late.Winner
		return dialogEnd{ask: ask}
	}
	d.room.log.Warn("a dialog's answer could not be stored", "ask", ask.ID, "error", err, "trying again", kv.Passing(err))
	return dialogEnd{ask: ask, err: err}
}

// keep puts what the person answered into the form that waits in a terminal,
// unless they have begun to fill it in there.
func (d *dialog) keep(reply questions.Reply) {
	ctx, cancel := d.step()
	defer cancel()
	_, begun, err := d.room.store.Entry(ctx, d.ask.ID)
	if err == nil && !begun {
		err = d.room.store.SaveEntry(ctx, d.ask.ID, d.ask.Spec.EntryFrom(reply))
	}
	if err != nil {
		d.room.log.Warn("what a dialog took could not be kept", "ask", d.ask.ID, "error", err)
	}
}

// step bounds one use of the store, which no end of the call cuts short.
func (d *dialog) step() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), deliverTime)
}

// pause waits before the next attempt; false when the connection has ended.
func (d *dialog) pause() bool {
	t := time.NewTimer(hubPoll)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-d.agent.Closing():
		return false
	}
}
