package review

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/compare"
	"planb/tui/editor"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// Body is the body of a form that reviews a plan. The form does all the rest.
type Body struct {
	Account
	host  form.Host
	found string // the text that the person searched for before the form opened
	// section is the title of what can only be written again; empty for a plan.
	section string
	cited   markdown.Cited
	note    safe.Text // the answer's note, which a review keeps and never shows

	pieces    []planPiece
	renderer  *markdown.Renderer
	textWidth int
	asWritten bool  // Markdown is shown as written
	blocks    []int // the first lines of paragraphs and other blocks
	anchor    int   // the line a selection begins at; 0 for none
	drawnAnew int   // counts the changes of rows other than by comments
	folds     *folds
	unfolded  map[string]bool // the comments, by id, whose old lines are shown whole

	y      int // the cursor's row on the screen
	height int // rows of the plan on the screen
	left   int // cells panned to the right
	first  int // the first and the last piece on the screen
	last   int

	writes *composer
	search *planSearch
	diff   *compare.Screen // the comparison in place of the plan; nil for none
	shows  Changes         // the set of changes in it
}

// pieceRendered brings a rendered piece of a plan.
type pieceRendered struct {
	body  *Body
	piece int
	width int
	by    *markdown.Renderer
	doc   markdown.Doc
}

// Input is the plan to review.
type Input struct {
	review.Subject
	// Section is the title of the text if it is a section of a draft: it can only be written
	// again. Empty: a plan.
	Section string
	Cited   markdown.Cited // what the citations in its versions show
	Found   string         // a text in the review: the cursor begins at its comment
}

// Written says that a newer version of the plan under review was written, and not submitted; without
// one, that there is no such version any more.
type Written struct {
	AskID string
	Newer review.Newer
}

// NewBody makes the body of a form that reviews a plan.
func NewBody(h form.Host, in Input) *Body {
	keys := h.Input().Keys.Review()
	if in.Section != "" {
		keys = keymap.SectionReview(keys)
	}
	h.Bind(keys)
	b := &Body{host: h, found: in.Found, section: in.Section, cited: in.Cited, Account: Account{
		In: in.Subject, State: review.NewEntry(in.Text), readOnly: h.Input().ReadOnly, When: h.When, keys: h.Keys(),
	}}
	b.State.Of = in.Of
	b.folds = newFolds(h.Input().Ask, b.State.Outline, b.State.Lines)
	b.pieces = planPieces(b.folds.asShown(in.Text, b.State.Lines), len(b.State.Lines))
	b.blocks = planBlocks(b.State.Lines)
	if in.Earlier != nil && !b.readOnly {
		b.State.Follow(in.Earlier)
		if in.Begun == nil && in.Earlier.Diff != nil && len(in.Earlier.Diff.Hunks(0)) > 0 {
			b.showChanges(ChangesSince)
		}
	}
	return b
}

func (b *Body) Load(entry questions.Entry) {
	kept := entry.Fields[questions.ReviewID]
	b.note = kept.Note
	b.State.Load(kept.Text, b.In.Begun)
	b.writes = nil
	b.unfoldCommented()
	b.pointAt(b.found)
}

func (b *Body) Save() (fields map[string]questions.Field, focus string) {
	fields = map[string]questions.Field{}
	if kept := (questions.Field{Text: b.State.Save(), Note: b.note}); !form.Blank(kept) {
		fields[questions.ReviewID] = kept
	}
	return fields, questions.ReviewID
}

func (b *Body) Changes() int { return b.State.Changes() }

// Retheme forgets all rendered pieces.
func (b *Body) Retheme() {
	b.renderer = b.host.Look().Markdown.Citing(b.cited)
	for i := range b.pieces {
		p := &b.pieces[i]
		p.doc, p.underway, p.base, p.rows = nil, false, nil, nil
	}
	if b.diff != nil {
		b.diff.Retheme(b.host.Look())
	}
}

func (b *Body) Text() *editor.Editor {
	switch {
	case b.diff != nil:
		return nil
	case b.writes != nil:
		return b.writes.edit()
	case b.search != nil:
		return b.search.edit
	}
	return nil
}

func (b *Body) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pieceRendered:
		if msg.body != b || msg.by != b.renderer || msg.width != b.textWidth {
			return nil
		}
		p := &b.pieces[msg.piece]
		p.underway, p.base = false, nil
		p.doc = &msg.doc
	case Written:
		if msg.AskID == b.host.Input().Ask.ID {
			b.In.Newer = msg.Newer
		}
	default:
		if b.diff != nil {
			return b.diff.Update(msg)
		}
	}
	return nil
}

// Work returns the commands that render the pieces in view and those beside them.
func (b *Body) Work() tea.Cmd {
	if b.renderer == nil || b.textWidth == 0 || b.asWritten || b.diff != nil {
		return nil
	}
	var cmds []tea.Cmd
	for i := max(b.first-1, 0); i <= min(b.last+1, len(b.pieces)-1); i++ {
		p := &b.pieces[i]
		if p.raw || p.doc != nil || p.underway {
			continue
		}
		p.underway = true
		text, width, by := p.text, b.textWidth, b.renderer
		cmds = append(cmds, func() tea.Msg { return pieceRendered{b, i, width, by, by.Render(text, width)} })
	}
	return tea.Batch(cmds...)
}

// Press does one key.
func (b *Body) Press(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case b.diff != nil:
		return b.pressInChanges(msg)
	case b.writes != nil:
		return b.pressInText(b.host.Keys().Read(msg, true))
	case b.search != nil:
		b.pressInSearch(b.host.Keys().Read(msg, true))
		return nil
	}
	act := b.host.Keys().Read(msg, false).Act
	if b.readOnly && act == keymap.Question {
		act = keymap.Close // the same key
	}
	return b.do(act)
}

