package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/hook"
	"planb/cli/layout"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/wording"
)

// exitNotApproved is the exit code for a plan that was reviewed and not approved. planb
// review has the same.
const exitNotApproved = 2

func (c Commands) approveCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:   "approve [PLAN]",
		Short: "Review a plan here; agents work on what you approve",
		Long: "Review a plan on this terminal, or what changed in one that you approved before. Only what you approve there can be\n" +
			"worked on, exactly as you read or edited it. Without a terminal it is refused, and no flag replaces your answer.\n\n" +
			"If you name none, planb opens the plan that waits for your approval, if only one of this project does.\n\n" +
			"Exit code 0: approved; 2: changes are wanted, or it was rejected; 130: left, and the review waits in your inbox.\n\n" + namedHelp,
		Example:           "  planb tasks approve\n  planb tasks approve 3f9a1c",
		Args:              frame.AtMostOne("plan"),
		ValidArgsFunction: c.OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.approve(cmd.Context(), "", onlyPlan(cmd.CommandPath()), in.json)
			}
			return c.approve(cmd.Context(), args[0], desk.find, in.json)
		},
	}
	return in.jsonFlag(command)
}

// approved is what planb tasks approve --json prints.
type approved struct {
	Plan     string       `json:"planId"`
	Status   rules.Status `json:"status"`
	Approved bool         `json:"approved"`
	Held     []string     `json:"held,omitempty"` // tasks that stay locked, by nodeKey
	// Unchanged are tasks whose changes the person held back: they stay as they were approved.
	Unchanged []string  `json:"unchanged,omitempty"`
	Ready     int       `json:"ready"`
	Feedback  safe.Text `json:"feedback,omitzero"`
	title     safe.Text
	count     int
}

func (c Commands) approve(ctx context.Context, name string, find finder, asJSON bool) error {
	return named(c.withDesk(ctx, false, func(d desk) error {
		t, err := find(d, ctx, name)
		if err != nil {
			return err
		}
		if waits, err := d.waits(ctx, t); err != nil {
			return err
		} else if !waits {
			return fmt.Errorf("%s (%s) is %s, and nothing of it waits for your approval", wording.Quote(t.Title.Line()), rules.Short(t.ID), t.Status)
		}
		if err := c.Drawable(); err != nil { // before a review is kept that nothing shows
			return err
		}
		ask, own, err := d.openReview(ctx, t)
		if err != nil {
			return err
		}
		if ask, err = c.Review(ctx, d.Store, ask.ID); err != nil {
			return err
		}
		if ask.Open() {
			return frame.Declined(nil) // the screen has said how to return to it
		}
		end, err := c.tellVerdict(ctx, d, t, ask, asJSON)
		if err == nil && own {
			err = d.Deliver(ctx, ask.ID)
		}
		return errors.Join(err, end)
	}), name)
}

// waits reports whether a plan, or a change of it, waits for an approval.
func (d desk) waits(ctx context.Context, t target) (bool, error) {
	_, err := d.Tasks().Pending(ctx, d.everywhere(), t.ID)
	if rules.CodeOf(err) == rules.CodeConflict {
		return false, nil
	}
	return err == nil, err
}

// openReview opens the review of what waits for an approval: of a proposed plan, or of the
// changes of an active one. own is false if an agent had opened that review before; the
// verdict then goes to the agent.
func (d desk) openReview(ctx context.Context, t target) (ask store.Ask, own bool, err error) {
	review := store.TaskReview{NewSession: func(ctx context.Context) (string, error) { return d.sessionOf(ctx, t) }}
	if ask, err = d.ReviewTasks(ctx, d.everywhere(), t.ID, review); err != nil {
		return store.Ask{}, false, err
	}
	ask.Client = ownClient()
	opened, attached, err := d.OpenAsk(ctx, ask)
	return opened, !attached, err
}

// sessionOf is the session of a plan; a new one if it has none, or if that was deleted.
func (d desk) sessionOf(ctx context.Context, t target) (string, error) {
	if t.Session != "" {
		_, err := d.Session(ctx, t.Session)
		if _, deleted := errors.AsType[*store.UnknownError](err); !deleted {
			return t.Session, err
		}
	}
	made, err := d.CreateSession(ctx, store.Session{Title: t.Title, Project: safe.New(d.by.Dir), Client: ownClient()})
	return made.ID, err
}

// tellVerdict prints what the review has changed. end has the exit code of the verdict; err says
// why it could not be told.
func (c Commands) tellVerdict(ctx context.Context, d desk, t target, ask store.Ask, asJSON bool) (end, err error) {
	if ask.Outcome.State != questions.Answered {
		return frame.Declined(errors.New(hook.WithoutVerdict(ask))), nil
	}
	said, err := hook.Said(ask)
	if err != nil {
		return nil, err
	}
	w, err := d.Tasks().Plan(ctx, d.everywhere(), t.ID)
	if err != nil {
		return nil, err
	}
	v := d.look(w)
	done := approved{Plan: w.ID, Status: w.Status, Approved: said.Verdict.Approves(), Ready: v.Counts()[rules.Ready], Feedback: said.Plain(), title: w.Title, count: w.Plan.Tasks}
	for _, n := range w.Held {
		done.Held = append(done.Held, w.Graph.Key(n))
	}
	for _, key := range said.Without {
		if !slices.Contains(done.Held, key) {
			done.Unchanged = append(done.Unchanged, key)
		}
	}
	if asJSON {
		err = frame.PrintJSON(c.Stdout, done)
	} else {
		err = c.printVerdict(done, said)
	}
	if err != nil {
		return nil, fmt.Errorf("the verdict can't be printed: %w; it is kept, see it with  planb tasks %s", err, rules.Short(t.ID))
	}
	if !done.Approved {
		end = frame.Exit{Code: exitNotApproved}
	}
	return end, nil
}

// cleaned lists nodeKeys for a terminal.
func cleaned(keys []string) string {
	keys = slices.Clone(keys)
	for i, key := range keys {
		keys[i] = safe.New(key).Line()
	}
	return strings.Join(keys, ", ")
}

func (c Commands) printVerdict(a approved, said review.Review) error {
	k := c.ink()
	if !a.Approved {
		text := wording.Quote(a.title.Line()) + " is not approved: nobody can work on it.\n"
		if a.Status != rules.PlanProposed {
			text = "What was to change in " + wording.Quote(a.title.Line()) + " is not approved: the plan goes on as it was.\n"
		}
		if !a.Feedback.Blank() {
			text += "\n" + strings.TrimRight(a.Feedback.Block(), "\n") + "\n"
		}
		return c.Print(k.Warning.Render("↩") + " " + layout.Message("", text, k.Width))
	}
	text := fmt.Sprintf("%d approved · %d ready", a.count-len(a.Held), a.Ready)
	if len(a.Held) > 0 {
		text += ", except (locked): " + cleaned(a.Held)
	}
	if len(a.Unchanged) > 0 {
		text += ", not changed: " + cleaned(a.Unchanged)
	}
	return c.Print(layout.Message(k.Success.Render("✓")+" ", text, k.Width) + "\n")
}
