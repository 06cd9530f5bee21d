package tasks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/files"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	"planb/store/project"
	kept "planb/store/tasks"
	"planb/tui/wording"
)

func (c Commands) importCommand() *cobra.Command {
	var flags importFlags
	command := &cobra.Command{
		Use:   "import FILE|-|SESSION@vN",
		Short: "Propose a plan from a file, or from a session's plan",
		Long: "Propose a plan of tasks from a file, from stdin, or from a version of a session's plan, and print what was left\n" +
			"out. The plan is proposed: you approve it with `planb tasks approve`. If you import the file again, planb adds\n" +
			"only the tasks that the plan does not have yet. planb reads:\n\n" +
			"    Markdown  what planb tasks export writes; else a task for each item of a list:\n" +
			"              - [ ] Write the API {#api} (after: schema) (30m) !1\n" +
			"              [x] is done; indented items come before the item that they belong\n" +
			"              to; the items of a numbered list come one after another\n" +
			"    JSON      what planb tasks export writes, or an agent proposes\n" +
			"    JSONL     what beads exports\n",
		Example: "  planb tasks import TODO.md\n  planb tasks import .beads/issues.jsonl --dry-run\n  planb tasks import 4f5e6a7b@v3",
		Args:    exactly("one file or version", 1),
		RunE:    func(cmd *cobra.Command, args []string) error { return c.bringIn(cmd.Context(), args[0], flags) },
	}
	command.Flags().BoolVar(&flags.dryRun, "dry-run", false, "print what would be proposed, and change nothing")
	command.Flags().StringVar(&flags.into, "into", "", "add what is new to `PLAN`; else to the open plan of this project with the same title, if there is one")
	command.Flags().BoolVar(&flags.json, "json", false, "print it as JSON")
	return command
}

type importFlags struct {
	dryRun, json bool
	into         string
}

// imported is what planb tasks import --json prints.
type imported struct {
	ID      string       `json:"planId,omitempty"` // empty if nothing was kept
	Short   string       `json:"short,omitempty"`
	Title   safe.Text    `json:"title"`
	Status  rules.Status `json:"status,omitempty"`
	Hash    string       `json:"hash"`
	Count   int          `json:"taskCount"`
	Added   int          `json:"added"` // tasks that it did not have before
	Done    int          `json:"done"`  // of those, done before they were imported
	New     bool         `json:"new"`   // the plan was not there before
	DryRun  bool         `json:"dryRun,omitempty"`
	Dropped []string     `json:"dropped"`

	replaced *kept.Replaced // the changes of an active plan whose place it took
}

// source is what is imported.
type source struct {
	rules.Import
	name    string // as it was named
	session string // that it comes from
}

func (c Commands) bringIn(ctx context.Context, name string, flags importFlags) error {
	with := c.makingStore
	if flags.dryRun {
		with = func(ctx context.Context, do func(desk) error) error { return c.withDesk(ctx, false, do) }
	}
	src, isFile, err := c.readFile(name)
	if err != nil {
		return err
	}
	var done imported
	err = with(ctx, func(d desk) error {
		if !isFile {
			if src, err = c.readVersion(ctx, d, name); err != nil {
				return err
			}
		}
		done, err = d.propose(ctx, src, flags)
		return err
	})
	if flags.dryRun && isFile && frame.Missing(err) {
		done, err = would(src.Proposal, nil)
	}
	if err != nil {
		return refused(name, err)
	}
	done.Dropped, done.DryRun = append([]string{}, src.Dropped...), flags.dryRun
	if flags.json {
		return frame.PrintJSON(c.Stdout, done)
	}
	return c.Print(done.text(c.Width()))
}

// refused names the file that is no plan.
func refused(name string, err error) error {
	if _, ok := errors.AsType[*rules.Error](err); ok && rules.CodeOf(err) != rules.CodeQuotaExceeded {
		return fmt.Errorf("%s was not imported: %w", safe.New(name).Line(), err)
	}
	return err
}

