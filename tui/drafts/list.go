package drafts

import (
	"cmp"
	"context"
	"slices"

	"planb/store/runs"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/overview"
	"planb/tui/screen"
	"planb/tui/wording"
)

// listed is a draft of the list.
type listed struct {
	runs.Summary
	condition condition
	happens   []string // now, in ever fewer words
	err       error    // why the draft cannot be read
	whole     *whole   // for the preview; nil until it is read
}

// NewList returns the list of all drafts: first those that need the person, then those in
// work, then those that were stopped or failed, and last those that are written.
func NewList(d Deps) screen.Screen {
	return overview.New(overview.Of[listed]{
		Title: "planb: drafts", Name: "Drafts", Noun: "draft", Help: "Drafts",
		Read:  d.readList,
		ID:    func(p listed) string { return p.ID },
		Group: listed.group,
		Yours: func(p listed) bool { return p.rank() == needsYou },
		Draw:  d.drawListed,
		Empty: noDrafts,
		Open:  func(p listed) screen.Screen { return New(d, p.ID) },
		Err:   func(p listed) error { return p.err },
		Peek:  d.peek, Preview: d.preview,
	}, d.Keys.On(keymap.OfPick, append(keymap.List(), keymap.Common()...)), d.Watcher, d.After)
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
		row.condition, row.happens = finished, []string{finished.standing().word}
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
	case p.condition <= stalled:
		return needsYou
	case p.condition <= ready:
		return goesOn
	case p.condition <= stopped:
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
	standing := p.condition.standing()
	row := overview.Row{Mark: st.Role(standing.role).Render(standing.mark), Title: title(p.Summary)}
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
	row.Below = st.Role(standing.role).Render(now)
	if standing.role == themes.RoleFaint || p.err != nil {
		row.Below = st.Muted.Render(now)
	}
	if more := cells.Longest(room-cells.Width(now)-cells.Width(cells.Gap), about...); more != "" {
		row.Below += st.Muted.Render(cells.Gap + more)
	}
	return row
}

// about says which draft this is, in ever fewer words, and at last in none.
func (d Deps) about(p runs.Summary) []string {
	parts := []string{project(p), string(p.Detail), short(p.ID), "begun " + wording.Ago(p.Created, d.Now())}
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
		What: "A draft makes a whole plan of one prompt, step by step.",
		Commands: [][2]string{
			{"planb draft new", "begins one: from a form, or from a file"},
			{"planb demo draft", "shows it once, without an agent"},
		},
	}
}
