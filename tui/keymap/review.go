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

// DiffGroups are the headings of the help of a comparison, in its order.
func DiffGroups() []string { return []string{GroupMove, GroupLook} }

// ReviewGroups are the headings of a review's help, in its order.
func ReviewGroups() []string {
	return []string{GroupMove, groupSay, groupDecide, groupReview, groupText}
}

// Review returns the keys of a review. An action that a form has, too, has the same key there.
func Review() Map {
	return Map{
		Everywhere: []Binding{
			bind(Up, GroupMove, "up", "↑", "the line, or comment, above (also k)").With(Down, "line or comment"),
			bind(Down, GroupMove, "down", "↓", "the line, or comment, below (also j)"),
			bind(Left, GroupMove, "left", "←", "scroll wide code to the left; in text move the caret").With(Right, "scroll wide code"),
			bind(Right, GroupMove, "right", "→", "scroll wide code to the right; in text move the caret"),
			bind(Home, GroupMove, "home", "home", "the plan's first line; in text the line's start").With(End, "first line, last line"),
			bind(End, GroupMove, "end", "end", "the plan's last line; in text the line's end"),
			bind(PageUp, GroupMove, "pgup", "pgup", "a screen up").With(PageDown, "a screen"),
			bind(PageDown, GroupMove, "pgdown", "pgdn", "a screen down"),
			bind(Next, GroupMove, "tab", "tab", "the next comment; of a suggestion, its reason").With(Prev, "next, previous comment"),
			bind(Prev, GroupMove, "shift+tab", "shift+tab", "the comment before"),
			bind(SelectUp, groupSay, "shift+up", "shift+↑", "select the line above, too").With(SelectDown, "select more lines"),
			bind(SelectDown, groupSay, "shift+down", "shift+↓", "select the line below, too"),
			bind(Enter, groupSay, "enter", "enter", "comment on the line; open or fold a task; change or unfold a comment; in text a new line").short("comment, change, unfold"),

			bind(Submit, groupDecide, "ctrl+s", "ctrl+s", "decide: all verdicts; in text keep it").short("decide; in text keep it"),
			bind(Editor, groupText, "ctrl+g", "ctrl+g", "edit the comment in $VISUAL or $EDITOR; outside of text the plan").short("edit in $EDITOR"),
			bind(Escape, groupReview, "esc", "esc", "close what is open, without keeping what you wrote in a comment; else the menu").short("close; in the plan: menu"),
			bind(Menu, groupReview, "ctrl+c", "ctrl+c", "the menu; twice: leave, and save for later").short("menu; twice: leave"),
			bind(Help, groupReview, "f1", "f1", "help"),
		},
		OutsideText: []Binding{
			bind(HeadingDown, GroupMove, "n", "n", "the next heading").With(HeadingUp, "heading"),
			bind(HeadingUp, GroupMove, "p N", "p", "the heading before"),
			bind(BlockDown, GroupMove, "} ctrl+down", "}", "the next paragraph, list, table or code").With(BlockUp, "paragraph, list"),
			bind(BlockUp, GroupMove, "{ ctrl+up", "{", "the one before"),
			bind(Filter, GroupMove, "/", "/", "search in the plan"),
			bind(LineUp, "", "k", "k", ""),
			bind(LineDown, "", "j", "j", ""),
			bind(Home, "", "g", "g", ""),
			bind(End, "", "G", "G", ""),
			bind(PageUp, "", "ctrl+u", "ctrl+u", ""),
			bind(PageDown, "", "ctrl+d", "ctrl+d", ""),

			bind(Comment, groupSay, "c", "c", "comment on the line, or on what is selected").With(Question, "comment, question"),
			bind(Question, groupSay, "q", "q", "ask a question"),
			bind(Suggest, groupSay, "s", "s", "suggest other lines instead").With(Deletion, "suggest; delete lines"),
			bind(Deletion, groupSay, "x", "x", "mark for deletion, or take the mark back"),
			bind(Whole, groupSay, "w", "w", "comment on the whole plan"),
			bind(Select, groupSay, "v", "v", "select lines: begin here, or end").short("select lines: begin, end"),
			bind(Backspace, groupSay, "backspace delete ctrl+h", "backspace", "delete the comment"),
			bind(Settle, groupSay, "space", "space", "settle an earlier comment, or have it sent again").short("settle, or send again"),
			bind(Undo, groupSay, "u", "u", "undo"),

			bind(Approve, groupDecide, "a", "a", "approve").With(ApproveNotes, "approve; with notes"),
			bind(ApproveNotes, groupDecide, "A", "A", "approve with notes"),
			bind(Request, groupDecide, "r", "r", "request changes").With(Reject, "request changes; reject"),
			bind(Reject, groupDecide, "R", "R", "reject"),
			bind(Hold, groupDecide, "h", "h", "hold back this section from the approval, or take that back").short("hold this section back"),

			bind(Changes, groupReview, "d", "d", "what changed: since the last review, and by your own edit").With(AsRead, "changes; as Markdown"),
			bind(AsRead, groupReview, "m", "m", "the plan as it is read, or its Markdown"),
			bind(EditPlan, groupReview, "e", "e", "edit the plan in $VISUAL or $EDITOR").short("edit plan in $EDITOR"),
			bind(Copy, groupReview, "y", "y", "copy the lines, or the comment").short("copy lines or comment"),
			// Closing is for a version that takes no verdict any more; there the footer names it.
			bind(Close, "", "q", "q or esc", ""),
			bind(Help, groupReview, "?", "?", "help"),
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
				k = k.short("have it written again").With(None, "")
			case Submit:
				help.Desc = "have the section written again; in text keep it"
				k = k.short("write again; in text keep")
			case Editor:
				help.Desc = "in text: edit it in $VISUAL or $EDITOR"
			case Enter:
				help.Desc = "comment on the line; change a comment; in text a new line"
				k = k.short("comment, change")
			case Escape:
				k = k.short("close; in the section: menu")
			case Menu:
				help.Desc = "the menu; twice: leave"
				k = k.short("menu; twice: leave")
			case AsRead:
				k = k.With(None, "").short("as read, or Markdown")
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
			k = k.short("your own changes; then plan").With(None, "")
			k.Key.SetHelp(k.Key.Help().Key, "your own changes, if there are any; then the plan")
			keys = append(keys, k)
		case Escape:
			k.Group = GroupLook
			k.Key.SetKeys(append(k.Key.Keys(), "q")...)
			k = k.short("the plan")
			k.Key.SetHelp(k.Key.Help().Key, "the plan")
			keys = append(keys, k)
		case Menu:
			k.Group = GroupLook
			keys = append(keys, k)
		case Help:
			k.Group = GroupLook
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
