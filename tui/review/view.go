package review

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Layout of a review.
const (
	outlineFrom  = 100 // least cells for an outline at the side
	mostOutline  = 32  // most cells of the outline
	reviewNumber = 60  // least cells for line numbers
)

// reviewColumns are the widths of the parts of a row.
type reviewColumns struct {
	outline int // cells of the outline at the left; 0 for none
	number  int // cells of a line number
	gutter  int // cells left of the text, the number included
	row     int // cells right of the outline
	card    int // cells of a comment, from its bar on: it ends with the text, as what one writes in it does
	text    int
}

// cardCells is the bar of a comment with the blank behind it, and a blank at its end.
const cardCells = 3

func (b *Body) columns(width int) reviewColumns {
	var c reviewColumns
	if width >= outlineFrom && b.folds == nil && len(b.outlined()) > 1 { // folded headings are their own outline
		c.outline = min(mostOutline, width/4)
	}
	if width >= reviewNumber {
		c.number = 1 + len(fmt.Sprint(len(b.State.Lines))) + 1 // without the cursor and the bar
	}
	c.gutter = 1 + c.number + 2
	c.row = width - c.outline
	c.text = max(min(width-c.outline-c.gutter-1, form.ReadWidth), 1)
	c.card = c.text + cardCells
	return c
}

// Draw draws the plan with its comments in the given rows, or the changes if those are
// shown. It returns the position of the view.
func (b *Body) Draw(c *form.Canvas, rows int) (more string) {
	if b.diff != nil {
		b.drawChanges(c)
		return ""
	}
	st := b.host.Styles()
	if b.In.Problem != nil {
		b.drawProblem(c, rows)
		return ""
	}
	cols := b.columns(c.Width)
	b.setWidth(cols.text)
	at, before := b.locate(b.State.Cursor), b.height
	if b.height = max(rows, 1); before > b.height && b.y >= 0 { // the window is smaller now
		b.keepInView(at)
	}
	top := b.top(at)
	outline := b.drawOutline(cols.outline, rows)
	ink, focused := b.newInk(), b.row(at)
	side := func(i int) string {
		if cols.outline == 0 {
			return ""
		}
		line := ""
		if i < len(outline) {
			line = outline[i]
		}
		return cells.Fill(line, cols.outline-2) + st.Rule.Render("│") + " "
	}
	y := len(c.Lines)
	b.first, b.last = top.piece, top.piece
	for i, here, more := 0, top, true; i < rows; i++ {
		if !more {
			c.Add(side(i))
			continue
		}
		row := b.row(here)
		if i == 0 && !row.first && row.kind == rowPlan {
			row.text = cells.TopRow(row.text)
		}
		if row.caret > 0 && b.writes != nil {
			c.Caret = &screen.Place{X: cols.outline + cols.gutter + row.caret - 1, Y: y + i}
		}
		if row.from > 0 {
			spot := b.spotAt(here)
			c.Hit(cols.outline, y+i, c.Width-cols.outline, 1, func(int, int) tea.Cmd { return b.choose(spot) })
		}
		c.Add(side(i) + b.drawRow(row, cols, ink, row.sameItem(focused)))
		b.last = here.piece
		here, more = b.next(here)
	}
	return fmt.Sprintf("line %d of %d", min(b.State.Cursor.Line, len(b.State.Lines)), len(b.State.Lines))
}

// Airless says that the plan begins in the first row of the body.
func (b *Body) Airless() bool { return true }

// setWidth sets the cells of a row of the plan.
func (b *Body) setWidth(width int) {
	if width == b.textWidth {
		return
	}
	b.textWidth, b.left = width, 0
	for i := range b.pieces {
		p := &b.pieces[i]
		p.doc, p.base, p.rows, p.underway = nil, nil, nil, false
	}
}

// top returns the first row to show. It puts the cursor on row y of the screen, as far as
// there are rows above and below.
func (b *Body) top(at reviewAt) reviewAt {
	up := func(from reviewAt, n int) (reviewAt, int) {
		walked := 0
		for walked < n {
			prev, ok := b.prev(from)
			if !ok {
				break
			}
			from = prev
			walked++
		}
		return from, walked
	}
	// Leave no empty rows below the plan while some of it is hidden above.
	below, last := 1, at
	for below < b.height {
		next, ok := b.next(last)
		if !ok {
			break
		}
		last = next
		below++
	}
	if below < b.height {
		b.y = max(b.y, b.height-below)
	}
	if b.y < 0 { // inside a block longer than the screen
		to := at
		for range -b.y {
			next, ok := b.next(to)
			if !ok {
				break
			}
			to = next
		}
		return to
	}
	b.y = min(b.y, b.height-1)
	first, walked := up(at, b.y)
	b.y = walked
	return first
}

