package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/tui/cells"
	"planb/tui/wording"
)

func digits(n int) string { return strconv.Itoa(n) }

// hinted reports whether a task's card has a hint: what is done has none.
func (p *plan) hinted(n int) bool { return p.view.State(n) != rules.Done }

// signs are what stands on a card before the hint: the mark of the critical path, and a priority
// that differs from the usual one.
func (p *plan) signs(n int) string {
	signs := ""
	if p.onPath[n-1] {
		signs = markCritical + " "
	}
	if priority := p.priority(n); priority != "" {
		signs += priority + cells.Gap
	}
	return signs
}

// priority is a priority that differs from the usual one; empty for others, and for tasks that
// have ended.
func (p *plan) priority(n int) string {
	priority := p.Marks.Priority(n)
	if priority == rules.DefaultPriority || p.view.State(n).Final() {
		return ""
	}
	return fmt.Sprintf("P%d", priority)
}

// estimate says how long a task may take. Once the plan is approved, cards also show how long an
// agent has worked; a ~ marks what is only an estimate.
func (p *plan) estimate(n int) string {
	words := wording.Minutes(p.Graph.Minutes(n))
	if p.Status == rules.PlanProposed {
		return words
	}
	return "~" + words
}

// hint says on the card of a task, in as many cells as room, what matters about it. If a change of
// it waits for an approval, the hint says that, too: first, or, on a task in work, after who works
// on it.
func (p *plan) hint(n, room int) string {
	const change, short, least = "change to approve", "change", 8 // cells of other words; fewer say nothing
	if p.changed(n) == nil {
		return p.usualHint(n, room)
	}
	if p.column(n) == working {
		return cells.Join(p.usualHint(n, room-ansi.StringWidth(cells.Gap+short)), short)
	}
	if left := room - ansi.StringWidth(change+cells.Gap); left >= least {
		return cells.Join(change, p.usualHint(n, left))
	}
	return fitting(change, room)
}

func (p *plan) usualHint(n, room int) string {
	switch p.column(n) {
	case ready:
		return fitting(cells.Join(p.estimate(n), p.holdsUp(n)), room)
	case working:
		return fitting(p.worker(n), room)
	case needsYou:
		return fitting(p.wants(n), room)
	case finished:
		if p.view.State(n) == rules.Done {
			return "" // its column says that
		}
		return fitting(p.view.State(n).Standing().Word, room)
	}
	return p.waitsFor(n, room)
}

// hintBeside is the hint of a task behind its title in a row. It has half of the row at most. What
// a blocked task waits for is cut before the task's own title is, but keeps at least 16 cells. If
// the title has to be cut even then, it is cut further where a third of the row holds the whole
// hint.
func (p *plan) hintBeside(n, room int) string {
	const least = 16 // cells
	if c := p.column(n); c != blocked && c != toApprove {
		return p.hint(n, room/2)
	}
	left := room - ansi.StringWidth(p.title(n)) - cells.SidesGap
	if whole := p.hint(n, room/3); left < least && !strings.Contains(whole, "…") {
		return whole
	}
	return p.hint(n, min(max(left, least), room/2))
}

// holdsUp says how many tasks wait for this one, and maybe for others, too; empty for none.
func (p *plan) holdsUp(n int) string {
	if count := p.view.Unblocks(n); count > 0 {
		return fmt.Sprintf("holds up %d", count)
	}
	return ""
}

// worker says who works on a task, and since when.
func (p *plan) worker(n int) string {
	claim := p.view.Claims[n]
	who := safe.New(claim.Worker).Line()
	switch {
	case claim.Worker == "":
		return p.view.State(n).Standing().Word
	case !claim.Gone.IsZero():
		return cells.Join(who, "gone")
	case p.Claims[n].Quiet(p.view.Now):
		return cells.Join(who, "quiet for "+wording.Lasted(p.view.Now.Sub(claim.LastHeard())))
	}
	return cells.Join(who, wording.Lasted(p.view.Now.Sub(claim.At)))
}

