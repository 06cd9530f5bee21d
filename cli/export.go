package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions/safe"
	"planb/setup"
	"planb/store"
	"planb/store/archive"
	"planb/store/archive/sessionpage"
)

type exportFlags struct {
	all, overwrite, schema, withPaths bool
	to, format                        string
}

// The formats of planb export.
const (
	formatDir      = "dir"
	formatHTML     = "html"
	formatMarkdown = "markdown"
	formatJSON     = "json"
)

func (p upkeep) exportCommand() *cobra.Command {
	var flags exportFlags
	command := &cobra.Command{
		Use:   "export SESSION|--all --to PATH",
		Short: "Write sessions to files that stand on their own",
		Long: "Write one session, or all, to files that can be read without planb. `planb sessions` lists the sessions with their ids.\n" +
			"The PATH of --to decides the format:\n\n" +
			"  DIR\ta directory of files, DIR/sessions/<id>/…, to keep or to move elsewhere: planb import reads it; its layout is that of planb-mcp and browser-plan\n" +
			"  FILE.html\tone page that needs nothing else: the story, the plan and its changes, the answers; no script, no network\n" +
			"  FILE.md\tMarkdown, to be read\n" +
			"  FILE.json\teverything, for programs; `planb export --schema` prints its JSON Schema\n" +
			"  -\tstandard output, with --format\n\n" +
			"With --format html or markdown and a DIR, each session becomes a file there. A file appears whole or not at all.\n" +
			"A file that exists with other content is replaced only with --overwrite.\n\n" +
			"A page, FILE.html, is made to be sent around, so planb itself names no user, host or absolute path in it, unless you\n" +
			"give --with-paths. What you and your agent wrote stays as it is.\n\n" +
			"Drafts and plans of tasks are not part of it: `planb draft zip` and `planb tasks export` write those, and `planb backup`\n" +
			"copies everything.",
		Example: "  planb export 4f5e6a7b --to plan.html\n  planb export --all --to ~/planb-archive\n  planb export --all --to - --format json | jq '.sessions[].title'",
		Args:    frame.AtMostOne("session"),
		RunE:    func(cmd *cobra.Command, args []string) error { return p.export(cmd.Context(), args, flags) },
	}
	command.Flags().BoolVar(&flags.all, "all", false, "export all sessions")
	command.Flags().StringVar(&flags.to, "to", "", "write to `PATH`: a directory, a file, or - for standard output")
	command.Flags().StringVar(&flags.format, "format", "", "write in `FORMAT`, if the name that you give to --to does not tell it: dir, html, markdown or json")
	frame.CompleteFlag(command, "format", formatDir, formatHTML, formatMarkdown, formatJSON)
	command.Flags().BoolVar(&flags.overwrite, "overwrite", false, "replace files that exist with other content")
	command.Flags().BoolVar(&flags.withPaths, "with-paths", false, "name in a page also who answered, on which host, and the project's whole path")
	command.Flags().BoolVar(&flags.schema, "schema", false, "print the JSON Schema of the format json, without a session and --to")
	return command
}

func (p upkeep) export(ctx context.Context, args []string, flags exportFlags) error {
	if flags.schema {
		if len(args) > 0 || flags.all || flags.to != "" || flags.format != "" {
			return frame.UsageError(errors.New("--schema takes no other flag and no session: it prints the schema and exports nothing"))
		}
		return p.Print(string(archive.Schema))
	}
	switch {
	case flags.to == "":
		return frame.UsageError(errors.New("planb export needs --to: a directory, a file, or - for standard output"))
	case flags.all == (len(args) == 1):
		return frame.UsageError(errors.New("planb export takes either one session or --all; `planb sessions` lists them"))
	}
	format, err := exportFormat(flags)
	if err != nil {
		return frame.UsageError(err)
	}
	x := &exporting{Program: p.Program, flags: flags, format: format}
	err = p.ReadStore(ctx, func(st *store.Store) error {
		x.store = st
		if err := x.choose(ctx, args); err != nil {
			return err
		}
		if err := x.run(ctx); err != nil {
			return err
		}
		return x.tellDrafts(ctx)
	})
	return errors.Join(err, x.result())
}