// choose puts the cursor on a spot. A comment that has the cursor already it opens.
func (b *Body) choose(spot review.Spot) tea.Cmd {
	var kept tea.Cmd
	if b.writes != nil {
		kept = b.keep()
	}
	b.search = nil
	if b.State.Cursor == spot && (spot.Comment == "" && b.fold() || spot.Comment != "" && !b.readOnly) {
		if spot.Comment != "" {
			b.open()
		}
		return kept
	}
	from := b.locate(b.State.Cursor)
	b.y += b.distance(from, b.locate(spot))
	b.State.Cursor = spot
	return kept
}

// reviewInk is what all rows of one drawing need, computed once.
type reviewInk struct {
	from, to int // the selected lines
	deleted  []review.Comment
	query    string
}

func (b *Body) newInk() *reviewInk {
	ink := &reviewInk{}
	ink.from, ink.to = b.selected()
	for _, c := range b.State.Review.Comments {
		if c.Kind == review.Deletion {
			ink.deleted = append(ink.deleted, c)
		}
	}
	if b.search != nil {
		ink.query = strings.ToLower(b.search.edit.Text())
	}
	return ink
}

func (ink *reviewInk) gone(row reviewRow) bool {
	return slices.ContainsFunc(ink.deleted, func(c review.Comment) bool { return c.From <= row.from && row.to <= c.To })
}

// drawRow draws one row, with its gutter. here says that the row belongs to the item under
// the cursor.
func (b *Body) drawRow(row reviewRow, cols reviewColumns, ink *reviewInk, here bool) string {
	st := b.host.Styles()
	number := strings.Repeat(" ", cols.number)
	switch {
	case here && row.composed: // the caret is in the text
		return st.Accent.Render(marks.Focus) + number + st.Card(*row.bar, []string{row.text}, cols.card)[0]
	case here && row.kind == rowComment && (row.first || !st.FocusReversed()):
		return st.Focused(" "+number+row.bar.Render(marks.Bar)+" "+row.text, cols.row)
	case here && row.kind == rowComment:
		return st.FocusedEdge(" "+number+st.Card(*row.bar, []string{row.text}, cols.card)[0], cols.row)
	case row.kind == rowComment:
		return " " + number + st.Card(*row.bar, []string{row.text}, cols.card)[0]
	case row.kind == rowNotice:
		return " " + number + "  " + st.Warning.Render(cells.Cut(row.text, cols.text))
	case row.from == 0:
		return " " + number + "  " + cells.Panned(row.text, b.left, cols.text, 0)
	case row.first && cols.number > 0:
		number = st.Faint.Render(fmt.Sprintf("%*d", cols.number-1, row.from)) + " "
	}
	line := " " + number + b.bar(row, ink) + " " + b.planText(row, cols, ink)
	switch {
	case here:
		return st.Focused(line, cols.row)
	case b.selects(row, ink):
		return st.Selected(line, cols.row)
	}
	return line
}

// selects reports whether a row of the plan is among several that the person selects.
func (b *Body) selects(row reviewRow, ink *reviewInk) bool {
	return b.anchor > 0 && ink.from <= row.from && row.to <= ink.to
}

// planText draws the text of a row of the plan.
func (b *Body) planText(row reviewRow, cols reviewColumns, ink *reviewInk) string {
	st := b.host.Styles()
	text := cells.Panned(row.text, b.left, cols.text, 0)
	if row.goesOn {
		text = cells.Cut(strings.TrimRight(text, " ")+" …", cols.text)
	}
	switch {
	case ink.gone(row):
		text = st.Removed.Struck(true).Render(ansi.Strip(text))
	case len(b.State.Review.Withheld) > 0 && b.State.Withheld(row.from):
		text = st.Faint.Render(ansi.Strip(text))
	}
	if ink.query != "" {
		text = cells.Highlighted(text, ink.query, st.Match)
	}
	if facts := b.factsOf(row); facts != "" {
		text = strings.TrimRight(text, " ")
		if room := cols.text - ansi.StringWidth(text) - 2; room >= 8 {
			text += "  " + st.Muted.Render(cells.CutParts(facts, room))
		}
	}
	return text
}

