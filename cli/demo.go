package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ownagent"
	"planb/questions"
	"planb/store"
	"planb/tui/wording"
)

func (p program) demoCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "demo",
		Short: "Try planb once, with a real server and a real form",
		Long: "See one question from start to end. A real server is started and a real client asks through it. The form opens in a tmux pane\n" +
			"beside this one or, outside tmux, right here. At the end: what the agent received, and where it is kept.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.runDemo(cmd, "a form", "one question from start to end", p.playDemo)
		},
	}
	command.AddCommand(p.demoTasksCommand(), p.demoDraftCommand())
	return command
}

// playDemo has an agent ask the demo's question, and save a plan of the answers.
func (p program) playDemo(ctx context.Context, d *demoRun) (look string, err error) {
	agent, err := d.start(ctx, "planb demo")
	if err != nil {
		return "", err
	}
	defer agent.Close()
	d.step("The demo plays the agent: it has started planb mcp, the server")
	session, err := d.beginSession(ctx, agent, "planb demo", "See how an agent asks and a person answers")
	if err != nil {
		return "", err
	}
	short := store.ShortID(session)
	d.step("It began the session " + short + " (init_planb_session)")

	arguments := map[string]any{}
	if err := json.Unmarshal([]byte(p.content.DemoForm), &arguments); err != nil {
		return "", fmt.Errorf("the demo's questions can't be read: %w", err)
	}
	arguments["sessionId"] = session
	// The Enter that started the demo counts as typing: the form may not have the focus.
	answer, err := d.answered(ctx, demoAsk{agent, session, "ask_user", arguments,
		"The form is open in the pane beside this one. Answer it there: in tmux, prefix and then o takes you to it.\n" +
			"Ctrl+C here leaves. If you close the form, it waits in  " + frame.CommandName() + " tui"})
	if err != nil {
		return "", err
	}
	d.step("It asked you, and this came back (ask_user)")
	d.result(answer.Text)
	if plan, answered := planFrom(p.content.DemoForm, answer); answered {
		saved, err := agent.Call(ctx, "save_plan", map[string]any{"sessionId": session, "title": "What the demo decided", "plan": plan})
		if err != nil {
			return "", err
		}
		d.step(strings.ReplaceAll(saved.FirstLine(), session, short) + " (save_plan)")
	} else {
		d.step("No plan is saved: the agent first does what you told it")
	}
	return "tui retro " + short, nil
}

// planFrom writes the plan that an agent might write from the answers. answered
// is false if the person did not answer.
func planFrom(form string, answer ownagent.Answer) (plan string, answered bool) {
	answers := map[string]questions.Value{}
	if err := json.Unmarshal([]byte(answer.FirstLine()), &answers); err != nil {
		return "", false
	}
	spec, err := questions.Parse([]byte(form))
	if err != nil {
		return "", false
	}
	var text strings.Builder
	text.WriteString("# What was decided\n\n")
	for _, question := range spec.Questions {
		value, given := answers[question.ID]
		if !given {
			continue
		}
		said := strings.Join(strings.Fields(wording.Answer(question, value)), " ")
		fmt.Fprintf(&text, "- %s %s\n", question.Label.Raw(), said)
	}
	return text.String(), true
}
