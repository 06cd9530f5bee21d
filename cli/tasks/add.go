package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/tui/wording"
)

type addFlags struct {
	key, description, priority, estimate string
	after                                []string
	human, json                          bool
}

func (c Commands) addCommand() *cobra.Command {
	var flags addFlags
	command := &cobra.Command{
		Use:   "add PLAN TITLE",
		Short: "Add a task to a plan",
		Long: "Add a task to a plan. In an active plan it is locked until you approve it with `planb tasks approve` or on the board, like\n" +
			"a task that an agent adds.\n\n" + namedHelp,
		Example:           "  planb tasks add 3f9a1c 'Write the changelog' --after api,docs --estimate 30m",
		Args:              exactly("one plan and the title of the task", 2),
		ValidArgsFunction: c.OfferPlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.add(cmd.Context(), args[0], args[1], flags) },
	}
	command.Flags().StringVar(&flags.key, "key", "", "its nodeKey `KEY`; by default planb makes one from the title")
	command.Flags().StringSliceVar(&flags.after, "after", nil, "the task waits for the tasks with these nodeKeys `KEYS`")
	command.Flags().StringVar(&flags.description, "description", "", "what to do, as Markdown `TEXT`")
	command.Flags().StringVar(&flags.priority, "priority", "", "how urgent it is: `N` from 0 (most urgent) to 4; 2 by default")
	command.Flags().StringVar(&flags.estimate, "estimate", "", "how long it takes: a `TIME` as 90m or 1h30m; 30m by default")
	command.Flags().BoolVar(&flags.human, "human", false, "only a person can do it")
	command.Flags().BoolVar(&flags.json, "json", false, "print it as JSON")
	return command
}

// item is the task as an agent would propose it.
func (f addFlags) item(title string) map[string]any {
	item := map[string]any{"title": title}
	for name, value := range map[string]string{"nodeKey": f.key, "description": f.description, "priority": f.priority, "estimateMinutes": f.estimate} {
		if value != "" {
			item[name] = value
		}
	}
	if len(f.after) > 0 {
		item["dependsOn"] = f.after
	}
	if f.human {
		item["executionContract"] = map[string]any{"kind": rules.Human}
	}
	return item
}

func (c Commands) add(ctx context.Context, name, title string, flags addFlags) error {
	return named(c.withDesk(ctx, false, func(d desk) error {
		t, err := d.find(ctx, name)
		if err != nil {
			return err
		}
		raw, err := json.Marshal(flags.item(title))
		if err != nil {
			return err
		}
		seed, err := rules.ReadTask(raw, t.Graph)
		if err != nil {
			return frame.UsageError(err)
		}
		if t.Status == rules.PlanActive {
			_, err = d.Tasks().Add(ctx, d.everywhere(), kept.Addition{Plan: t.ID, Seed: seed})
		} else {
			err = d.addTo(ctx, &t.Whole, rules.Proposal{Items: []rules.Item{{Seed: seed}}}, &imported{})
		}
		if err != nil {
			return err
		}
		after, err := d.target(ctx, t.ID, 0, name)
		if err != nil {
			return err
		}
		after.number, _ = after.Graph.Find(seed.Key)
		return c.acted(ctx, d, after, flags.json, fmt.Sprintf("Added %s to %s (%s). It waits for your approval:  planb tasks approve %s",
			wording.Quote(seed.Title.Line()), wording.Quote(t.Title.Line()), shortTask(t.ID, after.number), rules.Short(t.ID)))
	}), name)
}

func (c Commands) editCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:   "edit PLAN|TASK [FILE|-]",
		Short: "Change a plan or a task in your editor",
		Long: "Change a plan or a task in your editor, in the Markdown in which you review it, or take it from a file. A proposed plan\n" +
			"gets the new content. An active one goes on as it is until you approve the change with `planb tasks approve`; tasks that\n" +
			"you leave out stay as they are, and `cancel: yes` below a heading takes one out.\n\n" + namedHelp,
		Example: "  planb tasks edit 3f9a1c.2\n  planb tasks show 3f9a1c > plan.md; vi plan.md; planb tasks edit 3f9a1c plan.md",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return exactly("one plan or task, and a file if you like", 1)(cmd, args)
			}
			return nil
		},
		ValidArgsFunction: c.offerTasks(unended),
		RunE:              func(cmd *cobra.Command, args []string) error { return c.edit(cmd.Context(), args, in.json) },
	}
	return in.jsonFlag(command)
}

func (c Commands) edit(ctx context.Context, args []string, asJSON bool) error {
	return named(c.withDesk(ctx, false, func(d desk) error {
		t, err := d.find(ctx, args[0])
		if err != nil {
			return err
		}
		list, err := d.Tasks().Tasks(ctx, t.Whole)
		if err != nil {
			return err
		}
		before := rules.Plan{Title: t.Graph.Title(), Description: t.Graph.Description(), Tasks: list}.Proposal()
		text, path, err := c.edited(ctx, rules.Render(only(before, t)), args[1:])
		if err != nil {
			return err
		}
		made, err := d.proposeEdit(ctx, t, before, text)
		if path != "" && err != nil {
			return fmt.Errorf("what you wrote is kept in %s: %w", path, rules.Plainly(err))
		}
		if path != "" {
			err = os.Remove(path)
		}
		if err != nil {
			return err
		}
		if made.Unchanged {
			return c.acted(ctx, d, t, asJSON, "Nothing was changed.")
		}
		after, err := d.target(ctx, t.ID, t.number, args[0])
		if err != nil {
			return err
		}
		return c.acted(ctx, d, after, asJSON, "Changed. "+inPlaceOf(made.Replaced)+"It waits for your approval:  planb tasks approve "+rules.Short(t.ID))
	}), args[0])
}