// bar draws whether a row's lines are selected, held back or commented on.
func (b *Body) bar(row reviewRow, ink *reviewInk) string {
	st := b.host.Styles()
	switch {
	case b.selects(row, ink),
		b.writes != nil && b.writes.comment.From <= row.from && row.to <= b.writes.comment.To:
		return st.Cursor.Render("┃")
	case len(b.State.Review.Withheld) > 0 && b.State.Withheld(row.from):
		return st.Warning.Render(marks.HeldBack)
	}
	for _, c := range b.State.Review.Comments {
		if c.From <= row.from && row.to <= c.To {
			_, style := b.kindMark(c.Kind)
			return style.Render("│")
		}
	}
	if mark := b.foldMark(row); mark != "" {
		return st.Muted.Render(mark)
	}
	return " "
}

// drawProblem draws why there is no plan to show.
func (b *Body) drawProblem(c *form.Canvas, rows int) {
	st := b.host.Styles()
	var lines []string
	if above := c.Lines[max(len(c.Lines)-1, 0):]; len(above) == 0 || above[0] != "" {
		lines = []string{""}
	}
	lead := "  " + st.Danger.Render(screen.ToneBad.Glyph())
	below := strings.Repeat(" ", ansi.StringWidth(lead))
	say := func(style func(...string) string, text string) {
		for _, line := range b.host.Wrap(safe.New(text), max(c.Width-len(below)-2, 1)) {
			lines = append(lines, lead+style(line))
			lead = below
		}
	}
	say(st.Danger.Render, fmt.Sprintf("v%d cannot be shown: %s.", b.In.Version, wording.Sentence(b.In.Problem)))
	if b.replies() {
		say(st.Muted.Render, "Ask the agent to submit it again.") // the button and the footer say how
	}
	for i := range rows {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		c.Add(line)
	}
}

// replies reports whether the person can only write to the agent, because there is no plan to
// review. The key that shows its Markdown then leads there: the menu has the same letter for that.
func (b *Body) replies() bool { return b.In.Problem != nil && !b.readOnly && !b.host.Input().Own }

// drawChanges draws the comparison in place of everything else.
func (b *Body) drawChanges(c *form.Canvas) {
	lines := strings.Split(b.diff.View().Content, "\n")
	if b.host.Urgent() {
		lines[len(lines)-1] = " " + b.host.LastLine(c.Width-2)
	}
	c.Hit(0, 0, c.Width, c.Height, func(x, y int) tea.Cmd {
		b.diff.Click(tea.Mouse{X: x, Y: y, Button: tea.MouseLeft})
		return nil
	})
	for _, line := range lines {
		c.Add(line)
	}
}

// DrawButtons draws the buttons, and the number of comments.
func (b *Body) DrawButtons(c *form.Canvas, _ string) {
	st := b.host.Styles()
	buttons := []form.Button{{Label: "Menu", Does: b.host.ShowMenu}}
	if !b.readOnly && b.In.Problem == nil {
		press := func(act keymap.Action) func() tea.Cmd { return func() tea.Cmd { return b.do(act) } }
		request := "Request changes"
		if c.Width < form.Narrow {
			request = "Changes"
		}
		verdicts := []form.Button{{Label: "Approve", Does: press(keymap.Approve)}, {Label: request, Does: press(keymap.Request)}}
		if b.section != "" {
			verdicts = []form.Button{{Label: "Write again", Does: press(keymap.Request)}}
		}
		buttons = append(verdicts, buttons...)
	}
	if b.replies() {
		buttons = append([]form.Button{{Label: "Reply to the agent", Does: b.host.Discuss}}, buttons...)
	}
	line, width := c.Buttons(1, buttons)
	c.Add(cells.Sides(line, st.Note.Render(cells.Longest(c.Width-width-3, b.said()...)), c.Width-1))
}

// said counts the comments and edits of the review, in ever fewer words.
func (b *Body) said() []string {
	s := b.State
	total, shortest, held, edited := "", "", "", ""
	if kinds := b.kinds(); len(kinds) > 0 {
		shortest = wording.Count(len(s.Review.Comments), "remark") // of any kind
		if total = shortest; len(kinds) == 1 {
			total = kinds[0]
		}
	}
	if n := len(s.Review.Withheld); n > 0 {
		held = fmt.Sprintf("%d held back", n)
	}
	if !s.Edited.IsZero() {
		edited = "edited"
	}
	return []string{cells.Join(cells.Join(b.kinds()...), held, edited), cells.Join(total, held, edited), total, shortest, ""}
}

