package tui

import (
	"fmt"
	"time"

	"planb/plans/diff"
	"planb/plans/review"
	"planb/tui/cells"
	"planb/tui/compare"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// account says of a review what a person should know, on the screen and line by line.
type account struct {
	in       review.Subject
	state    *review.Entry
	readOnly bool
	when     func(time.Time) string // says a moment in a sentence
	keys     keymap.Map             // the zero one where no keys are named
}

// notices say what the person should know of the plan as a whole.
func (a *account) notices() []notice {
	if a.in.Problem != nil {
		return nil
	}
	var all []notice
	if text := a.begunNotice(); text != "" {
		all = append(all, notice{tone: toneWarn, text: text, brief: fmt.Sprintf("v%d replaces v%d", a.in.Version, a.in.Begun.Number) + a.keys.Tells(": ", keymap.Changes, " shows how")})
	}
	if a.in.Newer.Number > 0 {
		all = append(all, notice{tone: toneWarn, text: a.newerNotice(), brief: fmt.Sprintf("v%d was written since", a.in.Newer.Number)})
	}
	if e := a.in.Earlier; e != nil && !a.readOnly {
		if e.Lapsed() {
			was := fmt.Sprintf("You approved v%d, and it was edited since: ", e.Number)
			all = append(all, notice{tone: toneWarn, text: was + fmt.Sprintf("v%d is not approved.", a.in.Version), brief: fmt.Sprintf("v%d is not approved: edited since", a.in.Version)})
		}
		if text := a.earlierNotice(); text != "" {
			all = append(all, notice{tone: toneCalm, text: text})
		}
		if note := e.Review.Note; !note.Blank() {
			all = append(all, notice{tone: toneCalm, text: "On the whole you said then: " + note.Line()})
		}
	}
	if !a.state.Edited.IsZero() {
		text := "You edited the plan: your edit goes with the review." + a.keys.Tells(" ", keymap.Changes, " shows it.")
		if a.readOnly {
			text = "The plan was edited in this review."
		}
		all = append(all, notice{tone: toneCalm, text: text, brief: "You edited the plan"})
	}
	return all
}

// wholeNotice is what the person said of the whole plan.
func (a *account) wholeNotice() []notice {
	if a.state.Review.Note.Blank() {
		return nil
	}
	return []notice{{tone: toneCalm, text: "On the whole: " + a.state.Review.Note.Line()}}
}

func (a *account) newerNotice() string {
	text := fmt.Sprintf("This is v%d, and v%d was written since.", a.in.Version, a.in.Newer.Number)
	switch {
	case a.readOnly && a.state.Review.Approved():
		text = fmt.Sprintf("Approved is v%d, exactly. v%d was written since, and is not approved.", a.in.Version, a.in.Newer.Number)
	case !a.in.Newer.Text.IsZero():
		text = fmt.Sprintf("This is v%d. v%d was written since, and is not submitted", a.in.Version, a.in.Newer.Number) + a.keys.Tells(": ", keymap.Changes, " shows it") + "."
	}
	return text
}

// begunNotice says that the version took the place of another one while that was
// reviewed, and what became of the comments.
func (a *account) begunNotice() string {
	begun := a.in.Begun
	if begun == nil || a.readOnly {
		return ""
	}
	moved, changed := a.state.CarriedOver()
	what := "nothing changed"
	if stat := begun.Diff.Stat(); stat != (diff.Stat{}) {
		what = fmt.Sprintf("+%d −%d", stat.Added-stat.Moved, stat.Removed-stat.Moved) + a.keys.Tells(", ", keymap.Changes, " shows it")
	}
	kept := ""
	if n := len(a.state.Review.Comments); n > 0 {
		kept = wording.Count(n, "comment") + " kept"
	}
	if moved > 0 {
		kept += fmt.Sprintf(", %d moved", moved)
	}
	if changed > 0 {
		kept += fmt.Sprintf(", %d on changed lines", changed)
	}
	held := ""
	if begun.Gone > 0 {
		held = wording.Count(begun.Gone, "section") + " held back no more"
	}
	return fmt.Sprintf("v%d replaces v%d: ", a.in.Version, begun.Number) + cells.Join(what, kept, held)
}

// earlierNotice counts what became of the comments of the last review.
func (a *account) earlierNotice() string {
	addressed, done, settled, stand := 0, 0, 0, 0
	for _, o := range a.state.Earlier {
		_, goesBack := a.state.Comment(o.ID)
		switch {
		case goesBack:
			stand++
		case o.State == review.Addressed:
			addressed++
		case o.Done:
			done++
		default:
			settled++
		}
	}
	text := fmt.Sprintf("Since v%d: ", a.in.Earlier.Number)
	stat := diff.Stat{}
	if a.in.Earlier.Diff != nil {
		stat = a.in.Earlier.Diff.Stat()
	}
	parts := []string{"nothing changed"}
	if stat != (diff.Stat{}) {
		parts = []string{fmt.Sprintf("+%d −%d", stat.Added-stat.Moved, stat.Removed-stat.Moved)}
	}
	if addressed > 0 {
		parts = append(parts, fmt.Sprintf("%d addressed", addressed))
	}
	if done > 0 {
		parts = append(parts, fmt.Sprintf("%d said to be done", done))
	}
	if settled > 0 {
		parts = append(parts, fmt.Sprintf("%d settled", settled))
	}
	switch {
	case stand == 1:
		parts = append(parts, "1 goes back"+a.keys.Tells(", ", keymap.Settle, " settles it"))
	case stand > 1:
		parts = append(parts, fmt.Sprintf("%d go back", stand)+a.keys.Tells(", ", keymap.Settle, " settles"))
	}
	return text + cells.Join(parts...)
}

// goesWith says what a verdict takes with it.
func (a *account) goesWith(v review.Verdict) string {
	s := a.state
	comments, edit, held := "", "", ""
	if n := len(s.Review.Comments); n > 0 {
		comments = wording.Count(n, "comment")
	}
	if !s.Edited.IsZero() {
		edit = "your edit of the plan"
	}
	if n := len(s.Review.Withheld); n > 0 && v.Approves() {
		held = wording.Count(n, "section") + " not approved"
	}
	if with := cells.Join(comments, edit, held); with != "" {
		return "With it: " + with + "."
	}
	if v == review.RequestChanges {
		return "You have not said yet what should change."
	}
	return ""
}

// reviewChanges is one of the things that have changed.
type reviewChanges uint8

const (
	changesSince reviewChanges = iota // since the version that the person knows
	changesOwn                        // by the person's own edit
	changesNewer                      // in a version that was written since, and not submitted
)

// changes lists what there is to show of them, in the order of showing.
func (a *account) changed() []reviewChanges {
	var list []reviewChanges
	if !a.readOnly && (a.in.Begun != nil || a.in.Earlier != nil && a.in.Earlier.Diff != nil) {
		list = append(list, changesSince)
	}
	if !a.state.Edited.IsZero() {
		list = append(list, changesOwn)
	}
	if !a.in.Newer.Text.IsZero() {
		list = append(list, changesNewer)
	}
	return list
}

// compared is what is to be compared for one of the things that have changed.
func (a *account) compared(which reviewChanges) compare.Comparison {
	this := fmt.Sprintf("v%d", a.in.Version)
	c := compare.Comparison{From: this, Before: a.state.Text}
	switch e := a.in.Earlier; {
	case which == changesOwn:
		c.To, c.After = "your edit", a.state.Edited
		c.Named = this + " → your edit"
	case which == changesNewer:
		c.To, c.After = fmt.Sprintf("v%d, which is not submitted", a.in.Newer.Number), a.in.Newer.Text
		c.Named = fmt.Sprintf("%s → v%d · not submitted", this, a.in.Newer.Number)
	case a.in.Begun != nil:
		begun := fmt.Sprintf("v%d", a.in.Begun.Number)
		c = compare.Comparison{From: begun + ", which you were reviewing", To: this, Before: a.in.Begun.Text, After: a.state.Text, Diff: a.in.Begun.Diff}
		c.Named = begun + " → " + this + " · you were reviewing " + begun
	default:
		seen, when := fmt.Sprintf("v%d", e.Number), a.when(e.At)
		c = compare.Comparison{From: seen + ", which you reviewed " + when, To: this, Before: e.Seen, After: a.state.Text, Diff: e.Diff}
		c.Named = seen + " → " + this + " · you reviewed " + seen + " " + when
	}
	if c.Diff == nil {
		c.Diff = diff.Between(c.Before.Raw(), c.After.Raw())
	}
	return c
}
