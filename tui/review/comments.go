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
	"planb/tui/compare"
	"planb/tui/form"
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

// kindMark returns the mark of a kind of comment, and its style.
func (b *Body) kindMark(kind review.Kind) (mark string, style cells.Style) {
	st := b.host.Styles()
	switch kind {
	case review.Suggestion:
		return "±", st.Added
	case review.Deletion:
		return "✗", st.Removed
	case review.Question:
		return "?", st.Info
	}
	return "●", st.Note
}

// commentRows draws a comment that the person is not writing now.
func (b *Body) commentRows(c review.Comment) []reviewRow {
	st := b.host.Styles()
	mark, style := b.kindMark(c.Kind)
	_, isOld := b.State.EarlierComment(c.ID)
	_, open := b.State.Comment(c.ID)
	textStyle := st.Text
	if isOld && !open {
		style, textStyle = st.Faint, st.Muted
	}
	lines := b.headLines(c, style.Render(mark))
	said := cells.Styled(b.textLines(c.Said()), textStyle)
	if c.Kind == review.Suggestion {
		lines = append(lines, b.suggestedLines(c)...)
		if len(said) > 0 {
			lines = append(lines, "")
		}
	}
	lines = slices.Concat(lines, said, b.beforeLines(c))
	if hidden := len(lines) - mostCommentRows + 1; hidden > 1 {
		lines = append(lines[:mostCommentRows-1], st.Faint.Render(fmt.Sprintf("… %s more", wording.Count(hidden, "line"))))
	}
	rows := make([]reviewRow, len(lines))
	for i, line := range lines {
		rows[i] = reviewRow{text: line, bar: &style}
	}
	return rows
}

// headLines says whose comment it is, and beside that or below it how it stands.
func (b *Body) headLines(c review.Comment, mark string) []string {
	st := b.host.Styles()
	kind, about := string(c.Kind), ""
	if _, isOld := b.State.EarlierComment(c.ID); isOld {
		kind = "earlier " + kind
	}
	if c.From < c.To {
		about = fmt.Sprintf("lines %d–%d", c.From, c.To)
	}
	head := mark + " " + st.Strong.Render("You") + st.Faint.Render(cells.Gap+cells.Join(kind, about))
	chip := b.chip(c)
	if chip == "" {
		return []string{ansi.Truncate(head, b.textWidth, "…")}
	}
	if beside := head + "  " + chip; ansi.StringWidth(beside) <= b.textWidth {
		return []string{beside}
	}
	return []string{ansi.Truncate(head, b.textWidth, "…"), ansi.Truncate(chip, b.textWidth, "…")}
}

// chip draws what became of a comment since the person made it; empty if nothing did. The
// last thing that became of it gives the colour.
func (b *Body) chip(c review.Comment) string {
	history := b.State.History(c)
	if len(history) == 0 {
		return ""
	}
	st := b.host.Styles()
	mark, style := "✓", st.Success
	switch history[len(history)-1] {
	case review.SentAgain, review.StillOpen:
		mark, style = "↩", st.Warning
	case review.TextMoved:
		mark, style = "⇅", st.Moved
	case review.LinesChanged:
		mark, style = "◆", st.Warning
	}
	words := make([]string, len(history))
	for i, fate := range history {
		words[i] = string(fate)
	}
	return st.Chip(style, mark, strings.Join(words, ", "))
}

// textLines wraps a text that the person wrote.
func (b *Body) textLines(text safe.Text) []string {
	if text.Blank() {
		return nil
	}
	return cells.Lines(strings.TrimRight(text.Block(), "\n "), max(b.textWidth, 8))
}

// suggestedLines draws the old lines of a suggestion and the new ones, with the words that
// change.
func (b *Body) suggestedLines(c review.Comment) []string {
	return compare.Lines(b.host.Styles(), firstLines(c.Quote.Raw()), firstLines(c.Instead.Raw()), b.textWidth)
}

// before returns the lines on which a comment was made, if they have changed and the comment
// does not show them anyhow.
func (b *Body) before(c review.Comment) []review.Phrase {
	if old, isOld := b.State.EarlierComment(c.ID); isOld && b.State.Fate(old) == review.DoneSuggested {
		return nil
	}
	return b.State.Before(c)
}

// beforeLines draws the lines on which a comment was made, if they have changed: the changed
// words, or all once the person unfolded them.
func (b *Body) beforeLines(c review.Comment) []string {
	phrases := b.before(c)
	if len(phrases) == 0 {
		return nil
	}
	lines := []string{ansi.Truncate(b.briefly(phrases), b.beforeRoom(), "…")}
	if b.unfolded[c.ID] {
		lines = strings.Split(lipgloss.Wrap(b.phraseText(phrases), b.beforeRoom(), ""), "\n")
	}
	for i := range lines {
		lead := strings.Repeat(" ", len(beforeLead))
		if i == 0 {
			lead = b.host.Styles().Faint.Render(beforeLead)
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

// unfolds reports whether a comment's original lines have more text than the folded view
// shows.
func (b *Body) unfolds(c review.Comment) bool {
	phrases := b.before(c)
	short := b.briefly(phrases)
	return short != b.phraseText(phrases) || ansi.StringWidth(short) > b.beforeRoom()
}

const beforeLead = "before  "

// phraseText draws phrases, and strikes through those that are gone.
func (b *Body) phraseText(phrases []review.Phrase) string {
	st := b.host.Styles()
	gone := st.RemovedWord.Struck(true)
	var text strings.Builder
	for _, p := range phrases {
		style := st.Muted
		if p.Gone {
			style = gone
		}
		// Lip Gloss would make all lines of a text equally long.
		lines := strings.Split(safe.New(p.Text).Block(), "\n")
		text.WriteString(strings.Join(cells.Styled(lines, style), "\n"))
	}
	return text.String()
}

// briefly draws the changed words in one row.
func (b *Body) briefly(phrases []review.Phrase) string {
	return strings.ReplaceAll(b.phraseText(review.Excerpt(phrases)), "\n", " ")
}

func (b *Body) beforeRoom() int { return max(b.textWidth-len(beforeLead), 8) }

// firstLines returns as many first lines of a text as a comment shows.
func firstLines(text string) string {
	lines := strings.SplitN(text, "\n", mostCommentRows+1)
	return strings.Join(lines[:min(len(lines), mostCommentRows)], "\n")
}

// composerRows draws the comment that the person is writing.
func (b *Body) composerRows() []reviewRow {
	w, st := b.writes, b.host.Styles()
	mark, style := b.kindMark(w.comment.Kind)
	room := max(b.textWidth, 2)
	does := map[review.Kind]string{review.Suggestion: "new text instead of", review.Deletion: "delete", review.Question: "question on", review.Remark: "comment on"}[w.comment.Kind]
	head := mark + " " + does + " " + strings.ToLower(w.comment.Place())
	rows := []reviewRow{{text: ansi.Truncate(style.Render(head), b.textWidth, "…")}}
	for i, edit := range w.parts {
		if i > 0 {
			rows = append(rows, reviewRow{text: st.Faint.Render("why, if you like")})
		}
		field := st.Input
		if i == w.at {
			field = st.InputHere
		}
		lines, x, y := edit.Layout(room, composerRows)
		for n, line := range lines {
			row := reviewRow{text: field.Render(cells.Pad(line.Text, room))}
			if i == w.at && n == y {
				row.caret = x + 1
			}
			rows = append(rows, row)
		}
	}
	for i := range rows {
		rows[i].bar, rows[i].composed = &style, true
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
