package keymap

import (
	"slices"
	"strings"
)

// Groups of a review's help, beside those of a form.
const (
	groupSay    = "Saying something"
	groupDecide = "Deciding"
	groupReview = "The review"
)

// ReviewGroups are the headings of a review's help, in its order.
func ReviewGroups() []string {
	return []string{GroupMove, groupSay, groupDecide, groupReview, groupText}
}

// Review returns the keys of a review. An action that a form has, too, has the same key there.
func Review() Map {
	return Map{
		Everywhere: []Binding{
			Bind(Up, GroupMove, "up", "↑", "the line, or comment, above (also k)").With(Down, "line or comment"),
			Bind(Down, GroupMove, "down", "↓", "the line, or comment, below (also j)"),
			Bind(Left, GroupMove, "left", "←", "scroll wide code to the left; in text move the caret").With(Right, "scroll wide code"),
			Bind(Right, GroupMove, "right", "→", "scroll wide code to the right; in text move the caret"),
			Bind(Home, GroupMove, "home", "home", "the plan's first line; in text the line's start").With(End, "first line, last line"),
			Bind(End, GroupMove, "end", "end", "the plan's last line; in text the line's end"),
			Bind(PageUp, GroupMove, "pgup", "pgup", "a screen up").With(PageDown, "a screen"),
			Bind(PageDown, GroupMove, "pgdown", "pgdn", "a screen down"),
			Bind(Next, GroupMove, "tab", "tab", "the next comment; of a suggestion, its reason").With(Prev, "comment"),
			Bind(Prev, GroupMove, "shift+tab", "shift+tab", "the comment before"),
			Bind(SelectUp, groupSay, "shift+up", "shift+↑", "select the line above, too").With(SelectDown, "select more lines"),
			Bind(SelectDown, groupSay, "shift+down", "shift+↓", "select the line below, too"),
			Bind(Enter, groupSay, "enter", "enter", "comment on the line; open or fold a task; change or unfold a comment; in text a new line").Short("comment, change, unfold"),

			Bind(Submit, groupDecide, "ctrl+s", "ctrl+s", "decide: all verdicts; in text keep it").Short("decide; in text keep it"),
			Bind(Editor, groupReview, "ctrl+g", "ctrl+g", "edit the plan in $VISUAL or $EDITOR; in a comment, edit the comment").Short("edit in $EDITOR"),
			Bind(Escape, groupReview, "esc", "esc", "close what is open, without what was written in a comment; else the menu").Short("close; in the plan: menu"),
			Bind(Menu, groupReview, "ctrl+c", "ctrl+c", "the menu; twice: leave, and save for later").Short("menu; twice: leave"),
			Bind(Help, groupReview, "f1", "f1", "help"),
		},
		OutsideText: []Binding{
			Bind(HeadingDown, GroupMove, "n", "n", "the next heading").With(HeadingUp, "heading"),
			Bind(HeadingUp, GroupMove, "p N", "p", "the heading before"),
			Bind(BlockDown, GroupMove, "} ctrl+down", "}", "the next paragraph, list, table or code").With(BlockUp, "paragraph, list"),
			Bind(BlockUp, GroupMove, "{ ctrl+up", "{", "the one before"),
			Bind(Filter, GroupMove, "/", "/", "search in the plan"),
			Bind(LineUp, "", "k", "k", ""),
			Bind(LineDown, "", "j", "j", ""),
			Bind(Home, "", "g", "g", ""),
			Bind(End, "", "G", "G", ""),
			Bind(PageUp, "", "ctrl+u", "ctrl+u", ""),
			Bind(PageDown, "", "ctrl+d", "ctrl+d", ""),

			Bind(Comment, groupSay, "c", "c", "comment on the line, or on what is selected").With(Question, "comment, question"),
			Bind(Question, groupSay, "q", "q", "ask a question"),
			Bind(Suggest, groupSay, "s", "s", "suggest other lines instead").With(Deletion, "suggest; delete lines"),
			Bind(Deletion, groupSay, "x", "x", "mark for deletion, or take the mark back"),
			Bind(Whole, groupSay, "w", "w", "comment on the whole plan"),
			Bind(Select, groupSay, "v", "v", "select lines: begin here, or end").Short("select lines: begin, end"),
			Bind(Backspace, groupSay, "backspace delete ctrl+h", "backspace", "delete the comment"),
			Bind(Settle, groupSay, "space", "space", "settle an earlier comment, or have it sent again").Short("settle, or send again"),
			Bind(Undo, groupSay, "u", "u", "undo"),

			Bind(Approve, groupDecide, "a", "a", "approve").With(ApproveNotes, "approve; with notes"),
			Bind(ApproveNotes, groupDecide, "A", "A", "approve with notes"),
			Bind(Request, groupDecide, "r", "r", "request changes").With(Reject, "ask changes; reject"),
			Bind(Reject, groupDecide, "R", "R", "reject"),
			Bind(Hold, groupDecide, "h", "h", "hold back this section from the approval, or take that back").Short("hold this section back"),

			Bind(Changes, groupReview, "d", "d", "what changed: since the last review, and by your own edit").With(AsRead, "changes; as Markdown"),
			Bind(AsRead, groupReview, "m", "m", "the plan as it is read, or its Markdown"),
			Bind(EditPlan, groupReview, "e", "e", "edit the plan in $VISUAL or $EDITOR").Short("edit plan in $EDITOR"),
			Bind(Copy, groupReview, "y", "y", "copy the lines, or the comment").Short("copy lines or comment"),
			// Closing is for a version that takes no verdict any more; there the footer names it.
			Bind(Close, "", "q", "q or esc", ""),
			Bind(Help, groupReview, "?", "?", "help"),
		},
		InText: Form().InText,
	}
}