// Hints returns the keys that do something now.
func (b *Body) Hints() []screen.Hint {
	help := screen.Hint{Act: keymap.Help, Does: "help"}
	switch {
	case b.replies():
		return []screen.Hint{{Act: keymap.AsRead, Does: "reply to the agent"}, {Act: keymap.Escape, Does: "menu"}, help}
	case b.In.Problem != nil:
		return []screen.Hint{{Act: keymap.Escape, Does: "menu"}, help}
	case b.writes != nil:
		keys := []screen.Hint{{Act: keymap.Submit, Does: "keep"}}
		if other := b.writes.other(); other != "" {
			keys = append(keys, screen.Hint{Act: keymap.Next, Does: other})
		}
		return append(keys, screen.Hint{Act: keymap.Enter, Does: "new line"}, screen.Hint{Act: keymap.Escape, Does: b.writes.leaves()}, screen.Hint{Act: keymap.Editor, Does: "editor"})
	case b.search != nil:
		return []screen.Hint{{Act: keymap.Enter, Does: "next"}, {Act: keymap.Up, Does: "previous"}, {Act: keymap.Escape, Does: "close"}}
	case b.readOnly:
		if hint, ok := b.foldHint(); ok {
			return []screen.Hint{hint, {Act: keymap.Close, Does: "close"}, help}
		}
		return []screen.Hint{{Act: keymap.HeadingDown, Does: "next heading"}, {Act: keymap.Next, Does: "next comment"}, {Act: keymap.Close, Does: "close"}, help}
	}
	var hints []screen.Hint
	switch _, open := b.State.Comment(b.State.Cursor.Comment); {
	case b.anchor > 0:
		return []screen.Hint{{Act: keymap.Comment, Does: "comment"}, {Act: keymap.Suggest, Does: "suggest"}, {Act: keymap.Deletion, Does: "delete"}, {Act: keymap.Question, Does: "ask"}, {Act: keymap.Escape, Does: "no selection"}, help}
	case b.State.Cursor.Comment != "":
		hints = b.commentHints(open)
	default:
		hints = []screen.Hint{{Act: keymap.Comment, Does: "comment"}, {Act: keymap.Suggest, Does: "suggest"}}
		if hint, ok := b.foldHint(); ok {
			hints = []screen.Hint{hint, hints[0]}
		}
	}
	verdicts := []screen.Hint{{Act: keymap.Approve, Does: "approve"}, {Act: keymap.Request, Does: "changes"}}
	if b.section != "" {
		verdicts = []screen.Hint{{Act: keymap.Request, Does: "write again"}}
	}
	if b.asWritten { // nothing else says that this is its Markdown, so it takes the place of a key
		hints, verdicts = hints[:1], append(verdicts, screen.Hint{Act: keymap.AsRead, Does: "read view"})
	}
	hints = append(append(hints, verdicts...), screen.Hint{Act: keymap.Escape, Does: "menu"}, help)
	if b.In.Earlier != nil {
		hints = append(hints, screen.Hint{Act: keymap.Changes, Does: "what changed"})
	}
	return append(hints, screen.Hint{Act: keymap.HeadingDown, Does: "next heading"}, screen.Hint{Act: keymap.Select, Does: "select"}, screen.Hint{Act: keymap.Filter, Does: "search"})
}

// commentHints returns the keys of the comment under the cursor. open says that it goes to
// the agent.
func (b *Body) commentHints(open bool) []screen.Hint {
	old, isOld := b.State.EarlierComment(b.State.Cursor.Comment)
	switch {
	case isOld && open:
		return []screen.Hint{{Act: keymap.Settle, Does: "settle"}, {Act: keymap.Enter, Does: "change"}}
	case isOld && b.unfolds(old.Comment):
		folds := map[bool]string{false: "show before", true: "fold before"}[b.unfolded[old.ID]]
		return []screen.Hint{{Act: keymap.Settle, Does: "send again"}, {Act: keymap.Enter, Does: folds}}
	case isOld:
		return []screen.Hint{{Act: keymap.Settle, Does: "send again"}}
	}
	removes := "delete"
	if c, _ := b.State.Comment(b.State.Cursor.Comment); c.Kind == review.Deletion {
		removes = "take back"
	}
	return []screen.Hint{{Act: keymap.Enter, Does: "change"}, {Act: keymap.Backspace, Does: removes}}
}

// searchLine draws the search in place of the keys.
func (b *Body) searchLine(width int) string {
	st := b.host.Styles()
	text, found, style := cells.Clean(b.search.edit.Text()), b.search.found(b.State.Cursor.Line), st.Faint
	if len(b.search.lines) == 0 {
		style = st.Warning
	}
	if found != "" {
		found = "  " + found
	}
	keys := b.host.Keys()
	hints := st.KeyLine([]screen.Hint{{Label: keys.Label(keymap.Enter), Does: "next"}, {Label: keys.Label(keymap.Up), Does: "previous"}, {Label: keys.Label(keymap.Escape), Does: "close"}}, max(width/2, 10))
	return cells.Sides(st.Accent.Render("/")+" "+st.Text.Render(text+"▏")+style.Render(found), hints, width)
}
