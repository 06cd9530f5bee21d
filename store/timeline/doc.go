// Package timeline tells the story of one session: everything that happened in
// it, in order, what was known at each moment, and which answer led where.
//
// A Story is made of the records alone, without specs and texts, so that the
// longest session opens at once. What only the texts can tell comes after it and
// streamed, version by version: Details says how many lines each version added
// and removed, and which answers it cites. The package reads what a store gives
// it, whatever keeps that, and writes nothing. It does not know how a story is
// shown.
//
// # Order
//
// Events come in the order of their times, but none before what it follows from:
// nothing before the session's creation, no plan version before the one with the
// number below, no submission before its version, and of each ask the asking
// before everything else, what a person did with it before what came too late and
// before the delivery. So a clock that was wrong moves an event, and never turns
// cause and effect around; such an event is Misdated. An answer whose clock is
// ahead of the delivery's stands where the delivery is.
//
// An ask that is the review of a plan is told as what it is: the asking as the
// plan's submission, the answer as its review with the verdict.
//
// A record that cannot be read is an event with its reason: at the time its id
// tells, if that tells one, and a version between its neighbours.
//
// # What led where
//
// Replies are what a person sent back: answers, messages, refusals, late ones
// too. A version follows from the replies since the version before it
// (Story.Since); a reply led to the versions saved after it (Story.Following).
//
// A plan may cite: [q:questionId] in its text, outside fenced code, names the
// question it follows from; see plans.Citations. It is the question of the last
// ask of the session that was answered before that version and has such a
// question. A citation without one leads nowhere, which is said too.
package timeline
