package keymap

import "math"

// The parts of the program that have keys of their own, as the settings name
// them.
const (
	OfForm    = "form"
	OfReview  = "review"
	OfText    = "text" // what is being written in a form or a review
	OfInbox   = "sessions"
	OfFilter  = "filter"
	OfSearch  = "search"
	OfSession = "session"
	OfPlan    = "plan"
	OfDiff    = "diff"
	OfPick    = "pick"
	OfThemes  = "themes"
	OfTasks   = "tasks"
	OfDrafts  = "drafts"
)

// actionName returns the name that the settings have for an action of a screen. It is empty if
// the keys cannot be changed: those of digits, and those that answer a question by a letter.
func actionName(screen string, act Action) string {
	if name, ok := namesOn(screen)[act]; ok {
		return name
	}
	return actionNames()[act]
}

// namesOn returns the names of actions that mean something else on this screen than elsewhere.
func namesOn(screen string) map[Action]string {
	switch screen {
	case OfForm:
		return map[Action]string{Enter: "choose", Backspace: "clear"}
	case OfReview:
		return map[Action]string{Enter: "open-comment", Backspace: "delete-comment", Filter: "search", Home: "top", End: "bottom", Next: "next-comment", Prev: "previous-comment", Submit: "decide"}
	case OfSession, OfPlan:
		return map[Action]string{Home: "top", End: "bottom"}
	case OfDiff:
		return map[Action]string{Home: "top", End: "bottom", Enter: "unfold-one"}
	case OfTasks:
		return map[Action]string{Home: "top", End: "bottom", Next: "view", Space: "accept"}
	case OfDrafts:
		return map[Action]string{Home: "top", End: "bottom", Next: "view"}
	case OfInbox, OfPick, OfSearch, OfFilter:
		return map[Action]string{Home: "top", End: "bottom"}
	}
	return nil
}

// actionNames returns the names of actions. Settings files contain them, so a released name
// never changes. It is an array because a map would be filled at each call, and a list of the
// keys calls it thousands of times.
func actionNames() [math.MaxUint8 + 1]string {
	return [math.MaxUint8 + 1]string{
		Up: "up", Down: "down", Left: "left", Right: "right",
		Home: "home", End: "end", PrevTab: "previous-tab", NextTab: "next-tab",
		Next: "next", Prev: "previous", Enter: "open", Space: "toggle",
		PageUp: "page-up", PageDown: "page-down", ScrollUp: "scroll-up", ScrollDown: "scroll-down",
		Submit: "submit", Escape: "back", Menu: "menu", Editor: "editor",
		Note: "note", Zoom: "zoom", Filter: "filter", Copy: "copy", Help: "help",
		Default: "take-default", Prior: "take-earlier",

		Backspace: "backspace", Delete: "delete", WordLeft: "word-left", WordRight: "word-right",
		DeleteWord: "delete-word", DeleteToStart: "delete-to-start", DeleteToEnd: "delete-to-end",
		DeleteNextWord: "delete-next-word", TextStart: "text-start", TextEnd: "text-end",
		NoteAll: "note-all", All: "all", Summary: "review",
		UndoText: "undo", RedoText: "redo",
		LineStart: "line-start", LineEnd: "line-end",

		LineUp: "up", LineDown: "down", BlockUp: "previous-block", BlockDown: "next-block",
		HeadingUp: "previous-heading", HeadingDown: "next-heading",
		Select: "select", SelectUp: "select-up", SelectDown: "select-down",
		Comment: "comment", Suggest: "suggest", Deletion: "mark-deletion", Question: "question",
		Whole: "whole", Settle: "settle", Hold: "hold", Approve: "approve",
		ApproveNotes: "approve-notes", Request: "request-changes", Reject: "reject",
		EditPlan: "edit-plan", NewLine: "new-line",

		Quit: "quit", Theme: "theme", Themes: "themes", Older: "older", Newer: "newer",
		Larger: "larger-panel", Smaller: "smaller-panel",
		PanLeft: "pan-left", PanRight: "pan-right", Snooze: "snooze", Withdraw: "withdraw",
		Find: "find", Archive: "archive", Undo: "undo", Pager: "pager", Edit: "editor",
		Outline: "outline", Led: "what-led",

		Why: "why", Release: "release", Priority: "priority", CancelTask: "cancel", Visit: "go-to-agent",

		PrevSection: "previous-section", NextSection: "next-section", AnswerGate: "answer", Regenerate: "write-again", ReviewSection: "review-section", Stop: "stop", Resume: "go-on",
		Flags: "place-schedule", PhaseOrder: "phase-order", TaskEdges: "task-order", Origin: "origin", SaveReport: "save-report", OpenReport: "open-report",

		NextChange: "next-change", PrevChange: "previous-change", Unfold: "unfold-all",
		AsRead: "as-read", Markdown: "as-read", Compare: "compare", Changes: "changes",
	}
}

// keptKey returns the key that an action always keeps, so that a person whose settings are
// wrong still finds the way out.
func keptKey(act Action) string {
	switch act {
	case Enter:
		return "enter"
	case Escape:
		return "esc"
	case Menu, Quit:
		return "ctrl+c"
	}
	return ""
}
