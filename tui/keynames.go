package tui

// The parts of the program that have keys of their own, as the settings name
// them.
const (
	keysOfForm     = "form"
	keysOfReview   = "review"
	keysOfText     = "text" // what is being written in a form or a review
	keysOfSessions = "sessions"
	keysOfFilter   = "filter"
	keysOfSearch   = "search"
	keysOfSession  = "session"
	keysOfPlan     = "plan"
	keysOfDiff     = "diff"
	keysOfPick     = "pick"
	keysOfThemes   = "themes"
)

// actionName is what the settings call an action of a screen; empty for one
// whose keys can't be changed: digits, and what answers a question of a letter.
func actionName(screen string, act action) string {
	if name, ok := namesOn(screen)[act]; ok {
		return name
	}
	return actionNames()[act]
}

// namesOn are the names of actions that mean something else on a screen than
// elsewhere.
func namesOn(screen string) map[action]string {
	switch screen {
	case keysOfForm:
		return map[action]string{actEnter: "choose", actBackspace: "clear"}
	case keysOfReview:
		return map[action]string{actEnter: "open-comment", actBackspace: "delete-comment", actFilter: "search", actHome: "top", actEnd: "bottom", actNext: "next-comment", actPrev: "previous-comment", actSubmit: "decide"}
	case keysOfSession, keysOfPlan:
		return map[action]string{actHome: "top", actEnd: "bottom"}
	case keysOfDiff:
		return map[action]string{actHome: "top", actEnd: "bottom", actEnter: "unfold-one"}
	case keysOfSessions, keysOfPick, keysOfSearch, keysOfFilter:
		return map[action]string{actHome: "top", actEnd: "bottom"}
	}
	return nil
}

// actionNames are the names of actions. Settings files have them: one that was
// ever released stays.
func actionNames() map[action]string {
	return map[action]string{
		actUp: "up", actDown: "down", actLeft: "left", actRight: "right",
		actHome: "home", actEnd: "end", actPrevTab: "previous-tab", actNextTab: "next-tab",
		actNext: "next", actPrev: "previous", actEnter: "open", actSpace: "toggle",
		actPageUp: "page-up", actPageDown: "page-down", actScrollUp: "scroll-up", actScrollDown: "scroll-down",
		actSubmit: "submit", actEscape: "back", actMenu: "menu", actEditor: "editor",
		actNote: "note", actZoom: "zoom", actFilter: "filter", actCopy: "copy", actHelp: "help",
		actDefault: "take-default", actPrior: "take-earlier",

		actBackspace: "backspace", actDelete: "delete", actWordLeft: "word-left", actWordRight: "word-right",
		actDeleteWord: "delete-word", actDeleteToStart: "delete-to-start", actDeleteToEnd: "delete-to-end",
		actDeleteNextWord: "delete-next-word", actTextStart: "text-start", actTextEnd: "text-end",
		actNoteAll: "note-all", actAll: "all", actSummary: "review",
		actUndoText: "undo", actRedoText: "redo",
		actLineStart: "line-start", actLineEnd: "line-end",

		actLineUp: "up", actLineDown: "down", actBlockUp: "previous-block", actBlockDown: "next-block",
		actHeadingUp: "previous-heading", actHeadingDown: "next-heading",
		actSelect: "select", actSelectUp: "select-up", actSelectDown: "select-down",
		actComment: "comment", actSuggest: "suggest", actDeletion: "mark-deletion", actQuestion: "question",
		actWhole: "whole", actSettle: "settle", actHold: "hold", actApprove: "approve",
		actApproveNotes: "approve-notes", actRequest: "request-changes", actReject: "reject",
		actEditPlan: "edit-plan", actNewLine: "new-line",

		actQuit: "quit", actTheme: "theme", actThemes: "themes", actOlder: "older", actNewer: "newer",
		actLarger: "larger-panel", actSmaller: "smaller-panel",
		actPanLeft: "pan-left", actPanRight: "pan-right", actSnooze: "snooze", actWithdraw: "withdraw",
		actFind: "find", actArchive: "archive", actUndo: "undo", actPager: "pager", actEdit: "editor",
		actOutline: "outline", actLed: "what-led",

		actNextChange: "next-change", actPrevChange: "previous-change", actUnfold: "unfold-all",
		actAsRead: "as-read", actMarkdown: "as-read", actCompare: "compare", actDiff: "changes",
	}
}

// keptKey is the key an action has whatever else it gets: who has mapped their
// way into a corner must find the way out.
func keptKey(act action) string {
	switch act {
	case actEnter:
		return "enter"
	case actEscape:
		return "esc"
	case actMenu, actQuit:
		return "ctrl+c"
	}
	return ""
}

// unnamed reports whether an action is left out of the settings on purpose.
func unnamed(act action) bool { return act == actDigit || act == actClose }
