package drafts

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"planb/drafts"
	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/mcp/wait/dialog"
	"planb/questions"
	"planb/store"
	"planb/store/runs"
)

// Gate is the subject of an ask at a gate of a draft. It says what an agent is told of
// the user's decision.
type Gate struct{}

// planOf returns the plan whose gate an ask is; empty if the ask is not a gate.
func planOf(ask store.Ask) string {
	gate, err := runs.ParseGate(ask.Subject.ID)
	if err != nil {
		return ""
	}
	return gate.Plan
}

// Words implements wait.Subject.
func (Gate) Words(ask store.Ask) wait.Words {
	return wait.Words{
		Wants: "asks about a draft", Form: "form", Tool: "step_next",
		Open: fmt.Sprintf("the form %s is open. This is no answer: guess nothing, take no defaults.", tool.Quoted(ask.Spec.Title)),
		Expired: fmt.Sprintf("No answer was submitted within %s. Do not guess it. The form can still be answered. "+
			"Tell your user in one sentence that the form is waiting, and end your turn. To wait once more, call step_next {\"plan_id\":%q}.",
			tool.InWords(ask.Timeout), planOf(ask)),
	}
}

// Outcome implements wait.Subject.
func (Gate) Outcome(ask store.Ask, c *tool.Cutter) []string {
	plan, message := planOf(ask), c.Text(ask.Outcome.Message).Raw()
	switch ask.Outcome.State {
	case questions.Answered:
		return []string{fmt.Sprintf("The user answered the form %s; planb has put the answers into the draft. If you have no step of it, go on with step_next {\"plan_id\":%q}.", tool.Quoted(ask.Spec.Title), plan)}
	case questions.Discuss:
		return []string{fmt.Sprintf("NOT FINISHED. The user writes: \"%s\"\nAnswer that in the conversation. Where it asks for a change, have %[2]s written again "+
			"(step_edit with regenerate and guidance; plan_file_info with the artifact %[2]s tells its sha256). Then call step_next {\"plan_id\":%[3]q}, which asks the user again.", message, askedAbout(ask), plan)}
	case questions.Declined:
		text := "The user declined the form " + tool.Quoted(ask.Spec.Title) + ", so the draft has stopped."
		if message != "" {
			text += fmt.Sprintf(" Reason: \"%s\".", message)
		}
		return []string{text}
	case questions.Withdrawn:
		return []string{withdrawn(ask)}
	}
	return []string{wait.UnknownOutcome(ask)}
}

// askedAbout is the step whose output an ask at a gate shows.
func askedAbout(ask store.Ask) string {
	gate, _ := runs.ParseGate(ask.Subject.ID)
	step, _ := drafts.Draft{Detail: drafts.Full}.Step(gate.Step)
	if len(step.Needs) == 0 {
		return "the step"
	}
	return step.Needs[len(step.Needs)-1]
}

// withdrawn says who took a form back. Only a person's withdrawal has a message.
func withdrawn(ask store.Ask) string {
	text, who := "The form "+tool.Quoted(ask.Spec.Title)+" was withdrawn by ", "the agent"
	switch {
	case !ask.Outcome.Message.Blank():
		who = "the user"
	case ask.Outcome.By == runs.Planb:
		return text + "planb: what it asked about has changed, or the draft was stopped."
	}
	return text + who + fmt.Sprintf(". The draft still waits for the user: step_next {\"plan_id\":%q} asks them again.", planOf(ask))
}

// gateData is a gate as data.
type gateData struct {
	wait.Standing
	Plan string `json:"plan_id"`
	Step string `json:"step"`
	tool.Facts
}

// Data implements wait.Subject.
func (Gate) Data(ask store.Ask, standing wait.Standing) tool.Data {
	gate, err := runs.ParseGate(ask.Subject.ID)
	if err != nil {
		gate = runs.Gate{}
	}
	return &gateData{Standing: standing, Plan: gate.Plan, Step: gate.Step}
}

// Piece implements wait.Subject: the answers are in the plan.
func (Gate) Piece(ask store.Ask, name string) (p tool.Piece, problem string) {
	return tool.Piece{}, wait.NoPiece(name, nil)
}

// Dialog implements wait.Subject: a client's own dialog cannot show the scenarios.
func (Gate) Dialog(store.Ask) (form dialog.Form, ok bool) { return dialog.Form{}, false }

