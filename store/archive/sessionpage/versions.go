package sessionpage

import (
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/plans/page"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
)

type version struct {
	Number  int
	Anchor  string
	Title   string
	At      stamp
	By      string
	Latest  bool
	Broken  string
	Text    *page.Prose // nil if there is no room for it
	Change  *change
	Stat    *stat
	Follows []link // the asks with a reply since the version before
}

// change is the difference between a version and an older one.
type change struct {
	From  int // number of the older version
	Lines []line
	Notes []string
}

// line is a line of a change, as in a patch.
type line struct {
	Op   string // a CSS class: same, removed, added or hunk
	Text string
}

// The limits of a page's versions. Beyond them it says what it leaves out.
const (
	maxLines    = 4000    // of the change of one version
	maxAllLines = 40_000  // of the changes of all versions, the latest first
	maxAllTexts = 2 << 20 // bytes of the texts of all versions, the latest first
)

func (p places) versions() (list []version) {
	room, lines := maxAllTexts, maxAllLines
	for i := len(p.Plans) - 1; i >= 0; i-- {
		plan := p.Plans[i]
		v := version{
			Number: plan.Number, Anchor: planAnchor(plan.Number), At: stamp{plan.Created}, By: safe.New(plan.By).Line(),
			Latest: i == len(p.Plans)-1, Title: fmt.Sprintf("Version %d", plan.Number),
		}
		if plan.Err != nil {
			v.Broken = safe.New(plan.Err.Error()).Line()
			list = append(list, v)
			continue
		}
		title := plan.Title
		if title.Blank() {
			title = plans.Heading(plan.Text)
		}
		v.Title = named(title, v.Title)
		if d := p.Details[plan.Number]; d.Counted {
			v.Stat = &stat{d.Added, d.Removed}
		}
		if room -= len(plan.Text.Raw()); v.Latest || room > 0 {
			text := page.Markdown(plan.Text, v.Anchor, p.citing(plan.Number), p.drawer)
			v.Text = &text
		}
		if before, found := p.before(plan.Number); found {
			v.Change = newChange(p.Before(before, plan), plan, min(lines, maxLines))
			lines -= len(v.Change.Lines)
		}
		for _, place := range p.Story.Since(plan.Number) {
			e := p.Story.Events[place]
			if at, ok := p.asks[e.Ask]; ok {
				v.Follows = append(v.Follows, link{askAnchor(at), p.titles[at]})
			}
		}
		list = append(list, v)
	}
	return list
}

// before returns the version before one of the same plan, if it can be read.
func (p places) before(number int) (store.WholePlan, bool) {
	list := make([]store.Plan, len(p.Plans))
	for i, plan := range p.Plans {
		list[i] = plan.Plan
	}
	before, _ := store.PlanBefore(list, number)
	at := slices.IndexFunc(p.Plans, func(plan store.WholePlan) bool { return plan.Number == before && plan.Err == nil })
	if at < 0 {
		return store.WholePlan{}, false
	}
	return p.Plans[at], true
}

// citing returns where the citations of a version lead.
func (p places) citing(number int) page.Cite {
	found := map[string]timeline.Citation{}
	for _, c := range p.Details[number].Citations {
		found[c.Question] = c
	}
	return func(question string) page.Cited { return p.answer(found[question]) }
}

// newChange compares two versions. It shows at most that many lines.
func newChange(before, after store.WholePlan, most int) *change {
	if most <= 0 {
		return &change{From: before.Number, Notes: []string{"The lines are left out: the changes of all versions are too large for one page."}}
	}
	d := diff.Between(before.Text.Raw(), after.Text.Raw())
	out := &change{From: before.Number}
	for _, move := range d.Moves {
		out.Notes = append(out.Notes, fmt.Sprintf("The section “%s” moved.", move.Title.Line()))
	}
	if before.Title != after.Title {
		out.Notes = append(out.Notes, fmt.Sprintf("The title was %s.", named(before.Title, "empty")))
	}
	hunks, left := d.Hunks(3), most
	if len(hunks) == 0 {
		out.Notes = append(out.Notes, "The text is the same.")
	}
	for _, h := range hunks {
		out.Lines = append(out.Lines, line{"hunk", h.Header()})
		shown := min(h.To, h.From+left)
		for _, l := range d.Lines[h.From:shown] {
			out.Lines = append(out.Lines, newLine(l))
		}
		if left -= shown - h.From; shown < h.To {
			out.Notes = append(out.Notes, fmt.Sprintf("Only the first %d lines of the change are shown.", most))
			break
		}
	}
	return out
}

func newLine(l diff.Line) line {
	op, mark := "same", "  "
	switch l.Op {
	case diff.Removed:
		op, mark = "removed", "− "
	case diff.Added:
		op, mark = "added", "+ "
	}
	return line{op, mark + safe.New(strings.ReplaceAll(l.Body(), "\t", "    ")).Line()}
}
