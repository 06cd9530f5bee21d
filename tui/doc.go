// Package tui is what a person sees and presses: one Bubble Tea program that
// owns the window, and a stack of screens over it.
//
// What the screens share has rooms of its own below this one. From the bottom up:
//
//	cells            cuts, fills and wraps lines
//	markdown         a text as styled lines; markdown/diagram draws what it describes
//	keymap           every key as data
//	wording          what several screens say
//	screen           the interface of a screen, colours, page, list, help
//	themepicker      the list of themes, over any screen
//	editor           the text area; editor/external lends a text to $EDITOR and $PAGER
//	compare          what changed between two versions of a plan
//	form             the shell of a form, and what questions look like; form/field is the kinds of question
//	review           the review of a plan, in a form
//	ask              what stands between an ask and whoever answers it
//	askscreen        the screen that shows an ask in a form, and goes on to the next
//	retro            past sessions, their plans, and the search through all
//	inbox            what waits for the person, and all sessions
//	lines            forms, reviews, the inbox and the themes line by line
//	tuitest          what the tests share
//
// This package has the entry points (Ask, Inbox, Retro, Themes), the window and the
// terminal. Begin to read in window.go and screen/screen.go.
//
// A screen is two files: its state, which knows no terminal and can be tested without
// one, and its view, which turns keys into state and state into lines. Screens hold no
// sockets and no rules of their own: package questions says what a valid answer is, and
// package store what becomes of it. Only editor/external writes files. Only text that
// came through safe.Text or tui/markdown is ever drawn.
package tui
