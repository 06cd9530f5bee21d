package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	rules "planb/drafts"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/drafts"
	"planb/tui/inbox"
	"planb/tui/marks"
	"planb/tui/tasks"
	"planb/tui/wording"
)

func (p lookups) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Print what waits for you; in a pipe, how much",
		Long: "Print what waits for you. In a pipe, as for a status line, print how many forms wait, except those you snoozed, and\n" +
			"how many plans of tasks and drafts need you; if there are none, print nothing. In tmux's status line:\n\n" +
			"    set -ag status-right ' #(planb status)'",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.status(cmd.Context()) },
	}
}

// status creates nothing: a status line may run it long before there is a
// store.
func (p lookups) status(ctx context.Context) error {
	st, err := p.ExistingStore()
	if err != nil {
		return err
	}
	var text string
	if k := p.ink(); k.Terminal {
		text, err = listWaiting(ctx, st.Store, k, time.Now())
	} else {
		text, err = countWaiting(ctx, st.Store, time.Now())
	}
	if frame.Missing(err) {
		text, err = "", nil // nothing is kept yet, or nothing but the doorbell's file is there
	}
	if err = errors.Join(err, st.Close()); err != nil {
		return err
	}
	return p.Print(text)
}

// countWaiting is for a status line: empty if nothing waits.
func countWaiting(ctx context.Context, st *store.Store, now time.Time) (string, error) {
	waiting, err := st.Awake(ctx, now)
	if err != nil {
		return "", err
	}
	needs, err := needing(ctx, st, now)
	if waiting += len(needs); err != nil || waiting == 0 {
		return "", err
	}
	return fmt.Sprintf("%d waiting\n", waiting), nil
}

// needing returns the plans of tasks and the drafts that need the person, as the inbox lists them.
func needing(ctx context.Context, st *store.Store, now time.Time) ([]inbox.Need, error) {
	asks, err := st.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	waiting := make([]inbox.Waiting, len(asks))
	for i, ask := range asks {
		waiting[i].Ask = ask
	}
	clock := func() time.Time { return now }
	drawer := drafts.Deps{Store: st.Drafts(), Asks: st.Asks, Section: rules.Draft.Markdown, Schedule: rules.Draft.Schedule, Now: clock}
	return inbox.ReadNeeds(ctx, tasks.Deps{Store: st.Tasks(), Now: clock}, drawer, waiting)
}

// listWaiting is for a person at a terminal.
func listWaiting(ctx context.Context, st *store.Store, k ink.Ink, now time.Time) (string, error) {
	waiting, err := st.Waiting(ctx)
	if err != nil && !frame.Missing(err) {
		return "", err
	}
	needs, err := needing(ctx, st, now)
	if err != nil && !frame.Missing(err) {
		return "", err
	}
	switch {
	case len(waiting) == 0 && len(needs) == 0:
		return k.Muted.Render("Nothing waits for you.") + "\n", nil
	case len(waiting) == 0:
		return needTable(k, needs), nil
	}
	standing, err := st.Standing(ctx)
	if err != nil {
		return "", err
	}
	list := make([]waitingAsk, len(waiting))
	for i, ask := range waiting {
		session, err := st.Session(ctx, ask.Session)
		if err != nil && !frame.IsUnknown(err) {
			return "", err
		}
		list[i] = waitingAsk{ask, session, standing.Waited(ask.ID)}
	}
	text := waitingTable(k, list, now)
	if len(needs) > 0 {
		text += "\n" + needTable(k, needs)
	}
	return text, nil
}

// needTable lists at least one plan of tasks or draft that needs the person, with the command that
// opens it.
func needTable(k ink.Ink, needs []inbox.Need) string {
	var rows [][]ink.Cell
	for _, need := range needs {
		rows = append(rows, []ink.Cell{
			{Text: marks.Required, Style: k.Required}, {Text: need.Title.Line()}, {Text: need.Words, Style: k.Muted},
			{Text: need.Project}, {Text: "planb " + need.Command, Style: k.Accent},
		})
	}
	return k.Table([]ink.Column{{}, {Least: 20, Wants: 36}, {Least: 16, Wants: 40}, {Least: 8, Leave: 1}, {}}, rows)
}

// waitingAsk is an ask that waits for the person, with its session.
type waitingAsk struct {
	store.Ask
	session store.Session
	awaited bool // an agent waits, too
}

// about is the title of the session, where it says more than the ask's own.
func (w waitingAsk) about() string {
	if w.session.Err != nil || w.session.Title.Line() == w.Spec.Title.Line() {
		return ""
	}
	return w.session.Title.Line()
}

// waitingTable lists at least one ask on a terminal, and says how to answer.
func waitingTable(k ink.Ink, list []waitingAsk, now time.Time) string {
	var rows [][]ink.Cell
	for _, ask := range list {
		title := ink.Cell{Text: ask.Spec.Title.Line()}
		if ask.Err != nil {
			title = ink.Cell{Text: safe.New(ask.Err.Error()).Line(), Style: k.Danger}
		}
		mark, snoozed := questions.Pending.Standing(ask.Spec.Plan != nil).Mark, ""
		if ask.awaited {
			mark = marks.Required // as in the list of planb tui
		}
		if ask.Snoozed.After(now) {
			snoozed = "snoozed until " + wording.Until(ask.Snoozed, now)
		}
		rows = append(rows, []ink.Cell{
			{Text: mark, Style: k.Required}, {Text: store.ShortID(ask.ID), Style: k.Accent},
			title, {Text: ask.about(), Style: k.Muted},
			{Text: wording.Asker(ask.Ask, ask.session), Style: k.Muted}, {Text: wording.ProjectName(ask.session)},
			{Text: snoozed, Style: k.Muted}, {Text: wording.Ago(ask.Created.Local(), now), Style: k.Faint},
		})
	}
	columns := []ink.Column{{}, {}, {Least: 36}, {Least: 16, Leave: 1}, {Leave: 3}, {Least: 8, Leave: 4}, {Leave: 5}, {Right: true, Leave: 2}}
	how, or := "Answer one with ", ", or all with "
	if len(list) == 1 {
		how, or = "Answer it with ", " or in "
	}
	hint := k.Muted.Render(fmt.Sprintf("%d waiting. %s", len(list), how)) +
		k.Accent.Render("planb tui ask "+store.ShortID(list[0].ID)) + k.Muted.Render(or) + k.Accent.Render("planb tui")
	return k.Table(columns, rows) + "\n" + layout.Text(hint, k.Width) + "\n"
}