// SectionReview returns, of the keys of a review, those for a section of a draft: it is
// neither approved nor edited, but only written again.
//
// Unless the person has other keys, the key for that is the one with which a draft has a section
// written again; that of a plan's review stays an alias.
func SectionReview(review Map) Map {
	const again, request = "g", "r" // the first also leads home in a plan's review
	usual := func(k Binding, key string) bool { return slices.Equal(k.Key.Keys(), []string{key}) }
	free := !slices.ContainsFunc(review.OutsideText, func(k Binding) bool {
		return slices.Contains(k.Key.Keys(), again) && !(k.Act == Home && usual(k, again))
	})
	only := func(keys []Binding) (left []Binding) {
		for _, k := range keys {
			help := k.Key.Help()
			switch k.Act {
			case Home:
				if free && usual(k, again) {
					continue
				}
			case Approve, ApproveNotes, Reject, Hold, EditPlan, Changes, Settle:
				continue
			case Request:
				help.Desc = "have the section written again, with what you said"
				if free && usual(k, request) {
					k.Key.SetKeys(again, request)
					help.Key = again
				}
				k = k.Short("have it written again").With(None, "")
			case Submit:
				help.Desc = "have the section written again; in text keep it"
				k = k.Short("write again; in text keep")
			case Editor:
				help.Desc = "in text: edit it in $VISUAL or $EDITOR"
			case Enter:
				help.Desc = "comment on the line; change a comment; in text a new line"
				k = k.Short("comment, change")
			case Escape:
				k = k.Short("close; in the section: menu")
			case Menu:
				help.Desc = "the menu; twice: leave"
				k = k.Short("menu; twice: leave")
			case AsRead:
				k = k.With(None, "").Short("as read, or Markdown")
			}
			k.Key.SetHelp(help.Key, strings.ReplaceAll(help.Desc, "plan", "section"))
			left = append(left, k)
		}
		return left
	}
	return Map{Everywhere: only(review.Everywhere), OutsideText: only(review.OutsideText), InText: review.InText}
}

// DiffInReview returns the keys of a comparison inside a review: those of comparing, and those
// of the review that lead to the comparison and back.
func DiffInReview(diff []Binding, review Map) []Binding {
	var keys []Binding
	for _, k := range review.All() {
		switch k.Act {
		case Changes:
			k.Group = GroupLook
			k.Key.SetHelp(k.Key.Help().Key, "your own changes, if there are any; then the plan")
			keys = append(keys, k)
		case Escape:
			k.Group = GroupLook
			k.Key.SetKeys(append(k.Key.Keys(), "q")...)
			k.Key.SetHelp(k.Key.Help().Key, "the plan")
			keys = append(keys, k)
		case Menu:
			keys = append(keys, k)
		case Help:
			keys = slices.Insert(keys, 0, k) // footers name the first key: that outside of text
		}
	}
	for _, k := range diff {
		switch k.Act {
		case ScrollUp, ScrollDown, PageUp, PageDown, Home, End, NextChange, PrevChange,
			PanLeft, PanRight, Enter, Unfold, AsRead, Markdown:
			keys = append(keys, k)
		}
	}
	return keys
}
