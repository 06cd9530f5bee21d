package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/retro"
	"planb/tui/wording"
)

// shownStory is a session as planb show --json prints it.
type shownStory struct {
	Session shownSession `json:"session"`
	Asks    []shownAsk   `json:"asks"`
	Plans   []shownPlan  `json:"plans"`
	Events  []shownEvent `json:"events"`
}

type shownSession struct {
	store.Session
	Unreadable string `json:"unreadable,omitempty"`
}

// shownPlan is a version and what led to it.
type shownPlan struct {
	store.Plan
	Change     *shownChange    `json:"change,omitempty"`    // since the version before it
	Follows    []string        `json:"follows,omitempty"`   // asks that were answered since the version before
	Citations  []shownCitation `json:"citations,omitempty"` // in its text
	Unreadable string          `json:"unreadable,omitempty"`
}

type shownChange struct {
	Added   int `json:"added"` // lines
	Removed int `json:"removed"`
}

type shownEvent struct {
	Kind          timeline.Kind `json:"kind"`
	At            time.Time     `json:"at,omitzero"`
	By            string        `json:"by,omitempty"`
	Ask           string        `json:"ask,omitempty"`
	Plan          int           `json:"plan,omitempty"`
	Reviews       int           `json:"reviews,omitempty"` // the version that the ask is a review of
	Verdict       string        `json:"verdict,omitempty"` // of the review, in words
	WaitedSeconds float64       `json:"waitedSeconds,omitempty"`
	TookSeconds   float64       `json:"tookSeconds,omitempty"`
	Misdated      bool          `json:"misdated,omitempty"` // its time is before that of an event it follows
	Unreadable    string        `json:"unreadable,omitempty"`
}

func (p lookups) showStory(ctx context.Context, st *store.Store, session store.Session, asJSON bool) error {
	story, err := timeline.Read(ctx, st, session.ID)
	if err != nil {
		return err
	}
	details, err := allDetails(ctx, st, story)
	if err != nil {
		return err
	}
	drafts, draftsErr := st.Drafts().Of(ctx, session.ID)
	switch k := p.ink(); {
	case asJSON:
		err = p.printStoryJSON(ctx, st, story, details)
	case k.Terminal:
		err = p.Print(storyText(k, story, retro.Drafts(drafts), details, time.Now()))
	default:
		err = p.printStory(story, retro.Drafts(drafts), details)
	}
	return cmp.Or(err, story.AsksErr, story.PlansErr, draftsErr)
}

func allDetails(ctx context.Context, st *store.Store, story *timeline.Story) (map[int]timeline.Detail, error) {
	numbers := make([]int, len(story.Plans))
	for i, plan := range story.Plans {
		numbers[i] = plan.Number
	}
	return detailsOf(ctx, st, story, numbers...)
}

func detailsOf(ctx context.Context, st *store.Store, story *timeline.Story, numbers ...int) (map[int]timeline.Detail, error) {
	details := map[int]timeline.Detail{}
	for detail, err := range story.Details(ctx, st, numbers...) {
		if err != nil {
			return nil, err
		}
		details[detail.Plan] = detail
	}
	return details, nil
}

// storyText tells a session on a terminal, as its screen does: day by day, with what
// was shown and fetched folded into the answers.
func storyText(k ink.Ink, story *timeline.Story, drafts string, details map[int]timeline.Detail, now time.Time) string {
	session := story.Session
	out := k.Title.Render(session.Name().Line()) + "\n" +
		k.Muted.Render(layout.Text(cells.Join(agentName(session.Client).Line(), session.Project.Line(), "session "+store.ShortID(session.ID)), k.Width)) + "\n"
	if !session.Intent.Blank() {
		out += layout.Text(session.Intent.Line(), k.Width) + "\n"
	}
	if drafts != "" {
		out += layout.Text(drafts, k.Width) + "\n"
	}
	fetched := map[string]bool{}
	for _, e := range story.Events {
		fetched[e.Ask] = fetched[e.Ask] || e.Kind == timeline.Delivered
	}
	var told []timeline.Event
	var rows [][]ink.Cell
	for _, e := range story.Events {
		if !retro.Tell(e).Minor {
			told = append(told, e)
			rows = append(rows, eventRow(k, story, e, details[e.Plan], fetched[e.Ask]))
		}
	}
	// The title has at least 32 cells; for that, whole columns are left out.
	columns := []ink.Column{{}, {}, {}, {Least: 32}, {Leave: 2}, {Leave: 4}, {Leave: 1}, {Leave: 3}}
	day, i := "", 0
	for line := range strings.Lines(k.Table(columns, rows)) {
		if today := retro.Day(told[i].At, now); today != day {
			day = today
			out += "\n" + k.Muted.Render(day) + "\n"
		}
		out += line
		i++
	}
	return out
}

