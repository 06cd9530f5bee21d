package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// composer is a comment that is being written, where it will stand.
type composer struct {
	comment review.Comment
	old     bool // the comment was there before; else it is a new one
	// parts are its texts: of a suggestion the lines it puts there and its reason,
	// of anything else what it says.
	parts  []*editor.Editor
	at     int
	before int // the state's changes when it began
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

// lines reports whether what is written now are lines of the plan.
func (w *composer) lines() bool { return w.comment.Kind == review.Suggestion && w.at == 0 }

// written is the comment as it is now, and whether it says anything.
func (w *composer) written() (review.Comment, bool) {
	c := w.comment
	c.Text = safe.New(w.parts[len(w.parts)-1].Text())
	if c.Kind == review.Suggestion {
		c.Instead = safe.New(w.parts[0].Text())
	}
	return c.Meant()
}

// words counts what the person has written: not what a suggestion has of the lines.
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

// compose begins a comment on what is selected.
func (b *reviewBody) compose(kind review.Kind) {
	from, to := b.selected()
	c, ok := b.state.On(from, to)
	switch {
	case !ok:
		b.host.say(toneWarn, "There is no line here to comment on.")
		return
	case b.state.Full():
		b.host.say(toneWarn, "There are %d comments, and there may be no more.", review.MaxComments)
		return
	case len(c.Quote.Raw()) > review.MaxQuotedBytes:
		b.host.say(toneWarn, "These lines have %s, too much for one comment: select less, or w comments on the whole.", wording.RoundBytes(len(c.Quote.Raw())))
		return
	}
	c.ID, c.Kind = review.NewCommentID(), kind
	if kind == review.Suggestion {
		c.Instead = c.Quote
	}
	b.write(c)
}

// write opens a comment to be written.
func (b *reviewBody) write(c review.Comment) {
	b.state.Remember()
	b.writes = newComposer(c, b.state.Changes())
	_, b.writes.old = b.state.Comment(c.ID)
	b.anchor = 0
	b.state.Cursor = review.Spot{Line: c.To, Comment: c.ID}
	b.drawnAnew++
	b.showWriting()
}

// showWriting scrolls so that the lines and what is written of them are seen.
func (b *reviewBody) showWriting() {
	at := b.locate(b.state.Cursor)
	need := min(b.heightOf(at, b.height), b.height)
	if b.y < 1 || b.y >= b.height {
		b.y = min(b.height/3, b.height-1)
	}
	b.y = max(min(b.y, b.height-need), 0)
}

// open changes the comment under the cursor, or begins one.
func (b *reviewBody) open() {
	if c, ok := b.state.Comment(b.state.Cursor.Comment); ok {
		b.write(c)
		return
	}
	if _, old := b.state.EarlierComment(b.state.Cursor.Comment); old {
		b.host.say(toneCalm, "%s", "It is settled"+b.host.keys().Tells("; ", keymap.Settle, " insists on it")+".")
		return
	}
	b.compose(review.Remark)
}

// pressInText does one key while a comment is written.
func (b *reviewBody) pressInText(p keymap.Press) tea.Cmd {
	w := b.writes
	switch {
	case p.Act == keymap.Submit:
		return b.keep()
	case p.Act == keymap.Escape && !w.old && w.words() > fewWords:
		b.host.open(b.discardDialog())
		return nil
	case p.Act == keymap.Escape:
		return b.discard()
	case p.Act == keymap.Menu:
		kept := b.keep()
		b.host.showMenu()
		return kept
	case p.Act == keymap.Help:
		return b.host.showHelp()
	case p.Act == keymap.Editor:
		return b.host.edit()
	case p.Act == keymap.Next, p.Act == keymap.Prev:
		w.at = (w.at + 1) % len(w.parts)
	case w.edit().Act(p) == keymap.Changed:
		b.sync()
	}
	b.drawnAnew++
	b.showWriting()
	return nil
}

// sync takes what is written into the review while it is written: the pane may be
// gone before it is done.
func (b *reviewBody) sync() {
	if b.writes == nil {
		return
	}
	if c, says := b.writes.written(); says {
		b.state.Put(c)
	} else {
		b.state.Drop(c.ID)
	}
	b.drawnAnew++
}

// keep ends writing, and has what was written saved at once.
func (b *reviewBody) keep() tea.Cmd {
	w := b.writes
	c, says := w.written()
	if long := max(len(c.Text.Raw()), len(c.Instead.Raw())); long > review.MaxTextBytes {
		b.host.say(toneBad, "A comment may have %s, and this has %s.", wording.RoundBytes(review.MaxTextBytes), wording.RoundBytes(long))
		return nil
	}
	if says && c.Kind == review.Suggestion && c.Instead.IsZero() {
		c.Kind = review.Deletion
		b.state.Put(c)
	}
	b.writes = nil
	b.drawnAnew++
	if w.before == b.state.Changes() {
		b.state.Forget()
	}
	if _, there := b.shown(c.ID); !there {
		b.state.Cursor = review.Spot{Line: c.To}
	}
	return b.saved()
}

// fewWords is how much of a new comment is discarded without asking.
const fewWords = 5

// discardDialog asks whether a new comment is to be discarded.
func (b *reviewBody) discardDialog() *dialog {
	back := item{letter: "b", label: "Go on writing", does: b.host.closeDialog}
	d := newDialog("Discard this?",
		back,
		item{letter: "k", label: "Keep it", does: func() tea.Cmd {
			b.host.closeDialog()
			return b.keep()
		}},
		item{letter: "x", label: "Discard it", does: func() tea.Cmd {
			b.host.closeDialog()
			return b.discard()
		}},
	)
	d.escape = back.does
	return d
}

// discard ends writing: a new comment goes, an old one is what it was. Undo brings
// back what was written.
func (b *reviewBody) discard() tea.Cmd {
	w := b.writes
	b.writes = nil
	b.drawnAnew++
	if w.before == b.state.Changes() { // nothing was written
		b.state.Forget()
	} else {
		b.state.Remember()
		b.host.say(toneCalm, "%s", w.discarded()+b.host.keys().Tells("; ", keymap.Undo, " brings back what you wrote")+".")
		b.restore(w)
	}
	if _, there := b.shown(w.comment.ID); !there {
		b.state.Cursor = review.Spot{Line: w.comment.To}
	}
	return b.saved()
}

// restore puts back the comment that was there before something was written.
func (b *reviewBody) restore(w *composer) {
	if w.old {
		b.state.Put(w.comment)
	} else {
		b.state.Drop(w.comment.ID)
	}
}

// leaves says what Esc does.
func (w *composer) leaves() string {
	if w.old {
		return "as it was"
	}
	return "discard"
}

// discarded says what was done.
func (w *composer) discarded() string {
	if w.old {
		return "The comment is as it was"
	}
	return "Discarded"
}

// saved has the entry saved without waiting for more.
func (b *reviewBody) saved() tea.Cmd { return b.host.saveNow() }

// markDeleted marks lines for deletion, or takes the mark back.
func (b *reviewBody) markDeleted() {
	from, to := b.selected()
	for _, c := range b.state.Review.Comments {
		if c.Kind == review.Deletion && c.From == from && c.To == to {
			b.remove(c)
			return
		}
	}
	c, ok := b.state.On(from, to)
	if !ok || b.state.Full() || len(c.Quote.Raw()) > review.MaxQuotedBytes {
		b.compose(review.Deletion) // which says what is wrong
		return
	}
	b.state.Remember()
	c.ID, c.Kind = review.NewCommentID(), review.Deletion
	b.state.Put(c)
	b.anchor = 0
	b.state.Cursor = review.Spot{Line: to, Comment: c.ID}
	b.host.say(toneCalm, "%s", "To be deleted: "+b.host.keys().Label(keymap.Enter)+" says why"+b.host.keys().Tells(", ", keymap.Deletion, " takes it back")+".")
}

// drop deletes the comment under the cursor, or the only one of the line.
func (b *reviewBody) drop() {
	c, ok := b.state.Comment(b.state.Cursor.Comment)
	if !ok && b.state.Cursor.Comment == "" {
		from, to := b.selected()
		on := slices.DeleteFunc(slices.Clone(b.state.Review.Comments), func(c review.Comment) bool { return c.To < from || c.To > to })
		if ok = len(on) == 1; ok {
			c = on[0]
		}
	}
	if !ok {
		b.host.say(toneCalm, "There is no comment under the cursor to delete.")
		return
	}
	b.remove(c)
}

func (b *reviewBody) remove(c review.Comment) {
	b.state.Remember()
	b.state.Drop(c.ID)
	if _, old := b.state.EarlierComment(c.ID); !old {
		b.state.Cursor = review.Spot{Line: c.To}
	}
	b.host.say(toneCalm, "%s", "Deleted"+b.host.keys().Tells("; ", keymap.Undo, " takes it back")+".")
}

// paste takes pasted text.
func (b *reviewBody) paste(text string) {
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
func (b *reviewBody) editPlan() tea.Cmd {
	b.host.closeDialog()
	text := b.state.Text.Raw()
	if !b.state.Edited.IsZero() {
		text = b.state.Edited.Raw()
	}
	return b.host.lend(text, b.takeEdited)
}

// takeEdited takes what the person made of the plan.
func (b *reviewBody) takeEdited(text string) {
	changed, err := b.state.Edit(text)
	switch {
	case err != nil:
		b.host.say(toneWarn, "%s", "Nothing taken over from the editor: "+wording.Sentence(err)+"."+b.host.keys().Tells(" ", keymap.Reject, " rejects it."))
	case !changed:
	case b.state.Edited.IsZero():
		b.host.say(toneCalm, "The plan is as it was submitted again.")
	default:
		b.host.say(toneGood, "%s", "Your edit goes with the review"+b.host.keys().Tells("; ", keymap.Changes, " shows it")+b.host.keys().Tells(", ", keymap.Undo, " takes it back")+".")
	}
}
