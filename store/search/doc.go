// Package search finds words in everything a store holds: titles and intents of
// sessions, questions, options and their illustrations, answers, notes and
// messages, late ones too, what was said of plans, and every version of every
// plan.
//
// It keeps no index. Going through all texts is fast enough, and there is nothing
// that could contradict the store: Run reads the sessions whose last change is
// the newest first, tells what it found page by page, and ends with its context.
// It reads a megabyte at a time, so that no writer waits for it, and writes
// nothing.
//
// # What is asked for
//
// A query is words, all of which must occur in the same ask, in the same version
// of a plan, or in the same session's title, intent and project. "Several words"
// in double quotes must follow each other, whatever white space lies between. A
// word may be a part of a longer one. Upper and lower case are the same wherever
// both take equally many bytes, which is nearly everywhere.
//
//	project:TEXT    the path of the session's project contains it
//	client:TEXT     the name of the agent's client contains it
//	before:DATE     what happened before that day, month or year; DATE is 2026, 2026-05 or 2026-05-17,
//	after:DATE      or on it and after; or 12h, 7d, 3w, which is so long ago
//	kind:KIND       session, ask, question, answer, note, plan, review; or text, longtext, single, multi, scale for questions of that kind and their answers
//	status:STATUS   asks that are open, pending, expired, answered, discuss, declined, withdrawn, undelivered, or have something late
//
// The same filter given again widens it: kind:plan kind:note finds both. Values
// with white space stand in quotes: project:"my work". With filters alone,
// everything that passes them is found.
package search
