package review

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// composer is the comment that the person is writing. It is drawn where it will stand.
type composer struct {
	comment review.Comment
	old     bool // the comment existed before; else it is new
	// parts are its texts: a suggestion has its lines and its reason, any other comment
	// only what it says.
	parts  []*editor.Editor
	at     int
	before int // State.Changes when writing began
}

func newComposer(c review.Comment, changes int) *composer {
	w := &composer{comment: c, before: changes}
	texts := []safe.Text{c.Text}
	if c.Kind == review.Suggestion {
		texts = []safe.Text{c.Instead, c.Text}
	}
	for _, text := range texts {
		e := editor.New(false)
		e.SetText(text.Raw())
		w.parts = append(w.parts, e)
	}
	return w
}

func (w *composer) edit() *editor.Editor { return w.parts[w.at] }

// other names the text that Tab leads to; empty if there is only one.
func (w *composer) other() string {
	switch {
	case len(w.parts) < 2:
		return ""
	case w.at == 0:
		return "say why"
	}
	return "new text"
}

// written returns the comment as it is now, and whether it says anything.
func (w *composer) written() (review.Comment, bool) {
	c := w.comment
	c.Text = safe.New(w.parts[len(w.parts)-1].Text())
	if c.Kind == review.Suggestion {
		c.Instead = safe.New(w.parts[0].Text())
	}
	return c.Meant()
}

// words counts the person's words, without those that a suggestion copied from the plan.
func (w *composer) words() int {
	c, _ := w.written()
	words := len(strings.Fields(c.Text.Raw()))
	quoted := strings.Fields(c.Quote.Raw())
	for _, word := range strings.Fields(c.Instead.Raw()) {
		if !slices.Contains(quoted, word) {
			words++
		}
	}
	return words
}

// compose begins a comment on the selected lines.
func (b *Body) compose(kind review.Kind) {
	from, to := b.selected()
	c, ok := b.State.On(from, to)
	switch {
	case !ok:
		b.host.Say(screen.ToneWarn, "There is no line here to comment on.")
		return
	case b.State.Full():
		b.host.Say(screen.ToneWarn, "There are %d comments, and there may be no more.", review.MaxComments)
		return
	case len(c.Quote.Raw()) > review.MaxQuotedBytes:
		b.host.Say(screen.ToneWarn, "These lines have %s, too much for one comment: select less, or w comments on the whole.", wording.Bytes(len(c.Quote.Raw())))
		return
	}
	c.ID, c.Kind = review.NewCommentID(), kind
	if kind == review.Suggestion {
		c.Instead = c.Lines()
	}
	b.write(c)
}

// write opens a comment for writing.
func (b *Body) write(c review.Comment) {
	b.State.Remember()
	b.writes = newComposer(c, b.State.Changes())
	_, b.writes.old = b.State.Comment(c.ID)
	b.anchor = 0
	from := b.locate(b.State.Cursor)
	b.State.Cursor = review.Spot{Line: c.To, Comment: c.ID}
	b.drawnAnew++
	at := b.locate(b.State.Cursor)
	b.y += b.distance(from, at)
	if third := b.height / 3; b.y < third || b.y+b.heightOf(at, b.height) > b.height-third {
		b.y = third
	}
	b.showWriting()
}

// showWriting scrolls to show the whole comment that the person is writing.
func (b *Body) showWriting() {
	need := min(b.heightOf(b.locate(b.State.Cursor), b.height), b.height)
	b.y = max(min(b.y, b.height-need), 0)
}

// open opens the comment under the cursor, or begins one.
func (b *Body) open() {
	if c, ok := b.State.Comment(b.State.Cursor.Comment); ok {
		b.write(c)
		return
	}
	if c, old := b.State.EarlierComment(b.State.Cursor.Comment); old {
		b.unfold(c)
		return
	}
	b.compose(review.Remark)
}

