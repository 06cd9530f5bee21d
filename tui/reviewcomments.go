package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans/diff"
	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// mostCommentRows bounds what is shown of one comment; all of it is in its editor.
const mostCommentRows = 40

// composerRows is how many rows a text has at most while it is written.
const composerRows = 10

// saidBelow is the rows of a comment, below a line.
type saidBelow struct {
	to   int
	rows []reviewRow
}

// commentsIn are the comments below the lines of a piece.
func (b *reviewBody) commentsIn(p *planPiece) []saidBelow {
	list := b.comments()
	if w := b.writes; w != nil && !slices.ContainsFunc(list, func(c review.Comment) bool { return c.ID == w.comment.ID }) {
		at := slices.IndexFunc(list, func(c review.Comment) bool { return c.To > w.comment.To })
		if at < 0 {
			at = len(list)
		}
		list = slices.Insert(list, at, w.comment)
	}
	var below []saidBelow
	for _, c := range list {
		if c.To < p.from || c.To > p.to {
			continue
		}
		var rows []reviewRow
		if b.writes != nil && b.writes.comment.ID == c.ID {
			rows = b.composerRows()
		} else {
			rows = b.commentRows(c)
		}
		for i := range rows {
			rows[i].kind, rows[i].comment, rows[i].first = rowComment, c.ID, i == 0
			rows[i].from, rows[i].to = c.From, c.To
		}
		below = append(below, saidBelow{c.To, rows})
	}
	return below
}

// kindMark is how a kind of comment is told without colour, and with.
func (b *reviewBody) kindMark(kind review.Kind) (mark, word string, style lipgloss.Style) {
	st := &b.form.look.Styles
	switch kind {
	case review.Suggestion:
		return "±", "instead", st.Added
	case review.Deletion:
		return "✗", "delete", st.Removed
	case review.Question:
		return "?", "question", st.Info
	}
	return "●", "comment", st.Note
}

// commentRows are the rows of a comment that nobody writes on.
func (b *reviewBody) commentRows(c review.Comment) []reviewRow {
	st := &b.form.look.Styles
	mark, word, style := b.kindMark(c.Kind)
	about := ""
	if c.From < c.To {
		about = fmt.Sprintf("lines %d–%d", c.From, c.To)
	}
	old, isOld := b.state.EarlierComment(c.ID)
	_, open := b.state.Comment(c.ID)
	said := cells.Join(b.state.History(c)...)
	if isOld && !open {
		if old.Done || old.State == review.Addressed {
			said = "said before · " + b.state.Fate(old) + b.form.keys.Tells(" · ", keymap.Settle, " insists")
		}
		mark, style = "○", st.Success
	}
	kind := mark + " " + word
	room := b.textWidth - ansi.StringWidth(kind+cells.Gap)
	told := cells.Join(about, said)
	if ansi.StringWidth(told) > room { // which lines is told by their bar, too
		told = cells.CutParts(said, room)
	}
	head := style.Render(kind) + st.Faint.Render(prefixed(cells.Gap, told))
	var lines []string
	add := func(style lipgloss.Style, lead string, text safe.Text) {
		for _, line := range cells.Lines(strings.TrimRight(text.Block(), "\n "), max(b.textWidth-2-len(lead), 8)) {
			lines = append(lines, style.Render(lead+line))
		}
	}
	if isOld && old.State == review.Addressed {
		add(st.Faint, "was: ", safe.New(firstLines(old.Quote.Raw(), 3)))
	}
	if c.Kind == review.Suggestion {
		add(st.Added, "+ ", c.Instead)
	}
	if !c.Text.Blank() {
		textStyle := st.Text
		if isOld && !open {
			textStyle = st.Muted
		}
		add(textStyle, "", c.Text)
	}
	if len(lines) > mostCommentRows {
		hidden := len(lines) - mostCommentRows + 1
		lines = append(lines[:mostCommentRows-1], st.Faint.Render(fmt.Sprintf("… %s more", wording.Count(hidden, "line"))))
	}
	rows := []reviewRow{{text: ansi.Truncate(head, b.textWidth, "…")}}
	for _, line := range lines {
		rows = append(rows, reviewRow{text: style.Render("│") + " " + line})
	}
	return rows
}

