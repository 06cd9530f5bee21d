package draft

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/drafts"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/wording"
)

// shownDraft is a draft as --json prints it.
type shownDraft struct {
	ID       string        `json:"planId"`
	Short    string        `json:"shortId"`
	Session  string        `json:"sessionId"`
	Title    string        `json:"title"`
	State    runs.State    `json:"state"`
	Detail   drafts.Detail `json:"detail"`
	Done     int           `json:"steps_completed"`
	Of       int           `json:"steps_total"`
	Mode     runs.Mode     `json:"mode"`
	Start    string        `json:"start_date"`
	Created  time.Time     `json:"created_at"`
	Stop     *runs.Stop    `json:"stop,omitempty"`
	Error    *runs.Failure `json:"error,omitempty"`
	Steps    []shownStep   `json:"steps,omitempty"`
	Findings []string      `json:"findings,omitempty"`
}

// shownStep is one step of it.
type shownStep struct {
	Number   int             `json:"number"`
	ID       string          `json:"step"`
	Title    string          `json:"title"`
	Author   string          `json:"author"`
	Standing drafts.Standing `json:"standing"`
	By       string          `json:"by,omitempty"`
	SHA256   string          `json:"sha256,omitempty"`
}

func shown(p runs.Summary) shownDraft {
	return shownDraft{
		ID: p.ID, Short: store.ShortID(p.ID), Session: p.Session, Title: titleOf(p), State: p.State, Detail: p.Detail, Done: p.Done, Of: p.Of, Mode: p.Mode,
		Start: p.Start, Created: p.Created, Stop: p.Stop, Error: p.Error,
	}
}

// titleOf is the name of a draft for people: that of its brief, else the beginning of its
// prompt.
func titleOf(p runs.Summary) string {
	if p.Err != nil {
		return "cannot be read: " + safe.New(p.Err.Error()).Line()
	}
	return cmp.Or(p.Title.Line(), p.Excerpt.Line())
}

func (c Commands) listCommand() *cobra.Command {
	var all, asJSON bool
	command := &cobra.Command{
		Use:   "draft",
		Short: "Draft a whole plan from one prompt",
		Long: "List the drafts of plans of this project, the newest first. A draft makes a strategic plan from one prompt: scenarios, risks,\n" +
			"a budget, a work breakdown, a schedule and a report, in " + drafts.Brief.Answers() + " answers, or in " + drafts.Full.Answers() + " with all details. You choose\n" +
			"the scenario and confirm the assumptions in between. Your agent writes it, or another program does with `planb draft run`.",
		Example: "  planb draft new idea.md\n  planb draft run 3f9a1c\n  planb draft report 3f9a1c",
		Args:    frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.listDrafts(cmd.Context(), all, asJSON)
		},
	}
	command.Flags().BoolVar(&all, "all-projects", false, "the drafts of all projects, not only of the one in this directory")
	command.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return command
}

// namedListCommand is the same under the name that a newcomer tries.
func (c Commands) namedListCommand() *cobra.Command {
	command := c.listCommand()
	command.Use, command.Short = "list", "List the drafts of this project, as planb draft alone does"
	command.Long, command.Example = command.Short+".", "  planb draft list --json"
	return command
}

