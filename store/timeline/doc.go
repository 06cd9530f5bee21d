// Package timeline tells the story of one session: everything that happened in
// it, in order, what was known at each moment, and which answer led to which
// version.
//
// A Story is made of the records alone, without specs and texts, so that the
// longest session opens at once. Details adds, version by version, what needs
// the texts: how many lines each version added and removed, and which answers
// it cites. The package reads what a store gives it, whatever engine the store
// has, and writes nothing. It does not know how a story is shown; package tui/retro
// words it. Begin with story.go.
//
// # Order
//
// Events stand in the order of their times, but no event stands before its
// cause:
//
//   - the session's creation comes first;
//   - a plan version comes after the version before it;
//   - a submission comes after its version;
//   - within an ask, the asking comes first, and what a person did comes before
//     the delivery and before anything that came too late.
//
// So a wrong clock can move an event, but never puts an effect before its
// cause. An event whose time contradicts its place is Misdated. An answer whose
// clock is ahead of the delivery's stands where the delivery is.
//
// An ask that is the review of a plan is told as such: the asking as the plan's
// submission, the answer as its review with the verdict.
//
// A record that cannot be read is an event with its error. An ask stands at the
// time that its id tells, if it tells one; a version stands between its
// neighbours.
//
// # What led to what
//
// A reply is what a person sent back: an answer, a message, a refusal, also one that
// came too late. A version follows from the replies since the version before it
// (Story.Since). A reply led to the versions saved after it (Story.Following).
//
// A plan may cite: [q:questionId] in its text, outside fenced code, names the
// question it follows from; see plans.Citations. The citation leads to the
// session's last ask that has such a question and was answered before that
// version. If there is no such ask, the citation leads nowhere, and Details
// says so.
package timeline