// choose fills x.ids with the sessions to export, the newest change first.
func (x *exporting) choose(ctx context.Context, args []string) error {
	if !x.flags.all {
		session, err := x.store.FindSession(ctx, args[0])
		if frame.Missing(err) || frame.IsUnknown(err) {
			return nothingNamed(args[0])
		}
		x.ids = []string{session.ID}
		return err
	}
	listed, err := chosenSessions(ctx, x.store, sessionsFlags{})
	if err != nil && !frame.Missing(err) {
		return err
	}
	for _, session := range listed {
		x.ids = append(x.ids, session.ID)
	}
	if len(x.ids) == 0 {
		return errors.New("there is nothing to export: no session is kept here")
	}
	return nil
}

// exportFormat returns the format that --format names, else the one that the
// file's name tells.
func exportFormat(flags exportFlags) (string, error) {
	byName := formatDir
	switch strings.ToLower(filepath.Ext(flags.to)) {
	case ".html", ".htm":
		byName = formatHTML
	case ".md", ".markdown":
		byName = formatMarkdown
	case ".json":
		byName = formatJSON
	}
	format := flags.format
	if format == "" {
		format = byName
	}
	formats := []string{formatDir, formatHTML, formatMarkdown, formatJSON}
	switch {
	case !slices.Contains(formats, format):
		return "", fmt.Errorf("--format is %q%s", format, setup.DidYouMean(format, formats, "; it can be "+strings.Join(formats, ", ")))
	case format == formatDir && flags.to == "-":
		return "", errors.New("what is written to standard output needs --format html, markdown or json")
	case byName != formatDir && byName != format:
		return "", fmt.Errorf("--format is %s, but %s is the name of a file in another format", format, flags.to)
	case flags.format == "" && format == formatDir && looksLikeFile(flags.to):
		return "", fmt.Errorf("the name %s tells no format: end it in .html, .md or .json, or give --format (--format dir makes a directory of that name)", flags.to)
	case flags.all && perSession(format) && (byName != formatDir || flags.to == "-"):
		return "", fmt.Errorf("a file in the format %s holds one session; with --all give a directory and --format %s", format, format)
	}
	return format, nil
}

