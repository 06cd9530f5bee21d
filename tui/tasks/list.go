package tasks

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/store"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/ask"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/overview"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/wording"
)

// List is all plans of tasks: first those that wait for the person's approval, then those
// in work, then those that have ended.
type List struct {
	*overview.List[listed]
	deps Deps
}

// listed is a plan of the list.
type listed struct {
	kept.Plan
	project  string
	done, of int
	needs    int    // how many things need the person
	approve  bool   // some of it waits for an approval
	err      error  // why its tasks cannot be counted
	by       string // who proposed it, for the preview; empty if that is not known
	whole    *plan  // for the preview, with the titles of its first tasks; nil until it is read
}

// NewList returns the list of all plans.
func NewList(d Deps) *List {
	l := &List{deps: d}
	l.List = overview.New(overview.Of[listed]{
		Title: "planb: tasks", Name: "Tasks", Noun: "plan", Help: "Plans of tasks",
		Read:  d.readPlans,
		ID:    func(p listed) string { return p.ID },
		Group: listed.group,
		Yours: func(p listed) bool { return p.rank() == 0 },
		Draw:  d.drawListed,
		Empty: noPlans,
		Open:  func(p listed) screen.Screen { return New(d, p.ID) },
		More:  listed.more,
		Act:   l.act,
		Err:   func(p listed) error { return p.err },
		Peek:  d.peek, Preview: d.preview,
	}, d.Keys.On(keymap.OfPick, keymap.TaskPlans()), d.Watcher, d.After)
	l.Within(l)
	return l
}

// listReview brings the review that the person asked for.
type listReview struct {
	list *List
	ask  store.Ask
	err  error
}

// readPlans reads all plans, with how much of each is done.
func (d Deps) readPlans(ctx context.Context) ([]listed, error) {
	plans, err := d.Store.Plans(ctx, d.caller())
	if err != nil {
		return nil, err
	}
	projects, err := d.Store.Projects(ctx, d.caller())
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, project := range projects {
		if project.Err == nil {
			names[project.ID] = project.Name.Line()
		}
	}
	list := make([]listed, 0, len(plans))
	for _, p := range plans {
		row := listed{Plan: p, project: names[p.Project], err: p.Err}
		if p.Err == nil {
			var whole kept.Whole
			if whole, row.err = d.Store.Plan(ctx, d.caller(), p.ID); row.err == nil {
				var p *plan
				if p, row.err = d.judged(ctx, whole); row.err == nil {
					row.count(p)
				}
			}
		}
		list = append(list, row)
	}
	slices.SortStableFunc(list, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), b.Updated.Compare(a.Updated))
	})
	return list, nil
}

// count counts the tasks of a plan.
func (p *listed) count(whole *plan) {
	p.done, p.of = whole.done()
	p.needs, p.approve = len(whole.changes), len(whole.changes) > 0
	for _, n := range whole.tasks() {
		if whole.column(n) == needsYou {
			p.needs++
		}
		p.approve = p.approve || whole.view.Wants(n) == rules.WantsApproval
	}
}

// rank orders plans by what they want of the person.
func (p listed) rank() int {
	switch {
	case p.Err != nil:
		return 2
	case p.Status == rules.PlanProposed:
		return 0
	case p.Status == rules.PlanActive:
		return 1
	}
	return 3
}

// group is the heading above plans of one rank.
func (p listed) group() string {
	return [...]string{"Waiting for your approval", "In work", "Unreadable", "Ended"}[p.rank()]
}

// Update also opens a review that was made, and follows its end.
func (l *List) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ask.Ended:
		l.Say(msg.Status())
		return l.Reread()
	case listReview:
		switch {
		case msg.list != l:
		case msg.err != nil:
			l.Say("Nothing to approve: " + wording.Sentence(msg.err))
		default:
			return screen.Send(screen.Push{Screen: l.deps.Past.OpenForm(retro.Form{Ask: msg.ask}), Over: l})
		}
		return nil
	}
	return l.List.Update(msg)
}

func (p listed) more() []keymap.Action {
	if p.Err == nil && p.approve {
		return []keymap.Action{keymap.Approve}
	}
	return nil
}

// act opens the review of a plan if the person wants to approve it.
func (l *List) act(act keymap.Action, p listed) tea.Cmd {
	if act != keymap.Approve {
		return nil
	}
	if p.Err != nil || p.Status.Final() {
		l.Say("Nothing of it waits for your approval.")
		return nil
	}
	review := l.deps.Review
	return screen.Within(func(ctx context.Context) tea.Msg {
		made, err := review(ctx, p.ID)
		return listReview{l, made, err}
	})
}

// drawListed draws a plan: its title and how far it is, and below it what it needs of the person
// and its project. The heading above says the status of a plan that has not ended.
func (d Deps) drawListed(p listed, st *screen.Styles, room int) overview.Row {
	standing := p.Status.Standing()
	row := overview.Row{Mark: st.Role(themes.RoleOfTasks(p.Status)).Render(standing.Mark), Title: p.Title.Line()}
	status, needs := "", ""
	switch {
	case p.Status.Final():
		status = standing.Word
	case p.Paused:
		status = "paused"
	}
	if p.needs > 0 && !p.Status.Final() {
		needs = needsYou.mark(st) + " " + st.Required.Render(wording.NeedYou(p.needs)) + st.Muted.Render(cells.Gap)
	}
	about := cells.Join(status, p.project, rules.Short(p.ID), wording.Ago(p.Updated, d.Now()))
	switch {
	case p.err == nil && p.Status == rules.PlanProposed: // nothing of it can be done yet
		row.Right = st.Muted.Render(wording.Count(p.of, "task"))
	case p.err == nil:
		row.Right = st.Progress(p.done, p.of) + st.Muted.Render(" "+cells.PadLeft(digits(p.done)+"/"+digits(p.of), 7))
	default:
		row.Mark, about = st.Danger.Render("!"), wording.Sentence(p.err)
		if p.Err != nil {
			row.Title = "Unreadable plan " + rules.Short(p.ID)
		}
	}
	row.Below = needs + st.Muted.Render(cells.CutParts(about, room-ansi.StringWidth(needs)))
	return row
}

// noPlans tells a person without plans how to get one.
func noPlans() screen.Welcome {
	return screen.Welcome{
		Says: "There are no plans of tasks yet.",
		What: "Agents propose them, you approve them here.",
		Commands: [][2]string{
			{"planb tasks on", "gives your agents the tools"},
			{"planb tasks import TODO.md", "makes a plan from your list"},
			{"planb demo tasks", "shows it once, without an agent"},
		},
	}
}