// eventRow is one event of a story on a terminal.
func eventRow(k ink.Ink, story *timeline.Story, e timeline.Event, detail timeline.Detail, fetched bool) []ink.Cell {
	telling := retro.Tell(e)
	row := []ink.Cell{
		{Text: "  " + e.At.Local().Format("15:04"), Style: k.Faint}, {Text: telling.Mark, Style: telling.Style(&k.Styles)}, {Text: telling.Verb},
		{}, {Style: k.Muted}, {Style: k.Muted}, {Style: k.Muted}, {Style: k.Accent},
	}
	title, by, about, id := &row[3].Text, &row[4].Text, &row[5].Text, &row[7].Text
	if e.At.IsZero() {
		row[0].Text = ""
	}
	if ask, ok := story.Ask(e.Ask); ok {
		*title, *id = ask.Spec.Title.Line(), store.ShortID(e.Ask)
		if e.Reviews > 0 {
			*title = cells.Join(strings.ToLower(e.Verdict), fmt.Sprintf("v%d %s", e.Reviews, *title))
		}
	}
	switch {
	case e.Err != nil:
		*title = cells.Join(*title, safe.New(e.Err.Error()).Line())
	case e.Kind == timeline.Planned:
		plan, _ := story.Plan(e.Plan)
		*title = plan.Title.Line()
		*id = fmt.Sprintf("%s@v%d", store.ShortID(story.Session.ID), e.Plan)
		if detail.Counted {
			*about = fmt.Sprintf("+%d −%d", detail.Added, detail.Removed)
		}
	case e.Kind == timeline.Created:
		*title = agentName(story.Session.Client).Line()
	case e.Reply():
		*by, *about = safe.New(e.By).Line(), telling.Lasted
		if fetched {
			row[6].Text = retro.AgentHasIt
		}
	}
	return row
}

func (p lookups) printStory(story *timeline.Story, drafts string, details map[int]timeline.Detail) error {
	var out strings.Builder
	session := story.Session
	head := fmt.Sprintf("%s\nsession %s%s\n", session.Name().Line(), session.ID, from(agentName(session.Client).Line()))
	out.WriteString(layout.Text(head, p.Width()))
	for _, text := range []safe.Text{session.Project, session.Intent} {
		if !text.Blank() {
			out.WriteString(layout.Text(text.Block()+"\n", p.Width()))
		}
	}
	if drafts != "" {
		out.WriteString(layout.Text(drafts+"\n", p.Width()))
	}
	out.WriteByte('\n')
	for _, e := range story.Events {
		out.WriteString(layout.Row(clock(e.At)+"  ", eventLine(story, e, details[e.Plan]), p.Width()))
	}
	return p.Print(out.String())
}

// clock formats a time for a column. An unknown time leaves the column empty.
func clock(at time.Time) string {
	if at.IsZero() {
		return strings.Repeat(" ", len(clockTime))
	}
	return at.Local().Format(clockTime)
}

func from(who string) string {
	if who == "" {
		return ""
	}
	return " by " + who
}

// eventLine formats an event for a person.
func eventLine(story *timeline.Story, e timeline.Event, detail timeline.Detail) string {
	parts := []string{fmt.Sprintf("%-9s", e.Kind)}
	if ask, ok := story.Ask(e.Ask); ok {
		name := store.ShortID(e.Ask)
		if e.Reviews > 0 {
			name += fmt.Sprintf(" v%d", e.Reviews)
		}
		if !ask.Spec.Title.Blank() {
			name += " " + ask.Spec.Title.Line()
		}
		parts = append(parts, name)
	}
	if e.Kind == timeline.Planned {
		plan, _ := story.Plan(e.Plan)
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("v%d %s", e.Plan, plan.Title.Line())))
		if detail.Counted {
			parts = append(parts, fmt.Sprintf("+%d −%d", detail.Added, detail.Removed))
		}
	}
	if e.Verdict != "" {
		parts = append(parts, strings.ToLower(e.Verdict))
	}
	if e.By != "" {
		parts = append(parts, safe.New(e.By).Line())
	}
	if e.Reply() && e.Waited > 0 {
		parts = append(parts, "after "+wording.Lasted(e.Waited))
	}
	if e.Err != nil {
		parts = append(parts, "unreadable: "+safe.New(e.Err.Error()).Line())
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

func (p lookups) printStoryJSON(ctx context.Context, st *store.Store, story *timeline.Story, details map[int]timeline.Detail) error {
	shown := shownStory{
		Session: shownSession{story.Session, reason(story.Session.Err)},
		Asks:    []shownAsk{}, Plans: []shownPlan{}, Events: []shownEvent{},
	}
	for ask, err := range st.WholeAsks(ctx, story.Session.ID) {
		if err != nil {
			return err
		}
		shown.Asks = append(shown.Asks, showAsk(ask))
	}
	for _, plan := range story.Plans {
		shown.Plans = append(shown.Plans, showPlan(story, plan, details[plan.Number]))
	}
	for _, e := range story.Events {
		shown.Events = append(shown.Events, shownEvent{
			Kind: e.Kind, At: e.At, By: e.By, Ask: e.Ask, Plan: e.Plan, Reviews: e.Reviews, Verdict: e.Verdict,
			WaitedSeconds: e.Waited.Seconds(), TookSeconds: e.Took.Seconds(), Misdated: e.Misdated, Unreadable: reason(e.Err),
		})
	}
	return frame.PrintJSON(p.Stdout, shown)
}

func showPlan(story *timeline.Story, plan store.Plan, detail timeline.Detail) shownPlan {
	shown := shownPlan{Plan: plan, Unreadable: reason(cmp.Or(plan.Err, detail.Err))}
	if detail.Counted {
		shown.Change = &shownChange{detail.Added, detail.Removed}
	}
	for _, place := range story.Since(plan.Number) {
		if ask := story.Events[place].Ask; !slices.Contains(shown.Follows, ask) {
			shown.Follows = append(shown.Follows, ask)
		}
	}
	for _, c := range detail.Citations {
		shown.Citations = append(shown.Citations, shownCitation{c.Question, c.Line, c.Ask})
	}
	return shown
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
