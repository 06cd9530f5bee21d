package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/files"
	rules "planb/plans/tasks"
	"planb/plans/tasks/templatefile"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) templateCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "template",
		Short: "List and save templates of plans",
		Long: "Templates, from which agents propose plans: JSON files in docs/planb/templates of the project, else in templates beside\n" +
			"your settings. Save a plan as a template, edit its file, and give it parameters as {{name}}. Agents can use the template\n" +
			"once you set its status to published.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.listTemplates(false) },
	}
	command.AddCommand(c.templateSaveCommand(), c.templateListCommand(), c.templateCheckCommand())
	return command
}

func (c Commands) templateListCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:   "list",
		Short: "List the templates of this project, and yours",
		Args:  frame.NoArguments,
		RunE:  func(*cobra.Command, []string) error { return c.listTemplates(in.json) },
	}
	return in.jsonFlag(command)
}

func (c Commands) templateSaveCommand() *cobra.Command {
	var in scope
	var overwrite, mine bool
	command := &cobra.Command{
		Use:               "save PLAN KEY",
		Short:             "Save a plan as an unpublished template",
		Example:           "  planb tasks template save 3f9a1c release",
		Args:              exactly("one plan and the key of the template", 2),
		ValidArgsFunction: c.OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.saveTemplate(cmd.Context(), args[0], args[1], mine, overwrite, in.json)
		},
	}
	command.Flags().BoolVar(&mine, "mine", false, "beside your settings instead of in the project")
	command.Flags().BoolVar(&overwrite, "overwrite", false, "replace a template with that key")
	return in.jsonFlag(command)
}

func (c Commands) templateCheckCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:     "check [FILE]",
		Short:   "Check a template's file, or all templates",
		Long:    "Check a template's file, or all templates of this project and yours: that it can be read and, filled in, makes a plan.\nExit code 1 if one cannot be used.",
		Example: "  planb tasks template check\n  planb tasks template check docs/planb/templates/release.json",
		Args:    frame.AtMostOne("file"),
		RunE:    func(_ *cobra.Command, args []string) error { return c.checkTemplates(args, in.json) },
	}
	return in.jsonFlag(command)
}

// folders are those of the project in this directory and of the person.
func (c Commands) folders() (templatefile.Folders, error) {
	project, err := c.ProjectDir()
	if err != nil {
		return nil, err
	}
	settings, err := c.Env.ConfigDir()
	return templatefile.In(project, settings), err
}

// shownTemplate is a template as --json prints it.
type shownTemplate struct {
	Key     string                 `json:"key"`
	Title   safe.Text              `json:"title,omitzero"`
	Status  rules.TemplateStatus   `json:"status,omitempty"`
	Params  map[string]rules.Param `json:"params,omitempty"`
	File    string                 `json:"file"`
	Problem string                 `json:"problem,omitempty"` // why it cannot be used
}

func showTemplate(found templatefile.Found) shownTemplate {
	t := shownTemplate{Key: found.Key, Title: found.Title, Status: found.Status, Params: found.Params, File: found.File}
	if found.Err != nil {
		t.Problem = found.Err.Error()
	}
	return t
}

