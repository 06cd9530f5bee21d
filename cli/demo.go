package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/cli/ownagent"
	"planb/questions"
	"planb/store"
)

func (p program) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "See the whole way once: a real server, a real client, the form, the kept session",
		Long: "See the whole way once. A real server is started and a real client asks through it. The form opens in a tmux pane\n" +
			"beside this one or, outside tmux, right here. At the end: what the agent received, and where it is kept.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.demo(cmd.Context()) },
	}
}

// demo plays the agent's part.
func (p program) demo(ctx context.Context) error {
	if !frame.IsTerminal(p.Stdin) || !frame.IsTerminal(p.Stdout) {
		return frame.UsageError(errors.New("planb demo shows a form, so stdin and stdout must be a terminal; run it in one"))
	}
	ctx, stop := frame.UntilSignal(ctx)
	defer stop()
	opensPanes, err := p.canOpenPanes(ctx)
	if err != nil {
		return err
	}
	agent, err := ownagent.Start(ctx, p.Env.Pairs(), sdk.Implementation{Name: "planb-demo", Title: "planb demo", Version: frame.Version}, opensPanes)
	if err != nil {
		return err
	}
	defer agent.Close()

	p.say("planb demo: the whole way once")
	p.say("1  A real MCP client has started `planb mcp`")
	session, err := agent.Call(ctx, "init_planb_session", map[string]any{"title": "planb demo", "intent": "See how an agent asks and a person answers"})
	if err != nil {
		return err
	}
	sessionID := strings.TrimSpace(strings.TrimPrefix(session.FirstLine(), "sessionId: "))
	p.say("2  init_planb_session\n" + indent(session.FirstLine()))

	answer, err := p.askInDemo(ctx, agent, sessionID, opensPanes)
	if err != nil {
		return err
	}
	p.say("4  The agent received\n" + indent(pretty(answer.Text)))
	if plan, answered := planFrom(p.content.DemoForm, answer); answered {
		saved, err := agent.Call(ctx, "save_plan", map[string]any{"sessionId": sessionID, "title": "What the demo decided", "plan": plan})
		if err != nil {
			return err
		}
		p.say("5  save_plan\n" + indent(saved.Text))
	} else {
		p.say("5  No plan is saved: the agent first does what you told it.")
	}
	dir, err := p.Env.DataDir()
	if err != nil {
		return err
	}
	return p.Print(fmt.Sprintf("Everything is kept in\n   %s\nLook at it with\n   %s tui retro %s\n", filepath.Join(dir, "planb.db"), frame.CommandName(), sessionID))
}

// askInDemo asks the demo's question. Where no pane can open, it shows the form
// here.
func (p program) askInDemo(ctx context.Context, agent *ownagent.Agent, session string, opensPanes bool) (ownagent.Answer, error) {
	arguments := map[string]any{}
	if err := json.Unmarshal([]byte(p.content.DemoForm), &arguments); err != nil {
		return ownagent.Answer{}, fmt.Errorf("the demo's questions can't be read: %w", err)
	}
	arguments["sessionId"] = session
	type result struct {
		answer ownagent.Answer
		err    error
	}
	answered := make(chan result, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		answer, err := agent.Call(ctx, "ask_user", arguments)
		answered <- result{answer, err}
	}()
	if opensPanes {
		here := "   The form is open in the pane beside this one. Answer it there; Ctrl+C here leaves.\n" +
			"   If you close it, it waits in  " + frame.CommandName() + " tui\n\n"
		if err := errors.Join(p.Print("3  ask_user\n"), p.Tell(here)); err != nil {
			return ownagent.Answer{}, err
		}
	} else {
		if err := p.showHere(ctx, session); err != nil {
			return ownagent.Answer{}, err
		}
	}
	r := <-answered
	if errors.Is(r.err, context.Canceled) {
		return ownagent.Answer{}, frame.Declined(fmt.Errorf("left; the question is kept and waits in  %s tui", frame.CommandName()))
	}
	return r.answer, r.err
}

// showHere waits until the server has put the session's ask into the store and
// shows it on this terminal.
func (p program) showHere(ctx context.Context, session string) error {
	st, err := p.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	ask, err := firstDue(ctx, st.Store, session)
	if err != nil {
		return err
	}
	shown, err := p.showAsk(ctx, st.Store, ask.ID, true)
	if err != nil {
		return err
	}
	if shown.Open() {
		return frame.Declined(fmt.Errorf("kept for later; answer it with  %s tui ask %s", frame.CommandName(), store.ShortID(ask.ID)))
	}
	return nil
}

func firstDue(ctx context.Context, st *store.Store, session string) (store.Ask, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	changes, err := st.Watch(ctx)
	if err != nil {
		return store.Ask{}, err
	}
	for range changes {
		due, err := st.Due(ctx, session)
		if err != nil {
			return store.Ask{}, err
		}
		if len(due) > 0 {
			return due[0], nil
		}
	}
	return store.Ask{}, errors.New("the server did not put the question into the store within 30 s; see planb.log")
}

func indent(text string) string { return "   " + strings.ReplaceAll(text, "\n", "\n   ") }

// pretty indents the JSON at the text's beginning, one key a line.
func pretty(text string) string {
	answers, rest, more := strings.Cut(text, "\n")
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, []byte(answers), "", "  "); err != nil {
		return text
	}
	if more {
		return laidOut.String() + "\n" + rest
	}
	return laidOut.String()
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
		if shown, err := json.Marshal(value); err == nil {
			fmt.Fprintf(&text, "- %s: `%s`\n", question.Label.Raw(), shown)
		}
	}
	return text.String(), true
}

// say prints a step of the demo, with the server's words unchanged. It ignores
// errors: if the terminal is gone, the demo's other calls end it.
func (p program) say(text string) { _ = p.Print(layout.Text(text+"\n\n", p.Width())) }
