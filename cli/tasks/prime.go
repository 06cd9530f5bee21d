package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/runs"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) primeCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:   "prime",
		Short: "Tell an agent that begins where the tasks stand",
		Long: "Print where the tasks of this project stand, for an agent that begins or has lost its context: what is in work, what\n" +
			"comes next, what waits for you, and which draft is unfinished. It takes at most about 200 tokens; if there is no such task or\n" +
			"draft, it prints nothing. `planb setup claude --task-hook`\n" +
			"has Claude Code run it at each start and after each compaction.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.prime(cmd.Context(), in) },
	}
	return in.flags(command)
}

// The most that prime prints, so that it stays below 200 tokens.
const (
	primeWork  = 3  // tasks that are in work
	primeTitle = 36 // cells of a title
)

// primed is what planb tasks prime --json prints.
type primed struct {
	Work  []workedOn  `json:"inWork"`
	Next  []shownTask `json:"next"`        // the best task that is ready
	Ready int         `json:"ready"`       // how many are
	User  int         `json:"waitForUser"` // plans and changes to be approved, and tasks to be approved, accepted or done
	// Draft is the newest draft that an agent has begun and not finished; nil for none.
	Draft *unfinished `json:"unfinishedDraft,omitempty"`
	plans int         // that are open
}

// unfinished is a draft that an agent writes.
type unfinished struct {
	ID    string    `json:"planId"`
	Title safe.Text `json:"title,omitzero"`
	Done  int       `json:"steps"`
	Of    int       `json:"of"`
}

// workedOn is a task that somebody works on.
type workedOn struct {
	shownTask
	Who string `json:"who"`
}

func (c Commands) prime(ctx context.Context, in scope) error {
	p := primed{Work: []workedOn{}, Next: []shownTask{}}
	err := c.withDesk(ctx, in.all, func(d desk) error {
		views, err := d.open(ctx, nil)
		if err != nil {
			return err
		}
		if err := p.findDraft(ctx, d); err != nil {
			return err
		}
		return p.fill(ctx, d, views)
	})
	switch {
	case err != nil && !frame.Missing(err):
		return err
	case in.json:
		return frame.PrintJSON(c.Stdout, p)
	case p.plans == 0 && p.Draft == nil:
		return nil
	}
	return c.Print(p.text())
}

// fewDrafts is how many of the newest drafts are looked at.
const fewDrafts = 20

// findDraft finds the newest draft that an agent goes on with.
func (p *primed) findDraft(ctx context.Context, d desk) error {
	var dirs []string
	if d.by.Dir != "" {
		dirs = []string{d.by.Dir}
	}
	list, err := d.Drafts().List(ctx, dirs, fewDrafts)
	if err != nil {
		return err
	}
	for _, draft := range list {
		if draft.Err == nil && draft.Mode == runs.ByAgent && !draft.State.Ended() {
			p.Draft = &unfinished{draft.ID, draft.Title, draft.Done, draft.Of}
			return nil
		}
	}
	return nil
}

func (p *primed) fill(ctx context.Context, d desk, views []view) error {
	p.plans = len(views)
	var best rules.Candidate
	var in view
	for _, v := range views {
		if v.Whole.Status == rules.PlanProposed {
			p.User++
		} else {
			p.User += v.needing()
		}
		for _, n := range v.all() {
			switch {
			case v.State(n).Held():
				if err := d.readTexts(ctx, v, n); err != nil {
					return err
				}
				p.Work = append(p.Work, workedOn{v.task(n), v.View.Claims[n].Worker})
			case v.Offered(n):
				p.Ready++
			}
		}
		for _, next := range v.Next(1) {
			if next.Plan = v.ID; best.Number == 0 || next.Compare(best) < 0 {
				best, in = next, v
			}
		}
	}
	if best.Number == 0 {
		return nil
	}
	err := d.readTexts(ctx, in, best.Number)
	p.Next = append(p.Next, in.task(best.Number))
	return err
}

// text tells an agent where the tasks stand.
func (p primed) text() string {
	if p.plans == 0 {
		return p.draft()
	}
	lines := []string{"planb keeps the tasks of this project. Work only on a task that you have claimed with claim_task."}
	var work []string
	for _, t := range p.Work[:min(len(p.Work), primeWork)] {
		work = append(work, cited(t.shownTask)+" by "+cells.Cut(safe.New(t.Who).Line(), primeTitle/2))
	}
	if more := len(p.Work) - primeWork; more > 0 {
		work = append(work, fmt.Sprintf("%d more", more))
	}
	if len(work) > 0 {
		lines = append(lines, "In work: "+strings.Join(work, ", ")+". If one is yours, get_next_actionable gives you its claimId; continue only what you claimed yourself.")
	}
	if len(p.Next) > 0 {
		lines = append(lines, fmt.Sprintf("Ready: %d, first %s.", p.Ready, cited(p.Next[0])))
	} else {
		lines = append(lines, "Nothing is ready.")
	}
	if p.User > 0 {
		lines = append(lines, fmt.Sprintf("Your user has %s to decide in  planb tui tasks.", wording.Count(p.User, "thing")))
	}
	return strings.Join(lines, "\n") + "\n" + p.draft()
}

// draft tells an agent of the unfinished draft; empty if there is none.
func (p primed) draft() string {
	if p.Draft == nil {
		return ""
	}
	title := ""
	if !p.Draft.Title.Blank() {
		title = " " + wording.Quote(cells.Cut(p.Draft.Title.Line(), primeTitle))
	}
	return fmt.Sprintf("The draft%s is unfinished (%d of %d steps). If you write it, go on with step_next {\"plan_id\":%q}.\n", title, p.Draft.Done, p.Draft.Of, p.Draft.ID)
}

// cited is a task with its id, in a sentence.
func cited(t shownTask) string {
	return wording.Quote(cells.Cut(t.Title.Line(), primeTitle)) + " (" + t.Short + ")"
}