// looksLikeFile reports whether a path that is no directory ends in letters after a dot, as
// notes.txt does. A directory may be called v1.0 or .archive.
func looksLikeFile(path string) bool {
	if os.IsPathSeparator(path[len(path)-1]) {
		return false
	}
	name := strings.TrimLeft(filepath.Base(path), ".")
	ext := strings.TrimPrefix(filepath.Ext(name), ".")
	return ext != "" && strings.Trim(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz") == "" && !isDir(path)
}

// perSession reports whether each session has a file of its own in the format.
func perSession(format string) bool { return format == formatHTML || format == formatMarkdown }

// exporting is one planb export.
type exporting struct {
	frame.Program
	flags  exportFlags
	format string
	store  *store.Store
	ids    []string // of the sessions

	unread  []string // why sessions or parts of them could not be read
	refused []string // paths that exist with other content
}

func (x *exporting) run(ctx context.Context) error {
	if x.flags.to == "-" && frame.IsTerminal(x.Stdout) {
		var out strings.Builder // a terminal would obey control characters
		err := x.one(ctx, &out)
		return errors.Join(err, x.Print(safe.New(out.String()).Block()))
	}
	if x.flags.to == "-" {
		return x.one(ctx, x.Stdout)
	}
	to, err := filepath.Abs(x.flags.to)
	if err != nil {
		return err
	}
	if x.format == formatJSON || perSession(x.format) && !x.flags.all && filepath.Ext(to) != "" && !isDir(to) {
		return x.toFile(ctx, to)
	}
	return x.toDir(ctx, to)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sessions reads the sessions one by one. A session that cannot be read is noted in
// unread and skipped.
func (x *exporting) sessions(ctx context.Context) iter.Seq2[archive.Session, error] {
	return func(yield func(archive.Session, error) bool) {
		for _, id := range x.ids {
			session, err := archive.Read(ctx, x.store, id)
			switch {
			case ctx.Err() != nil:
				yield(archive.Session{}, ctx.Err())
				return
			case frame.IsUnknown(err):
				continue // it was removed meanwhile
			case err != nil:
				x.unread = append(x.unread, fmt.Sprintf("session %s was left out: %v", id, err))
				continue
			}
			for _, why := range session.Unreadable() {
				x.unread = append(x.unread, fmt.Sprintf("session %s: %s", id, why))
			}
			if !yield(session, nil) {
				return
			}
		}
	}
}

// one writes all sessions to w. The error keeps a file from being made for nothing.
func (x *exporting) one(ctx context.Context, w io.Writer) error {
	if x.format == formatJSON {
		return archive.WriteJSON(w, x.sessions(ctx))
	}
	for session, err := range x.sessions(ctx) {
		if err != nil {
			return err
		}
		return x.write(ctx, w, session) // such a file holds one session
	}
	return errors.New("its session can't be read, or was deleted meanwhile")
}

// write writes one session as a file of its own.
func (x *exporting) write(ctx context.Context, w io.Writer, session archive.Session) error {
	if x.format == formatHTML && !x.flags.withPaths {
		session = session.Anonymous()
	}
	if x.format == formatHTML {
		return sessionpage.Write(ctx, w, session, drawForPage)
	}
	return archive.WriteMarkdown(ctx, w, session)
}

func (x *exporting) toFile(ctx context.Context, to string) (err error) {
	place, err := archive.NewPlace(filepath.Dir(to), x.flags.overwrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	fate, err := place.Write(filepath.Base(to), func(w io.Writer) error { return x.one(ctx, w) })
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", to, err)
	}
	return x.report(to, fate, "")
}

func (x *exporting) toDir(ctx context.Context, to string) (err error) {
	place, err := archive.NewPlace(to, x.flags.overwrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	for session, err := range x.sessions(ctx) {
		if err != nil {
			return err
		}
		name, fate, err := x.intoDir(ctx, place, session)
		if err != nil {
			return fmt.Errorf("session %s can't be written to %s: %w", session.ID, to, err)
		}
		if err := x.report(filepath.Join(to, filepath.FromSlash(name)), fate, session.Name().Line()); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporting) intoDir(ctx context.Context, place *archive.Place, session archive.Session) (string, archive.Fate, error) {
	if x.format == formatDir {
		files, err := archive.Files(session)
		if err != nil {
			return "", "", err
		}
		return place.WriteSession(session.ID, files)
	}
	name := session.FileName() + map[string]string{formatHTML: ".html", formatMarkdown: ".md"}[x.format]
	fate, err := place.Write(name, func(w io.Writer) error { return x.write(ctx, w, session) })
	return name, fate, err
}

// report prints what was written. Refused files are kept for result.
func (x *exporting) report(path string, fate archive.Fate, title string) error {
	if fate == archive.Refused {
		x.refused = append(x.refused, path)
		return nil
	}
	about := ""
	if fate == archive.Same {
		about = "  (as it was)"
	}
	k := ink.On(x.Stdout, x.Env.Pairs(), x.Theme)
	if title = cutText(safe.New(title)); title == "" {
		if k.Terminal {
			return x.Print(k.Written(path + k.Muted.Render(about)))
		}
		return x.Print(path + about + "\n") // a script reads the path
	}
	if k.Terminal {
		return x.Print(k.Done(title+k.Muted.Render(about)) + layout.Item("  ", k.Muted.Render(path), k.Width))
	}
	return x.Print(path + "  " + title + about + "\n")
}

// tellDrafts tells on stderr that drafts of the sessions are not exported.
func (x *exporting) tellDrafts(ctx context.Context) error {
	var drafts []string
	for _, id := range x.ids {
		list, err := x.store.Drafts().Of(ctx, id)
		if err != nil {
			return err
		}
		for _, draft := range list {
			drafts = append(drafts, store.ShortID(draft.ID))
		}
	}
	begin, which := "", "DRAFT"
	switch n := len(drafts); n {
	case 0:
		return nil
	case 1:
		begin, which = "The draft "+drafts[0]+" is", drafts[0]
	default:
		begin = fmt.Sprintf("%d drafts are", n)
	}
	k := ink.On(x.Stderr, x.Env.Pairs(), x.Theme)
	_, err := io.WriteString(x.Stderr, k.Message("", begin+" not part of it: `planb draft zip "+which+"` writes its files, and `planb backup` copies everything.", k.Muted)+"\n")
	return err
}

// result returns one error for everything refused or unread, or nil.
func (x *exporting) result() error {
	var problems []error
	if n := len(x.refused); n > 0 {
		text := x.refused[0] + " exists with other content and was not replaced; give --overwrite to replace it"
		if n > 1 {
			few := x.refused[:min(n, 5)]
			text = fmt.Sprintf("%d files exist with other content and were not replaced (give --overwrite to replace them): %s", n, strings.Join(few, ", "))
			if n > len(few) {
				text += " …"
			}
		}
		problems = append(problems, errors.New(text))
	}
	for _, why := range x.unread {
		problems = append(problems, errors.New(safe.New(why).Line()))
	}
	return errors.Join(problems...)
}
