package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/cli/ownagent"
	"planb/questions/safe"
	"planb/store"
)

// demoRun is one run of a demo. It prints the demo's steps in the order in which they happen. It
// ignores errors of printing but the last: if the terminal is gone, the demo's other calls end it.
type demoRun struct {
	program
	ink        ink.Ink
	opensPanes bool // else the forms are shown on this terminal
	steps      int
}

// runDemo runs a demo on a terminal. shows is what comes up for the person; play returns the
// command that shows what the demo left in the store.
func (p program) runDemo(cmd *cobra.Command, shows, title string, play func(context.Context, *demoRun) (look string, err error)) error {
	if !frame.IsTerminal(p.Stdin) || !frame.IsTerminal(p.Stdout) {
		return frame.UsageError(fmt.Errorf("%s shows %s, so stdin and stdout must be a terminal; run it in one", cmd.CommandPath(), shows))
	}
	ctx, stop := frame.UntilSignal(cmd.Context())
	defer stop()
	opensPanes, err := p.demoOpensPanes(ctx)
	if err != nil {
		return err
	}
	d := &demoRun{program: p, ink: lookups{p.Program}.ink(), opensPanes: opensPanes}
	_ = d.Print("\n" + d.ink.Title.Render(cmd.CommandPath()+" · "+title) + "\n\n")
	look, err := play(ctx, d)
	if err != nil {
		return err
	}
	dir, err := p.Env.DataDir()
	if err != nil {
		return err
	}
	return d.Print("\n" + layout.Item(d.ink.Muted.Render("Everything is kept in  "), filepath.Join(dir, "planb.db"), d.ink.Width) +
		layout.Item(d.ink.Muted.Render("Look at it with        "), d.ink.Accent.Render(frame.CommandName()+" "+look), d.ink.Width))
}

// demoOpensPanes reports whether a demo's forms come up beside this terminal. Where planb may
// open none, or the person put off what comes up, they are shown on this terminal: the person
// has just asked for them.
func (p program) demoOpensPanes(ctx context.Context) (bool, error) {
	possible, err := p.canOpenPanes(ctx)
	if err != nil || !possible || p.Env["ASK_NO_OPEN"] == "1" {
		return false, err
	}
	opener, err := p.opener(p.settings(nil))
	if err != nil {
		return false, err
	}
	place, err := opener.Place(ctx)
	if err != nil {
		return true, nil // the server finds out, and says, whether a pane can open
	}
	st, err := p.OpenStore(ctx)
	if err != nil {
		return false, err
	}
	defer st.Close()
	off, err := st.PutOffs(ctx, place)
	return !off.Place, err
}

// start starts an agent with a server of its own. args are further arguments of planb mcp.
func (d *demoRun) start(ctx context.Context, title string, args ...string) (*ownagent.Agent, error) {
	as := sdk.Implementation{Name: "planb-demo", Title: title, Version: frame.Version}
	return ownagent.Start(ctx, d.Program, as, d.opensPanes, args...)
}

// beginSession has an agent begin a session, and returns its id.
func (d *demoRun) beginSession(ctx context.Context, agent *ownagent.Agent, title, intent string) (string, error) {
	begun, err := agent.Call(ctx, "init_planb_session", map[string]any{"title": title, "intent": intent})
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(strings.TrimPrefix(begun.FirstLine(), "sessionId: ")), nil
}

// demoAsk is a call of a tool that waits for the person.
type demoAsk struct {
	agent     *ownagent.Agent
	session   string
	tool      string
	arguments map[string]any
	waits     string // what to do in the pane, if one opens
}

// answered calls the tool, and returns what it gives the agent once the person has
// answered.
func (d *demoRun) answered(ctx context.Context, ask demoAsk) (ownagent.Answer, error) {
	type result struct {
		answer ownagent.Answer
		err    error
	}
	answered := make(chan result, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calling, returned := context.WithCancel(ctx)
	go func() {
		defer returned()
		answer, err := ask.agent.Call(ctx, ask.tool, ask.arguments)
		answered <- result{answer, err}
	}()
	if d.opensPanes {
		d.waits(ask.waits)
	} else if err := d.showHere(ctx, calling, ask.session); err != nil {
		return ownagent.Answer{}, err
	}
	r := <-answered
	if errors.Is(r.err, context.Canceled) {
		return ownagent.Answer{}, frame.Declined(fmt.Errorf("left; the question is kept and waits in  %s tui", frame.CommandName()))
	}
	return r.answer, r.err
}

// showHere shows the session's ask on this terminal, once the agent waits for it. If the call
// ends without one, it shows nothing: the call's result says why. calling ends with the call.
func (d *demoRun) showHere(ctx, calling context.Context, session string) error {
	st, err := d.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	ask, there, err := awaited(calling, st.Store, session)
	if err != nil || !there {
		return err
	}
	shown, err := d.showAsk(ctx, st.Store, ask.ID, true)
	if err != nil {
		return err
	}
	if shown.Open() {
		return frame.Declined(fmt.Errorf("kept for later; answer it with  %s tui ask %s", frame.CommandName(), store.ShortID(ask.ID)))
	}
	return nil
}

// awaited returns the open ask of the session that an agent waits for, as soon as there is one.
// A form that was shown sooner would say that no agent is waiting. there is false if ctx ends
// first.
func awaited(ctx context.Context, st *store.Store, session string) (ask store.Ask, there bool, err error) {
	changes, err := st.Watch(ctx)
	if err == nil {
		for range changes {
			if ask, there, err = awaitedNow(ctx, st, session); there || err != nil {
				break
			}
		}
	}
	if ctx.Err() != nil {
		return store.Ask{}, false, nil
	}
	return ask, there, err
}

func awaitedNow(ctx context.Context, st *store.Store, session string) (ask store.Ask, there bool, err error) {
	due, err := st.Due(ctx, session)
	if err != nil {
		return store.Ask{}, false, err
	}
	standing, err := st.Standing(ctx)
	for _, ask := range due {
		if ask.Open() && standing.Waited(ask.ID) {
			return ask, true, nil
		}
	}
	return store.Ask{}, false, err
}

// inset is the column of what is told below a step.
const inset = 7

// step prints that a step is done.
func (d *demoRun) step(text string) { d.next(d.ink.Success.Render("✓"), text) }

// waits prints a step that is the person's.
func (d *demoRun) waits(text string) { d.next(d.ink.Required.Render("●"), text) }

func (d *demoRun) next(mark, text string) {
	d.steps++
	head := d.ink.Accent.Render(fmt.Sprintf("%3d", d.steps)) + "  " + mark + " "
	_ = d.Print(layout.Message(head, text, d.ink.Width) + "\n")
}

// result prints what a tool returned: JSON with colours, one key a line, and below it
// the words that may follow.
func (d *demoRun) result(text string) {
	answers, rest, _ := strings.Cut(text, "\n")
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, []byte(answers), "", "  "); err != nil {
		rest = text
	} else {
		_ = d.Print(d.ink.Code("json", laidOut.String(), inset))
	}
	if rest != "" {
		rest = "planb says to the agent: " + rest // not to the person who reads the demo
		_ = d.Print(layout.Message(strings.Repeat(" ", inset), safe.New(rest).Block(), d.ink.Width) + "\n")
	}
}
