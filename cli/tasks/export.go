package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/archive"
)

type exportFlags struct {
	to              string
	json, overwrite bool
}

func (c Commands) exportCommand() *cobra.Command {
	var flags exportFlags
	command := &cobra.Command{
		Use:   "export PLAN",
		Short: "Write a plan as Markdown or JSON",
		Long: "Write a plan of tasks as Markdown, the format in which you review and edit it, or as JSON. The name that you give to --to decides which.\n" +
			"Without --to it goes to stdout. If you import it again, it is the same plan with the same hash. Tasks that are\n" +
			"done stay done, and those that you cancelled are left out.\n\n" + namedHelp,
		Example:           "  planb tasks export 3f9a1c --to auth.md\n  planb tasks export 3f9a1c --json > auth.json",
		Args:              exactly("one plan", 1),
		ValidArgsFunction: c.OfferPlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.export(cmd.Context(), args[0], flags) },
	}
	command.Flags().StringVar(&flags.to, "to", "", "write to `FILE`, whose name ends in .md or .json")
	command.Flags().BoolVar(&flags.overwrite, "overwrite", false, "replace a file that exists with other content")
	command.Flags().BoolVar(&flags.json, "json", false, "write JSON to stdout")
	return command
}

func (c Commands) export(ctx context.Context, name string, flags exportFlags) error {
	asJSON := flags.json
	if flags.to != "" {
		switch strings.ToLower(filepath.Ext(flags.to)) {
		case ".md", ".markdown":
		case ".json":
			asJSON = true
		default:
			return frame.UsageError(fmt.Errorf("--to is %q, but the name must end in .md or .json, which decides the format", flags.to))
		}
		if flags.json {
			return frame.UsageError(errors.New("--json writes to stdout; give either --to or --json"))
		}
	}
	var text []byte
	err := c.withDesk(ctx, true, func(d desk) (err error) {
		text, err = d.exported(ctx, name, asJSON)
		return err
	})
	if err != nil {
		return named(err, name)
	}
	switch {
	case flags.to != "":
		return c.writeFile(flags.to, text, flags.overwrite)
	case frame.IsTerminal(c.Stdout):
		return c.Print(safe.New(string(text)).Block()) // a terminal would obey control characters
	}
	_, err = c.Stdout.Write(text)
	return err
}

// exported is a plan as a file. A task that was done here is done in it; one that was
// cancelled is not in it. Where the whole plan was cancelled, nobody knows which of its tasks
// were cancelled before it, so it has them all.
func (d desk) exported(ctx context.Context, name string, asJSON bool) ([]byte, error) {
	t, err := d.find(ctx, name)
	if err != nil {
		return nil, err
	}
	list, err := d.Tasks().Tasks(ctx, t.Whole)
	if err != nil {
		return nil, err
	}
	var without rules.Proposal
	for i := range list {
		switch state := t.Marks.State(list[i].Number); {
		case list[i].Dropped:
		case state == rules.Done && list[i].Done.IsZero():
			list[i].Done = safe.New(string(state))
		case state == rules.Cancelled && t.Status != rules.PlanCancelled:
			without.Items = append(without.Items, rules.Item{Seed: list[i].Seed, Cancel: true})
		}
	}
	plan, err := rules.Plan{Title: t.Graph.Title(), Description: t.Graph.Description(), Tasks: list}.Amend(without, nil)
	if err != nil {
		return nil, err
	}
	p := plan.Proposal()
	if !asJSON {
		return []byte(rules.Render(p).Raw()), nil
	}
	text, err := json.MarshalIndent(p, "", "  ")
	return append(text, '\n'), err
}

func (c Commands) writeFile(path string, text []byte, overwrite bool) (err error) {
	to, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	place, err := archive.NewPlace(filepath.Dir(to), overwrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	fate, err := place.Write(filepath.Base(to), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("%s can't be written: %w", to, err)
	case fate == archive.Refused:
		return fmt.Errorf("%s exists with other content and was not replaced; give --overwrite to replace it", to)
	}
	about := ""
	if fate == archive.Same {
		about = "  (as it was)"
	}
	return c.Print(layout.Item(to, about, c.Width()))
}
