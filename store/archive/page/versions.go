package page

import (
	"fmt"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
)

// version is a version of the plan.
type version struct {
	Number  int
	Anchor  string
	Title   string
	At      stamp
	By      string
	Latest  bool
	Broken  string
	Text    *prose // nil if there is no room for it
	Change  *change
	Stat    *stat
	Follows []link // the asks with a reply since the version before
}

// change is the difference between a version and an older one.
type change struct {
	From  int // number of the older version
	Parts []part
	Notes []string
}

// part is a stretch of the text with changes. Skipped unchanged lines before it
// are not shown.
type part struct {
	Skipped int
	Runs    []run
	Rest    int // lines after the last part that are not shown
}

// run is a series of rows that are all changed or all unchanged.
type run struct {
	Changed bool
	Rows    []row
}

// row is a line of the old text beside a line of the new one.
type row struct{ Old, New cell }

// cell is one side of a row.
type cell struct {
	Op    string // a CSS class: same, removed, added or none
	Moved bool
	Line  int
	Mark  string
	Spans []words
}

// words are a part of a line. Changed if the other line does not have them.
type words struct {
	Text    string
	Changed bool
}

func (p places) versions() (list []version) {
	room, rows := maxAllTexts, maxAllRows
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
			text := markdown(plan.Text, v.Anchor, p.citing(plan.Number), p.drawer)
			v.Text = &text
		}
		if i > 0 && p.Plans[i-1].Err == nil {
			v.Change = newChange(p.Plans[i-1], plan, min(rows, maxRows))
			rows -= v.Change.rows()
		}
		for _, place := range p.Story.Since(plan.Number) {
			e := p.Story.Events[place]
			if at, ok := p.asks[e.Ask]; ok {
				v.Follows = append(v.Follows, link{askAnchor(at), named(p.Asks[at].Spec.Title, "an ask")})
			}
		}
		list = append(list, v)
	}
	return list
}

// citing returns where the citations of a version lead.
func (p places) citing(number int) cite {
	found := map[string]timeline.Citation{}
	for _, c := range p.Details[number].Citations {
		found[c.Question] = c
	}
	return func(question string) (string, string) {
		c, ok := found[question]
		if !ok {
			return "", ""
		}
		return p.answer(c)
	}
}

// rows counts the rows of a change.
func (c change) rows() (n int) {
	for _, p := range c.Parts {
		for _, r := range p.Runs {
			n += len(r.Rows)
		}
	}
	return n
}

// newChange compares two versions. It shows at most that many rows.
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
	end, rows := 0, 0
	hunks := d.Hunks(3)
	for i, h := range hunks {
		one := part{Skipped: h.From - end}
		for _, r := range d.Rows(h.From, h.To) {
			if rows++; rows > most {
				break
			}
			one.add(row{newCell(d, r.Left, true), newCell(d, r.Right, false)})
		}
		if end = h.To; i == len(hunks)-1 {
			one.Rest = len(d.Lines) - end
		}
		out.Parts = append(out.Parts, one)
		if rows > most {
			out.Notes = append(out.Notes, fmt.Sprintf("Only the first %d lines of the change are shown.", most))
			break
		}
	}
	if len(hunks) == 0 {
		out.Notes = append(out.Notes, "The text is the same.")
	}
	return out
}

func (p *part) add(r row) {
	changed := r.Old.Op != same || r.New.Op != same
	if n := len(p.Runs); n == 0 || p.Runs[n-1].Changed != changed {
		p.Runs = append(p.Runs, run{Changed: changed})
	}
	last := &p.Runs[len(p.Runs)-1]
	last.Rows = append(last.Rows, r)
}

const same = "same" // the Op of a cell

func newCell(d *diff.Diff, index int, left bool) cell {
	if index < 0 {
		return cell{Op: "none"}
	}
	l := d.Lines[index]
	out := cell{Op: same, Line: l.New, Mark: " ", Moved: l.Move > 0}
	if left {
		out.Line = l.Old
	}
	switch l.Op {
	case diff.Removed:
		out.Op, out.Mark = "removed", "−"
	case diff.Added:
		out.Op, out.Mark = "added", "+"
	}
	body, at := l.Body(), 0
	add := func(to int, changed bool) {
		if to = min(to, len(body)); to > at {
			out.Spans = append(out.Spans, words{safe.New(strings.ReplaceAll(body[at:to], "\t", "    ")).Line(), changed})
			at = to
		}
	}
	for _, s := range l.Words {
		add(s.From, false)
		add(s.To, true)
	}
	add(len(body), false)
	return out
}