// proposeEdit proposes what the person made of a plan, or of a task, as they read it.
func (d desk) proposeEdit(ctx context.Context, t target, before rules.Proposal, text safe.Text) (kept.Proposed, error) {
	change, err := read(text, t)
	if err != nil {
		return kept.Proposed{}, fmt.Errorf("what was edited cannot be read as tasks, and nothing was changed: %w", err)
	}
	if t.number != 0 && !names(change, t.Graph.Key(t.number)) {
		return kept.Proposed{}, fmt.Errorf("the text does not name %q, the task that is edited, and nothing was changed; its heading must end in {#%[1]s}", t.Graph.Key(t.number))
	}
	wanted := kept.Proposal{Proposal: change, Replaces: t.ID}
	if t.Status == rules.PlanProposed {
		wanted.Of = t.Graph.Hash()
		if t.number != 0 {
			wanted.Proposal = replaced(before, change)
		}
	}
	return d.Tasks().Propose(ctx, d.everywhere(), wanted)
}

// names reports whether a change says what becomes of the task.
func names(change rules.Proposal, key string) bool {
	return slices.ContainsFunc(change.Items, func(item rules.Item) bool { return item.Key == key || item.SplitFrom == key })
}

// inPlaceOf says which changes wait no longer because the person's do.
func inPlaceOf(r *kept.Replaced) string {
	if r == nil {
		return ""
	}
	count, whose := "changes", "you made before"
	if r.Changes > 0 {
		count = wording.Count(r.Changes, "change")
	}
	if !r.Own {
		whose = safe.New(r.By).Line() + " proposed"
	}
	return fmt.Sprintf("It takes the place of %s that %s. ", count, whose)
}

// only is the whole proposal or, if a task is named, that task alone.
func only(p rules.Proposal, t target) rules.Proposal {
	if t.number == 0 {
		return p
	}
	for _, item := range p.Items {
		if item.Key == t.Graph.Key(t.number) {
			return rules.Proposal{Items: []rules.Item{item}}
		}
	}
	return rules.Proposal{}
}

// read parses the edited text: as a plan of its own if it is the whole of a proposed
// plan, else as a change of the existing plan.
func read(text safe.Text, t target) (rules.Proposal, error) {
	amends := t.Graph
	if t.Status == rules.PlanProposed && t.number == 0 {
		amends = nil
	}
	doc, err := rules.ParseMarkdown(text, amends)
	return doc.Proposal, err
}

// replaced returns the proposal with the tasks of a change in place of the tasks with
// the same keys, and without those that it cancels or splits.
func replaced(p, change rules.Proposal) rules.Proposal {
	for _, item := range change.Items {
		gone := item.SplitFrom
		if item.Cancel {
			gone = item.Key
		}
		p.Items = slices.DeleteFunc(p.Items, func(before rules.Item) bool { return before.Key == gone })
		if item.Cancel {
			continue
		}
		item.SplitFrom = "" // the proposal has nothing that it was split from
		found := false
		for i := range p.Items {
			if p.Items[i].Key == item.Key {
				p.Items[i], found = item, true
			}
		}
		if !found {
			p.Items = append(p.Items, item)
		}
	}
	return p
}

// edited returns the text as the person edited it, and the path of the file that they wrote
// it to, which is to be removed once it is kept; or the text of the file that is named.
func (c Commands) edited(ctx context.Context, text safe.Text, file []string) (now safe.Text, path string, err error) {
	if len(file) == 1 {
		raw, err := c.ReadFile(file[0])
		if err != nil {
			return safe.Text{}, "", fmt.Errorf("the tasks can't be read: %w", err)
		}
		return safe.New(string(raw)), "", nil
	}
	out, err := os.CreateTemp("", "planb-tasks-*.md")
	if err != nil {
		return safe.Text{}, "", err
	}
	path = out.Name()
	_, err = out.WriteString(text.Raw())
	if err = errors.Join(err, out.Close()); err != nil {
		return safe.Text{}, "", errors.Join(err, os.Remove(path))
	}
	failed := c.Editor(ctx, path)
	raw, err := os.ReadFile(path)
	switch {
	case failed != nil && err == nil && string(raw) == text.Raw(): // nothing is lost with the file
		return safe.Text{}, "", errors.Join(failed, os.Remove(path))
	case failed != nil:
		return safe.Text{}, "", fmt.Errorf("%w; what you wrote is kept in %s", failed, path)
	}
	return safe.New(strings.TrimRight(string(raw), "\n") + "\n"), path, err
}
