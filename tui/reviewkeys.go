package tui

// Groups of a review's help, beside those of a form.
const (
	groupSay    = "Saying something"
	groupDecide = "Deciding"
	groupReview = "The review"
)

func reviewGroups() []string { return []string{groupMove, groupSay, groupDecide, groupReview} }

// reviewKeys returns the keys of a review, in the manner of formKeys; what a form
// has, too, has the same key.
func reviewKeys() keymap {
	return keymap{
		everywhere: []boundKey{
			bind(actUp, groupMove, "up", "↑", "the line, or comment, above (also k)"),
			bind(actDown, groupMove, "down", "↓", "the line, or comment, below (also j)"),
			bind(actLeft, groupMove, "left", "←", "wide code to the left; in text the caret"),
			bind(actRight, groupMove, "right", "→", "wide code to the right; in text the caret"),
			bind(actHome, groupMove, "home", "home", "the plan's first line; in text the line's start"),
			bind(actEnd, groupMove, "end", "end", "the plan's last line; in text the line's end"),
			bind(actPageUp, groupMove, "pgup", "pgup", "a screen up"),
			bind(actPageDown, groupMove, "pgdown", "pgdn", "a screen down"),
			bind(actNext, groupMove, "tab", "tab", "the next comment; of a suggestion, its reason"),
			bind(actPrev, groupMove, "shift+tab", "shift+tab", "the comment before"),
			bind(actSelectUp, groupSay, "shift+up", "shift+↑", "select the line above, too"),
			bind(actSelectDown, groupSay, "shift+down", "shift+↓", "select the line below, too"),
			bind(actEnter, groupSay, "enter", "enter", "comment on the line, or change the comment; in text a new line"),

			bind(actSubmit, groupDecide, "ctrl+s", "ctrl+s", "decide: all verdicts; in text keep it"),
			bind(actEditor, groupReview, "ctrl+g", "ctrl+g", "edit the plan (in text, that) in $VISUAL or $EDITOR"),
			bind(actEscape, groupReview, "esc", "esc", "close what is open, without what was written in a comment; else the menu"),
			bind(actMenu, groupReview, "ctrl+c", "ctrl+c", "the menu; twice: save for later"),
			bind(actHelp, groupReview, "f1", "f1", "help"),
		},
		outsideText: []boundKey{
			bind(actHeadingDown, groupMove, "n", "n", "the next heading"),
			bind(actHeadingUp, groupMove, "p N", "p", "the heading before"),
			bind(actBlockDown, groupMove, "} ctrl+down", "}", "the next paragraph, list, table or code"),
			bind(actBlockUp, groupMove, "{ ctrl+up", "{", "the one before"),
			bind(actFilter, groupMove, "/", "/", "search in the plan"),
			bind(actLineUp, "", "k", "k", ""),
			bind(actLineDown, "", "j", "j", ""),
			bind(actHome, "", "g", "g", ""),
			bind(actEnd, "", "G", "G", ""),
			bind(actPageUp, "", "ctrl+u", "ctrl+u", ""),
			bind(actPageDown, "", "ctrl+d", "ctrl+d", ""),

			bind(actComment, groupSay, "c", "c", "comment on the line, or on what is selected"),
			bind(actSuggest, groupSay, "s", "s", "suggest other lines instead"),
			bind(actDeletion, groupSay, "x", "x", "mark for deletion, or take the mark back"),
			bind(actQuestion, groupSay, "q", "q", "ask a question"),
			bind(actWhole, groupSay, "w", "w", "comment on the whole plan"),
			bind(actSelect, groupSay, "v", "v", "select lines: begin here, or end"),
			bind(actBackspace, groupSay, "backspace delete ctrl+h", "backspace", "delete the comment"),
			bind(actSettle, groupSay, "space", "space", "settle an earlier comment, or insist on it"),
			bind(actUndo, groupSay, "u", "u", "undo"),

			bind(actApprove, groupDecide, "a", "a", "approve"),
			bind(actApproveNotes, groupDecide, "A", "A", "approve with notes"),
			bind(actRequest, groupDecide, "r", "r", "request changes"),
			bind(actReject, groupDecide, "R", "R", "reject"),
			bind(actHold, groupDecide, "h", "h", "hold back this section from the approval, or take that back"),

			bind(actDiff, groupReview, "d", "d", "what changed: since the last review, and by your own edit"),
			bind(actEditPlan, groupReview, "e", "e", "edit the plan in $VISUAL or $EDITOR"),
			bind(actAsRead, groupReview, "m", "m", "the plan as it is read, or its Markdown"),
			bind(actCopy, groupReview, "y", "y", "copy the lines, or the comment"),
			// Where nothing can be said; the footer tells of it there.
			bind(actClose, "", "q", "q or esc", ""),
			bind(actHelp, groupReview, "?", "?", "help"),
		},
		inText: formKeys().inText,
	}
}

// ReviewKeys returns the keys of a review as its help shows them, in that order.
func ReviewKeys() []KeyHelp { return keyTable(reviewKeys(), reviewGroups()) }

// embeddedDiffKeys are the keys of what changed where it is a part of a review:
// those of comparing, and those of the review that lead there and away.
func embeddedDiffKeys(diff []boundKey, review keymap) []boundKey {
	var keys []boundKey
	for _, k := range review.all() {
		switch k.act {
		case actDiff:
			k.group = groupLook
			k.binding.SetHelp(k.binding.Help().Key, "your own changes, if there are any; then the plan")
			keys = append(keys, k)
		case actEscape:
			k.group = groupLook
			k.binding.SetKeys(append(k.binding.Keys(), "q")...)
			k.binding.SetHelp(k.binding.Help().Key, "the plan")
			keys = append(keys, k)
		case actMenu:
			keys = append(keys, k)
		}
	}
	for _, k := range diff {
		switch k.act {
		case actScrollUp, actScrollDown, actPageUp, actPageDown, actHome, actEnd, actNextChange, actPrevChange,
			actPanLeft, actPanRight, actEnter, actUnfold, actAsRead, actMarkdown:
			keys = append(keys, k)
		}
	}
	return keys
}
