package review

import (
	"fmt"
	"slices"
	"time"

	"planb/plans/diff"
	"planb/plans/review"
	"planb/tui/cells"
	"planb/tui/compare"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Account words the notices of a review, for the screen and for a review line by line.
type Account struct {
	In       review.Subject
	State    *review.Entry
	readOnly bool
	When     func(time.Time) string // words a time for a sentence
	keys     keymap.Map             // zero if the words are to name no keys
}

// Notices returns what the person should know of the plan as a whole.
func (a *Account) Notices() []form.Notice {
	if a.In.Problem != nil {
		return nil
	}
	var all []form.Notice
	if text := a.begunNotice(); text != "" {
		all = append(all, form.Notice{Tone: screen.ToneWarn, Text: text, Brief: fmt.Sprintf("v%d replaces v%d", a.In.Version, a.In.Begun.Number) + a.keys.Tells(": ", keymap.Changes, " shows how")})
	}
	if a.In.Newer.Number > 0 {
		all = append(all, form.Notice{Tone: screen.ToneWarn, Text: a.newerNotice(), Brief: fmt.Sprintf("v%d was written since", a.In.Newer.Number)})
	}
	if e := a.In.Earlier; e != nil && !a.readOnly {
		if e.Lapsed() {
			was := fmt.Sprintf("You approved v%d, and it was edited since: ", e.Number)
			all = append(all, form.Notice{Tone: screen.ToneWarn, Text: was + fmt.Sprintf("v%d is not approved.", a.In.Version), Brief: fmt.Sprintf("v%d is not approved: edited since", a.In.Version)})
		}
		all = append(all, a.earlierNotice())
		if note := e.Review.Note; !note.Blank() {
			all = append(all, form.Notice{Tone: screen.ToneCalm, Text: "On the whole you said then: " + note.Line()})
		}
	}
	if !a.State.Edited.IsZero() {
		text := cells.JoinBy(" ", "You edited the plan: your edit goes with the review.", a.showsChanges("", changesOwn, "."))
		if a.readOnly {
			text = "The plan was edited in this review."
		}
		all = append(all, form.Notice{Tone: screen.ToneCalm, Text: text, Brief: "You edited the plan"})
	}
	return all
}

// WholeNotice returns the person's comment on the whole plan.
func (a *Account) WholeNotice() []form.Notice {
	if a.State.Review.Note.Blank() {
		return nil
	}
	return []form.Notice{{Tone: screen.ToneCalm, Text: "On the whole: " + a.State.Review.Note.Line()}}
}

func (a *Account) newerNotice() string {
	text := fmt.Sprintf("This is v%d, and v%d was written since.", a.In.Version, a.In.Newer.Number)
	switch {
	case a.readOnly && a.State.Review.Approved():
		text = fmt.Sprintf("v%d is approved, exactly as it is. v%d was written since, and is not approved.", a.In.Version, a.In.Newer.Number)
	case !a.In.Newer.Text.IsZero():
		text = fmt.Sprintf("This is v%d. v%d was written since, and is not submitted", a.In.Version, a.In.Newer.Number)
		text += a.showsChanges(": ", changesNewer, "") + "."
	}
	return text
}

// showsChanges says between two texts how often the key must be pressed that shows one set of
// changes after the other. Without keys it is empty.
func (a *Account) showsChanges(before string, which Changes, after string) string {
	presses := ""
	switch n := 1 + slices.Index(a.Changed(), which); {
	case n == 2:
		presses = " twice"
	case n > 2:
		presses = fmt.Sprintf(" %d times", n)
	}
	return a.keys.Tells(before, keymap.Changes, presses+" shows it"+after)
}

// begunNotice says that this version replaced another one during the review, and what
// became of the comments on that.
func (a *Account) begunNotice() string {
	begun := a.In.Begun
	if begun == nil || a.readOnly {
		return ""
	}
	moved, changed := a.State.CarriedOver()
	what := "nothing changed"
	if stat := begun.Diff.Stat(); stat != (diff.Stat{}) {
		what = fmt.Sprintf("+%d −%d", stat.New(), stat.Gone()) + a.showsChanges(", ", ChangesSince, "")
	}
	kept := ""
	if n := len(a.State.Review.Comments); n > 0 {
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
		held = wording.Count(begun.Gone, "section") + " no longer held back"
	}
	return fmt.Sprintf("v%d replaces v%d: ", a.In.Version, begun.Number) + cells.Join(what, kept, held)
}

// earlierNotice says what became of the comments of the last review, in numbers.
func (a *Account) earlierNotice() form.Notice {
	addressed, done, settled, stand := 0, 0, 0, 0
	for _, o := range a.State.Earlier {
		_, goesBack := a.State.Comment(o.ID)
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
	since := "Since your approval: "
	if v := a.In.Earlier.Number; v > 0 {
		since = fmt.Sprintf("Since v%d: ", v)
	}
	stat := diff.Stat{}
	if a.In.Earlier.Diff != nil {
		stat = a.In.Earlier.Diff.Stat()
	}
	parts, shows := []string{"nothing changed"}, ""
	if stat != (diff.Stat{}) {
		if a.In.Begun == nil { // else the key shows what changed since that
			shows = a.showsChanges(", ", ChangesSince, "")
		}
		parts = []string{fmt.Sprintf("+%d −%d", stat.New(), stat.Gone()) + shows}
	}
	fates := []string{}
	if addressed > 0 {
		fates = append(fates, fmt.Sprintf("%d addressed", addressed))
	}
	if done > 0 {
		fates = append(fates, fmt.Sprintf("%d said to be done", done))
	}
	if settled > 0 {
		fates = append(fates, fmt.Sprintf("%d settled", settled))
	}
	settles := ""
	if stand > 0 {
		fates = append(fates, fmt.Sprintf("%d sent again", stand))
		if settled == 0 { // a person who has settled one knows
			settles = " unless settled" // by a key that does other things elsewhere: so the line of keys names it
		}
	}
	notice := form.Notice{Tone: screen.ToneCalm, Whole: true, Brief: since + cells.Join(append(parts, fates...)...)}
	if len(fates) > 0 {
		notice.Brief = since + cells.Join(fates...)
		if shows == "" { // no row of 80 cells holds both
			fates[0] = "comments: " + fates[0]
		}
	}
	notice.Text = since + cells.Join(append(parts, fates...)...) + settles
	return notice
}

// SaidSoFar counts what the person has said before the verdict.
func (a *Account) SaidSoFar() string {
	whole := ""
	if !a.State.Review.Note.Blank() {
		whole = "1 comment on the whole"
	}
	if said := cells.JoinBy(", ", a.counts(), whole, a.heldBack()); said != "" {
		return said
	}
	return "You have said nothing yet."
}

// onlyWithApproval says why sections that are held back are not in every review.
const onlyWithApproval = "What is held back counts only with an approval."

// counts counts what goes with any verdict.
func (a *Account) counts() string {
	edit := ""
	if !a.State.Edited.IsZero() {
		edit = "your edit of the plan"
	}
	return cells.JoinBy(", ", append(a.kinds(), edit)...)
}

// kinds counts the comments of each kind.
func (a *Account) kinds() []string {
	number := map[review.Kind]int{}
	for _, c := range a.State.Review.Comments {
		number[c.Kind]++
	}
	var parts []string
	for _, kind := range review.Kinds() {
		if n := number[kind]; n > 0 {
			parts = append(parts, wording.Count(n, string(kind)))
		}
	}
	return parts
}

// heldBack counts the sections that are held back, and of a plan of tasks the tasks; empty if there
// are none.
func (a *Account) heldBack() string {
	if a.State.Of != review.OfPlan {
		if n := len(a.State.Without()); n > 0 {
			return wording.Count(n, "task") + " held back"
		}
		return ""
	}
	if n := len(a.State.Review.Withheld); n > 0 {
		return wording.Count(n, "section") + " held back"
	}
	return ""
}

// Verdict names a verdict on this version, and what an approval leaves out.
func (a *Account) Verdict(v review.Verdict) string {
	name := wording.VerdictOn(v, a.In.Version)
	if v.Approves() && a.without() == "" {
		return cells.JoinBy(", ", name, a.heldBack())
	}
	return a.leavingOut(v, name)
}

// Button names a verdict on its button, and which tasks an approval leaves out.
func (a *Account) Button(v review.Verdict) string { return a.leavingOut(v, wording.Verdict(v)) }

func (a *Account) leavingOut(v review.Verdict, name string) string {
	switch {
	case v == review.Approve:
		return cells.JoinBy(" ", name, a.without())
	case v.Approves():
		return cells.JoinBy(", ", name, a.without())
	}
	return name
}

// without says how many tasks an approval leaves out; empty for none.
func (a *Account) without() string {
	if n := len(a.State.Without()); n > 0 {
		return "without " + wording.Count(n, "task")
	}
	return ""
}

// LeftOut says what becomes of a plan of tasks that is approved without some of them, and of these;
// empty for any other verdict.
func (a *Account) LeftOut(v review.Verdict) string {
	switch n := len(a.State.Without()); {
	case n == 0 || !v.Approves():
		return ""
	case a.State.Of == review.OfChanges:
		return "The other changes are approved, exactly as they are. A task that you hold back stays as it was approved before; one that was not approved stays locked."
	case n == 1:
		return "The plan becomes active. The task that you hold back stays locked, and what waits for it keeps waiting."
	default:
		return fmt.Sprintf("The plan becomes active. The %d tasks that you hold back stay locked, and what waits for them keeps waiting.", n)
	}
}

// GoesWith says which comments and edits a verdict sends along, and what it leaves behind.
func (a *Account) GoesWith(v review.Verdict) string {
	with, left := a.counts(), ""
	switch {
	case with != "":
		with = "With it: " + with + "."
	case v == review.RequestChanges:
		with = "You have not said yet what should change."
	}
	if !v.Approves() && a.heldBack() != "" {
		left = onlyWithApproval
	}
	return cells.JoinBy("\n", with, left)
}

// Changes names a set of changes that the person can look at.
type Changes uint8

const (
	ChangesSince Changes = iota // since the version that the person knows
	changesOwn                  // by the person's own edit
	changesNewer                // in a version that was written since, and not submitted
)

// Changed lists the sets that have changes, in the order of showing.
func (a *Account) Changed() []Changes {
	var list []Changes
	if !a.readOnly && (a.In.Begun != nil || a.In.Earlier != nil && a.In.Earlier.Diff != nil) {
		list = append(list, ChangesSince)
	}
	if !a.State.Edited.IsZero() {
		list = append(list, changesOwn)
	}
	if !a.In.Newer.Text.IsZero() {
		list = append(list, changesNewer)
	}
	return list
}

// Compared returns the texts to compare for a set of changes.
func (a *Account) Compared(which Changes) compare.Comparison {
	this := fmt.Sprintf("v%d", a.In.Version)
	c := compare.Comparison{From: this, Before: a.State.Text}
	switch e := a.In.Earlier; {
	case which == changesOwn:
		c.To, c.After = "your edit", a.State.Edited
		c.Named = this + " → your edit"
	case which == changesNewer:
		c.To, c.After = fmt.Sprintf("v%d, which is not submitted", a.In.Newer.Number), a.In.Newer.Text
		c.Named = fmt.Sprintf("%s → v%d · not submitted", this, a.In.Newer.Number)
	case a.In.Begun != nil:
		begun := fmt.Sprintf("v%d", a.In.Begun.Number)
		c = compare.Comparison{From: begun + ", which you were reviewing", To: this, Before: a.In.Begun.Text, After: a.State.Text, Diff: a.In.Begun.Diff}
		c.Named, c.About = begun+" → "+this, "you were reviewing "+begun
	case e.Number == 0:
		approved := "you approved this " + a.When(e.At)
		c = compare.Comparison{From: "your approval", To: this, Before: e.Seen, After: a.State.Text, Diff: e.Diff}
		c.Named, c.About = "approved → "+this, approved
	default:
		seen, when := fmt.Sprintf("v%d", e.Number), a.When(e.At)
		c = compare.Comparison{From: seen + ", which you reviewed " + when, To: this, Before: e.Seen, After: a.State.Text, Diff: e.Diff}
		c.Named, c.About = seen+" → "+this, "you reviewed "+seen+" "+when
	}
	if c.Diff == nil {
		c.Diff = diff.Between(c.Before.Raw(), c.After.Raw())
	}
	return c
}
