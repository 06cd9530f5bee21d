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
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/cli/ownagent"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

func (p program) demoCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "demo",
		Short: "Try planb once, with a real server and a real form",
		Long: "See the whole way once. A real server is started and a real client asks through it. The form opens in a tmux pane\n" +
			"beside this one or, outside tmux, right here. At the end: what the agent received, and where it is kept.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.demo(cmd.Context()) },
	}
	command.AddCommand(p.demoTasksCommand(), p.demoDraftCommand())
	return command
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

	d := &telling{Program: p.Program, ink: lookups{p.Program}.ink()}
	d.title("planb demo · the whole way once")
	d.step("A real MCP client has started planb mcp")
	session, err := agent.Call(ctx, "init_planb_session", map[string]any{"title": "planb demo", "intent": "See how an agent asks and a person answers"})
	if err != nil {
		return err
	}
	sessionID := strings.TrimSpace(strings.TrimPrefix(session.FirstLine(), "sessionId: "))
	short := store.ShortID(sessionID)
	d.step("init_planb_session began the session " + short)

	answer, err := p.askInDemo(ctx, d, agent, sessionID, opensPanes)
	if err != nil {
		return err
	}
	d.step("ask_user gave the agent")
	d.result(answer.Text)
	if plan, answered := planFrom(p.content.DemoForm, answer); answered {
		saved, err := agent.Call(ctx, "save_plan", map[string]any{"sessionId": sessionID, "title": "What the demo decided", "plan": plan})
		if err != nil {
			return err
		}
		d.step("save_plan: " + strings.ReplaceAll(saved.FirstLine(), sessionID, short))
	} else {
		d.step("No plan is saved: the agent first does what you told it")
	}
	dir, err := p.Env.DataDir()
	if err != nil {
		return err
	}
	return d.end(filepath.Join(dir, "planb.db"), frame.CommandName()+" tui retro "+short)
}

// askInDemo asks the demo's question.
func (p program) askInDemo(ctx context.Context, d *telling, agent *ownagent.Agent, session string, opensPanes bool) (ownagent.Answer, error) {
	arguments := map[string]any{}
	if err := json.Unmarshal([]byte(p.content.DemoForm), &arguments); err != nil {
		return ownagent.Answer{}, fmt.Errorf("the demo's questions can't be read: %w", err)
	}
	arguments["sessionId"] = session
	ask := demoAsk{agent, session, "ask_user", arguments, ""}
	if opensPanes {
		// The Enter that started the demo counts as typing: the form may not have the focus.
		ask.waits = "The form is open in the pane beside this one. Answer it there: in tmux, prefix and then o takes you to it.\n" +
			"Ctrl+C here leaves. If you close the form, it waits in  " + frame.CommandName() + " tui"
	}
	return p.answered(ctx, d, ask)
}

// demoAsk is a call of a tool that waits for the person.
type demoAsk struct {
	agent     *ownagent.Agent
	session   string
	tool      string
	arguments map[string]any
	waits     string // what to do in the pane that opens; empty: none opens, and the form is shown here
}

// answered calls the tool, and returns what it gives the agent once the person has
// answered.
func (p program) answered(ctx context.Context, d *telling, ask demoAsk) (ownagent.Answer, error) {
	type result struct {
		answer ownagent.Answer
		err    error
	}
	answered := make(chan result, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		answer, err := ask.agent.Call(ctx, ask.tool, ask.arguments)
		answered <- result{answer, err}
	}()
	if ask.waits != "" {
		d.waits(ask.waits)
	} else if err := p.showHere(ctx, ask.session); err != nil {
		return ownagent.Answer{}, err
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

// telling prints the steps of the demo, in the order in which they happen. It ignores errors of printing but the last: if
// the terminal is gone, the demo's other calls end it.
type telling struct {
	frame.Program
	ink   ink.Ink
	steps int
}

// inset is the column of what is told below a step.
const inset = 7

func (d *telling) title(text string) { _ = d.Print("\n" + d.ink.Title.Render(text) + "\n\n") }

// step prints that a step is done.
func (d *telling) step(text string) { d.next(d.ink.Success.Render("✓"), text) }

// waits prints a step that is the person's.
func (d *telling) waits(text string) { d.next(d.ink.Required.Render("●"), text) }

func (d *telling) next(mark, text string) {
	d.steps++
	head := d.ink.Accent.Render(fmt.Sprintf("%3d", d.steps)) + "  " + mark + " "
	_ = d.Print(layout.Message(head, text, d.ink.Width) + "\n")
}

// result prints what a tool returned: JSON with colours, one key a line, and below it
// the words that may follow.
func (d *telling) result(text string) {
	answers, rest, _ := strings.Cut(text, "\n")
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, []byte(answers), "", "  "); err != nil {
		rest = text
	} else {
		_ = d.Print(d.ink.Code("json", laidOut.String(), inset))
	}
	if rest != "" {
		_ = d.Print(layout.Message(strings.Repeat(" ", inset), safe.New(rest).Block(), d.ink.Width) + "\n")
	}
}

// end prints where everything is kept, and the command that shows it.
func (d *telling) end(path, command string) error {
	return d.Print("\n" + layout.Item(d.ink.Muted.Render("Everything is kept in  "), path, d.ink.Width) +
		layout.Item(d.ink.Muted.Render("Look at it with        "), d.ink.Accent.Render(command), d.ink.Width))
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
