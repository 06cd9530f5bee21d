// Package tui shows planb's screens to a person: one Bubble Tea program owns the window, and
// holds a stack of screens.
//
// The rooms below this one, from the bottom up:
//
//	cells            cuts, fills and wraps lines, and puts grounds under them
//	marks            the signs that all screens draw
//	markdown         a text as styled lines; markdown/diagram draws Mermaid diagrams
//	keymap           every key as data
//	wording          the words that several screens use
//	screen           the interface of a screen, colours, grounds, buttons, page, list, help
//	lanes            a graph as a list with lines; overview is a list in groups
//	preview          what stands beside a list; prompt is what is asked below it
//	themepicker      the list of themes, over any screen
//	editor           the text area; editor/external lends a text to $EDITOR and $PAGER
//	compare          what changed between two versions of a plan
//	form             the shell of a form, and what questions look like; form/field is the kinds of question
//	review           the review of a plan, in a form
//	ask              the way of an ask to its answer
//	askscreen        the screen that shows an ask in a form, and goes on to the next
//	retro            past sessions, their plans, and the search through all
//	tasks            plans of tasks: board, graph, and each task
//	drafts           drafts: their steps, sections and schedule
//	inbox            what waits for the person, and all sessions
//	lines            forms, reviews, the inbox, tasks and the themes line by line
//	tuitest          helpers of the tests
//
// This package has the entry points (Ask, Inbox, Retro, Tasks, Themes), the window and the
// terminal. Begin to read in window.go and screen/screen.go.
//
// A screen is two files: its state, which knows no terminal and can be tested without
// one, and its view, which turns keys into state and state into lines. Screens hold no
// sockets and no rules: package questions checks answers, and package store keeps them.
// Only editor/external writes files. A screen draws only text that came through safe.Text
// or tui/markdown.
package tui