// titleOf is the title of a changed task in one line; its key if it has none.
func titleOf(c kept.WaitingChange) string {
	if !c.Title.Blank() {
		return c.Title.Line()
	}
	return safe.New(c.Key).Line()
}

// changesToApprove counts the changes that wait for an approval.
func (p *plan) changesToApprove() string {
	return wording.Count(len(p.changes), "change") + " to approve"
}

// changesNamed names the changes that wait for an approval, at most a few of them.
func (p *plan) changesNamed() string {
	const most = 3
	var names []string
	for _, c := range p.changes[:min(len(p.changes), most)] {
		names = append(names, wording.Quote(titleOf(c))+" "+string(c.Kind))
	}
	if rest := len(p.changes) - most; rest > 0 {
		names = append(names, fmt.Sprintf("%d more", rest))
	}
	return wording.List(names)
}

// whyChanged says of a task that a change of it waits for the person's approval; empty if none does.
func (p *plan) whyChanged(n int) string {
	switch c := p.changed(n); {
	case c == nil:
		return ""
	case c.Kind == kept.ChangeCancels:
		return "An agent wants it cancelled: that waits for your approval"
	}
	return "A change of it waits for your approval"
}

// wantsApproval is said of a task that waits for an approval.
const wantsApproval = "to be approved"

// wantsAnswer is said of a task whose agent cannot go on, and has reported nothing.
const wantsAnswer = "asks you"

// unanswered reports whether a task waits for the person's answer, and not for the acceptance of
// a report: there is none.
func (p *plan) unanswered(n int) bool {
	_, unreported := p.unreported[n]
	return unreported && p.view.State(n) == rules.NeedsReview
}

// said is what the agent of a task without a report said last, without a full stop.
func (p *plan) said(n int) string { return wording.Unreported(p.unreported[n]) }

// notReported is said of a task that may be called done although nobody reported that.
const notReported = "No agent has reported that it is done."

// wants says what a task wants of the person.
func (p *plan) wants(n int) string {
	switch p.view.Wants(n) {
	case rules.WantsAcceptance:
		switch attempt, unreported := p.unreported[n]; {
		case !unreported:
			return "to be accepted"
		case attempt.End == kept.EndedByAgent:
			return "given back"
		}
		return wantsAnswer
	case rules.WantsApproval:
		return wantsApproval
	}
	return "for you to do"
}

// waitsFor says what a blocked task waits for: the title of one task, cut where the room ends,
// and how many others. How long the task takes gives way to that.
func (p *plan) waitsFor(n, room int) string {
	first, all := p.besideOthers(n)
	if all {
		return fitting(first, room)
	}
	return p.afterOthers(n, first, room)
}

// besideOthers is what a blocked task's hint says without the tasks that it waits for, and
// whether that is all of the hint.
func (p *plan) besideOthers(n int) (words string, all bool) {
	for _, o := range p.obstacles(n) {
		if o.Why != rules.WaitsFor && o.Why.Blocks() && (o.Why != rules.NotActive || p.Status != rules.PlanProposed) {
			return p.obstacle(n, o), true
		}
	}
	if p.Status == rules.PlanProposed {
		return p.estimate(n), false
	}
	return "", false
}

// forYou says before the words of an open task that it is the person's, if it is, whatever it
// waits for. words returns the rest, in at most so many cells.
func (p *plan) forYou(n, room int, words func(room int) string) string {
	const lead, whole, least = "for you", "for you to do", 12 // cells of words; fewer say nothing
	if !p.Graph.Human(n) || p.view.State(n).Final() {
		return words(room)
	}
	if len(p.awaited(n)) == 0 {
		return fitting(cells.Join(whole, words(room)), room)
	}
	if left := room - ansi.StringWidth(lead+cells.Gap); left >= least {
		return cells.Join(lead, words(left))
	}
	return fitting(cells.Join(lead, "waits"), room)
}

// afterOthers says behind a few words after which tasks one comes, and whether it is the person's:
// all of them by their titles, or else the first one and how many others. The words before give
// way to that.
func (p *plan) afterOthers(n int, first string, room int) string {
	return p.forYou(n, room, func(room int) string { return p.afterTitles(n, first, room) })
}