// unfold shows the old lines of a settled comment whole, or their changed words again.
func (b *Body) unfold(c review.EarlierComment) {
	if !b.unfolds(c.Comment) {
		b.host.Say(screen.ToneCalm, "%s", "This comment is settled"+b.host.Keys().Tells("; ", keymap.Settle, " sends it again")+".")
		return
	}
	if b.unfolded == nil {
		b.unfolded = map[string]bool{}
	}
	b.unfolded[c.ID] = !b.unfolded[c.ID]
	b.drawnAnew++
}

// pressInText does one key while the person writes a comment.
func (b *Body) pressInText(p keymap.Press) tea.Cmd {
	w := b.writes
	switch {
	case p.Act == keymap.Submit:
		return b.keep()
	case p.Act == keymap.Escape && !w.old && w.words() > fewWords:
		b.host.Open(b.discardDialog())
		return nil
	case p.Act == keymap.Escape:
		return b.discard()
	case p.Act == keymap.Menu:
		kept := b.keep()
		b.host.ShowMenu()
		return kept
	case p.Act == keymap.Help:
		return b.host.ShowHelp()
	case p.Act == keymap.Editor:
		return b.host.Edit()
	case p.Act == keymap.Next, p.Act == keymap.Prev:
		w.at = (w.at + 1) % len(w.parts)
	case w.edit().Act(p) == keymap.Changed:
		b.sync()
	}
	b.drawnAnew++
	b.showWriting()
	return nil
}

// sync puts the unfinished comment into the review, because the pane may be gone before
// the person finishes it.
func (b *Body) sync() {
	if b.writes == nil {
		return
	}
	if c, says := b.writes.written(); says {
		b.State.Put(c)
	} else {
		b.State.Drop(c.ID)
	}
	b.drawnAnew++
}

// keep ends writing, and has the comment saved at once.
func (b *Body) keep() tea.Cmd {
	w := b.writes
	c, says := w.written()
	if long := max(len(c.Text.Raw()), len(c.Instead.Raw())); long > review.MaxCommentBytes {
		b.host.Say(screen.ToneBad, "A comment may have %s, and this has %s.", wording.Bytes(review.MaxCommentBytes), wording.Bytes(long))
		return nil
	}
	if says && c.Kind == review.Suggestion && c.Instead.IsZero() {
		c.Kind = review.Deletion
		b.State.Put(c)
	}
	b.writes = nil
	b.drawnAnew++
	if w.before == b.State.Changes() {
		b.State.Forget()
	}
	if _, there := b.shown(c.ID); !there {
		b.State.Cursor = review.Spot{Line: c.To}
	}
	return b.host.SaveNow()
}

// fewWords is the most words of a new comment that Esc discards without asking.
const fewWords = 5

// discardDialog asks whether to discard a new comment.
func (b *Body) discardDialog() *prompt.Dialog {
	back := prompt.Item{Letter: "b", Label: "Go on writing", Does: b.host.CloseDialog}
	d := prompt.NewDialog("Discard this?",
		back,
		prompt.Item{Letter: "k", Label: "Keep it", Does: func() tea.Cmd {
			b.host.CloseDialog()
			return b.keep()
		}},
		prompt.Item{Letter: "x", Label: "Discard it", Does: func() tea.Cmd {
			b.host.CloseDialog()
			return b.discard()
		}},
	)
	d.Escape = back.Does
	return d
}

// discard ends writing. It deletes a new comment and restores an old one. Undo brings
// back the discarded text.
func (b *Body) discard() tea.Cmd {
	w := b.writes
	b.writes = nil
	b.drawnAnew++
	if w.before == b.State.Changes() { // nothing was written
		b.State.Forget()
	} else {
		b.State.Remember()
		b.host.Say(screen.ToneCalm, "%s", w.discarded()+b.host.Keys().Tells("; ", keymap.Undo, " brings back what you wrote")+".")
		b.restore(w)
	}
	if _, there := b.shown(w.comment.ID); !there {
		b.State.Cursor = review.Spot{Line: w.comment.To}
	}
	return b.host.SaveNow()
}

// restore puts back the comment as it was before writing began.
func (b *Body) restore(w *composer) {
	if w.old {
		b.State.Put(w.comment)
	} else {
		b.State.Drop(w.comment.ID)
	}
}