// escape opens the menu. A review that can only be read it closes.
func (b *Body) escape() tea.Cmd {
	if b.readOnly {
		return b.host.Later()
	}
	return b.host.ShowMenu()
}

// do does one action on the plan.
func (b *Body) do(act keymap.Action) tea.Cmd {
	if b.In.Problem == nil && b.move(act) {
		return nil
	}
	switch act {
	case keymap.Escape:
		if b.anchor > 0 {
			b.anchor = 0
			return nil
		}
		return b.escape()
	case keymap.Close:
		if b.readOnly {
			return b.host.Later()
		}
		return nil
	case keymap.Menu:
		b.host.ShowMenu()
		return nil
	case keymap.Help:
		return b.host.ShowHelp()
	}
	if b.In.Problem != nil {
		if act == keymap.AsRead && b.replies() {
			return b.host.Discuss()
		}
		return nil
	}
	if act == keymap.Enter && b.fold() {
		return nil
	}
	switch act {
	case keymap.Filter:
		b.search = newPlanSearch(b.State.Cursor)
	case keymap.Changes:
		b.toggleChanges()
	case keymap.AsRead:
		b.asWritten = !b.asWritten
		b.layAnew()
	case keymap.Copy:
		return b.host.Copy(b.copyText())
	default:
		if !b.readOnly && b.host.Stage() == form.Filling {
			return b.say(act)
		}
	}
	return nil
}

// say does the actions that change the review.
func (b *Body) say(act keymap.Action) tea.Cmd {
	switch act {
	case keymap.Comment:
		b.compose(review.Remark)
	case keymap.Suggest:
		b.compose(review.Suggestion)
	case keymap.Question:
		b.compose(review.Question)
	case keymap.Enter:
		b.open()
	case keymap.Deletion:
		b.markDeleted()
	case keymap.Backspace:
		b.drop()
	case keymap.Settle:
		b.settle()
	case keymap.Hold:
		b.hold()
	case keymap.Undo:
		if b.State.Undo() {
			b.anchor = 0
			b.host.Say(screen.ToneCalm, "Undone.")
		} else {
			b.host.Say(screen.ToneCalm, "Nothing to undo.")
		}
	case keymap.Whole:
		return b.showWhole()
	case keymap.EditPlan, keymap.Editor:
		if b.section == "" {
			return b.editPlan()
		}
	case keymap.Submit:
		return b.Submit()
	case keymap.Approve, keymap.ApproveNotes, keymap.Request, keymap.Reject:
		return b.showVerdict(verdictOf(act))
	}
	return nil
}

// layAnew has everything laid out again.
func (b *Body) layAnew() {
	for i := range b.pieces {
		p := &b.pieces[i]
		if b.asWritten {
			p.doc = nil
		}
		p.base = nil
		p.rows = nil
	}
}

// selected returns the lines of the selection, or else of the cursor.
func (b *Body) selected() (from, to int) {
	row := b.row(b.locate(b.State.Cursor))
	from, to = row.from, row.to
	if b.anchor > 0 {
		other := b.row(b.locate(review.Spot{Line: b.anchor}))
		from, to = min(from, other.from), max(to, other.to)
	}
	last := len(b.State.Lines)
	return max(min(from, last), 1), max(min(to, last), 1)
}

// copyText returns what "copy" copies: the selected lines, or the comment.
func (b *Body) copyText() string {
	if c, ok := b.shown(b.State.Cursor.Comment); ok && b.anchor == 0 {
		return strings.TrimSpace(c.Text.Raw() + "\n" + c.Instead.Raw())
	}
	from, to := b.selected()
	return strings.Join(b.State.Lines[from-1:to], "\n")
}

// shown returns the comment of an id, a settled one, too.
func (b *Body) shown(id string) (review.Comment, bool) {
	if id == "" {
		return review.Comment{}, false
	}
	if c, ok := b.State.Comment(id); ok {
		return c, true
	}
	o, ok := b.State.EarlierComment(id)
	return o.Comment, ok
}

// hold withholds the section under the cursor.
func (b *Body) hold() {
	section, held, ok := b.State.Hold(b.State.Cursor.Line)
	name := section.Title.Line()
	if b.folds != nil { // the screen shows the key beside the title
		name, _, _ = cutKey(name)
	}
	switch {
	case !ok:
		b.host.Say(screen.ToneCalm, "There is no heading above this line; only sections can be held back.")
	case held:
		b.host.Say(screen.ToneWarn, "Held back: “%s” is not approved with the rest.", name)
	default:
		b.host.Say(screen.ToneCalm, "“%s” is approved with the rest.", name)
	}
}

// settle marks the earlier comment under the cursor as settled, or has it sent again.
func (b *Body) settle() {
	id := b.State.Cursor.Comment
	if id == "" {
		for _, o := range b.State.Earlier {
			if from, to := b.State.Place(o); from <= b.State.Cursor.Line && b.State.Cursor.Line <= to {
				id = o.ID
				break
			}
		}
	}
	settled, ok := b.State.Settle(id)
	switch {
	case !ok:
		b.host.Say(screen.ToneCalm, "There is no earlier comment here to settle.")
		return
	case settled:
		b.host.Say(screen.ToneGood, "Settled: it is not sent again.")
	default:
		b.host.Say(screen.ToneWarn, "Not settled: it is sent again.")
	}
}
