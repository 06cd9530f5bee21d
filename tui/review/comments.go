package review

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// mostCommentRows bounds the rows of one comment. Its editor shows the whole comment.
const mostCommentRows = 40

// composerRows is the most rows of a text while the person writes it.
const composerRows = 10

// saidBelow holds the rows of a comment, and the line they stand below.
type saidBelow struct {
	to   int
	rows []reviewRow
}

// commentsIn returns the comments below the lines of a piece.
func (b *Body) commentsIn(p *planPiece) []saidBelow {
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

// kindMark returns the mark and the word of a kind of comment, and their style.
func (b *Body) kindMark(kind review.Kind) (mark, word string, style lipgloss.Style) {
	st := b.host.Styles()
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

// commentRows draws a comment that the person is not writing now.
func (b *Body) commentRows(c review.Comment) []reviewRow {
	st := b.host.Styles()
	mark, word, style := b.kindMark(c.Kind)
	about := ""
	if c.From < c.To {
		about = fmt.Sprintf("lines %d–%d", c.From, c.To)
	}
	old, isOld := b.State.EarlierComment(c.ID)
	_, open := b.State.Comment(c.ID)
	said := cells.Join(b.State.History(c)...)
	if isOld && !open {
		if old.Done || old.State == review.Addressed {
			said = "said before · " + b.State.Fate(old) + b.host.Keys().Tells(" · ", keymap.Settle, " insists")
		}
		mark, style = "○", st.Success
	}
	kind := mark + " " + word
	room := b.textWidth - ansi.StringWidth(kind+cells.Gap)
	told := cells.Join(about, said)
	if ansi.StringWidth(told) > room { // the bar shows its lines, too
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

// firstLines returns at most so many first lines of a text.
func firstLines(text string, most int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > most {
		return strings.Join(lines[:most], "\n") + " …"
	}
	return text
}

// composerRows draws the comment that the person is writing.
func (b *Body) composerRows() []reviewRow {
	w, st := b.writes, b.host.Styles()
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

func (b *Body) Notices() []form.Notice {
	if b.In.Problem != nil {
		return nil
	}
	all := b.Account.Notices()
	if b.host.Dialog() == nil {
		all = append(all, b.WholeNotice()...)
	}
	return all
}
