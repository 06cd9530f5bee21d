// Package questions holds what an ask is made of: the form that an agent sends,
// the answers that a person gives, the rules for both, and the states of an
// ask. It is pure: no input or output, no clock, no goroutine, no colour, and
// nothing outside the standard library.
//
// An ask goes through it in this order:
//
//   - Parse turns the agent's JSON into a Spec. If the JSON has mistakes, Parse
//     returns all of them as Problems.
//   - Spec.Canonical is the stored form and Spec.Digest the identity. Neither
//     ever changes for a given form: a field added by a later version is left
//     out where it is not used.
//   - An Entry holds what the person has typed and picked so far. Entry.Reply
//     turns it into a Reply, and Spec.EntryFrom turns a Reply back into an Entry.
//   - Spec.CheckReply checks a Reply when the person submits it and again before
//     it is stored. Spec.Normalize gives equal replies one form.
//   - Question.SameAs reports whether a question was asked before.
//     Question.Refit returns the part of the earlier answer that still fits.
//   - Settle decides whether an arriving Outcome replaces the present one.
//
// All text of agents and people is a safe.Text, or a string that goes through safe.New
// before it is shown. The rules of a kind of question are in its file kind_<name>.go and
// nowhere else; begin with the interface in kind.go. Package lenient reads JSON, whatever
// it is about.
package questions
