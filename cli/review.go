package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/hook"
	"planb/cli/ink"
	"planb/cli/ownagent"
	"planb/plainjson"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/wording"
)

// exitChanges is the exit code for a plan that is not approved. 2 makes the
// hooks of agents stop and read stderr.
const exitChanges = 2

// reviewFlags are the flags of `planb review`.
type reviewFlags struct {
	pane bool
	hook string
}

func (p program) reviewCommand() *cobra.Command {
	var flags reviewFlags
	command := &cobra.Command{
		Use:   "review FILE|-",
		Short: "Review a plan, or any Markdown, and print the verdict",
		Long: "Show a plan, or any Markdown, from a file (or from stdin, with -) for review and print the verdict: on a terminal as\n" +
			"text, in a pipe as JSON:\n\n" +
			"    {\"approved\":false,\"feedback\":\"# Plan review: changes requested …\"}\n\n" +
			"It exits with 0 when the plan was approved; with 2 when it was not, or only in part, and then prints the feedback to\n" +
			"stderr as well; with 130 when the review was declined or left. When a file is reviewed again, the changes come first.\n\n" +
			"It is drawn on the terminal, so stdout can go into a pipe. Without a terminal, as in a hook of an agent, it opens in\n" +
			"a pane beside the agent. After `planb setup claude --plan-hook` Claude Code runs it for its own plans.",
		Args: func(cmd *cobra.Command, args []string) error {
			if flags.hook != "" {
				return frame.NoArguments(cmd, args)
			}
			return frame.ExactlyOne("file")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.hook != "" {
				return p.reviewBeside().AnswerClient(cmd.Context(), flags.hook)
			}
			return p.review(cmd.Context(), args[0], flags.pane)
		},
	}
	command.Flags().BoolVar(&flags.pane, "pane", false, "show it in a pane, even if there is a terminal")
	command.Flags().StringVar(&flags.hook, "hook", "", "act as the hook for the own plans of `CLIENT` (claude): read its request from stdin, write the answer to stdout")
	return command
}

// reviewClient names the asker of a review that a person or a script began.
func reviewClient() sdk.Implementation {
	return sdk.Implementation{Name: "planb-review", Title: "planb review", Version: frame.Version}
}

// reviewBeside returns what shows a review in a pane beside this process.
func (p program) reviewBeside() hook.Beside {
	start := func(ctx context.Context, as sdk.Implementation) (hook.Asker, error) {
		return ownagent.Start(ctx, p.Program, as, true)
	}
	return hook.Beside{Program: p.Program, CanOpenPanes: p.canOpenPanes, Start: start}
}

// review shows a plan and prints the verdict.
func (p program) review(ctx context.Context, file string, inPane bool) error {
	text, err := p.readPlan(file)
	if err != nil {
		return err
	}
	terminal, closeTTY, noTerminal := p.reviewTerminal(inPane)
	if noTerminal != nil {
		if err := p.reviewBeside().Possible(ctx); err != nil {
			if errors.Is(noTerminal, errPane) {
				return err
			}
			return errors.Join(err, noTerminal)
		}
	} else {
		defer closeTTY()
		// Check first whether the plan can be shown. A review that cannot be
		// shown must not be kept: it would wait for ever.
		if err := p.checkTheme(); err != nil {
			return err
		}
	}
	return p.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		plan, err := p.keepReviewed(ctx, st, file, text)
		if err != nil {
			return err
		}
		var ask store.Ask
		if noTerminal != nil {
			ask, err = p.reviewBeside().Review(ctx, st, plan, reviewClient())
		} else {
			ask, err = p.reviewHere(ctx, st, terminal, plan, hook.Title(text, filepath.Base(file)))
		}
		if err != nil {
			return err
		}
		return p.printVerdict(ctx, st, ask, noTerminal != nil)
	})
}

func (p program) readPlan(file string) (safe.Text, error) {
	raw, err := p.ReadFile(file)
	if err != nil {
		return safe.Text{}, fmt.Errorf("the plan can't be read: %w", err)
	}
	return safe.New(string(raw)), nil
}

// errPane says that --pane forbids this terminal.
var errPane = errors.New("it was to be shown in a pane")

// reviewTerminal opens this process's terminal, unless the process runs in the
// background, where reading would stop it. The error says why there is none.
func (p program) reviewTerminal(inPane bool) (screen.Terminal, func(), error) {
	if inPane {
		return screen.Terminal{}, nil, errPane
	}
	if err := inForeground(); err != nil {
		return screen.Terminal{}, nil, err
	}
	return p.terminal()
}

// inForeground says why this process must not read from a terminal; nil if it may.
func inForeground() error {
	if frame.InForeground() {
		return nil
	}
	return errors.New("there is no terminal to draw on, or planb runs in its background; run planb in the foreground of a terminal")
}

