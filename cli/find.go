package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions/safe"
	"planb/store"
	"planb/store/search"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (p lookups) findCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "find WORDS…",
		Short: "Find words in all that was asked, answered, planned and drafted",
		Long: "Find words in everything that was asked, answered, planned and drafted, and print the places: the sessions with the\n" +
			"newest change first, then the newest drafts. All words must occur in the same form, the same version of a plan, the same\n" +
			"draft, or the same session's title, intent and project. An argument with spaces is one phrase. Each place begins with an\n" +
			"id for planb show, a draft with one for planb draft.\n\n" +
			"Filters narrow the places, and may be given without words:\n" +
			"  project:TEXT  client:TEXT  before:DATE  after:DATE   a DATE is 2026, 2026-05, 2026-05-17, or 12h, 7d, 3w ago\n" +
			"  kind:KIND       " + strings.Join(search.Kinds(), ", ") + ", draft\n" +
			"  status:STATUS   " + strings.Join(search.Statuses(), ", "),
		Example: "  planb find retry queue\n  planb find 'dead letter' kind:plan after:30d\n  planb find status:declined --json",
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, "")) == "" {
				return frame.UsageError(errors.New("planb find needs words to look for, for example  planb find retry queue"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.find(cmd.Context(), args, asJSON) },
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the places as JSON")
	return command
}

// place is a hit as planb find --json prints it.
type place struct {
	Name    string      `json:"name"` // what planb show takes, or, of a draft, what planb draft takes
	Session string      `json:"session"`
	Ask     string      `json:"ask,omitempty"`
	Plan    int         `json:"plan,omitempty"`  // the version's number
	Draft   string      `json:"draft,omitempty"` // its id
	Title   safe.Text   `json:"title"`
	At      time.Time   `json:"at"`
	Lines   []placeLine `json:"lines,omitempty"`
	More    int         `json:"more,omitempty"` // matching lines that are not listed
}

// placeLine is a line with a match.
type placeLine struct {
	Field    search.Field `json:"field"`
	Question string       `json:"question,omitempty"` // its id, or that of a draft's step
	Line     int          `json:"line"`               // of the field's text, from 1
	Text     safe.Text    `json:"text"`               // around the first match
}

func (p lookups) find(ctx context.Context, args []string, asJSON bool) error {
	query, err := search.Parse(queryOf(args), time.Now())
	if problem, ok := errors.AsType[*search.Problem](err); ok && strings.HasPrefix(problem.Filter, "kind:") {
		problem.Allowed += ", or draft" // which the lists of sessions do not have
	}
	if err != nil {
		return frame.UsageError(err)
	}
	if query.Empty() {
		return frame.UsageError(fmt.Errorf("%q names nothing to look for; a filter needs a value, as in  planb find kind:plan", strings.Join(args, " ")))
	}
	ctx, stop := frame.UntilSignal(ctx)
	defer stop()
	places := []place{} // so that JSON has a list, not null
	found, unreadable := 0, 0
	var first, firstDraft string // for planb show and for planb draft
	var why error
	k := p.ink()
	err = p.ReadStore(ctx, func(st *store.Store) error {
		for step, err := range everywhere(ctx, st, query) {
			if err != nil {
				return err
			}
			if unreadable += step.Unreadable; why == nil {
				why = step.Why
			}
			for _, hit := range step.Hits {
				if found++; hit.Draft.ID != "" {
					firstDraft = cmp.Or(firstDraft, hitName(hit))
				} else {
					first = cmp.Or(first, hitName(hit))
				}
				if asJSON {
					places = append(places, placeOf(hit))
				} else if err := p.Print(p.hit(k, hit, found == 1)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return frame.Declined(errors.New("interrupted before everything was searched"))
	case err != nil && !frame.Missing(err):
		return err
	}
	if unreadable > 0 {
		p.Warn(fmt.Sprintf("%s could not be searched: %v; planb doctor says what to do about it", wording.Count(unreadable, "record"), why))
	}
	if asJSON {
		return frame.PrintJSON(p.Stdout, places)
	}
	if found == 0 {
		_, err := fmt.Fprintln(p.Stderr, "Nothing contains all of these words.")
		return err
	}
	if k.Terminal {
		return p.Print("\n" + hitsFooter(k, found, first, firstDraft))
	}
	return nil
}

// everywhere searches the sessions, and then the drafts.
func everywhere(ctx context.Context, st *store.Store, query search.Query) iter.Seq2[search.Step, error] {
	return func(yield func(search.Step, error) bool) {
		for _, run := range []iter.Seq2[search.Step, error]{search.Run(ctx, st, query), search.RunDrafts(ctx, st, query)} {
			for step, err := range run {
				if !yield(step, err) || err != nil {
					return
				}
			}
		}
	}
}

// hitsFooter says how many hits stand above it, and how the person looks at one: at the one that
// planb show takes, and at the draft. Either name may be empty.
func hitsFooter(k ink.Ink, found int, name, draft string) string {
	which := "one"
	if found == 1 {
		which = "it"
	}
	var ways []string
	if name != "" {
		ways = append(ways, fmt.Sprintf("Look at %s with `planb show %s`", which, name))
		which = "a draft"
	}
	if draft != "" {
		ways = append(ways, fmt.Sprintf("Look at %s with `planb draft report %s`", which, draft))
	}
	return k.Message("", fmt.Sprintf("%d found. %s", found, strings.Join(ways, ". ")), k.Muted) + "\n"
}

// queryOf joins the arguments to a query. The shell removed the quotes from an
// argument with spaces, so queryOf puts them back: it is one phrase.
func queryOf(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; !strings.ContainsAny(arg, " \t\n") || strings.Contains(arg, `"`) {
			continue
		}
		filter, value, isFilter := strings.Cut(arg, ":")
		if isFilter && !strings.ContainsAny(filter, " \t\n") {
			words[i] = filter + `:"` + value + `"`
		} else {
			words[i] = `"` + arg + `"`
		}
	}
	return strings.Join(words, " ")
}

func placeOf(hit search.Hit) place {
	found := place{Name: hitName(hit), Session: hit.Session.ID, Ask: hit.Ask.ID, Plan: hit.Plan.Number, Draft: hit.Draft.ID, Title: hitTitle(hit), At: hit.At, More: hit.More}
	for _, e := range hit.Excerpts {
		found.Lines = append(found.Lines, placeLine{e.Field, e.Question, e.Line, safe.New(e.Raw())})
	}
	return found
}

// hitName returns the name that planb show, or planb draft, takes for a hit.
func hitName(hit search.Hit) string {
	switch {
	case hit.Ask.ID != "":
		return store.ShortID(hit.Ask.ID)
	case hit.Plan.Number > 0:
		return fmt.Sprintf("%s@v%d", store.ShortID(hit.Session.ID), hit.Plan.Number)
	case hit.Draft.ID != "":
		return store.ShortID(hit.Draft.ID)
	}
	return store.ShortID(hit.Session.ID)
}

func hitTitle(hit search.Hit) safe.Text {
	switch {
	case hit.Ask.ID != "":
		return hit.Ask.Spec.Title
	case hit.Plan.Number > 0:
		return hit.Plan.Title
	case hit.Draft.ID != "":
		if hit.Draft.Title.Blank() {
			return hit.Draft.Excerpt
		}
		return hit.Draft.Title
	}
	return hit.Session.Title
}

// hit formats a hit: on a terminal below a blank row, but for the first one.
func (p lookups) hit(k ink.Ink, hit search.Hit, first bool) string {
	switch {
	case !k.Terminal:
		return hitText(hit)
	case first:
		return hitCard(k, hit)
	}
	return "\n" + hitCard(k, hit)
}

// hitCard formats a hit for a terminal: its name and title, its kind and place, and a row for
// each excerpt. The words that the person looked for stand out. Nothing is said twice: an
// excerpt that is the whole title, also as the heading of a plan, stands out in the title.
func hitCard(k ink.Ink, hit search.Hit) string {
	title, session := hitTitle(hit), hit.Session.Name().Line()
	if title.Blank() {
		title = hit.Session.Name()
	}
	kind := "session"
	switch isPlan := hit.Ask.Spec.Plan != nil; {
	case hit.Ask.ID != "":
		kind = "form, "
		if isPlan {
			kind = "review, "
		}
		kind += hit.Ask.Outcome.State.Standing(isPlan).Short
	case hit.Plan.Number > 0:
		kind = fmt.Sprintf("plan, version %d", hit.Plan.Number)
	case hit.Draft.ID != "":
		kind = "draft"
	default:
		session = ""
	}
	if session == title.Line() {
		session = ""
	}
	about := cells.Join(kind, session, agentName(hit.Session.Client).Line())
	const nameCells = len("4f5e6a7b@v2") // the titles of hits stand below each other
	name, ago, width := k.Accent.Render(cells.Pad(hitName(hit), nameCells))+"  ", k.Faint.Render(wording.Ago(hit.At, time.Now())), min(k.Width, 100)
	head, excerpts := k.Strong.Render(title.Line()), hit.Excerpts
	if whole := width - ansi.StringWidth(name+ago) - cells.SidesGap; ansi.StringWidth(title.Line()) <= whole { // otherwise the match may be cut off
		excerpts = nil
		for _, e := range hit.Excerpts {
			if pieces, same := titlePieces(e, title); same {
				head = marked(k, pieces, k.Strong)
			} else {
				excerpts = append(excerpts, e)
			}
		}
	}
	text := cells.Sides(name+head, ago, width) + "\n" + layout.Row("  ", k.Muted.Render(about), k.Width)
	label := len(search.FieldQuestion) // lines and questions begin at the same cell
	for _, e := range excerpts {
		label = max(label, ansi.StringWidth(excerptKind(e)))
	}
	for _, e := range excerpts {
		text += layout.Row("    "+k.Faint.Render(cells.Pad(excerptKind(e), label))+"  ", strings.TrimSpace(marked(k, e.Shown(), k.Text)), k.Width)
	}
	if hit.More > 0 {
		text += strings.Repeat(" ", 4+label+2) + k.Faint.Render("and "+wording.Count(hit.More, "place")+" more") + "\n"
	}
	return text
}

// titlePieces returns the pieces of an excerpt that is the whole title, without the marks of a
// heading.
func titlePieces(e search.Excerpt, title safe.Text) ([]search.Piece, bool) {
	pieces := slices.Clone(e.Pieces)
	if e.Field == search.FieldPlan && !pieces[0].Match {
		pieces[0].Text = safe.New(strings.TrimLeft(pieces[0].Text.Raw(), "# "))
	} else if e.Field != search.FieldTitle {
		return nil, false
	}
	var text strings.Builder
	for _, p := range pieces {
		text.WriteString(p.Text.Raw())
	}
	return pieces, text.String() == title.Raw()
}

// marked formats pieces of a text. Those that match stand out from the style.
func marked(k ink.Ink, pieces []search.Piece, plain cells.Style) string {
	var line strings.Builder
	for _, piece := range pieces {
		style := plain
		if piece.Match {
			style = k.Match
		}
		for n, word := range strings.Split(piece.Text.Line(), " ") { // a line may be broken between any two
			if n > 0 {
				line.WriteByte(' ')
			}
			line.WriteString(style.Render(word))
		}
	}
	return line.String()
}

// excerptKind says in a word or two which part of a hit an excerpt is from.
func excerptKind(e search.Excerpt) string {
	switch e.Field {
	case search.FieldPlan:
		return fmt.Sprintf("line %d", e.Line)
	case search.FieldSection:
		return e.Of.Line()
	}
	return string(e.Field)
}

// hitText formats a hit for a file or a pipe: a line with what was found, then a line
// for each excerpt. It cleans texts of agents.
func hitText(hit search.Hit) string {
	var parts []string
	add := func(kind string, title safe.Text) {
		if !title.Blank() {
			kind += ": " + title.Line()
		}
		parts = append(parts, kind)
	}
	switch {
	case hit.Ask.ID != "" && hit.Ask.Spec.Plan != nil:
		add("review", hitTitle(hit))
	case hit.Ask.ID != "":
		add("form", hitTitle(hit))
	case hit.Plan.Number > 0:
		add("plan", hitTitle(hit))
	case hit.Draft.ID != "":
		add("draft", hitTitle(hit))
	}
	if hit.Ask.ID != "" {
		parts = append(parts, hit.Ask.Outcome.State.Standing(hit.Ask.Spec.Plan != nil).Short)
	}
	parts = append(parts, "session: "+hit.Session.Name().Line())
	if agent := agentName(hit.Session.Client); !agent.Blank() {
		parts = append(parts, agent.Line())
	}
	text := hitName(hit) + "  " + clock(hit.At) + "  " + strings.Join(parts, cells.Gap) + "\n"
	for i, e := range hit.Excerpts {
		line := strings.TrimSpace(safe.New(e.Raw()).Line())
		if i == len(hit.Excerpts)-1 && hit.More > 0 {
			line += fmt.Sprintf("  (and %s more)", wording.Count(hit.More, "place"))
		}
		text += "    " + excerptLabel(e) + ": " + line + "\n"
	}
	return text
}

// excerptLabel names the part of a hit that an excerpt is from.
func excerptLabel(e search.Excerpt) string {
	if e.Question != "" && e.Field != search.FieldPlan && e.Field != search.FieldQuestion && e.Field != search.FieldSection {
		return string(e.Field) + " to " + safe.New(e.Question).Line()
	}
	return excerptKind(e)
}
