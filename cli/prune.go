package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
	"planb/tui/wording"
)

type pruneFlags struct {
	olderThan         string
	yes, dryRun, json bool
}

func (p upkeep) pruneCommand() *cobra.Command {
	var flags pruneFlags
	command := &cobra.Command{
		Use:   "prune",
		Short: "Remove old sessions, after showing them",
		Long: "Remove the sessions that did not change for a long time, with their forms, answers, plans and drafts, and the readable\n" +
			"copies of their plans. They are shown first. A session stays, however old it is, if it has an open form, an answer\n" +
			"not yet delivered to an agent, an unfinished draft, or a plan of tasks that is proposed or active. An edited copy of\n" +
			"a plan stays, too, and so do all plans of tasks.\n\n" +
			"Texts that nothing refers to any more are removed, too.",
		Example: "  planb prune --dry-run\n  planb prune --older-than 26w",
		Args:    frame.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.prune(cmd.Context(), flags) },
	}
	command.Flags().StringVar(&flags.olderThan, "older-than", "90d", "remove sessions whose last change is `AGE` ago: hours, days or weeks, as 36h, 90d, 12w")
	command.Flags().BoolVar(&flags.dryRun, "dry-run", false, "only show what would be removed")
	command.Flags().BoolVarP(&flags.yes, "yes", "y", false, "remove it without asking")
	command.Flags().BoolVar(&flags.json, "json", false, "print what is removed as JSON")
	return command
}

// pruneReport is what planb prune --json prints.
type pruneReport struct {
	store.Pruning
	// Pruned is nil if nothing was removed.
	Pruned *store.Pruned `json:"pruned,omitempty"`
	// Files are the files beside removed copies of plans that were left.
	Files []string `json:"files,omitempty"`
}

func (p upkeep) prune(ctx context.Context, flags pruneFlags) (err error) {
	age, err := parseAge(flags.olderThan)
	if err != nil {
		return frame.UsageError(err)
	}
	h, err := p.Home()
	if err != nil {
		return err
	}
	st := h.Existing()
	defer func() { err = errors.Join(err, st.Close()) }()
	before := time.Now().Add(-age)
	list, err := st.Prunable(ctx, before)
	if frame.Missing(err) {
		list, err = store.Pruning{Before: before}, nil
	}
	if err != nil {
		return err
	}
	if list.Sessions == nil {
		list.Sessions = []store.Session{} // so that JSON has a list, not null
	}
	report := pruneReport{Pruning: list}
	if err := p.showPruning(list, flags); err != nil {
		return err
	}
	if !flags.dryRun && !list.Empty() {
		if err := p.Consent("Remove this for good?", flags.yes); err != nil {
			return err
		}
		copies := planCopies{dir: filepath.Join(h.Dir(), "plans")}
		// Prune may be interrupted anywhere; the next one removes the rest.
		done, failure := st.Prune(ctx, list, copies.remove)
		report.Pruned, report.Files = &done, copies.stayed
		if err := p.showPruned(report, flags); err != nil || failure != nil {
			return errors.Join(failure, err)
		}
	}
	if flags.json {
		return json.NewEncoder(p.Stdout).Encode(report)
	}
	return nil
}

// parseAge parses a number of hours, days or weeks.
func parseAge(text string) (time.Duration, error) {
	wrong := fmt.Errorf("--older-than is %q; it must be a whole number of hours, days or weeks above 0, such as 36h, 90d or 12w", text)
	if text == "" {
		return 0, wrong
	}
	var unit time.Duration
	switch text[len(text)-1] {
	case 'h':
		unit = time.Hour
	case 'd':
		unit = 24 * time.Hour
	case 'w':
		unit = 7 * 24 * time.Hour
	default:
		return 0, wrong
	}
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || n == 0 {
		return 0, wrong
	}
	if longest := uint64(math.MaxInt64 / unit); err != nil || n > longest {
		return 0, fmt.Errorf("--older-than is %q, which is too long ago; the most is %d%c", text, longest, text[len(text)-1])
	}
	return time.Duration(n) * unit, nil
}

