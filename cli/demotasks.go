package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ownagent"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/tui/wording"
)

func (p program) demoTasksCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tasks",
		Short: "Try a plan of tasks once, with two agents",
		Long: "See one plan of tasks from start to end. A real client proposes a plan, and you approve it: in a tmux pane beside this\n" +
			"one or, outside tmux, right here. Then two agents carry it out. Once both want the same task, and one gets it.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.runDemo(cmd, "a review", "one plan of tasks from start to end", playTasksDemo)
		},
	}
}

// demoPlan is what the demo's agent proposes. The directory of the demo gets no file.
const demoPlan = `{
  "title": "Offline edits",
  "description": "Edits that are made offline are kept, and sent once there is a network.",
  "tasks": [
    {"nodeKey": "queue", "title": "Keep edits in a queue", "priority": 1, "estimateMinutes": 60,
     "executionContract": {"files": ["queue/"]},
     "verificationContract": {"kind": "evidence", "criteria": ["An edit survives a restart"]}},
    {"nodeKey": "banner", "title": "Say on the screen that it is offline", "estimateMinutes": 30},
    {"nodeKey": "send", "title": "Send the queue once there is a network", "dependsOn": ["queue"], "estimateMinutes": 90},
    {"nodeKey": "notes", "title": "Write the release notes", "dependsOn": ["banner", "send"], "priority": 3}
  ]
}`

// demoProject is the project of the demo's plans. It belongs to no directory, so that
// planb tasks lists them in none.
const demoProject = "planb demo"

// tasksDemo is one planb demo tasks.
type tasksDemo struct {
	*demoRun
	session string
	plan    string
	agents  []demoAgent
}

// demoAgent is an agent of the demo, with the task that it works on now.
type demoAgent struct {
	*ownagent.Agent
	name                 string
	task, claimID, title string
}

// playTasksDemo has a plan proposed, approved and carried out.
func playTasksDemo(ctx context.Context, run *demoRun) (look string, err error) {
	d := &tasksDemo{demoRun: run}
	defer func() {
		for _, agent := range d.agents {
			agent.Close()
		}
	}()
	for _, step := range []func(context.Context) error{d.begin, d.propose, d.approve, d.work} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	return "tui tasks " + rules.Short(d.plan), nil
}

// begin starts both agents with their servers.
func (d *tasksDemo) begin(ctx context.Context) (err error) {
	for _, name := range []string{"The first agent", "The second agent"} {
		agent, err := d.start(ctx, name, "--toolsets", "session,tasks")
		if err != nil {
			return err
		}
		d.agents = append(d.agents, demoAgent{Agent: agent, name: name})
	}
	if d.session, err = d.beginSession(ctx, d.agents[0].Agent, demoProject+" tasks", "See how agents carry out a plan of tasks"); err != nil {
		return err
	}
	d.step("Two real MCP clients have started a planb mcp each")
	return nil
}

// propose has the first agent propose the plan.
func (d *tasksDemo) propose(ctx context.Context) error {
	project, err := d.project(ctx)
	if err != nil {
		return err
	}
	arguments := map[string]any{}
	if err := json.Unmarshal([]byte(demoPlan), &arguments); err != nil {
		return fmt.Errorf("the demo's plan can't be read: %w", err)
	}
	arguments["projectId"], arguments["sessionId"] = project, d.session
	var proposed struct {
		PlanID string `json:"planId"`
		Tasks  int    `json:"tasks"`
	}
	if err := d.call(ctx, 0, "propose_plan", arguments, &proposed); err != nil {
		return err
	}
	d.plan = proposed.PlanID
	d.step(fmt.Sprintf("propose_plan proposed %s, as the plan %s", wording.Count(proposed.Tasks, "task"), rules.Short(d.plan)))
	if err := d.call(ctx, 1, "claim_task", map[string]any{"planId": d.plan}, nil); err != nil {
		d.refused("The second agent asked for a task and was refused: " + message(err))
	}
	return nil
}

// project returns the project of the demo, and makes it the first time.
func (d *tasksDemo) project(ctx context.Context) (string, error) {
	var made struct {
		ID string `json:"projectId"`
	}
	failed := d.call(ctx, 0, "create_project", map[string]any{"name": demoProject}, &made)
	if failed == nil {
		return made.ID, nil
	}
	var listed struct {
		Projects []struct {
			ID   string `json:"projectId"`
			Name string `json:"name"`
		} `json:"projects"`
	}
	if err := d.call(ctx, 0, "list_projects", nil, &listed); err != nil {
		return "", err
	}
	for _, project := range listed.Projects {
		if project.Name == demoProject {
			return project.ID, nil
		}
	}
	return "", failed
}