func (c Commands) listDrafts(ctx context.Context, all, asJSON bool) error {
	var plans []runs.Summary
	var forYou map[string]bool
	err := c.ReadStore(ctx, func(st *store.Store) (err error) {
		if plans, err = c.list(ctx, st, all); err != nil {
			return err
		}
		forYou, err = waiting(ctx, st)
		return err
	})
	if err != nil && !frame.Missing(err) {
		return err
	}
	k := c.ink()
	switch {
	case asJSON:
		list := make([]shownDraft, len(plans))
		for i, p := range plans {
			list[i] = shown(p)
		}
		return frame.PrintJSON(c.Stdout, list)
	case len(plans) == 0:
		none := "This project has no draft yet."
		if all {
			none = "No project has a draft yet."
		}
		return ink.Note(c.Stderr, c.Env.Pairs(), c.Theme, none+" `planb draft new` begins one; `planb demo draft` shows a draft from start to end.")
	case k.Terminal:
		return c.Print(table(k, plans, forYou))
	}
	for _, p := range plans {
		if err := c.Print(store.ShortID(p.ID) + "  " + cells.Join(stateOf(k, p, listed(p, forYou)).words, titleOf(p), progress(p)) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// waiting returns the drafts of which a form waits for the person.
func waiting(ctx context.Context, st *store.Store) (map[string]bool, error) {
	asks, err := st.Waiting(ctx)
	drafts := map[string]bool{}
	for _, ask := range asks {
		if gate, err := runs.ParseGate(ask.Subject.ID); err == nil && ask.About() == runs.SubjectKind {
			drafts[gate.Plan] = true
		}
	}
	return drafts, err
}

// listed is the condition in which a draft is listed.
func listed(p runs.Summary, forYou map[string]bool) drafts.Condition {
	if forYou[p.ID] && !p.State.Ended() {
		return drafts.DraftForYou
	}
	return p.State.Condition()
}

func progress(p runs.Summary) string {
	if p.Err != nil {
		return ""
	}
	return fmt.Sprintf("%d of %d steps", p.Done, p.Of)
}

func table(k ink.Ink, plans []runs.Summary, forYou map[string]bool) string {
	columns := []ink.Column{{}, {}, {Least: 20, Wants: 48, Fill: true}, {}, {Leave: 2}, {Right: true, Leave: 1}}
	var rows [][]ink.Cell
	for _, p := range plans {
		state := stateOf(k, p, listed(p, forYou))
		rows = append(rows, []ink.Cell{
			{Text: state.mark, Style: state.style}, {Text: store.ShortID(p.ID), Style: k.Accent}, {Text: titleOf(p), Style: k.Text},
			{Text: state.words, Style: state.style}, {Text: progress(p), Style: k.Muted}, {Text: wording.Ago(p.Created.Local(), time.Now()), Style: k.Faint},
		})
	}
	hint := k.Muted.Render(wording.Count(len(plans), "draft")+". Look at one with ") + k.Accent.Render("planb draft status "+store.ShortID(plans[0].ID))
	return k.Table(columns, rows) + "\n" + layout.Text(hint, k.Width) + "\n"
}

func (c Commands) statusCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:               "status DRAFT",
		Short:             "Show a draft's steps, who wrote them, what it waits for",
		Long:              "Show how a draft stands: its steps, who wrote each, and what it waits for.",
		Example:           "  planb draft status 3f9a1c",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.named(cmd.Context(), args[0], func(st *store.Store, w runs.Whole) error {
				if asJSON {
					return frame.PrintJSON(c.Stdout, whole(w))
				}
				claimed, err := st.Drafts().Writers(cmd.Context(), w.ID)
				if err != nil {
					return err
				}
				form, err := formOf(cmd.Context(), st, w, time.Now())
				if err != nil {
					return err
				}
				return c.Print(c.standing(c.ink(), w, claimed, form, time.Now()))
			})
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return command
}

func whole(w runs.Whole) shownDraft {
	d := shown(w.Summary)
	standings := w.Draft.Standings()
	for _, s := range w.Draft.Steps() {
		r := w.Draft.Records[s.ID]
		d.Steps = append(d.Steps, shownStep{s.Number, s.ID, s.Title, s.Author.String(), standings[s.ID], r.By, r.SHA256})
	}
	for _, f := range w.Draft.Lint() {
		d.Findings = append(d.Findings, f.Step+" "+f.String())
	}
	return d
}

// standing is a draft with its steps, and what to do next.
func (c Commands) standing(k ink.Ink, w runs.Whole, claimed map[string]runs.Writer, form gateForm, now time.Time) string {
	var rows [][]ink.Cell
	standings, states := w.Draft.Standings(), map[string]drafts.StepState{}
	writers := w.Writing(claimed, standings)
	for _, s := range w.Draft.Steps() {
		writer, writing := writers[s.ID]
		state, by := w.StepState(s, standings[s.ID], writing), c.writtenBy(s, w.Draft.Records[s.ID].By)
		if states[s.ID] = state; state == drafts.StepInWork {
			by = safe.New(writer.Name).Line()
		}
		style := k.Role(themes.RoleOfStep(state))
		rows = append(rows, []ink.Cell{
			{Text: state.Mark(), Style: style}, {Text: s.Name, Style: k.Text}, {Text: state.Word(), Style: style}, {Text: by, Style: k.Muted},
		})
	}
	condition := w.Condition(states, form.replied, now)
	next := c.next(w, form)
	if condition == drafts.DraftBeingWritten && form.id == "" {
		next = "It is being written; `planb draft stop " + store.ShortID(w.ID) + "` stops it."
	}
	state := stateOf(k, w.Summary, condition)
	head := k.Strong.Render(titleOf(w.Summary)) + "\n" +
		layout.Text(state.style.Render(state.mark+" "+state.words)+k.Muted.Render(cells.Gap+cells.Join(progress(w.Summary), string(w.Detail), "from "+w.Start, store.ShortID(w.ID))), k.Width) + "\n\n"
	columns := []ink.Column{{}, {Least: 16}, {}, {Least: 8, Leave: 1}}
	return head + k.Table(columns, rows) + "\n" + k.Message("", next, k.Muted) + "\n"
}

// gateForm is the form that asks the person for their decision about a draft.
type gateForm struct {
	id      string // of the one that is open; empty if none is
	replied bool   // the person replied to it, and it is an agent's turn
}

// formOf looks for the form of a draft that waits for the person.
func formOf(ctx context.Context, st *store.Store, w runs.Whole, now time.Time) (form gateForm, err error) {
	if w.State.Ended() {
		return form, nil
	}
	if _, waits := first(w, drafts.Person); !waits {
		return form, nil
	}
	asks, err := st.Asks(ctx, w.Session)
	for _, ask := range asks {
		if ask.Err == nil && ask.About() == runs.SubjectKind && ask.Open() && w.Asks(ask.Subject.ID) {
			return gateForm{id: ask.ID}, err
		}
	}
	return gateForm{replied: store.RepliedTo(w.Summary, asks, now)}, err
}

// next says in a sentence what can be done with a draft.
func (c Commands) next(w runs.Whole, form gateForm) string {
	short := store.ShortID(w.ID)
	switch w.State {
	case runs.Completed:
		return "It is written: `planb draft report " + short + "`."
	case runs.Failed:
		if why := w.Draft.Rejected(); why != "" {
			return fmt.Sprintf("Its prompt cannot be planned: %s. Begin one with a better prompt: `planb draft new`. If the brief is wrong, change its verdict: the key e on Brief in `planb tui drafts %s`.", safe.New(why).Line(), short)
		}
		return fmt.Sprintf("It failed: %s. Go on with `planb draft resume %s`, or begin anew with `planb draft retry %s`.", withoutStop(w.Error.Message), short, short)
	case runs.Stopped:
		return fmt.Sprintf("%s. Go on with `planb draft resume %s`.", c.stopped(*w.Stop), short)
	}
	switch {
	case form.id != "":
		return "It waits for you: `planb tui ask " + store.ShortID(form.id) + "` shows the form."
	case form.replied:
		return "You replied, and it is your agent's turn. To answer the form all the same: the key c in `planb tui drafts " + short + "`."
	}
	if _, waits := first(w, drafts.Person); waits {
		return "It waits for you; `planb tui` shows the form once an agent or `planb draft run " + short + "` has come to it."
	}
	return "Your agent writes it, or `planb draft run " + short + "` does."
}

// stopped says who stopped a draft, and why, if they said so.
func (c Commands) stopped(stop runs.Stop) string {
	text := "It was stopped by " + safe.New(stop.By).Line()
	if c.nameOf(stop.By) == "you" {
		text = "You stopped it"
	}
	if why := withoutStop(stop.Why); why != "" && stop.Why != toldByDefault {
		text += ": " + why
	}
	return text
}

// withoutStop is a text that somebody wrote as a part of a sentence.
func withoutStop(text string) string { return strings.TrimSuffix(safe.New(text).Line(), ".") }