// maxShown limits the sessions listed before a question.
const maxShown = 20

func (p upkeep) showPruning(list store.Pruning, flags pruneFlags) error {
	to := p.Stderr
	switch {
	case flags.json && (flags.dryRun || flags.yes || list.Empty()):
		return nil // the JSON lists them
	case !flags.json && (flags.dryRun || flags.yes || list.Empty()):
		to = p.Stdout
	}
	text := pruningText(ink.On(to, p.Env.Pairs(), p.Theme), list, flags.dryRun)
	if to == p.Stderr {
		text += "\n" // the question follows
	}
	_, err := io.WriteString(to, text)
	return err
}

// pruningText says what would be removed. Text of agents is cleaned.
func pruningText(k ink.Ink, list store.Pruning, all bool) string {
	text := layout.Row("", k.Strong.Render(pruningHead(list)), k.Width)
	if len(list.Sessions) > 0 {
		text += "\n"
	}
	for i, session := range list.Sessions {
		if i == maxShown && !all {
			text += k.Message("  ", fmt.Sprintf("… and %d more; `planb prune --dry-run` shows all", len(list.Sessions)-i), k.Muted) + "\n"
			break
		}
		text += sessionText(k, session, list.Drafts[session.ID])
	}
	if len(list.Sessions) > 0 {
		text += "\n"
	}
	for _, line := range remainders(list) {
		text += layout.Row("  ", k.Muted.Render(line), k.Width)
	}
	return text
}

func pruningHead(list store.Pruning) string {
	limit := list.Before.Local().Format("2006-01-02 15:04")
	switch {
	case list.Empty():
		return "Nothing to remove: no session that has ended is older than " + limit + "."
	case len(list.Sessions) == 0:
		return "No session that has ended is older than " + limit + ". What can be removed:"
	}
	with := []string{wording.Count(list.Asks, "form"), wording.Count(list.Plans, "plan version")}
	drafts := 0
	for _, n := range list.Drafts {
		drafts += n
	}
	if drafts > 0 {
		with = append(with, wording.Count(drafts, "draft"))
	}
	return fmt.Sprintf("%s last changed before %s, with %s:", wording.Count(len(list.Sessions), "session"), limit, wording.List(with))
}

// remainders lists what would be removed beside sessions, and what would stay.
func remainders(list store.Pruning) (lines []string) {
	if list.Remains > 0 {
		lines = append(lines, "what is left of "+wording.Count(list.Remains, "session")+" that an earlier prune began to remove")
	}
	if list.Chunks > 0 {
		texts := fmt.Sprintf("%s (%s) that nothing else refers to", wording.Count(list.Chunks, "text"), wording.Bytes(list.Bytes))
		if list.OrphanChunks > 0 {
			texts += fmt.Sprintf(", %d of them (%s) left over from before", list.OrphanChunks, wording.Bytes(list.OrphanBytes))
		}
		lines = append(lines, texts)
	}
	if list.Claims > 0 {
		lines = append(lines, wording.Count(list.Claims, "note")+" about processes that have ended")
	}
	for _, kept := range list.Kept {
		lines = append(lines, "but "+safe.New(kept).Line())
	}
	return lines
}

// cutText shortens a text, so that the others fit the line.
func cutText(text safe.Text) string { return ansi.Truncate(text.Line(), 50, "…") }

// sessionText has two lines: date and title; counts and project.
func sessionText(k ink.Ink, session store.Session, drafts int) string {
	title := session.Name()
	if session.Title.Blank() && !session.Intent.Blank() {
		title = session.Intent
	}
	details := []string{wording.Count(session.Asks, "form"), wording.Count(session.Plans, "plan version")}
	if drafts > 0 {
		details = append(details, wording.Count(drafts, "draft"))
	}
	if !session.Project.Blank() {
		details = append(details, cutText(session.Project))
	}
	day := "  " + session.Updated.Local().Format(time.DateOnly) + "  "
	return layout.Row(k.Faint.Render(day), cutText(title), k.Width) +
		layout.Row(strings.Repeat(" ", len(day)), k.Muted.Render(strings.Join(details, cells.Gap)), k.Width)
}

