package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/files"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
	"planb/store/kv"
	"planb/tui/wording"
)

type importFlags struct{ dryRun, json bool }

func (p upkeep) importCommand() *cobra.Command {
	var flags importFlags
	command := &cobra.Command{
		Use:   "import DIR",
		Short: "Take over the sessions of planb-mcp or browser-plan",
		Long: "Take over the sessions that planb-mcp or browser-plan keep below DIR, or that planb export wrote there. Ids and times\n" +
			"stay. What planb has already is not changed, so a second import adds only what is new. What cannot be taken over is\n" +
			"listed with the reason. DIR is not changed, and no link in it is followed.\n\n" +
			"A form without an answer becomes a withdrawn one, unless it was asked in the last 24 hours and is still open: that one\n" +
			"waits for a later import.",
		Example: "  planb import ~/.planb-mcp\n  planb import ~/.browser-plan --dry-run",
		Args:    frame.ExactlyOne("directory"),
		RunE:    func(cmd *cobra.Command, args []string) error { return p.importRoot(cmd.Context(), args[0], flags) },
	}
	command.Flags().BoolVar(&flags.dryRun, "dry-run", false, "only print what would be added")
	command.Flags().BoolVar(&flags.json, "json", false, "print what was added as JSON")
	return command
}

// importReport is what planb import --json prints.
type importReport struct {
	Sessions []importedSession `json:"sessions"`
	Left     []archive.Left    `json:"left"`
}

// importedSession is a session that was found, with what was added of it.
type importedSession struct {
	ID    string    `json:"id"`
	Title safe.Text `json:"title,omitzero"`
	store.Imported
}

func (p upkeep) importRoot(ctx context.Context, dir string, flags importFlags) (err error) {
	root, err := files.OpenDir(dir)
	if info, second := os.Stat(dir); second == nil && !info.IsDir() {
		err = fmt.Errorf("%s is a file, and planb import reads a directory, as `planb export --all --to DIR` writes it", dir)
	}
	if err != nil {
		return fmt.Errorf("there is nothing to import: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	with := func(do func(context.Context, *store.Store) error) error { return p.WithStore(ctx, do) }
	if flags.dryRun {
		with = func(do func(context.Context, *store.Store) error) error {
			return p.ReadStore(ctx, func(st *store.Store) error { return do(ctx, st) })
		}
	}
	var refused []error // by the store, one for each session
	report := importReport{Sessions: []importedSession{}, Left: []archive.Left{}}
	failure := with(func(ctx context.Context, st *store.Store) error {
		for found, err := range archive.ReadRoot(ctx, root.FS(), time.Now()) {
			if err != nil {
				return fmt.Errorf("%s can't be imported: %w; planb import reads the directory in which planb-mcp (usually ~/.planb-mcp) or browser-plan (~/.browser-plan) keeps its sessions", dir, err)
			}
			report.Left = append(report.Left, found.Left...)
			if found.Session.ID == "" {
				continue
			}
			done, err := importSession(ctx, st, found.Session, flags.dryRun)
			if err != nil && (ctx.Err() != nil || isFault(err) && !store.AboutOneRecord(err)) {
				return fmt.Errorf("the import ended at session %s: %w; what was imported before it stays, and importing again goes on", found.Session.ID, err)
			}
			if err != nil {
				refused = append(refused, fmt.Errorf("session %s can't be taken over: %w", found.Session.ID, err))
				continue
			}
			report.Sessions = append(report.Sessions, importedSession{found.Session.ID, found.Session.Title, done})
		}
		return errors.Join(refused...)
	})
	if flags.json {
		return errors.Join(failure, frame.PrintJSON(p.Stdout, report))
	}
	if failure != nil && len(report.Sessions)+len(report.Left) == 0 {
		return failure
	}
	return errors.Join(failure, p.Print(report.text(flags.dryRun, p.Width())))
}

func isFault(err error) bool {
	var fault *kv.Fault
	return errors.As(err, &fault)
}

func importSession(ctx context.Context, st *store.Store, session archive.Session, dryRun bool) (store.Imported, error) {
	in := session.Import()
	if !dryRun {
		return st.Import(ctx, in)
	}
	would, err := st.Importable(ctx, in)
	if frame.Missing(err) { // there is no store yet
		return store.Imported{New: true, Asks: len(in.Asks), Plans: len(in.Plans)}, nil
	}
	return would, err
}

// text formats the report for a person. Names and texts from outside are
// cleaned.
func (r importReport) text(dryRun bool, width int) string {
	var out, kept strings.Builder
	added, asks, plans := 0, 0, 0
	for _, s := range r.Sessions {
		for _, why := range s.Kept {
			kept.WriteString(layout.Row("  ", "session "+s.ID+": "+safe.New(why).Line(), width))
		}
		if !s.New && s.Asks == 0 && s.Plans == 0 {
			continue
		}
		added, asks, plans = added+1, asks+s.Asks, plans+s.Plans
		if added > maxShown {
			continue
		}
		head := "  " + store.ShortID(s.ID) + "  "
		out.WriteString(layout.Row(head, cutText(store.Session{Title: s.Title}.Name()), width))
		out.WriteString(layout.Row(strings.Repeat(" ", len(head)), wording.Count(s.Asks, "form")+", "+wording.Count(s.Plans, "plan version"), width))
	}
	if added > maxShown {
		fmt.Fprintf(&out, "  … and %d more; --json names all\n", added-maxShown)
	}
	head := fmt.Sprintf("%s, with %s and %s:", wording.Count(added, "session"), wording.Count(asks, "form"), wording.Count(plans, "plan version"))
	switch {
	case added == 0 && len(r.Sessions) == 0:
		head = "No session was found."
	case added == 0:
		head = fmt.Sprintf("Nothing to add: everything of %s is here already.", wording.Count(len(r.Sessions), "session"))
	case dryRun:
		head = "Would be added: " + head
	default:
		head = "Added: " + head
	}
	text := layout.Row("", head, width) + out.String()
	if kept.Len() > 0 {
		text += "\nKept here with other content, and left as it is:\n" + kept.String()
	}
	if len(r.Left) > 0 {
		text += "\nNot taken over, or not completely:\n"
		for _, left := range r.Left {
			text += layout.Item("  ", safe.New(left.Path).Line(), width) + layout.Row("    ", safe.New(left.Why).Line(), width)
		}
	}
	return text
}