func prefixed(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

// firstLines are the first lines of a text.
func firstLines(text string, most int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > most {
		return strings.Join(lines[:most], "\n") + " …"
	}
	return text
}

// composerRows are the rows of the comment that is being written.
func (b *reviewBody) composerRows() []reviewRow {
	w, st := b.writes, &b.form.look.Styles
	mark, word, style := b.kindMark(w.comment.Kind)
	room := max(b.textWidth-2, 2)
	lead := map[review.Kind]string{review.Suggestion: " of ", review.Deletion: " "}[w.comment.Kind]
	if lead == "" {
		lead = " on "
	}
	rows := []reviewRow{{text: ansi.Truncate(style.Render(mark+" "+word+lead+strings.ToLower(w.comment.Place())), b.textWidth, "…")}}
	for i, edit := range w.parts {
		if w.comment.Kind == review.Suggestion && i == 1 {
			if i != w.at && edit.Empty() {
				continue
			}
			rows = append(rows, reviewRow{text: style.Render("│") + " " + st.Faint.Render("because")})
		}
		lines, x, y := edit.Layout(room, composerRows)
		for n, line := range lines {
			look := st.InputHere
			if i != w.at {
				look = st.Text
			}
			row := reviewRow{text: style.Render("│") + " " + look.Render(cells.Pad(line.Text, room)), composed: true}
			if i == w.at && n == y {
				row.caret = 2 + x + 1
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// notices say what the person should know of the plan as a whole.
func (b *reviewBody) notices() []notice {
	if b.in.Problem != nil {
		return nil
	}
	var all []notice
	if text := b.begunNotice(); text != "" {
		all = append(all, notice{tone: toneWarn, text: text, brief: fmt.Sprintf("v%d replaces v%d", b.in.Version, b.in.Begun.Number) + b.form.keys.Tells(": ", keymap.Changes, " shows how")})
	}
	if b.in.Newer.Number > 0 {
		all = append(all, notice{tone: toneWarn, text: b.newerNotice(), brief: fmt.Sprintf("v%d was written since", b.in.Newer.Number)})
	}
	if e := b.in.Earlier; e != nil && !b.readOnly() {
		if e.Lapsed() {
			was := fmt.Sprintf("You approved v%d, and it was edited since: ", e.Number)
			all = append(all, notice{tone: toneWarn, text: was + fmt.Sprintf("v%d is not approved.", b.in.Version), brief: fmt.Sprintf("v%d is not approved: edited since", b.in.Version)})
		}
		if text := b.earlierNotice(); text != "" {
			all = append(all, notice{tone: toneCalm, text: text})
		}
		if note := e.Review.Note; !note.Blank() {
			all = append(all, notice{tone: toneCalm, text: "On the whole you said then: " + note.Line()})
		}
	}
	if !b.state.Edited.IsZero() {
		text := "You edited the plan: your edit goes with the review." + b.form.keys.Tells(" ", keymap.Changes, " shows it.")
		if b.readOnly() {
			text = "The plan was edited in this review."
		}
		all = append(all, notice{tone: toneCalm, text: text, brief: "You edited the plan"})
	}
	if !b.state.Review.Note.Blank() && b.form.dialog == nil {
		all = append(all, notice{tone: toneCalm, text: "On the whole: " + b.state.Review.Note.Line()})
	}
	return all
}

func (b *reviewBody) newerNotice() string {
	text := fmt.Sprintf("This is v%d, and v%d was written since.", b.in.Version, b.in.Newer.Number)
	switch {
	case b.readOnly() && b.state.Review.Approved():
		text = fmt.Sprintf("Approved is v%d, exactly. v%d was written since, and is not approved.", b.in.Version, b.in.Newer.Number)
	case !b.in.Newer.Text.IsZero():
		text = fmt.Sprintf("This is v%d. v%d was written since, and is not submitted", b.in.Version, b.in.Newer.Number) + b.form.keys.Tells(": ", keymap.Changes, " shows it") + "."
	}
	return text
}

// begunNotice says that the version took the place of another one while that was
// reviewed, and what became of the comments.
func (b *reviewBody) begunNotice() string {
	begun := b.in.Begun
	if begun == nil || b.readOnly() {
		return ""
	}
	moved, changed := b.state.CarriedOver()
	what := "nothing changed"
	if stat := begun.Diff.Stat(); stat != (diff.Stat{}) {
		what = fmt.Sprintf("+%d −%d", stat.Added-stat.Moved, stat.Removed-stat.Moved) + b.form.keys.Tells(", ", keymap.Changes, " shows it")
	}
	kept := ""
	if n := len(b.state.Review.Comments); n > 0 {
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
	return fmt.Sprintf("v%d replaces v%d: ", b.in.Version, begun.Number) + cells.Join(what, kept, held)
}

// earlierNotice counts what became of the comments of the last review.
func (b *reviewBody) earlierNotice() string {
	addressed, done, settled, stand := 0, 0, 0, 0
	for _, o := range b.state.Earlier {
		_, goesBack := b.state.Comment(o.ID)
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
	text := fmt.Sprintf("Since v%d: ", b.in.Earlier.Number)
	stat := diff.Stat{}
	if b.in.Earlier.Diff != nil {
		stat = b.in.Earlier.Diff.Stat()
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
		parts = append(parts, "1 goes back"+b.form.keys.Tells(", ", keymap.Settle, " settles it"))
	case stand > 1:
		parts = append(parts, fmt.Sprintf("%d go back", stand)+b.form.keys.Tells(", ", keymap.Settle, " settles"))
	}
	return text + cells.Join(parts...)
}
