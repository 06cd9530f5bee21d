package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/ledger"
	"planb/store/search"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) doneCommand() *cobra.Command {
	var in scope
	since := "yesterday"
	command := &cobra.Command{
		Use:   "done",
		Short: "List what was done, with what the agents reported",
		Long: "List the tasks that were done, the newest first, with the summary that was reported. planb verified none of it.\n" +
			"--since takes today, yesterday, a day, month or year such as 2026-05-17, or a time ago such as 12h, 7d or 3w.",
		Example: "  planb tasks done\n  planb tasks done --since 7d --json",
		Args:    frame.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.done(cmd.Context(), in, since) },
	}
	command.Flags().StringVar(&since, "since", since, "tasks that were done since `WHEN`")
	return in.flags(command)
}

// sinceWhen reads the value of --since.
func sinceWhen(text string, now time.Time) (time.Time, error) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch strings.ToLower(text) {
	case "today":
		return midnight, nil
	case "yesterday":
		return midnight.AddDate(0, 0, -1), nil
	}
	at, ok := search.Date(text, now)
	if !ok {
		return time.Time{}, frame.UsageError(fmt.Errorf("--since is %q, but it must be today, yesterday, %s", text, search.Dates))
	}
	return at, nil
}

// doneTask is a task that was done as --json prints it.
type doneTask struct {
	ID       string    `json:"taskId"`
	Short    string    `json:"short"`
	Key      string    `json:"nodeKey"`
	Title    safe.Text `json:"title"`
	Plan     string    `json:"planId"`
	PlanName safe.Text `json:"planTitle"`
	At       time.Time `json:"at"`
	By       string    `json:"by"` // the agent, or the person who did or accepted it
	Summary  safe.Text `json:"summary,omitzero"`
	Head     string    `json:"head,omitempty"` // of the repository then
}

func (c Commands) done(ctx context.Context, in scope, since string) error {
	at, err := sinceWhen(since, time.Now())
	if err != nil {
		return err
	}
	list := []doneTask{}
	err = c.withDesk(ctx, in.all, func(d desk) error {
		list, err = d.done(ctx, at)
		return err
	})
	if err != nil && !frame.Missing(err) {
		return err
	}
	k := c.ink()
	switch {
	case in.json:
		return frame.PrintJSON(c.Stdout, append([]doneTask{}, list...))
	case len(list) == 0:
		_, err := fmt.Fprintf(c.Stderr, "No task was done since %s.\n", wording.Moment(at, time.Now()))
		return err
	case k.Terminal:
		return c.Print(doneText(k, list, time.Now()))
	}
	for _, t := range list {
		line := t.At.Local().Format("2006-01-02 15:04") + "  " + t.Short + "  " +
			cells.Join(t.Key, t.Title.Line(), safe.New(t.By).Line(), t.Summary.Line())
		if err := c.Print(line + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// done returns the tasks that were done since a time, the newest first.
func (d desk) done(ctx context.Context, since time.Time) (list []doneTask, err error) {
	views := map[string]view{}
	err = d.Tasks().Events(ctx, d.by, since, false, func(e kept.Event) error {
		if e.Err != nil || rules.State(e.To) != rules.Done || e.Action == kept.PlanApproved { // that one tells of the plan's end
			return nil
		}
		for _, n := range e.Tasks {
			v, read := views[e.About]
			if !read {
				w, err := d.Tasks().Plan(ctx, d.everywhere(), e.About)
				if ledger.AboutOne(err) {
					return nil // planb tasks names the plan
				}
				if err != nil {
					return err
				}
				v = d.look(w)
				views[e.About] = v
			}
			t, err := d.doneTask(ctx, v, n, e)
			if err != nil {
				return err
			}
			list = append(list, t)
		}
		return nil
	})
	slices.Reverse(list)
	return list, err
}

func (d desk) doneTask(ctx context.Context, v view, n int, e kept.Event) (doneTask, error) {
	if err := d.readTexts(ctx, v, n); err != nil && !ledger.AboutOne(err) { // else the nodeKey names it
		return doneTask{}, err
	}
	t := doneTask{
		ID: v.TaskID(n), Short: shortTask(v.ID, n), Key: v.Graph.Key(n), Title: v.names(n), Plan: v.ID, PlanName: v.Title, At: e.At, By: e.By,
	}
	past, err := d.Tasks().Past(ctx, d.everywhere(), t.ID)
	if err != nil && !ledger.AboutOne(err) {
		return doneTask{}, err
	}
	if n := len(past.Attempts); n > 0 && past.Attempts[n-1].Report != nil { // an earlier one was sent back
		t.Summary, t.Head = past.Attempts[n-1].Report.Summary, past.Attempts[n-1].Completed.Head
	}
	return t, nil
}

// doneText lists what was done day by day on a terminal.
func doneText(k ink.Ink, list []doneTask, now time.Time) string {
	var out strings.Builder
	var day time.Time
	mark := k.Role(themes.RoleOfTask(rules.Done)).Render(rules.Done.Standing().Mark)
	for _, t := range list {
		at := t.At.Local()
		if !wording.SameDay(at, day) {
			if day = at; out.Len() > 0 {
				out.WriteString("\n")
			}
			out.WriteString(k.Strong.Render(dayName(at, now)) + "\n")
		}
		head := mark + " " + k.Faint.Render(at.Format("15:04")) + "  "
		title := k.Accent.Render(t.Short) + "  " + k.Text.Render(t.Title.Line()) + k.Muted.Render(cells.Gap+safe.New(t.By).Line())
		out.WriteString(layout.Row(head, title, k.Width))
		if !t.Summary.Blank() {
			out.WriteString(layout.Row("         ", k.Muted.Render(t.Summary.Line()), k.Width))
		}
	}
	return out.String() + "\n" + k.Muted.Render(wording.Count(len(list), "task")+" done. What agents reported, planb did not verify.") + "\n"
}

func dayName(at, now time.Time) string {
	switch {
	case wording.SameDay(at, now):
		return "Today"
	case wording.SameDay(at, now.AddDate(0, 0, -1)):
		return "Yesterday"
	}
	return at.Format("Monday, 2 January 2006")
}
