// Package search finds words in everything a store holds: titles and intents of
// sessions, questions, options and their illustrations, answers, notes and
// messages, also those that came too late, reviews of plans, every version of every plan (Run), and
// the drafts (RunDrafts).
//
// The package keeps no index. Reading all texts is fast enough, and an index
// could contradict the store. Run starts with the sessions that changed last,
// yields its hits page by page, and stops when its context ends. It reads a
// megabyte at a time, so that no writer waits for it, and writes nothing. Begin with
// search.go; fold.go says which letters are the same, pattern.go where a word stands.
//
// # The query language
//
// A query is a list of words. All of them must occur in the same ask, in the
// same version of a plan, in the same draft, or in the same session's title, intent and project.
// "Several words" in double quotes must follow each other, with any white space
// between them. A word may be a part of a longer word. Case is ignored for all
// letters whose upper and lower case have the same number of bytes, which is
// nearly all.
//
//	project:TEXT    the path of the session's project contains it
//	client:TEXT     the name of the agent's client contains it
//	before:DATE     it happened before that day, month or year; DATE is 2026, 2026-05 or 2026-05-17
//	after:DATE      it happened on that date or later; for both, DATE may also be a time ago: 12h, 7d, 3w
//	kind:KIND       session, ask, question, answer, note, plan, review, draft; or text, longtext, single, multi, scale for questions of that kind and their answers
//	status:STATUS   asks that are open, overdue, answered, reviewed, replied (to), declined, withdrawn or undelivered, or that have an answer that came too late (late)
//
// A filter that is given twice matches either value: kind:plan kind:note finds
// both. A value with white space needs quotes: project:"my work". A query of
// filters alone finds everything that passes them.
package search