// leaves says what Esc does.
func (w *composer) leaves() string {
	if w.old {
		return "as it was"
	}
	return "discard"
}

// discarded says what discard did.
func (w *composer) discarded() string {
	if w.old {
		return "The comment is as it was"
	}
	return "Discarded"
}

// markDeleted marks the selected lines for deletion, or removes the mark.
func (b *Body) markDeleted() {
	from, to := b.selected()
	for _, c := range b.State.Review.Comments {
		if c.Kind == review.Deletion && c.From == from && c.To == to {
			b.remove(c)
			return
		}
	}
	c, ok := b.State.On(from, to)
	if !ok || b.State.Full() || len(c.Quote.Raw()) > review.MaxQuotedBytes {
		b.compose(review.Deletion) // which says what is wrong
		return
	}
	b.State.Remember()
	c.ID, c.Kind = review.NewCommentID(), review.Deletion
	b.State.Put(c)
	b.anchor = 0
	b.State.Cursor = review.Spot{Line: to, Comment: c.ID}
	b.host.Say(screen.ToneCalm, "%s", "To be deleted: "+b.host.Keys().Label(keymap.Enter)+" says why"+b.host.Keys().Tells(", ", keymap.Backspace, " takes it back")+".")
}

// drop deletes the comment under the cursor, or the only one of the line.
func (b *Body) drop() {
	c, ok := b.State.Comment(b.State.Cursor.Comment)
	if !ok && b.State.Cursor.Comment == "" {
		from, to := b.selected()
		on := slices.DeleteFunc(slices.Clone(b.State.Review.Comments), func(c review.Comment) bool { return c.To < from || c.To > to })
		if ok = len(on) == 1; ok {
			c = on[0]
		}
	}
	if !ok {
		b.host.Say(screen.ToneCalm, "There is no comment under the cursor to delete.")
		return
	}
	b.remove(c)
}

func (b *Body) remove(c review.Comment) {
	b.State.Remember()
	b.State.Drop(c.ID)
	if _, old := b.State.EarlierComment(c.ID); !old {
		b.State.Cursor = review.Spot{Line: c.To}
	}
	b.host.Say(screen.ToneCalm, "%s", "Deleted"+b.host.Keys().Tells("; ", keymap.Undo, " takes it back")+".")
}

// Paste inserts pasted text where the person writes.
func (b *Body) Paste(text string) {
	p := keymap.Press{Act: keymap.Insert, Text: text}
	switch {
	case b.search != nil && b.writes == nil:
		b.pressInSearch(p)
	case b.writes.edit().Act(p) == keymap.Changed:
		b.sync()
		b.showWriting()
	}
}

// editPlan opens the plan itself in the person's editor.
func (b *Body) editPlan() tea.Cmd {
	b.host.CloseDialog()
	text := b.State.Text.Raw()
	if !b.State.Edited.IsZero() {
		text = b.State.Edited.Raw()
	}
	return b.host.Lend(text, b.takeEdited)
}

// dropEdit puts the plan as it was submitted in place of the person's edit.
func (b *Body) dropEdit() tea.Cmd {
	b.host.CloseDialog()
	b.takeEdited(b.State.Text.Raw())
	return nil
}

// takeEdited puts the plan that the person edited into the review.
func (b *Body) takeEdited(text string) {
	changed, err := b.State.Edit(text)
	switch {
	case err != nil:
		b.host.Say(screen.ToneWarn, "%s", wording.EditRefused(err)+b.host.Keys().Tells(" ", keymap.Reject, " rejects it."))
	case !changed:
	case b.State.Edited.IsZero():
		b.host.Say(screen.ToneCalm, "The plan is again as it was submitted.")
	default:
		b.host.Say(screen.ToneGood, "%s", "Your edit goes with the review"+b.host.Keys().Tells("; ", keymap.Changes, " shows it")+b.host.Keys().Tells(", ", keymap.Undo, " takes it back")+".")
	}
}
