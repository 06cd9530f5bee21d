package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/retro"
	"planb/tui/wording"
)

func (p lookups) showCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "show SESSION|FORM|SESSION@vN",
		Short: "Print the story of a session, a form's answers, or a plan",
		Long: "Print what happened in a session, in order; one form with its answers; or one version of a plan. A terminal gets the\n" +
			"plan as it is read, a file or a pipe byte for byte as it was saved.\n\n" + namedHelp,
		Example: "  planb show 4f5e6a7b\n  planb show 4f5e6a7b@latest > plan.md\n  planb show 4f5e6a7b@v2 --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return frame.UsageError(errors.New("planb show needs a session, a form or a version of a plan (SESSION@v3); `planb sessions` lists the sessions"))
			}
			return frame.ExactlyOne("session, form or version")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.show(cmd.Context(), args[0], asJSON) },
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return command
}

func (p lookups) show(ctx context.Context, name string, asJSON bool) error {
	err := p.ReadStore(ctx, func(st *store.Store) error {
		found, err := findNamed(ctx, st, name)
		switch {
		case err != nil:
			return err
		case found.ask != nil:
			return p.printAsk(*found.ask, asJSON)
		case found.plan > 0:
			return p.printVersion(ctx, st, found, asJSON)
		}
		return p.showStory(ctx, st, found.session, asJSON)
	})
	if frame.Missing(err) {
		return nothingNamed(name)
	}
	return err
}

// shownAsk is an ask as planb show --json prints it.
type shownAsk struct {
	ID         string              `json:"id"`
	Session    string              `json:"session"`
	Client     store.Client        `json:"client,omitzero"`
	Created    time.Time           `json:"created"`
	Asked      time.Time           `json:"asked,omitzero"` // the last time
	Shown      time.Time           `json:"shown,omitzero"`
	Spec       *questions.Spec     `json:"spec,omitempty"`
	Outcome    questions.Outcome   `json:"outcome,omitzero"`
	Late       []questions.Outcome `json:"late,omitempty"`
	Delivered  time.Time           `json:"delivered,omitzero"`
	Unreadable string              `json:"unreadable,omitempty"` // why the record cannot be read
}

func showAsk(ask store.Ask) shownAsk {
	shown := shownAsk{
		ID: ask.ID, Session: ask.Session, Client: ask.Client, Created: ask.Created, Asked: ask.Asked, Shown: ask.Shown,
		Outcome: ask.Outcome, Late: ask.TooLate, Delivered: ask.Delivered, Unreadable: reason(ask.Err),
	}
	if ask.Err == nil {
		shown.Spec = &ask.Spec
	}
	return shown
}

func (p lookups) printAsk(ask store.Ask, asJSON bool) error {
	if asJSON {
		return frame.PrintJSON(p.Stdout, showAsk(ask))
	}
	ids := fmt.Sprintf("\nask %s of session %s\n", ask.ID, ask.Session)
	text := wording.AskText(ask, time.Local).Block()
	k := p.ink()
	if !k.Terminal {
		return p.Print(text + ids)
	}
	title, rest, _ := strings.Cut(text, "\n")
	return p.Print(k.Title.Render(layout.Text(title, k.Width)) + "\n" + askLines(k, layout.Text(rest, k.Width)) + k.Faint.Render(layout.Text(ids, k.Width)) + "\n")
}

// askLines gives each part of an ask its style: the line with its kind and its end, the
// questions, and the answers, which are the indented lines.
func askLines(k ink.Ink, text string) string {
	var out strings.Builder
	style := k.Muted
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
			style = k.Strong
		case line == "  (left open)":
			line = k.Faint.Render(line)
		case !strings.HasPrefix(line, "  "):
			line = style.Render(line)
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// shownVersion is a version as planb show --json prints it.
type shownVersion struct {
	shownPlan
	Text safe.Text `json:"text"`
}

// shownCitation is a citation in a plan's text.
type shownCitation struct {
	Question string `json:"question"`
	Line     int    `json:"line"`
	Ask      string `json:"ask,omitempty"` // the ask that it cites; empty if unknown
}

func (p lookups) printVersion(ctx context.Context, st *store.Store, found named, asJSON bool) error {
	text, err := st.PlanText(ctx, found.session.ID, found.plan)
	if err != nil {
		return err
	}
	if !asJSON {
		if k := p.ink(); k.Terminal {
			return p.Print(k.Citing(retro.ReadCited(ctx, st, found.session.ID, map[int]safe.Text{found.plan: text}), text, 0))
		}
		return p.Print(text.Raw())
	}
	story, err := timeline.Read(ctx, st, found.session.ID)
	if err != nil {
		return err
	}
	details, err := detailsOf(ctx, st, story, found.plan)
	if err != nil {
		return err
	}
	plan, _ := story.Plan(found.plan)
	return frame.PrintJSON(p.Stdout, shownVersion{showPlan(story, plan, details[found.plan]), text})
}
