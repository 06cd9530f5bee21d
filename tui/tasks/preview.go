package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/overview"
	"planb/tui/preview"
	"planb/tui/screen"
	"planb/tui/wording"
)

// previewed are the columns that a preview names tasks of, in its order: first what needs the
// person.
func previewed() []column { return []column{toApprove, needsYou, working, ready, blocked, finished} }

// mostPreviewed is how many tasks of a column a preview names.
const mostPreviewed = 12

// peek reads of a plan of the list which tasks stand where, and the titles of the first ones.
func (d Deps) peek(ctx context.Context, row listed, _ overview.Render) listed {
	whole, err := d.Store.Plan(ctx, d.caller(), row.ID)
	if err != nil {
		row.err = err
		return row
	}
	p, err := d.judged(ctx, whole)
	if err != nil {
		row.err = err
		return row
	}
	p.project, p.texts = row.project, make([]rules.Task, whole.Graph.Len())
	p.derive()
	var named []int
	for _, c := range previewed() {
		named = append(named, p.columns[c][:min(len(p.columns[c]), mostPreviewed)]...)
	}
	for _, n := range named {
		for _, o := range p.view.Obstacles(n) {
			if o.Task != 0 {
				named = append(named, o.Task) // a hint may name it
			}
		}
	}
	if len(named) > 0 {
		texts, err := d.Store.Tasks(ctx, whole, named...)
		if err != nil {
			row.err = err
			return row
		}
		for _, t := range texts {
			p.texts[t.Number-1] = t
		}
	}
	row.whole = p
	if row.Status == rules.PlanProposed && row.Session != "" && d.Past.Store != nil {
		session, err := d.Past.Store.Session(ctx, row.Session)
		if ignoreGone(err) != nil {
			row.err = err
		}
		row.by = wording.ClientName(session.Client)
	}
	return row
}

// preview says what a plan is for, how far it is, and which tasks stand where.
func (d Deps) preview(row listed, p *preview.Lines) {
	st, whole := p.Styles, row.whole
	if p.Tight() { // the row has the title, and how far the plan is
		p.Text(st.Muted.Render, whole.Graph.Description(), 1)
		whole.previewCounts(p)
		for _, c := range previewed() {
			for _, n := range whole.columns[c][:min(len(whole.columns[c]), p.Left())] {
				whole.previewTask(p, n)
			}
		}
		return
	}
	if p.Left() >= lowPreview { // else it stands below the row, which has the title
		p.Text(st.Title.Render, row.Title, 2)
	}
	if standing := whole.standing(st, p.Room(), d.Now()); standing != "" {
		p.Add(standing)
	}
	if whole.Status == rules.PlanProposed && p.Left() >= lowPreview {
		p.Parts(st.Muted.Render, row.proposed(d.Now()), 2)
	}
	p.Gap()
	p.Text(st.Text.Render, whole.Graph.Description(), max(p.Left()/6, 1))
	p.Gap()
	whole.previewCounts(p)
	whole.previewColumns(p)
}

// lowPreview is the height of a preview below which no column has a heading.
const lowPreview = 20

// standing says what a plan takes at least, and when it was approved. The list says how far it is.
func (p *plan) standing(st *screen.Styles, room int, now time.Time) string {
	var parts []string
	if p.Paused && !p.Status.Final() {
		parts = append(parts, st.Warning.Render("paused"))
	}
	if minutes := p.criticalMinutes(); minutes > 0 {
		parts = append(parts, st.Accent.Render(markCritical)+st.Muted.Render(" "+wording.Minutes(minutes)+" to go at least"))
	}
	if p.Approval != nil {
		parts = append(parts, p.approved(st, now))
	}
	return fittingParts(parts, st.Muted.Render(cells.Gap), room)
}

// proposed says how much work a proposal is, who proposed it, and when.
func (p listed) proposed(now time.Time) string {
	minutes := 0
	for _, n := range p.whole.tasks() {
		minutes += p.whole.Graph.Minutes(n)
	}
	proposed := "proposed "
	if p.by != "" {
		proposed += "by " + p.by + " "
	}
	return cells.Join(wording.Minutes(minutes)+" of work in all", proposed+wording.Ago(p.Created, now))
}

// previewCounts says how many open tasks each column of the board has, if there are several
// such columns.
func (p *plan) previewCounts(to *preview.Lines) {
	const gap = "   "
	st := to.Styles
	var counts []string
	for _, c := range previewed() {
		n, word := len(p.columns[c]), strings.ToLower(c.name())
		if c == needsYou {
			n = p.needing()
		}
		if n == 0 || c == finished {
			continue
		}
		if c == needsYou {
			_, word, _ = strings.Cut(wording.NeedYou(n), " ")
		}
		counts = append(counts, c.mark(st)+" "+st.Strong.Render(digits(n))+" "+st.Muted.Render(word))
	}
	if len(counts) > 1 || to.Tight() && len(counts) > 0 {
		to.Add(fittingParts(counts, gap, to.Room()))
	}
	if len(p.changes) > 0 {
		to.Add(needsYou.mark(st) + " " + st.Text.Render(p.changesToApprove()))
	}
}

