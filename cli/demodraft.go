package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ownagent"
	"planb/drafts"
	"planb/drafts/shape"
	"planb/drafts/workshop"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
)

func (p program) demoDraftCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "draft",
		Short: "See once how a prompt becomes a whole plan, with answers that are built in",
		Long: "See once how a prompt becomes a whole plan. A real client writes a draft step by step, with answers that are built in: it needs\n" +
			"no model and no network. Two forms come up for you: in a tmux pane beside this one or, outside tmux, right here.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.runDemo(cmd, "forms", "from one prompt to a whole plan", playDraftDemo)
		},
	}
}

// draftDemo is one planb demo draft.
type draftDemo struct {
	*demoRun
	agent   *ownagent.Agent
	session string
	plan    string
}

// playDraftDemo has an agent begin a draft and write it to its end.
func playDraftDemo(ctx context.Context, run *demoRun) (look string, err error) {
	agent, err := run.start(ctx, "planb demo", "--toolsets", "session,drafts")
	if err != nil {
		return "", err
	}
	defer agent.Close()
	d := &draftDemo{demoRun: run, agent: agent}
	if err := d.begin(ctx); err != nil {
		return "", err
	}
	for _, step := range (drafts.Draft{Detail: drafts.Brief}).Steps() {
		if err := d.take(ctx, step); err != nil {
			return "", err
		}
	}
	d.step("planb itself placed the tasks on days and made the report")
	return "tui drafts " + store.ShortID(d.plan), nil
}

// begin has the agent begin the draft.
func (d *draftDemo) begin(ctx context.Context) (err error) {
	if d.session, err = d.beginSession(ctx, d.agent, "planb demo draft", "See how a prompt becomes a whole plan"); err != nil {
		return err
	}
	d.step("The demo plays the agent: it has started planb mcp, the server")
	prompt, err := workshop.File("prompt.txt")
	if err != nil {
		return err
	}
	var created struct {
		Plan  string `json:"plan_id"`
		There bool   `json:"deduplicated"` // a draft of this prompt was begun shortly before
	}
	answer, err := d.agent.Call(ctx, "plan_create", map[string]any{
		"prompt": string(prompt), "detail": string(drafts.Brief), "start_date": workshop.Start, "sessionId": d.session, "client_request_id": d.session,
	})
	if err == nil {
		err = json.Unmarshal([]byte(answer.FirstLine()), &created)
	}
	if err != nil {
		return err
	}
	d.plan = created.Plan
	if short := store.ShortID(d.plan); created.There {
		return frame.Declined(fmt.Errorf("the draft %s of an earlier demo is still open; stop it with  %s draft stop %s  and run the demo again",
			short, frame.CommandName(), short))
	}
	d.step(fmt.Sprintf("plan_create began the draft %s, of a prompt with %d words", store.ShortID(d.plan), len(strings.Fields(string(prompt)))))
	return nil
}

// take has the agent or the person write a step. The steps that planb itself writes are
// written already.
func (d *draftDemo) take(ctx context.Context, step drafts.Step) error {
	switch step.Author {
	case drafts.Model:
		return d.write(ctx, step)
	case drafts.Person:
		return d.ask(ctx, step)
	}
	return nil
}

// write has the agent write a step: it gets the text of the step, and sends its answer.
func (d *draftDemo) write(ctx context.Context, step drafts.Step) error {
	given, err := d.agent.Call(ctx, "step_next", map[string]any{"plan_id": d.plan, "step": step.ID})
	if err != nil {
		return err
	}
	answer, err := workshop.File(step.ID + ".json")
	if err != nil {
		return fmt.Errorf("there is no built-in answer to %s: %w", step.ID, err)
	}
	accepted, err := d.agent.Call(ctx, "step_submit", map[string]any{"plan_id": d.plan, "step": step.ID, "output": json.RawMessage(answer), "next": false})
	if err != nil {
		return fmt.Errorf("the built-in answer to %s does not fit what you chose; the draft is kept, and your agent can go on with it: %w", step.Name, err)
	}
	first, _, _ := strings.Cut(safe.New(accepted.FirstLine()).Line(), ",")
	_, count, _ := strings.Cut(strings.TrimSuffix(first, ")"), " (")
	read, wrote := drafts.Length(given.Text), drafts.Length(string(answer))
	d.step(cells.Join(fmt.Sprintf("%s: the agent read %s characters and wrote %s", step.Name, shape.Grouped(float64(read)), shape.Grouped(float64(wrote))), count))
	return nil
}

// ask has the person answer the form of a step.
func (d *draftDemo) ask(ctx context.Context, step drafts.Step) error {
	answer, err := d.answered(ctx, demoAsk{d.agent, d.session, "step_next", map[string]any{"plan_id": d.plan},
		step.Name + " is yours: its form is open in the pane beside this one. In tmux, prefix and then o takes you to it.\n" +
			"Ctrl+C here leaves. If you close the form, it waits in  " + frame.CommandName() + " tui"})
	if err != nil {
		return err
	}
	if undecided(answer.Text) {
		return frame.Declined(fmt.Errorf("you did not answer %s, so the draft does not go on; look at it with  %s tui drafts %s", step.Name, frame.CommandName(), store.ShortID(d.plan)))
	}
	d.step(step.Name + ": you answered, and planb put that into the draft")
	return nil
}

// undecided reports whether step_next says that the person has not answered a form.
func undecided(says string) bool {
	return slices.ContainsFunc([]string{"STOPPED", "NOT FINISHED", "WAITING FOR THE USER"}, func(begins string) bool {
		return strings.HasPrefix(says, begins)
	})
}
