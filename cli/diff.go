package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
)

// planb diff exits as diff(1) does: a difference is no failure.
const (
	exitDifferent = 1
	exitTrouble   = 2
)

type diffFlags struct {
	json    bool
	context int
}

func (p lookups) diffCommand() *cobra.Command {
	var flags diffFlags
	command := &cobra.Command{
		Use:   "diff SESSION [OLDER [NEWER]]",
		Short: "Print what changed between two versions of a plan",
		Long: "Print what changed between two versions of a session's plan, as a patch that git apply takes. Without versions it\n" +
			"compares the latest with the one before it, with one version the latest with that one; SESSION@v3 compares v3 with the one before it.\n" +
			"On a terminal it has colours, and control characters are made visible.\n\n" +
			"The exit code is 0 if the texts are the same, 1 if they differ, 2 if they could not be compared.\n\n" + namedHelp,
		Example: "  planb diff 4f5e6a7b\n  planb diff 4f5e6a7b v1 v3\n  planb diff 4f5e6a7b v1 latest --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 3 {
				return frame.UsageError(fmt.Errorf("%s takes a session and up to two versions, but got %d arguments; see `%s --help`", cmd.CommandPath(), len(args), cmd.CommandPath()))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			different, err := p.diff(cmd.Context(), args, flags)
			switch {
			case err != nil:
				return frame.Exit{Code: exitTrouble, Err: err}
			case different:
				return frame.Exit{Code: exitDifferent}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&flags.json, "json", false, "print it as JSON")
	command.Flags().IntVarP(&flags.context, "context", "U", 3, "print `N` lines around each change")
	return command
}

// comparison is two versions of a session's plan and what changed between them.
type comparison struct {
	session      store.Session
	older, newer store.Plan
	diff         *diff.Diff
}

// diff prints what changed, and reports whether anything did.
func (p lookups) diff(ctx context.Context, args []string, flags diffFlags) (different bool, err error) {
	if flags.context < 0 {
		return false, fmt.Errorf("--context is %d; it is a number of lines, at least 0", flags.context)
	}
	var c comparison
	err = p.ReadStore(ctx, func(st *store.Store) (err error) {
		c, err = compareVersions(ctx, st, args)
		return err
	})
	if frame.Missing(err) {
		err = nothingNamed(args[0])
	}
	if err != nil {
		return false, err
	}
	stat := c.diff.Stat()
	different = stat.Added+stat.Removed > 0
	switch {
	case flags.json:
		err = frame.PrintJSON(p.Stdout, c.shown(flags.context))
	case frame.IsTerminal(p.Stdout):
		_, err = io.WriteString(p.Stdout, c.drawn(p.ink(), flags.context))
	default:
		_, err = io.WriteString(p.Stdout, c.diff.Unified(versionFile(c.older), versionFile(c.newer), flags.context))
	}
	return different, err
}

// compareVersions finds the versions that args name and compares them.
func compareVersions(ctx context.Context, st *store.Store, args []string) (comparison, error) {
	found, err := findNamed(ctx, st, args[0])
	switch {
	case err != nil:
		return comparison{}, err
	case found.ask != nil:
		return comparison{}, fmt.Errorf("%q is a form or a review; planb diff compares versions of a plan, so name a session", args[0])
	case found.plan > 0 && len(args) > 1:
		return comparison{}, fmt.Errorf("%q names a version, and so does %q; give the session's id before two versions", args[0], args[1])
	}
	versions, err := st.Plans(ctx, found.session.ID)
	if err != nil {
		return comparison{}, err
	}
	c := comparison{session: found.session}
	if c.older, c.newer, err = chosenVersions(found, versions, args[1:]); err != nil {
		return comparison{}, err
	}
	var texts [2]safe.Text
	for i, version := range []store.Plan{c.older, c.newer} {
		if texts[i], err = st.PlanText(ctx, found.session.ID, version.Number); err != nil {
			return comparison{}, fmt.Errorf("v%d cannot be read: %w", version.Number, err)
		}
	}
	if c.older.Number < c.newer.Number {
		if texts[0], err = st.PlanAsBefore(ctx, found.session.ID, c.older.Number, c.newer.Number); err != nil {
			return comparison{}, fmt.Errorf("v%d cannot be read: %w", c.older.Number, err)
		}
	}
	c.diff = diff.Between(texts[0].Raw(), texts[1].Raw())
	return c, nil
}

// before returns the place of the version before the one at a place; -1 if there is none.
func before(versions []store.Plan, at int) int {
	older, _ := store.PlanBefore(versions, versions[at].Number)
	return slices.IndexFunc(versions, func(v store.Plan) bool { return v.Number == older })
}

// chosenVersions picks the two versions that names give from a list with the
// oldest first.
func chosenVersions(found named, versions []store.Plan, names []string) (older, newer store.Plan, err error) {
	who := fmt.Sprintf("the session %s (%s)", store.ShortID(found.session.ID), found.session.Name().Line())
	if len(versions) == 0 {
		return older, newer, fmt.Errorf("no plan was saved in %s", who)
	}
	last := len(versions) - 1
	from, to := before(versions, last), last
	switch {
	case found.plan > 0:
		to = versionIndex(versions, found.plan)
		from = before(versions, to)
	case len(names) == 0: // the latest version that changed a plan
		for i := last; i > 0 && from < 0; i-- {
			if from = before(versions, i); from >= 0 {
				to = i
			}
		}
	}
	for i, name := range names {
		at := -1
		if number, ok := versionNumber(name); ok {
			at = versionIndex(versions, number)
		}
		if at < 0 {
			has := "v1"
			if latest := versions[last].Number; latest > 1 {
				has += fmt.Sprintf(" to v%d", latest)
			}
			return older, newer, fmt.Errorf("%s has no version %s of its plan; it has %s", who, strconv.QuoteToASCII(name), has)
		}
		if i == 0 {
			from = at
		} else {
			to = at
		}
	}
	if from < 0 {
		return older, newer, fmt.Errorf("v%d is the first version of the plan in %s; there is none before it to compare with", versions[to].Number, who)
	}
	return versions[from], versions[to], nil
}

// versionFile names a version in a patch as its readable copy is named.
func versionFile(version store.Plan) string { return fmt.Sprintf("v%d.md", version.Number) }

// shownDiff is a comparison as planb diff --json prints it.
type shownDiff struct {
	Session string      `json:"session"`
	Older   diffVersion `json:"older"`
	Newer   diffVersion `json:"newer"`
	Stat    diff.Stat   `json:"stat"`
	Moves   []diffMove  `json:"moves"`
	Hunks   []diffHunk  `json:"hunks"`
}

type diffVersion struct {
	Number  int       `json:"number"`
	Title   safe.Text `json:"title,omitzero"`
	Created time.Time `json:"created"`
	Digest  string    `json:"digest"`
}

// diffMove is a section that was moved. Lines count from 1.
type diffMove struct {
	Title   safe.Text `json:"title"`
	OldLine int       `json:"oldLine"`
	NewLine int       `json:"newLine"`
	Lines   int       `json:"lines"` // in the newer version
}

// diffHunk is a change with the lines around it, as in a patch.
type diffHunk struct {
	OldStart int        `json:"oldStart"`
	OldLines int        `json:"oldLines"`
	NewStart int        `json:"newStart"`
	NewLines int        `json:"newLines"`
	Lines    []diffText `json:"lines"`
}

type diffText struct {
	Op   string    `json:"op"` // "same", "removed" or "added"
	Old  int       `json:"old,omitempty"`
	New  int       `json:"new,omitempty"`
	Text safe.Text `json:"text"` // with its line end
	// Words are the changed parts of the line, compared with the line it
	// replaced or became.
	Words []string `json:"words,omitempty"`
	Moved bool     `json:"moved,omitempty"` // the line was moved with its section
}

func (c comparison) shown(context int) shownDiff {
	shown := shownDiff{
		Session: c.session.ID, Older: aboutVersion(c.older), Newer: aboutVersion(c.newer),
		Stat: c.diff.Stat(), Moves: []diffMove{}, Hunks: []diffHunk{},
	}
	for _, m := range c.diff.Moves {
		shown.Moves = append(shown.Moves, diffMove{m.Title, m.Old, m.New, m.NewBehind - m.New})
	}
	for _, h := range c.diff.Hunks(context) {
		hunk := diffHunk{h.OldStart, h.OldLines, h.NewStart, h.NewLines, nil}
		for _, line := range c.diff.Lines[h.From:h.To] {
			text := diffText{Op: opName(line.Op), Old: line.Old, New: line.New, Text: safe.New(line.Text), Moved: line.Moved}
			for _, span := range line.Words {
				text.Words = append(text.Words, line.Text[span.From:span.To])
			}
			hunk.Lines = append(hunk.Lines, text)
		}
		shown.Hunks = append(shown.Hunks, hunk)
	}
	return shown
}

func aboutVersion(v store.Plan) diffVersion {
	return diffVersion{v.Number, v.Title, v.Created, v.Digest}
}

func opName(op diff.Op) string {
	switch op {
	case diff.Removed:
		return "removed"
	case diff.Added:
		return "added"
	}
	return "same"
}

// drawn formats the patch for a terminal, cleaned.
func (c comparison) drawn(k ink.Ink, context int) string {
	var out strings.Builder
	put := func(style cells.Style, text string) { out.WriteString(style.Render(text) + "\n") }
	hunks := c.diff.Hunks(context)
	if len(hunks) > 0 {
		put(k.Strong, "--- a/"+versionFile(c.older))
		put(k.Strong, "+++ b/"+versionFile(c.newer))
	}
	for _, m := range c.diff.Moves {
		put(k.Moved, fmt.Sprintf("moved: “%s” from line %d to line %d", m.Title.Line(), m.Old, m.New))
	}
	for _, h := range hunks {
		put(k.Accent, h.Header())
		for _, line := range c.diff.Lines[h.From:h.To] {
			style, word := k.Text, k.Text
			switch {
			case line.Moved:
				style, word = k.Moved, k.Moved
			case line.Op == diff.Removed:
				style, word = k.Removed, k.RemovedWord
			case line.Op == diff.Added:
				style, word = k.Added, k.AddedWord
			}
			out.WriteString(drawnLine(line, c.diff.MixedEnds, style, word) + "\n")
		}
	}
	return out.String()
}

// drawnLine formats a line for a terminal and marks its changed words. With
// ends it names the line's end, because that may be what changed.
func drawnLine(line diff.Line, ends bool, style, changed cells.Style) string {
	var out strings.Builder
	body, done := line.Body(), 0
	sign := style // without a ground, which would outshout the text and make empty lines bricks
	if line.Op != diff.Same {
		sign = style.Bold(true)
	}
	out.WriteString(sign.Render(line.Op.String()) + " ")
	for _, span := range line.Words {
		from, to := min(span.From, len(body)), min(span.To, len(body))
		out.WriteString(style.Render(safe.New(body[done:from]).Block()))
		out.WriteString(changed.Render(safe.New(body[from:to]).Block()))
		done = to
	}
	out.WriteString(style.Render(safe.New(body[done:]).Block()))
	if line.Op == diff.Same || line.Moved {
		return out.String()
	}
	switch end := line.End(); {
	case end == "":
		out.WriteString(" (no line end)")
	case ends && end == "\n":
		out.WriteString(" (LF)")
	case ends:
		out.WriteString(" (CR LF)")
	}
	return out.String()
}