func (p upkeep) showPruned(report pruneReport, flags pruneFlags) error {
	if flags.json {
		return nil
	}
	done := report.Pruned
	width := p.Width()
	removed := fmt.Sprintf("Removed: %s, %s (%s)", wording.Count(done.Sessions, "session"), wording.Count(done.Chunks, "text"), wording.Bytes(done.Bytes))
	if done.Claims > 0 {
		removed += ", " + wording.Count(done.Claims, "note") + " about processes"
	}
	k := ink.On(p.Stdout, p.Env.Pairs(), p.Theme)
	text := k.Done(removed + ".")
	if done.Stayed > 0 {
		text += layout.Row("", wording.Count(done.Stayed, "session")+" stayed, because something changed meanwhile.", width)
	}
	for _, file := range report.Files {
		text += layout.Item("Left as it is: ", safe.New(file).Line(), width)
	}
	if done.Sessions > 0 {
		text += k.Message("", "planb.db keeps its size; `planb doctor --compact` gives the free room back.", k.Muted) + "\n"
	}
	return p.Print(text)
}

// planCopies are the readable copies of plans below a directory.
type planCopies struct {
	dir    string
	stayed []string // paths of files that were left
}

// Of returns how many files the directory of a session's plans has, and its
// path.
func (c *planCopies) Of(session string) (n int, dir string, err error) {
	dir = filepath.Join(c.dir, session)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, dir, nil
	}
	if err != nil {
		return 0, dir, fmt.Errorf("the readable copies of its plans can't be looked at: %w", err)
	}
	return len(files), dir, nil
}

// Remove removes the copies of a session that the person deletes in the browser
// of past sessions.
func (c *planCopies) Remove(gone store.Gone) error { return c.remove(gone) }

// remove deletes the copies of a pruned session's plans, and their directory if
// nothing else is in it. A copy that the person edited stays.
func (c *planCopies) remove(gone store.Gone) error {
	// Only planb writes the copies of long answers, so they all go.
	if err := os.RemoveAll(filepath.Join(filepath.Dir(c.dir), "answers", gone.Session)); err != nil {
		return fmt.Errorf("the copies of a pruned session's answers can't be removed, so the next planb prune tries again: %w", err)
	}
	dir := filepath.Join(c.dir, gone.Session)
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		c.stayed = append(c.stayed, dir)
		return nil
	}
	var files []fs.DirEntry
	if err == nil {
		files, err = os.ReadDir(dir)
	}
	left := 0
	for _, file := range files {
		path := filepath.Join(dir, file.Name())
		ours, fault := isCopy(path, file, gone.Plans)
		if fault == nil && ours {
			fault = os.Remove(path)
		}
		if err = errors.Join(err, fault); fault == nil && !ours {
			left++
			c.stayed = append(c.stayed, path)
		}
	}
	if err == nil && left == 0 {
		err = os.Remove(dir)
	}
	if err != nil {
		return fmt.Errorf("the copies of a pruned session's plans can't be removed, so the next planb prune tries again: %w", err)
	}
	return nil
}

// isCopy reports whether save_plan wrote the file: it has the version's exact text, or
// the part of it that a power failure left.
func isCopy(path string, file fs.DirEntry, plans map[int]string) (bool, error) {
	name := file.Name()
	if !file.Type().IsRegular() {
		return false, nil
	}
	if strings.HasPrefix(name, ".v") && strings.HasSuffix(name, ".tmp") {
		return true, nil
	}
	digits, isMarkdown := strings.CutSuffix(strings.TrimPrefix(name, "v"), ".md")
	number, err := strconv.Atoi(digits)
	if err != nil || !isMarkdown || name != fmt.Sprintf("v%d.md", number) {
		return false, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256(text)
	return len(text) == 0 || hex.EncodeToString(sum[:]) == plans[number], nil
}