// asked is the ask at a gate.
func asked(w runs.Whole, step drafts.Step) (store.Ask, error) {
	form, err := w.Form(step)
	return store.Ask{Session: w.Session, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: w.Gate(step).Subject()}}, err
}

// openGates returns the asks at gates of the plan that are open, by step, and withdraws
// those whose question has changed.
func (s *toolset) openGates(ctx context.Context, w runs.Whole) (map[string]store.Ask, error) {
	list, err := s.gates(ctx, w)
	if err != nil {
		return nil, err
	}
	open := map[string]store.Ask{}
	for _, g := range list {
		if !w.Asks(g.Subject.ID) {
			// Another process may have asked since the plan was read. So the plan is read
			// again, later than the ask: a question that differs from it now will not fit it
			// again.
			if w, err = s.Store.Drafts().Plan(ctx, w.ID); err != nil {
				return nil, err
			}
		}
		if w.Asks(g.Subject.ID) {
			open[g.step] = g.Ask
			continue
		}
		s.withdraw(ctx, g.Ask)
	}
	return open, nil
}

// withdraw takes a form back, unless the user was quicker.
func (s *toolset) withdraw(ctx context.Context, ask store.Ask) {
	_, err := s.Store.Settle(ctx, ask.ID, questions.Outcome{State: questions.Withdrawn, By: runs.Planb})
	if err != nil && !errors.As(err, new(*questions.SettledError)) {
		s.Log.Warn("a form of a draft could not be withdrawn", "ask", ask.ID, "error", err)
	}
}

// learns notes that the agent is to learn the outcome of a gate, whoever asked. The gate is the
// draft's: its outcome is for whoever works on the draft, even while the agent that asked lives.
// If that outcome were kept for the agent that asked, nobody else could ask the user again.
func learns(c *tool.Caller, ask store.Ask) {
	if ask.Undelivered() {
		c.Agent.Asks(ask.ID)
	}
}

// hears notes that the agent, which works on the draft, is to learn with the result of its call what
// became of the draft's gates.
func (s *toolset) hears(ctx context.Context, c *tool.Caller, w runs.Whole) {
	due, err := s.due(ctx, w)
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("the forms of a draft could not be read", "plan", w.ID, "error", err)
	}
	for _, gate := range due {
		learns(c, gate.Ask)
	}
}

// declined returns the form by which the user stopped a plan, if no agent has learned that yet.
// Its ID is empty if there is none.
func (s *toolset) declined(ctx context.Context, c *tool.Caller, w runs.Whole) (last store.Ask, err error) {
	due, err := s.due(ctx, w)
	for _, gate := range due {
		if gate.Undelivered() && gate.Outcome.State == questions.Declined {
			last = gate.Ask
		}
	}
	learns(c, last)
	return last, err
}

// undecided says how a form ended that decided nothing.
func undecided(ask store.Ask) string {
	if ask.Outcome.State != questions.Declined {
		return "The form was closed without a decision."
	}
	reason := ""
	if message := ask.Outcome.Message.Raw(); message != "" {
		reason = fmt.Sprintf(" (\"%s\")", message)
	}
	return "The user declined the form " + tool.Quoted(ask.Spec.Title) + reason + ", and the draft was resumed since."
}

// askedGate is an ask at a gate.
type askedGate struct {
	store.Ask
	step string
}

// gates returns the asks at gates of the plan that are open, the oldest first.
func (s *toolset) gates(ctx context.Context, w runs.Whole) ([]askedGate, error) {
	due, err := s.due(ctx, w)
	return slices.DeleteFunc(due, func(gate askedGate) bool { return !gate.Open() }), err
}

// due returns the asks at gates of the plan that are open, or whose outcome no agent has learned,
// the oldest first.
func (s *toolset) due(ctx context.Context, w runs.Whole) (due []askedGate, err error) {
	all, err := s.Store.Due(ctx, w.Session)
	for _, ask := range all {
		if gate, bad := runs.ParseGate(ask.Subject.ID); bad == nil && ask.About() == runs.SubjectKind && gate.Plan == w.ID {
			due = append(due, askedGate{ask, gate.Step})
		}
	}
	return due, err
}
