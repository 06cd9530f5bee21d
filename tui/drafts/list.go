package drafts

import (
	"cmp"
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/store"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/ask"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/overview"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/wording"
)

// listed is a draft of the list.
type listed struct {
	runs.Summary
	condition rules.Condition
	happens   []string // now, in ever fewer words
	err       error    // why the draft cannot be read
	whole     *whole   // for the preview; nil until it is read
}

// list is all drafts.
type list struct {
	*overview.List[listed]
	deps Deps
}

// listGate brings the form that the person asked for.
type listGate struct {
	list *list
	ask  store.Ask
	err  error
}

// NewList returns the list of all drafts: first those that need the person, then those in
// work, then those that were stopped or failed, and last those that are written.
func NewList(d Deps) screen.Screen {
	l := &list{deps: d}
	l.List = overview.New(overview.Of[listed]{
		Title: "planb: drafts", Name: "Drafts", Noun: "draft", Help: "Drafts",
		Read:  d.readList,
		ID:    func(p listed) string { return p.ID },
		Group: listed.group,
		Yours: func(p listed) bool { return p.rank() == needsYou },
		Draw:  d.drawListed,
		Empty: noDrafts,
		Open:  func(p listed) screen.Screen { return New(d, p.ID) },
		More:  listed.more,
		Act:   l.act,
		Err:   func(p listed) error { return p.err },
		Peek:  d.peek, Preview: d.preview,
	}, d.Keys.On(keymap.OfPick, keymap.DraftList()), d.Watcher, d.After)
	l.Within(l)
	return l
}

// Update opens the form that was asked for, and hands on the rest.
func (l *list) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ask.Ended:
		l.Say(msg.Status())
		return l.Reread()
	case listGate:
		switch {
		case msg.list != l:
		case msg.err != nil:
			l.Say("The form could not be opened: " + wording.Sentence(runs.Plainly(msg.err)))
		default:
			return screen.Send(screen.Push{Screen: l.deps.OpenForm(retro.Form{Ask: msg.ask}), Over: l})
		}
		return nil
	}
	return l.List.Update(msg)
}

// more are the keys of a draft that others have not.
func (p listed) more() []keymap.Action {
	if p.err == nil && (p.condition == rules.DraftForYou || p.condition == rules.DraftReplied) {
		return []keymap.Action{keymap.AnswerGate}
	}
	return nil
}

// act opens the form of the draft under the cursor.
func (l *list) act(act keymap.Action, p listed) tea.Cmd {
	if act != keymap.AnswerGate {
		return nil
	}
	if len(p.more()) == 0 {
		l.Say("No form of it waits for you.")
		return nil
	}
	d := l.deps
	return screen.Within(func(ctx context.Context) tea.Msg {
		whole, err := d.readDraft(ctx, p.ID, nil)
		if err != nil {
			return listGate{l, store.Ask{}, err}
		}
		waiting := whole.stepsIn(rules.StepForYou)
		if len(waiting) == 0 {
			return listGate{l, store.Ask{}, errors.New("it no longer waits for you")}
		}
		opened, err := d.Gate(ctx, whole.Whole, waiting[0])
		return listGate{l, opened, err}
	})
}

// maxListed is how many drafts are listed, the newest ones.
const maxListed = 1000

// readList reads all drafts. For those that are being written it finds out by whom.
func (d Deps) readList(ctx context.Context) ([]listed, error) {
	all, err := d.Store.List(ctx, nil, maxListed)
	if err != nil {
		return nil, err
	}
	list := make([]listed, 0, len(all))
	for _, p := range all {
		list = append(list, d.listed(ctx, p))
	}
	slices.SortStableFunc(list, func(a, b listed) int { return cmp.Compare(a.rank(), b.rank()) })
	return list, nil
}

// listed finds out how a draft stands.
func (d Deps) listed(ctx context.Context, p runs.Summary) listed {
	row := listed{Summary: p, err: p.Err}
	if row.err != nil {
		return row
	}
	if p.State == runs.Completed {
		row.condition, row.happens = rules.DraftWritten, []string{rules.DraftWritten.Word()}
		return row
	}
	whole, err := d.readDraft(ctx, p.ID, nil)
	if err != nil {
		row.err = err
		return row
	}
	row.condition, row.happens = whole.condition(), whole.happenings()
	return row
}

// rank orders drafts by what they want of the person.
type rank uint8

const (
	needsYou rank = iota
	goesOn
	ended
	unreadable
	isWritten
)

func (p listed) rank() rank {
	switch {
	case p.err != nil:
		return unreadable
	case p.condition <= rules.DraftStalled:
		return needsYou
	case p.condition <= rules.DraftToBeWritten:
		return goesOn
	case p.condition <= rules.DraftStopped:
		return ended
	}
	return isWritten
}

// group is the heading above drafts of one rank.
func (p listed) group() string {
	return [...]string{"Needs you", "In work", "Stopped or failed", "Unreadable", "Written"}[p.rank()]
}

// drawListed draws a draft: its title and how far it is, and below it what happens and its
// project.
func (d Deps) drawListed(p listed, st *screen.Styles, room int) overview.Row {
	role := themes.RoleOfDraft(p.condition)
	row := overview.Row{Mark: st.Role(role).Render(p.condition.Mark()), Title: title(p.Summary)}
	happens, about := p.happens, d.about(p.Summary)
	if p.err == nil {
		row.Right = st.Progress(p.Done, p.Of) + st.Muted.Render(" "+cells.PadLeft(stepCount(p.Done, p.Of), 5))
	} else {
		row.Mark, happens, about = st.Danger.Render("!"), []string{wording.Sentence(p.err)}, []string{""}
		if p.Err != nil {
			row.Title = "Unreadable draft " + short(p.ID)
		}
	}
	now := cells.Cut(cells.Longest(room, happens...), room)
	row.Below = st.Role(role).Render(now)
	if role == themes.RoleFaint || p.err != nil {
		row.Below = st.Muted.Render(now)
	}
	if more := cells.Longest(room-cells.Width(now)-cells.Width(cells.Gap), about...); more != "" {
		row.Below += st.Muted.Render(cells.Gap + more)
	}
	return row
}

// about says which draft this is, in ever fewer words, and at last in none.
func (d Deps) about(p runs.Summary) []string {
	parts := []string{project(p), detailWords(p.Detail), short(p.ID), "begun " + wording.Ago(p.Created, d.Now())}
	var texts []string
	for n := len(parts); n >= 0; n-- {
		texts = append(texts, cells.Join(parts[:n]...))
	}
	return texts
}

// noDrafts tells a person without drafts how to get one.
func noDrafts() screen.Welcome {
	return screen.Welcome{
		Says: "There are no drafts yet.",
		What: "A draft makes a whole plan from one prompt, step by step.",
		Commands: [][2]string{
			{"planb draft new", "begins one: from a form, or from a file"},
			{"planb demo draft", "shows it once, without an agent"},
		},
	}
}