// previewColumns names the tasks of each column below its name. Each column gets some of the
// lines that there are.
func (p *plan) previewColumns(to *preview.Lines) {
	if to.Left() < lowPreview {
		p.previewOpen(to)
		return
	}
	shares, spare := p.shares(to.Left())
	for _, c := range previewed() {
		tasks := p.columns[c]
		if shares[c] == 0 {
			continue
		}
		to.Gap()
		heading := c.name()
		if shares[c] < len(tasks) {
			heading = fmt.Sprintf("%s, %d of %d", heading, shares[c], len(tasks))
		}
		to.Rule(heading)
		draw := p.previewTask
		if more := p.linesBelow(tasks[:shares[c]], to.Room()-waitingIndent); more <= spare && (c == toApprove || c == blocked) {
			draw, spare = p.previewWaiting, spare-more
		}
		for _, n := range tasks[:shares[c]] {
			draw(to, n)
		}
	}
}

// waitingIndent is how far the second line of a task stands to the right of its mark.
const waitingIndent = 2

// linesBelow is how many more lines tasks have with previewWaiting than with previewTask.
func (p *plan) linesBelow(tasks []int, room int) (lines int) {
	for _, n := range tasks {
		if p.waitsBelow(n, room) != "" {
			lines++
		}
	}
	return lines
}

// waitsBelow says on a line of its own what a task waits for.
func (p *plan) waitsBelow(n, room int) string {
	if p.column(n) == toApprove { // its time stands beside its title
		return p.afterOthers(n, "", room)
	}
	return p.hint(n, room)
}

// previewWaiting names a task with what it waits for on a line of its own, so that neither cuts the
// other, and one of a proposed plan with the time that it takes.
func (p *plan) previewWaiting(to *preview.Lines, n int) {
	st, takes := to.Styles, ""
	if p.column(n) == toApprove {
		takes = p.estimate(n)
	}
	to.Sides(p.mark(st, n)+" "+st.Text.Render(p.title(n)), "", st.Faint.Render(takes))
	if words := p.waitsBelow(n, to.Room()-waitingIndent); words != "" {
		to.Add(strings.Repeat(" ", waitingIndent) + st.Muted.Render(words))
	}
}

// previewOpen names the open tasks, column by column, in the few lines that there are. The last
// line counts those that have no room.
func (p *plan) previewOpen(to *preview.Lines) {
	var open []int
	all, more := 0, 0
	for _, c := range previewed() {
		if c != finished {
			all += len(p.columns[c])
			open = append(open, p.columns[c][:min(len(p.columns[c]), mostPreviewed)]...)
		}
	}
	if len(open) > 0 {
		to.Gap()
		if room := to.Left() - 1; all > room { // the gap and the last line take two
			open = open[:max(min(room-1, len(open)), 0)]
			more = all - len(open)
		}
	}
	for _, n := range open {
		p.previewTask(to, n)
	}
	if more > 0 {
		to.Add(to.Styles.Faint.Render(fmt.Sprintf("  %d more", more)))
	}
}

// shares divides lines among the columns that have tasks, one by one. Each column also takes
// a line for its name and one above it. Lines that no task takes are spare.
func (p *plan) shares(lines int) (shares [columns]int, spare int) {
	const around = 2
	for more := true; more; {
		more = false
		for _, c := range previewed() {
			cost := 1
			if shares[c] == 0 {
				cost += around
			}
			if shares[c] < min(len(p.columns[c]), mostPreviewed) && lines >= cost {
				shares[c]++
				lines -= cost
				more = true
			}
		}
	}
	return shares, lines
}

// previewTask names a task behind its mark, and at the right what matters about it.
func (p *plan) previewTask(to *preview.Lines, n int) {
	st := to.Styles
	title, hint := st.Text, st.Faint
	switch p.column(n) {
	case finished:
		title = st.Faint
	case needsYou, working:
		hint = st.Role(themes.RoleOfTask(p.column(n).state()))
	}
	line := p.mark(st, n) + " "
	said := ""
	switch {
	case p.column(n) == toApprove && !to.Beside():
		minutes := p.estimate(n)
		said = cells.Join(minutes, p.afterKeys(n, to.Room()/2-ansi.StringWidth(minutes+cells.Gap)))
	case p.hinted(n):
		said = p.hintBeside(n, to.Room()-ansi.StringWidth(line))
	}
	line += title.Render(cells.Cut(p.title(n), max(to.Room()-ansi.StringWidth(line)-ansi.StringWidth(said)-2, 1)))
	to.Sides(line, "", hint.Render(said))
}
