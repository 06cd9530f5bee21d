package inbox

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
	"planb/tui/cells"
	"planb/tui/drafts"
	"planb/tui/preview"
	"planb/tui/screen"
	"planb/tui/tasks"
)

// Need is what needs the person beside the forms: a plan of tasks, or a draft.
type Need struct {
	Kind    NeedKind
	ID      string
	Title   safe.Text
	Project string // its name
	Words   string // what it needs
	Command string // the arguments of planb that open it
	parts   []needPart
	rings   []string // what the inbox rings for in it
	created time.Time
	updated time.Time
	open    func() screen.Screen
}

// NeedKind says what needs the person.
type NeedKind uint8

// The kinds.
const (
	NeedsTasks NeedKind = iota
	NeedsDraft
)

// what names the kind in a sentence.
func (k NeedKind) what() string {
	if k == NeedsDraft {
		return "a draft"
	}
	return "a plan of tasks"
}

// needPart is one thing that the person has to do.
type needPart struct{ title, wants string }

// ReadNeeds returns the plans of tasks and the drafts that need the person. It leaves out
// those that already ask the person in a form, because that form is listed itself.
func ReadNeeds(ctx context.Context, desk tasks.Deps, drawer drafts.Deps, waiting []Waiting) (needs []Need, err error) {
	if desk.Store != nil {
		plans, failed := desk.Needs(ctx)
		err = failed
		for _, plan := range plans {
			if slices.ContainsFunc(waiting, func(w Waiting) bool { return reviews(w, plan.Plan.ID) }) {
				plan = plan.WithoutApproval()
			}
			if plan.Any() {
				needs = append(needs, needOfPlan(desk, plan))
			}
		}
	}
	if drawer.Store != nil {
		list, failed := drawer.Needs(ctx)
		err = errors.Join(err, failed)
		for _, draft := range list {
			if !draft.Gate || !slices.ContainsFunc(waiting, func(w Waiting) bool { return draft.SubjectOf(w.Ask.About(), w.Ask.Subject.ID) }) {
				needs = append(needs, needOfDraft(drawer, draft))
			}
		}
	}
	return needs, err
}

// reviews reports whether a form reviews a plan of tasks.
func reviews(w Waiting, plan string) bool {
	return w.Ask.About() == kept.SubjectKind && strings.HasPrefix(w.Ask.Subject.ID, plan+"/")
}

// needOfPlan is what a plan of tasks needs. The inbox rings for each task that needs the
// person, and for a plan that is proposed.
func needOfPlan(desk tasks.Deps, plan tasks.Need) Need {
	n := Need{
		Kind: NeedsTasks, ID: plan.Plan.ID, Title: plan.Plan.Title, Project: plan.Project, Words: plan.Words(), Command: "tui tasks " + rules.Short(plan.Plan.ID),
		created: plan.Plan.Created, updated: plan.Plan.Updated, open: func() screen.Screen { return tasks.New(desk, plan.Plan.ID) },
	}
	for _, task := range plan.Tasks {
		n.parts = append(n.parts, needPart{task.Title, task.Wants})
		n.rings = append(n.rings, task.ID+" "+task.Wants)
	}
	if len(n.rings) == 0 {
		n.rings = []string{n.ID}
	}
	return n
}

// needOfDraft is what a draft needs. The inbox rings for each thing that it comes to need.
func needOfDraft(drawer drafts.Deps, draft drafts.Need) Need {
	kind, _, _ := strings.Cut(draft.Words, ":") // the rest of "stalled: nothing was written for 12 min" changes
	return Need{
		Kind: NeedsDraft, ID: draft.ID, Title: draft.Title, Project: draft.Project, Words: draft.Words, Command: "tui drafts " + store.ShortID(draft.ID),
		parts: []needPart{{draft.Progress, kind}}, rings: []string{draft.ID + " " + kind}, created: draft.Created, updated: draft.Updated,
		open: func() screen.Screen { return drafts.New(drawer, draft.ID) },
	}
}

// needRow is the row of what needs the person.
func (l *Screen) needRow(need Need) listRow {
	return listRow{
		mark: markOpen, tone: toneOpen, title: need.Title.Line(),
		project: need.Project, state: need.Words, when: l.ago(need.updated),
	}
}

// needHeading names the section of what needs the person.
func needHeading(needs []Need) string {
	plans := slices.ContainsFunc(needs, func(n Need) bool { return n.Kind == NeedsTasks })
	switch list := slices.ContainsFunc(needs, func(n Need) bool { return n.Kind == NeedsDraft }); {
	case plans && list:
		return "Tasks and drafts that need you"
	case list:
		return "Drafts that need you"
	}
	return "Tasks that need you"
}

// previewNeed lists what is to be done.
func previewNeed(p *preview.Lines, need Need) {
	st := p.Styles
	if !p.Tight() {
		p.Text(st.Title.Render, need.Title, 2)
		p.Say(st.Text.Render, cells.Join(need.Project, need.Words), 1)
		p.Gap()
	}
	parts := make([][]string, len(need.parts))
	for i, part := range need.parts {
		parts[i] = []string{p.Ends(st.Required.Render(markOpen)+" "+st.Text.Render(part.title), "", st.Muted.Render(part.wants))}
	}
	p.Items(parts, 0)
}

// passesNeed reports whether what needs the person passes the filters.
func (s *listState) passesNeed(i int) bool {
	need := s.needs[i]
	like := store.Session{Title: need.Title, Project: safe.New(need.Project), Created: need.created, Updated: need.updated}
	return s.filter.query.Matches(like, func(status string) bool { return status == statusOpen || status == statusWaiting })
}

func (s *listState) needText(i int) rowText {
	need := s.needs[i]
	return rowText{ids: []string{need.ID}, strong: lowered(need.Title.Line(), need.Project), weak: lowered(need.Words)}
}

// needWords say in one line what needs the person.
func needWords(needs []Need) string {
	words := make([]string, 0, len(needs))
	for _, need := range needs {
		const titleCells = 40
		kind := "Tasks: "
		if need.Kind == NeedsDraft {
			kind = "Draft: "
		}
		words = append(words, cells.Join(kind+cells.Cut(need.Title.Line(), titleCells), need.Words))
	}
	return strings.Join(words, "; ")
}