// readFile reads a file; isFile is false for what may be a version of a plan instead.
func (c Commands) readFile(name string) (src source, isFile bool, err error) {
	var raw []byte
	if name == "-" {
		raw, err = c.ReadFile(name)
	} else {
		raw, _, err = files.Read(name, rules.MaxInputBytes)
	}
	if errors.Is(err, fs.ErrNotExist) && strings.Contains(name, "@") {
		return source{}, false, nil
	}
	if err != nil {
		return source{}, true, fmt.Errorf("the tasks can't be read: %w", frame.FileFault(name, err))
	}
	title := ""
	if name != "-" {
		title = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	src.name = name
	src.Import, err = parse(raw, safe.New(title), strings.ToLower(filepath.Ext(name)))
	return src, true, refused(name, err)
}

func (c Commands) readVersion(ctx context.Context, d desk, name string) (source, error) {
	version, err := c.Version(ctx, d.Store, name)
	if err != nil {
		return source{}, err
	}
	read, err := rules.ImportMarkdown(version.Text, version.Title)
	return source{read, name, version.Session}, err
}

// parse reads a file. If its name does not tell the format, its first characters do.
func parse(raw []byte, title safe.Text, suffix string) (rules.Import, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	looksLikeJSON := bytes.HasPrefix(text, []byte("{"))
	if suffix != ".jsonl" && suffix != ".json" && looksLikeJSON {
		if suffix = ".json"; bytes.Contains(text, []byte("}\n{")) || beginsWithIssue(text) {
			suffix = ".jsonl"
		}
	}
	switch suffix {
	case ".jsonl":
		return rules.ImportBeads(raw, title)
	case ".json":
		return rules.ImportJSON(raw)
	}
	return rules.ImportMarkdown(safe.New(string(raw)), title)
}

// beginsWithIssue reports whether the first line is an issue of beads, or what beads writes above
// them. A plan has neither an id nor a type.
func beginsWithIssue(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	var o struct {
		ID    json.RawMessage `json:"id"`
		Type  json.RawMessage `json:"_type"`
		Tasks json.RawMessage `json:"tasks"`
	}
	return json.Unmarshal(line, &o) == nil && o.Tasks == nil && (o.ID != nil || o.Type != nil)
}

// propose proposes what was read, or adds what is new in it to a plan.
func (d desk) propose(ctx context.Context, src source, flags importFlags) (imported, error) {
	before, err := d.sameTitle(ctx, src.Title, flags.into)
	if err != nil {
		return imported{}, err
	}
	if before == nil {
		done, err := would(src.Proposal, nil)
		if err != nil || flags.dryRun {
			return done, err
		}
		return done, d.proposeNew(ctx, src, &done)
	}
	fresh := src.OnlyNew(before.Graph)
	done, err := d.adding(ctx, before, fresh)
	if err != nil || flags.dryRun || done.Added == 0 {
		return done, err
	}
	return done, d.addTo(ctx, before, fresh, &done)
}

// would returns what importing the proposal would do; before is the plan that it adds
// to, or nil. The error says why the tasks make no plan.
func would(p rules.Proposal, before *kept.Whole) (imported, error) {
	graph, err := rules.Build(p.Plan())
	if err != nil {
		return imported{}, err
	}
	done := imported{Title: p.Title, Hash: graph.Hash().String(), Count: len(p.Items), Added: len(p.Items), New: before == nil}
	for _, item := range p.Items {
		if !item.Done.IsZero() {
			done.Done++
		}
	}
	return done, nil
}

func (i *imported) is(w kept.Whole) {
	i.ID, i.Short, i.Title, i.Status = w.ID, rules.Short(w.ID), w.Title, w.Status
	i.Count, i.Hash = w.Plan.Tasks, w.Graph.Hash().String()
}

// sameTitle finds the plan that an import adds to: the named plan, else the newest open
// plan of this project with that title; nil if there is none.
func (d desk) sameTitle(ctx context.Context, title safe.Text, name string) (*kept.Whole, error) {
	if name != "" {
		t, err := d.find(ctx, name)
		return &t.Whole, err
	}
	list, err := d.Tasks().Plans(ctx, d.by)
	if err != nil {
		return nil, err
	}
	for _, plan := range slices.Backward(list) {
		if plan.Err == nil && !plan.Status.Final() && rules.FoldName(plan.Title.Raw()) == rules.FoldName(title.Raw()) {
			w, err := d.Tasks().Plan(ctx, d.by, plan.ID)
			return &w, err
		}
	}
	return nil, nil
}

func (d desk) proposeNew(ctx context.Context, src source, done *imported) error {
	project, err := d.project(ctx)
	if err != nil {
		return err
	}
	session := src.session
	if session == "" {
		made, err := d.CreateSession(ctx, store.Session{
			Title: src.Title, Project: safe.New(d.by.Dir), Client: ownClient(), Intent: safe.New("imported from " + filepath.Base(src.name)),
		})
		if err != nil {
			return err
		}
		session = made.ID
	}
	made, err := d.Tasks().Propose(ctx, d.by, kept.Proposal{Proposal: src.Proposal, Project: project, Session: session})
	if err == nil {
		done.is(made.Whole)
	}
	return err
}

// ownClient names who began a session that no agent began.
func ownClient() store.Client {
	return store.Client{Name: safe.New("planb-tasks"), Title: safe.New("planb tasks"), Version: safe.New(frame.Version)}
}

// project returns the project of this directory, and makes it if there is none. It is
// named after the directory; if another project has that name, the names of the
// directories above come before it.
func (d desk) project(ctx context.Context) (string, error) {
	found, err := d.Tasks().Resolve(ctx, d.by, "")
	if rules.CodeOf(err) != rules.CodeProjectNotFound {
		return found.ID, err
	}
	root := project.Root(d.by.Dir)
	name := filepath.Base(root)
	for above := filepath.Dir(root); ; above = filepath.Dir(above) {
		made, err := d.Tasks().CreateProject(ctx, d.by, name, "")
		if rules.CodeOf(err) != rules.CodeProjectNameTaken || above == filepath.Dir(above) {
			return made.ID, err
		}
		name = filepath.Base(above) + string(os.PathSeparator) + name
	}
}

// adding returns what adding tasks to a plan makes of it.
func (d desk) adding(ctx context.Context, before *kept.Whole, fresh rules.Proposal) (imported, error) {
	done := imported{Added: len(fresh.Items)}
	done.is(*before)
	list, err := d.Tasks().Tasks(ctx, *before)
	if err != nil || len(fresh.Items) == 0 {
		return done, err
	}
	plan := rules.Plan{Title: before.Graph.Title(), Description: before.Graph.Description(), Tasks: list}
	after, err := plan.Amend(rules.Proposal{Items: fresh.Items}, before.Marks)
	if err != nil {
		return done, err
	}
	graph, err := rules.Build(after)
	if err != nil {
		return done, err
	}
	done.Count, done.Hash = after.KeptCount(), graph.Hash().String()
	for _, item := range fresh.Items {
		if !item.Done.IsZero() {
			done.Done++
		}
	}
	return done, nil
}

// addTo adds tasks to a plan: to the content of one that is proposed, as an amendment to one
// that is active.
func (d desk) addTo(ctx context.Context, before *kept.Whole, fresh rules.Proposal, done *imported) error {
	wanted := kept.Proposal{Proposal: rules.Proposal{Items: fresh.Items}, Replaces: before.ID}
	if before.Status == rules.PlanProposed {
		list, err := d.Tasks().Tasks(ctx, *before)
		if err != nil {
			return err
		}
		plan := rules.Plan{Title: before.Graph.Title(), Description: before.Graph.Description(), Tasks: list}
		wanted.Proposal = plan.Proposal()
		wanted.Items = append(wanted.Items, fresh.Items...)
		wanted.Of = before.Graph.Hash()
	}
	made, err := d.Tasks().Propose(ctx, d.everywhere(), wanted)
	if err == nil {
		done.is(made.Whole)
		done.replaced = made.Replaced
	}
	return err
}

// text tells a person what was imported.
func (i imported) text(width int) string {
	var out strings.Builder
	say := func(text string) { out.WriteString(layout.Message("", text, width) + "\n") }
	title := wording.Quote(i.Title.Line())
	tasks := wording.Count(i.Added, "task")
	switch {
	case i.Added == 0:
		say(fmt.Sprintf("Nothing to add: %s (%s) has all these tasks already.", title, i.Short))
	case i.DryRun && i.New:
		say(fmt.Sprintf("Would be proposed: %s with %s.", title, tasks))
	case i.DryRun:
		say(fmt.Sprintf("Would be added to %s (%s): %s.", title, i.Short, tasks))
	case i.New:
		say(fmt.Sprintf("Proposed %s with %s, as the plan %s.", title, tasks, i.Short))
	default:
		say(fmt.Sprintf("Added %s to %s (%s).", tasks, title, i.Short))
	}
	if words := inPlaceOf(i.replaced); words != "" {
		say(strings.TrimSpace(words))
	}
	if i.Done > 0 {
		say(fmt.Sprintf("%d of them %s done already.", i.Done, map[bool]string{true: "is", false: "are"}[i.Done == 1]))
	}
	if len(i.Dropped) > 0 {
		say("\nLeft out:")
		for _, what := range i.Dropped {
			out.WriteString(layout.Row("  ", safe.New(what).Line(), width))
		}
	}
	if i.Added > 0 && !i.DryRun {
		say("\nNobody can work on it before you approve it:  planb tasks approve " + i.Short)
	}
	return out.String()
}