func (c Commands) listTemplates(asJSON bool) error {
	folders, err := c.folders()
	if err != nil {
		return err
	}
	found, err := folders.List()
	if err != nil {
		return err
	}
	list := []shownTemplate{}
	for _, t := range found {
		list = append(list, showTemplate(t))
	}
	k := c.ink()
	switch {
	case asJSON:
		return frame.PrintJSON(c.Stdout, list)
	case len(list) == 0:
		_, err := fmt.Fprintln(c.Stderr, "There is no template. planb tasks template save PLAN KEY makes one of a plan.")
		return err
	case k.Terminal:
		return c.Print(templateTable(k, list))
	}
	for _, t := range list {
		if err := c.Print(safe.New(t.Key).Line() + "  " + cells.Join(string(t.Status), t.Title.Line(), paramNames(t), safe.New(t.Problem).Line()) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func paramNames(t shownTemplate) string {
	return strings.Join(slices.Sorted(maps.Keys(t.Params)), ", ")
}

func templateTable(k ink.Ink, list []shownTemplate) string {
	columns := []ink.Column{{}, {}, {Least: 20}, {}, {Least: 12, Leave: 1}}
	var rows [][]ink.Cell
	for _, t := range list {
		mark, style := "✓", k.Success
		title := ink.Cell{Text: t.Title.Line(), Style: k.Text}
		switch {
		case t.Problem != "":
			mark, style = "✗", k.Danger
			title = ink.Cell{Text: safe.New(t.Problem).Line(), Style: k.Danger}
		case t.Status != rules.TemplatePublished:
			mark, style = "·", k.Faint
		}
		rows = append(rows, []ink.Cell{
			{Text: mark, Style: style}, {Text: safe.New(t.Key).Line(), Style: k.Accent}, title, {Text: string(t.Status), Style: style}, {Text: paramNames(t), Style: k.Muted},
		})
	}
	return k.Table(columns, rows)
}

func (c Commands) saveTemplate(ctx context.Context, name, key string, mine, overwrite, asJSON bool) error {
	folders, err := c.folders()
	if err != nil {
		return err
	}
	if mine {
		folders = folders[1:]
	}
	var text []byte
	err = c.withDesk(ctx, true, func(d desk) error {
		t, err := d.find(ctx, name)
		if err != nil {
			return err
		}
		list, err := d.Tasks().Tasks(ctx, t.Whole)
		if err != nil {
			return err
		}
		text, err = rules.TemplateOf(key, rules.Plan{Title: t.Graph.Title(), Description: t.Graph.Description(), Tasks: list})
		return err
	})
	if err != nil {
		return named(err, name)
	}
	if _, err := rules.ReadTemplate(text); err != nil { // the key is no key
		return frame.UsageError(err)
	}
	if text, err = indented(text); err != nil {
		return err
	}
	path, err := folders.Save(key, text, overwrite)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is there already and was not replaced; give --overwrite to replace it", path)
	case err != nil:
		return fmt.Errorf("the template can't be written: %w", err)
	case asJSON:
		return frame.PrintJSON(c.Stdout, shownTemplate{Key: key, Status: rules.TemplateDraft, File: path})
	}
	return c.Print(layout.Item("", path, c.Width()) + layout.Message("", "Agents can use it once you set its status to published.", c.Width()) + "\n")
}

func indented(text []byte) ([]byte, error) {
	var v json.RawMessage = text
	out, err := json.MarshalIndent(v, "", "  ")
	return append(out, '\n'), err
}

func (c Commands) checkTemplates(args []string, asJSON bool) error {
	var found []templatefile.Found
	if len(args) == 1 {
		text, _, err := files.Read(args[0], rules.MaxInputBytes)
		if err != nil {
			return fmt.Errorf("the template can't be read: %w", frame.FileFault(args[0], err))
		}
		t, err := rules.ReadTemplate(text)
		found = []templatefile.Found{{Template: t, File: args[0], Err: err}}
	} else {
		folders, err := c.folders()
		if err != nil {
			return err
		}
		if found, err = folders.List(); err != nil {
			return err
		}
	}
	list := []shownTemplate{}
	bad := 0
	for _, t := range found {
		if t.Err == nil {
			t.Err = tryOut(t.Template)
		}
		if t.Err != nil {
			bad++
		}
		list = append(list, showTemplate(t))
	}
	if asJSON {
		if err := frame.PrintJSON(c.Stdout, list); err != nil {
			return err
		}
	} else if err := c.printChecked(list); err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("%s cannot be used", wording.Count(bad, "template"))
	}
	return nil
}

// tryOut fills a template in, whatever its status, with a word for each parameter that
// needs a value.
func tryOut(t rules.Template) error {
	values := map[string]string{}
	for name, p := range t.Params {
		if p.Default == nil {
			values[name] = "value"
		}
	}
	params, err := json.Marshal(values)
	if err != nil {
		return err
	}
	t.Status = rules.TemplatePublished
	p, err := t.Fill(safe.Text{}, params, nil)
	if err != nil {
		return err
	}
	_, err = rules.Build(p.Plan())
	return err
}

func (c Commands) printChecked(list []shownTemplate) error {
	for _, t := range list {
		text := "can be used"
		switch {
		case t.Problem != "":
			text = safe.New(t.Problem).Block()
		case t.Status != rules.TemplatePublished:
			text = "makes a plan; agents cannot use it, because its status is " + string(t.Status)
		}
		if err := c.Print(layout.Message(safe.New(t.File).Line()+": ", text, c.Width()) + "\n"); err != nil {
			return err
		}
	}
	return nil
}