func (p *plan) afterTitles(n int, first string, room int) string {
	const least = 6 // cells of a title; fewer say nothing
	others := p.awaited(n)
	if len(others) == 0 {
		return cells.Cut(first, room)
	}
	lead := cells.Join(first, "after ")
	if whole := lead + p.titles(others[:min(len(others), mostAfter)]); len(others) <= mostAfter && ansi.StringWidth(whole) <= room {
		return whole
	}
	title, more := p.title(others[0]), ""
	if rest := len(others) - 1; rest > 0 {
		more = fmt.Sprintf(" +%d", rest)
	}
	if room-ansi.StringWidth(lead+more) < min(ansi.StringWidth(title), least) {
		lead = "after "
	}
	return cells.Cut(lead+cells.Cut(title, max(room-ansi.StringWidth(lead+more), 0))+more, room)
}

// afterKeys says by their keys after which tasks one comes, and whether it is the person's: as many
// as fit, and how many others.
func (p *plan) afterKeys(n, room int) string {
	return p.forYou(n, room, func(room int) string { return p.keysBefore(n, room) })
}

func (p *plan) keysBefore(n, room int) string {
	others := p.awaited(n)
	for named := min(len(others), mostAfter); named > 0; named-- {
		keys := make([]string, named)
		for i, other := range others[:named] {
			keys[i] = p.key(other)
		}
		words := "after " + strings.Join(keys, ", ")
		if rest := len(others) - named; rest > 0 {
			words += fmt.Sprintf(" +%d", rest)
		}
		if named == 1 || ansi.StringWidth(words) <= room {
			return cells.Cut(words, room)
		}
	}
	return ""
}

// mostAfter is how many tasks are named, at most, of those that one waits for.
const mostAfter = 4

// titles are the titles of tasks behind each other.
func (p *plan) titles(tasks []int) string {
	names := make([]string, len(tasks))
	for i, n := range tasks {
		names[i] = p.title(n)
	}
	return strings.Join(names, ", ")
}

// awaited returns the open tasks that a task waits for.
func (p *plan) awaited(n int) (others []int) {
	for _, o := range p.view.Obstacles(n) {
		if o.Why == rules.WaitsFor {
			others = append(others, o.Task)
		}
	}
	return others
}

// obstacles returns the obstacles of a task. It leaves out the missing approval of a
// proposed plan, because the screen says that once for all tasks.
func (p *plan) obstacles(n int) []rules.Obstacle {
	list := p.view.Obstacles(n)
	if p.Status != rules.PlanProposed {
		return list
	}
	return slices.DeleteFunc(list, func(o rules.Obstacle) bool { return o.Why == rules.Locked })
}

// why says in a sentence why agents cannot have a task.
func (p *plan) why(n int) string {
	if p.Status == rules.PlanProposed {
		return p.onceApproved(n)
	}
	why := wording.WhyNot(p.view, n, p.name)
	switch {
	case p.unanswered(n):
		return cells.JoinBy(". ", p.said(n), p.whyChanged(n))
	case p.heldBack(n) && p.Status == rules.PlanActive && !p.view.State(n).Final():
		why = "you held it back when you approved the plan"
	case why == "":
		why = "ready for any agent"
	}
	return cells.JoinBy(". ", wording.Capital(why), p.whyChanged(n))
}

// onceApproved says of a task of a proposed plan what becomes of it with the approval.
func (p *plan) onceApproved(n int) string {
	others := p.awaited(n)
	switch {
	case p.view.State(n).Final():
		return wording.Capital(p.view.State(n).Standing().Word)
	case len(others) > 0:
		return "Once approved, it waits for " + p.listed(others)
	case p.Graph.Human(n):
		return "Once approved, it is for you to do"
	}
	return "Ready for any agent as soon as you approve the plan"
}

// obstacle puts one obstacle of a task into words for the person.
func (p *plan) obstacle(n int, o rules.Obstacle) string {
	if o.Why == rules.Locked && p.heldBack(n) {
		return "you held it back"
	}
	return wording.Obstacle(p.view, o, p.name)
}
