// Package lines asks and answers line by line, for people who use a screen reader or a
// braille display and for terminals that draw nothing. Ask asks forms and reviews, Inbox
// lists what waits, Tasks and Drafts read out plans of tasks and drafts and have the person
// decide about them, and Themes chooses the colours that planb has on other terminals. Past
// sessions are read with commands; Past names them.
//
// It is the second face of what the drawn screens do, without a copy of their logic:
// package ask claims, saves and settles, plans/review holds what was said of a plan, and
// inbox knows what waits and in which order. What lives here is the conversation: what is
// printed, and which words a person can type (the tables formWords, reviewWords and
// inboxList.words).
//
// A talk prints and reads lines. A conversation asks one ask on it: form or planReview.
// Begin to read in ask.go.
package lines
