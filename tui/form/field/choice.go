package field

import (
	"slices"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
)

// choice is a question that is answered by one option or several, and perhaps by a text under
// "Other…". Its rows are the options that the filter lets through and, last, "Other…".
type choice struct {
	q        questions.Question
	multi    bool
	readOnly bool

	picked      []bool // by option
	other       *editor.Editor
	otherPicked bool
	writing     bool // the caret is under "Other…"

	at        int   // the row with the cursor
	rows      []int // options by row; OtherRow for "Other…"
	filter    *editor.Editor
	filtering bool // the caret is in the filter
}

// OtherRow stands for "Other…" among options' indexes.
const OtherRow = -2

// longList is the most options of a list without a filter.
const longList = 9

func newChoice(q questions.Question, readOnly bool) *choice {
	f := &choice{
		q: q, multi: q.Kind == questions.Multi, readOnly: readOnly,
		picked: make([]bool, len(q.Options)), other: editor.New(true), filter: editor.New(true),
	}
	f.sift()
	return f
}

func (f *choice) Load(d questions.Field) {
	for i, o := range f.q.Options {
		f.picked[i] = slices.Contains(d.Picked, o.Value.Raw())
	}
	f.other.Load(d.Other.Raw())
	f.otherPicked = d.OtherPicked
	f.settleOther()
	f.writing = false
	f.sift()
	f.at = slices.IndexFunc(f.rows, f.IsPicked)
	if f.at < 0 {
		f.at = f.proposedRow()
	}
}

func (f *choice) Save() questions.Field {
	d := questions.Field{Other: safe.New(f.other.Text()), OtherPicked: f.otherPicked}
	for i, o := range f.q.Options {
		if f.picked[i] {
			d.Picked = append(d.Picked, o.Value.Raw())
		}
	}
	return d
}

func (f *choice) TakeDefault() bool {
	if f.q.Default == nil {
		return false
	}
	f.clear()
	for i := range f.q.Options {
		f.picked[i] = f.proposed(i)
	}
	return true
}

// proposed reports whether an option is, or is part of, the default.
func (f *choice) proposed(option int) bool {
	if f.q.Default == nil {
		return false
	}
	value := f.q.Options[option].Value.Raw()
	if one, ok := f.q.Default.Text(); ok {
		return one == value
	}
	items, _ := f.q.Default.Items()
	return slices.Contains(items, value)
}

func (f *choice) clear() {
	for i := range f.picked {
		f.picked[i] = false
	}
	f.otherPicked = false
}

// settleOther un-picks "Other…" if it has no text. If it has one, that is a single choice's only
// answer.
func (f *choice) settleOther() {
	switch {
	case safe.New(f.other.Text()).Blank():
		f.otherPicked = false
	case f.otherPicked && !f.multi:
		f.clear()
		f.otherPicked = true
	}
}

func (f *choice) any() bool { return f.otherPicked || slices.Contains(f.picked, true) }

// sift lists the rows that the filter lets through. The cursor stays on its option if that is
// still listed.
func (f *choice) sift() {
	cursor := f.Cursor()
	words := strings.Fields(strings.ToLower(f.filter.Text()))
	f.rows = f.rows[:0]
	for i, o := range f.q.Options {
		if matchesAll(o, words) {
			f.rows = append(f.rows, i)
		}
	}
	if f.q.Other && (!f.readOnly || f.otherPicked) {
		f.rows = append(f.rows, OtherRow)
	}
	f.at = max(0, slices.Index(f.rows, cursor))
}

func matchesAll(o questions.Option, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(o.Label.Raw() + " " + o.Value.Raw() + " " + o.Description.Raw())
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (f *choice) Cursor() int {
	if f.at < 0 || f.at >= len(f.rows) {
		return NoOption
	}
	return f.rows[f.at]
}

func (f *choice) Row() int          { return f.at }
func (f *choice) Options() []int    { return f.rows }
func (f *choice) MoveTo(option int) { f.at = slices.Index(f.rows, option) }
func (f *choice) Several() bool     { return f.multi }

func (f *choice) IsFilter(e *editor.Editor) bool { return e == f.filter }

func (f *choice) Enter(w Way) {
	switch {
	case w == FromAbove:
		f.at = 0
	case w == FromBelow:
		f.at = max(0, len(f.rows)-1)
	case !f.any() && f.at == 0: // the first visit
		f.at = f.proposedRow()
	}
}

// proposedRow is the row of the first option that the agent proposes, else the first one.
func (f *choice) proposedRow() int {
	return max(0, slices.IndexFunc(f.rows, func(option int) bool { return option >= 0 && f.proposed(option) }))
}

func (f *choice) Text() *editor.Editor {
	switch {
	case f.writing:
		return f.other
	case f.filtering:
		return f.filter
	}
	return nil
}

// InvitesText reports whether the cursor is on "Other…" while that has no text.
func (f *choice) InvitesText() bool {
	return f.Text() == nil && f.Cursor() == OtherRow && f.other.Empty() && !f.readOnly
}

func (f *choice) Sideways() bool { return f.Text() != nil }

// Close leaves "Other…" and keeps its text, or takes the filter away.
func (f *choice) Close() bool {
	switch {
	case f.writing:
		f.stopWriting()
	case f.filtering || !f.filter.Empty():
		f.filtering = false
		f.filter.SetText("")
		f.sift()
	default:
		return false
	}
	return true
}

// Illustration is IllustrationAt with the cursor where it is.
func (f *choice) Illustration() int { return f.IllustrationAt(f.at) }

// IllustrationAt returns the option whose illustration is shown with the cursor on a row:
// the one of that row, else the picked one, else the first that has an illustration. On
// "Other…" it is NoOption, and if what is picked has no illustration: one of another option would
// pass for it.
func (f *choice) IllustrationAt(row int) int {
	if row >= 0 && row < len(f.rows) && (f.rows[row] == OtherRow || f.HasIllustration(f.rows[row])) {
		return max(f.rows[row], NoOption)
	}
	bare := false
	for i, picked := range f.picked {
		if picked && f.HasIllustration(i) {
			return i
		}
		bare = bare || picked
	}
	if bare {
		return NoOption
	}
	return f.FirstIllustration()
}

func (f *choice) FirstIllustration() int {
	return slices.IndexFunc(f.q.Options, func(o questions.Option) bool { return !o.Markdown.IsZero() })
}

func (f *choice) HasIllustration(option int) bool {
	return option >= 0 && !f.q.Options[option].Markdown.IsZero()
}

func (f *choice) CopyText() string {
	switch c := f.Cursor(); c {
	case NoOption:
		return ""
	case OtherRow:
		return f.other.Text()
	default:
		return f.q.Options[c].Value.Raw()
	}
}

func (f *choice) allShownPicked() bool {
	return !slices.ContainsFunc(f.rows, func(option int) bool { return option != OtherRow && !f.picked[option] })
}

// hiddenPicks counts the picked options that the filter hides.
func (f *choice) hiddenPicks() int {
	n := 0
	for option, picked := range f.picked {
		if picked && !slices.Contains(f.rows, option) {
			n++
		}
	}
	return n
}

// picks counts what is picked, "Other…" included.
func (f *choice) picks() int {
	n := 0
	for _, picked := range f.picked {
		if picked {
			n++
		}
	}
	if f.otherPicked {
		n++
	}
	return n
}

// Long reports whether the list can be filtered.
func (f *choice) Long() bool { return len(f.q.Options) > longList }