// keepReviewed saves the text as a version. A file's versions share one
// session; a text from stdin gets a new one.
func (p program) keepReviewed(ctx context.Context, st *store.Store, file string, text safe.Text) (store.Plan, error) {
	project, err := p.ProjectDir()
	if err != nil {
		return store.Plan{}, err
	}
	session := store.Session{
		Title: hook.Title(text, filepath.Base(file)), Project: safe.New(project), Client: ownagent.StoreClient(reviewClient()),
	}
	if file == "-" {
		return keepInNew(ctx, st, session, text)
	}
	path, err := filepath.Abs(file)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return store.Plan{}, fmt.Errorf("the plan's file is not to be found: %w", err)
	}
	name, err := plans.NameOfFile(filepath.Base(path))
	if err != nil {
		name = "" // any file may be reviewed, but only a plan's file has a name
	}
	plan, _, err := st.SaveFilePlan(ctx, store.FilePlan{Path: path, Name: name, Text: text.Raw(), New: session})
	return plan, err
}

func keepInNew(ctx context.Context, st *store.Store, session store.Session, text safe.Text) (store.Plan, error) {
	session, err := st.CreateSession(ctx, session)
	if err != nil {
		return store.Plan{}, err
	}
	plan, _, err := st.SavePlan(ctx, session.ID, "", text.Raw())
	return plan, err
}

// reviewHere shows the version on this terminal.
func (p program) reviewHere(ctx context.Context, st *store.Store, terminal screen.Terminal, plan store.Plan, title safe.Text) (store.Ask, error) {
	settings := p.settings(nil)
	if err := settings.Check("answer-timeout"); err != nil {
		return store.Ask{}, err
	}
	client := reviewClient()
	if ask, err := hook.Undelivered(ctx, st, plan, client); err != nil || ask.ID != "" {
		return ask, err
	}
	last, err := st.LastReview(ctx, plan.Session, plan.Name)
	if err != nil {
		return store.Ask{}, err
	}
	ref := questions.PlanRef{Name: string(plan.Name), Number: plan.Number, Digest: plan.Digest, Since: last.ID}
	ask, _, err := st.OpenAsk(ctx, store.Ask{
		Session: plan.Session, Spec: questions.ReviewOf(title, ref), Timeout: settings.AnswerTimeout, Client: ownagent.StoreClient(client),
	})
	if err != nil {
		return store.Ask{}, err
	}
	return p.showOwn(ctx, st, terminal, ask.ID)
}

// verdict is the JSON that a review prints.
type verdict struct {
	Approved bool   `json:"approved"`
	Feedback string `json:"feedback,omitempty"`
}

// printVerdict prints the outcome of the review and marks it as delivered. With
// beside, this terminal has shown the person nothing yet.
func (p program) printVerdict(ctx context.Context, st *store.Store, ask store.Ask, beside bool) error {
	var end error
	switch outcome := ask.Outcome; outcome.State {
	case questions.Answered:
		said, err := hook.Said(ask)
		if err != nil {
			return err
		}
		if err := p.writeVerdict(ask, said); err != nil {
			return fmt.Errorf("the verdict can't be printed: %w; it is kept, see it with  planb tui retro %s", err, ask.Session)
		}
		if !said.Approved() {
			end = frame.Exit{Code: exitChanges}
		}
	case questions.Declined, questions.Discuss, questions.Withdrawn:
		end = frame.Declined(errors.New(hook.WithoutVerdict(ask)))
	default:
		if beside {
			return frame.Declined(errors.New(hook.WithoutVerdict(ask)))
		}
		return frame.Declined(nil) // the screen has printed how to return to it
	}
	return errors.Join(end, st.Deliver(ctx, ask.ID))
}

// writeVerdict writes the verdict to stdout: rendered on a terminal, else as JSON. If a
// script reads stdout, above all an agent's hook, feedback without an approval goes to
// stderr, too.
func (p program) writeVerdict(ask store.Ask, said review.Review) error {
	feedback := said.Plain()
	if k := (lookups{p.Program}).ink(); k.Terminal {
		if err := p.Print(verdictText(k, ask.Outcome, said)); err != nil || frame.IsTerminal(p.Stderr) {
			return err
		}
	} else {
		line, err := plainjson.Marshal(verdict{said.Approved(), feedback.Raw()})
		if err == nil {
			_, err = p.Stdout.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
	if said.Approved() {
		return nil
	}
	text := feedback.Raw()
	if frame.IsTerminal(p.Stderr) {
		text = feedback.Block() // the feedback quotes the plan, which may hold control characters
	}
	_, err := fmt.Fprintln(p.Stderr, text)
	return err
}

// verdictText is the verdict and the feedback for a person.
func verdictText(k ink.Ink, outcome questions.Outcome, said review.Review) string {
	mark, style := "↩", k.Warning
	switch {
	case said.Approved():
		mark, style = "✓", k.Success
	case said.Verdict == review.Reject:
		mark, style = "✗", k.Danger
	}
	words, _ := wording.Review(outcome)
	text := style.Bold(true).Render(mark+" "+words.Verdict) + "\n"
	if !words.Feedback.Blank() {
		text += "\n" + k.Markdown(words.Feedback, 2)
	}
	return text
}
