package ask

import (
	"context"
	"errors"
	"fmt"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
	"planb/store/runs"
	"planb/store/timeline"
)

// Input is an ask with what belongs to showing it.
type Input struct {
	Ask     store.Ask
	Session store.Session
	// Entry is what was entered into the form so far.
	Entry questions.Entry
	// Carried says that Entry comes from an earlier "reply without finishing" of
	// the same questions, and CarriedFrom is the id of that ask.
	Carried     bool
	CarriedFrom string
	// Begun says that Entry comes from a form before this one that gave way before the person
	// sent it; see store.Store.BegunBefore.
	Begun bool
	// EarlierForm is an earlier ask with the same form; see store.Store.EarlierForm.
	EarlierForm *store.Ask
	// EarlierAnswers are those given before, by the id of the question; Recalling
	// brings them if that takes long.
	EarlierAnswers map[string]store.EarlierAnswer
	Recalling      <-chan map[string]store.EarlierAnswer
	// Plan is what is to be reviewed, if the ask is a review; else nil.
	Plan *review.Subject
	// Cited are the answers that the plan cites, by the ids of their questions.
	Cited map[string]timeline.Citation
	// ReadOnly is for an ask that is only looked at.
	ReadOnly bool
	// AgentWaits is whether some agent's call waits for this answer right now.
	AgentWaits bool
}

// Opened is an ask that a Host has opened.
type Opened struct {
	Input
	// Kept is Entry as it was read. State.Follow may put Joined in the place of Entry.
	Kept    questions.Entry
	Joined  questions.Entry // from Host.Follow: what was entered here, joined with Kept
	Others  bool            // another pane shows it, too
	Waiting int             // asks of the place that can be shown here, this one included
	Instead bool            // of the ask that was to be shown first
	Aside   []string        // asks found to be settled, or that cannot be opened
	// Unopened says which asks before this one cannot be opened, and why.
	Unopened error
	None     bool // there is no next one: all else is zero
}

// open claims an ask for this pane and reads what belongs to it. An ask that has
// its outcome is opened for reading, and not claimed.
func (h *Host) open(ctx context.Context, id string) (Opened, error) {
	ask, err := h.store.Ask(ctx, id)
	claimed := h.showing(id) == nil
	if err == nil && ask.Open() {
		h.hadTurn(ask.Session)
		err = h.holdShown(id)
	}
	if err != nil {
		return Opened{}, err
	}
	if ask.Open() && ask.Place != "" && h.options.Place == "" {
		// The person opened the ask by themselves, so panes may come up for it again.
		// If this cannot be written now, the time for which it was put off still ends
		// by itself.
		_ = h.store.EndPutOff(ctx, ask)
	}
	var opened Opened
	opened.Input, err = h.input(ctx, ask)
	opened.Kept = opened.Entry
	if err == nil && ask.Open() {
		opened.Others, err = h.store.AliveBeside(ctx, store.ShowClaims(id), h.showing(id))
	}
	if err == nil && ask.Open() && h.options.NeedsPlan && opened.Plan != nil && opened.Plan.Problem != nil {
		err = fmt.Errorf("this plan cannot be reviewed: %w", opened.Plan.Problem)
	}
	if err != nil && claimed {
		err = errors.Join(err, h.releaseShown(ctx, id))
	}
	return opened, err
}

// Read reads an ask to be looked at, whatever its state.
func (h *Host) Read(id string) (Opened, error) {
	ctx, cancel := h.step()
	defer cancel()
	return h.read(ctx, id)
}

func (h *Host) read(ctx context.Context, id string) (Opened, error) {
	ask, err := h.store.Ask(ctx, id)
	if err != nil {
		return Opened{}, err
	}
	input := Input{Ask: ask, ReadOnly: true}
	if input.Session, err = besides(h.store.Session(ctx, ask.Session)); err != nil {
		return Opened{Input: input}, err
	}
	input.Plan, err = h.plan(ctx, ask)
	input.Cited = h.cited(ctx, ask, input.Plan)
	return Opened{Input: input}, err
}

// besides passes on something that belongs to an ask. If its record is damaged, the ask is
// shown without it, because the ask can still be answered.
func besides[T any](found T, err error) (T, error) {
	if store.AboutOneRecord(err) {
		var none T
		return none, nil
	}
	return found, err
}

// input reads what belongs to the ask.
func (h *Host) input(ctx context.Context, ask store.Ask) (input Input, err error) {
	input = Input{Ask: ask, ReadOnly: !ask.Open()}
	if ask.Open() && ask.Spec.Plan == nil {
		found := h.recall(ask) // while the rest is read
		defer func() { recalledSoon(&input, found) }()
	}
	if input.Session, err = besides(h.store.Session(ctx, ask.Session)); err != nil {
		return input, err
	}
	if input.Plan, err = h.plan(ctx, ask); err != nil {
		return input, err
	}
	if input.Cited = h.cited(ctx, ask, input.Plan); input.ReadOnly {
		return input, nil
	}
	if input.AgentWaits, err = h.store.AliveAny(ctx, store.WaitClaims(ask.ID)); err != nil {
		return input, err
	}
	entry, entered, err := h.store.Entry(ctx, ask.ID)
	if err != nil && !store.AboutOneRecord(err) {
		return input, err
	}
	input.Entry = entry
	if !entered {
		begun, found, err := h.store.BegunBefore(ctx, ask)
		if err != nil && !store.AboutOneRecord(err) {
			return input, err
		}
		if entered = found; found {
			input.Entry, input.Begun, input.CarriedFrom = begun.In(ask.Spec), true, begun.Ask.ID
		}
	}
	prior, found, err := h.store.EarlierForm(ctx, ask)
	if err != nil {
		return input, err
	}
	switch plan := input.Plan != nil; {
	case !found, plan && !samePlan(prior, ask):
	case prior.Outcome.State == questions.Answered && plan: // its comments are followed, not taken over
	case prior.Outcome.State == questions.Answered:
		input.EarlierForm = &prior
	case !entered:
		again := ask.Spec.EntryAgain(prior.Spec, prior.Outcome.Reply)
		if ask.About() == runs.SubjectKind {
			again = store.Begun{Ask: prior, Entry: prior.Spec.EntryFrom(prior.Outcome.Reply)}.In(ask.Spec)
		}
		if len(again.Fields) > 0 || !again.Note.Blank() {
			input.Entry, input.Carried, input.CarriedFrom = again, true, prior.ID
		}
	}
	if input.Plan != nil {
		input.Plan.Begun = h.begun(ctx, ask, input.Entry.Fields[questions.ReviewID].Text, input.Plan.Text)
	}
	return input, nil
}

// samePlan reports whether two asks are reviews of the same plan.
func samePlan(a, b store.Ask) bool {
	return a.Session == b.Session && a.Spec.Plan != nil && b.Spec.Plan != nil && a.Spec.Plan.Name == b.Spec.Plan.Name
}
