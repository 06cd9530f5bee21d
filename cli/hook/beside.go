package hook

import (
	"context"
	"errors"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/cli/frame"
	"planb/cli/ownagent"
	"planb/questions"
	"planb/store"
)

// Asker is an MCP client that asks in planb's own name, with its server.
type Asker interface {
	Call(ctx context.Context, tool string, arguments map[string]any) (ownagent.Answer, error)
	Close()
}

// Beside has the person review plans in a pane beside this process.
type Beside struct {
	Program frame.Program
	// CanOpenPanes reports whether a pane can be opened beside this process.
	CanOpenPanes func(context.Context) (bool, error)
	// Start starts the asker, which tells the server that it is the client as.
	Start func(ctx context.Context, as sdk.Implementation) (Asker, error)
}

// Possible returns nil, or why no pane can be opened for a review.
func (b Beside) Possible(ctx context.Context) error {
	opensPanes, err := b.CanOpenPanes(ctx)
	switch {
	case err != nil:
		return err
	case b.Program.Env["ASK_NO_OPEN"] == "1":
		return errors.New("no pane can be opened beside this: ASK_NO_OPEN is set")
	case !opensPanes:
		return errors.New("no pane can be opened beside this; `planb doctor` says why")
	}
	return nil
}

// Review shows the version to the person in a pane; as is the client that asks. It returns
// the ask once it has an outcome, or once the person has left it open.
func (b Beside) Review(ctx context.Context, st *store.Store, plan store.Plan, as sdk.Implementation) (store.Ask, error) {
	if ask, err := Undelivered(ctx, st, plan, as); err != nil || ask.ID != "" {
		return ask, err
	}
	ctx, stop := frame.UntilSignal(ctx)
	defer stop()
	agent, err := b.Start(ctx, as)
	if err != nil {
		return store.Ask{}, err
	}
	defer agent.Close()
	waiting, giveUp := context.WithCancel(ctx)
	defer giveUp()
	left, began := make(chan store.Ask, 1), time.Now()
	go func() {
		if ask, ok := awaitLeft(waiting, st, plan, began); ok {
			left <- ask
			giveUp()
		}
	}()
	ask, err := awaitVerdict(waiting, st, agent, plan)
	select {
	case ask := <-left:
		return ask, nil
	default:
	}
	if ctx.Err() != nil {
		return store.Ask{}, frame.Declined(errors.New("interrupted; the review is kept and waits in  planb tui"))
	}
	return ask, err
}

// Undelivered returns the review of this version that the person finished after
// its caller had stopped waiting; the zero Ask if there is none.
func Undelivered(ctx context.Context, st *store.Store, plan store.Plan, client sdk.Implementation) (store.Ask, error) {
	due, err := st.Due(ctx, plan.Session)
	if err != nil {
		return store.Ask{}, err
	}
	for _, ask := range due {
		of := ask.Spec.Plan
		if of != nil && of.Number == plan.Number && ask.Undelivered() && ask.Client.Name.Raw() == client.Name {
			return ask, nil
		}
	}
	return store.Ask{}, nil
}

// awaitVerdict submits the version and waits without limit for the outcome.
func awaitVerdict(ctx context.Context, st *store.Store, agent Asker, plan store.Plan) (store.Ask, error) {
	began := time.Now()
	answer, err := agent.Call(ctx, "submit_plan", map[string]any{"sessionId": plan.Session, "version": plan.Number})
	for {
		switch {
		case err != nil:
			return store.Ask{}, err
		case answer.Ask == "":
			return store.Ask{}, errors.New(answer.FirstLine())
		}
		ask, failure := st.Ask(ctx, answer.Ask)
		switch {
		case failure != nil:
			return store.Ask{}, failure
		case !ask.Open():
			return ask, nil
		case answer.PutOff && !ask.Shown.After(began):
			return store.Ask{}, frame.Declined(errors.New("no pane came up, because you put off what waits here; the review is kept, finish it with  planb tui ask " + store.ShortID(ask.ID)))
		case answer.Nowhere && ask.Shown.IsZero():
			_, err := st.Settle(ctx, ask.ID, questions.Outcome{State: questions.Withdrawn})
			return store.Ask{}, errors.Join(errors.New("nothing could be opened to show it: "+answer.FirstLine()), err)
		case answer.Nowhere:
			return ask, nil
		}
		answer, err = agent.Call(ctx, "get_answer", map[string]any{"askId": ask.ID})
	}
}

// leftPoll is the interval of checking whether a screen still shows the review.
// Only two checks in a row without a screen mean that the person left it:
// between two screens there is a short gap.
const leftPoll = 300 * time.Millisecond

// awaitLeft waits until the review was shown after began and no screen shows it any more,
// without an outcome. ok is false if ctx ends first or there is an outcome.
func awaitLeft(ctx context.Context, st *store.Store, plan store.Plan, began time.Time) (store.Ask, bool) {
	look := time.NewTicker(leftPoll)
	defer look.Stop()
	id, seen, gone := "", false, 0
	for {
		select {
		case <-ctx.Done():
			return store.Ask{}, false
		case <-look.C:
		}
		if id == "" {
			id = openReview(ctx, st, plan)
			continue
		}
		shown, err := st.AliveAny(ctx, store.ShowClaims(id))
		if err != nil || shown {
			seen, gone = seen || shown, 0 // a failed read proves nothing
			continue
		}
		asks, err := st.AsksNow(ctx, id)
		switch {
		case err != nil || len(asks) != 1:
		case !asks[0].Open():
			return store.Ask{}, false
		case seen, asks[0].Shown.After(began): // not a review left earlier that is about to come up again
			if gone++; gone > 1 {
				return asks[0], true
			}
		}
	}
}

// openReview returns the id of the version's open review, or "".
func openReview(ctx context.Context, st *store.Store, plan store.Plan) string {
	asks, err := st.Asks(ctx, plan.Session)
	if err != nil {
		return ""
	}
	for _, ask := range asks {
		if of := ask.Spec.Plan; of != nil && of.Number == plan.Number && ask.Open() {
			return ask.ID
		}
	}
	return ""
}