// approve has the person review the plan.
func (d *tasksDemo) approve(ctx context.Context) error {
	answer, err := d.answered(ctx, demoAsk{d.agents[0].Agent, d.session, "approve_plan", map[string]any{"planId": d.plan, "sessionId": d.session},
		"The plan is open for review in the pane beside this one. Approve it there: in tmux, prefix and then o takes you\n" +
			"to it. Ctrl+C here leaves. If you close the review, it waits in  " + frame.CommandName() + " tui"})
	if err != nil {
		return err
	}
	d.step("approve_plan gave the agent")
	d.result(answer.Text)
	var got struct {
		Status rules.Status `json:"status"`
	}
	if err := json.Unmarshal([]byte(answer.FirstLine()), &got); err != nil || got.Status != rules.PlanActive {
		return frame.Declined(errors.New("you did not approve the plan, so no agent can work on it; it waits in  " + frame.CommandName() + " tui tasks " + rules.Short(d.plan)))
	}
	return nil
}

// work has both agents work the plan off, in turn.
func (d *tasksDemo) work(ctx context.Context) error {
	if err := d.claim(ctx, 0, map[string]any{"planId": d.plan}); err != nil {
		return d.stuck(err)
	}
	wanted := d.agents[0].task
	if err := d.claim(ctx, 1, map[string]any{"taskId": wanted}); err != nil {
		d.refused(d.agents[1].name + " asked for the same task and was refused: " + message(err))
	}
	for turn := 1; ; turn++ {
		who := turn % len(d.agents)
		if d.agents[who].task == "" {
			err := d.claim(ctx, who, map[string]any{"planId": d.plan})
			if err != nil && d.agents[1-who].task == "" {
				return d.stuck(err)
			}
			continue
		}
		done, err := d.complete(ctx, who)
		if err != nil {
			return err
		}
		if done {
			return nil
		}
	}
}

// claim has an agent claim a task.
func (d *tasksDemo) claim(ctx context.Context, who int, arguments map[string]any) error {
	var claimed struct {
		TaskID  string    `json:"taskId"`
		ClaimID string    `json:"claimId"`
		Title   safe.Text `json:"title"`
	}
	if err := d.call(ctx, who, "claim_task", arguments, &claimed); err != nil {
		return err
	}
	agent := &d.agents[who]
	agent.task, agent.claimID, agent.title = claimed.TaskID, claimed.ClaimID, wording.Quote(claimed.Title.Line())
	d.step(agent.name + " claimed " + agent.title)
	return nil
}

// complete has an agent report its task. done is true if it was the plan's last one.
func (d *tasksDemo) complete(ctx context.Context, who int) (done bool, err error) {
	agent := &d.agents[who]
	var completed struct {
		Readied []string `json:"readied"`
		Plan    struct {
			Done int `json:"done"`
			Of   int `json:"of"`
		} `json:"plan"`
	}
	err = d.call(ctx, who, "complete_task", map[string]any{
		"taskId": agent.task, "claimId": agent.claimID, "summary": "As the demo does it: nothing was written.",
		"evidence": []map[string]any{{"criterion": 1, "text": "The demo says so, and planb shows it as reported."}},
	}, &completed)
	if err != nil {
		return false, err
	}
	text := fmt.Sprintf("%s completed %s: %d of %d", agent.name, agent.title, completed.Plan.Done, completed.Plan.Of)
	if n := len(completed.Readied); n > 0 {
		text += fmt.Sprintf(", %d more ready", n)
	}
	d.step(text)
	agent.task = ""
	return completed.Plan.Done == completed.Plan.Of, nil
}

// stuck ends the demo if the person held tasks back, so that nothing is ready any more.
func (d *tasksDemo) stuck(err error) error {
	d.waits("No task is left for an agent: " + message(err))
	return nil
}

// refused prints a step that planb refused.
func (d *tasksDemo) refused(text string) { d.next(d.ink.Warning.Render("✗"), text) }

// call has an agent call a tool, and reads the JSON of its result.
func (d *tasksDemo) call(ctx context.Context, who int, tool string, arguments map[string]any, into any) error {
	answer, err := d.agents[who].Call(ctx, tool, arguments)
	if err != nil || into == nil {
		return err
	}
	if err := json.Unmarshal([]byte(answer.FirstLine()), into); err != nil {
		return fmt.Errorf("the result of %s can't be read: %w", tool, err)
	}
	return nil
}

// message is what an error of a tool of tasks says to a model.
func message(err error) string {
	_, text, _ := strings.Cut(err.Error(), ": ")
	var refused struct{ Error rules.Error }
	if json.Unmarshal([]byte(text), &refused) == nil && refused.Error.Message != "" {
		return safe.New(refused.Error.Message).Line()
	}
	return safe.New(err.Error()).Line()
}
