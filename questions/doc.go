// Package questions is what an ask is made of: the form an agent sends, the
// rules for it, the answers a person gives, the rules for those, and the
// states an ask goes through. It is pure: no input or output, no clock, no
// goroutine, no colour, and nothing outside the standard library.
//
// An ask's way through it:
//
//   - Parse makes a Spec of the JSON an agent wrote, or says everything that is
//     wrong with it, as Problems.
//   - Spec.Canonical and Spec.Digest are its stored form and its identity.
//     They never change for a given form: fields that come with later versions
//     are left out where they are not used.
//   - A Draft is what a person has typed and picked so far. Draft.Reply is what
//     it amounts to, Spec.DraftFrom the way back.
//   - Spec.CheckReply judges a Reply, when it is submitted and again before it
//     is stored; Spec.Normalize gives equal replies one form.
//   - Question.SameAs says whether a question is one that was asked before, and
//     Question.Refit what of its answer then would answer it now.
//   - Settle decides between an Outcome that holds and one that arrives.
//
// All text of agents and people is safe.Text, or a string that goes through
// safe.New before it is shown. What is special about a kind of question is in
// its file kind_<name>.go and nowhere else.
package questions
