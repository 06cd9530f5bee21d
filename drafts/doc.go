// Package drafts holds the rules by which one prompt becomes a whole plan, step by
// step.
//
// Each step is declared in one place (Step): which steps it needs, what the model is
// asked to write, and the shape of the output. The skeleton, the schema, the checks and
// the rendering are all made from that shape. Steps returns the steps of a Detail in
// their order. A Draft is the prompt with the outputs accepted so far. It gives
//
//   - Draft.Read: what a model or a person sent for a step, checked against its
//     shape and against all other outputs, or all mistakes at once;
//   - Draft.Write: what the code itself adds, the schedule;
//   - Draft.Inputs and Draft.Standings: the hash of all that a step was written
//     from, and with it which steps are clean, dirty or ready;
//   - Draft.Frame: the text that carries a model through one step without knowing
//     anything else, within the length that its client passes on;
//   - Draft.Lint: what the outputs contradict in each other.
//
// Models write relative times and ids ("Month 3", "Y1"); Draft.WriteOut adds the
// days. Only a person decides the steps whose author is Person: Draft.ChooseForm and
// Draft.ConfirmForm ask the person, and Draft.Choose and Draft.Confirm turn the
// answers into outputs.
//
// The package is pure: it keeps nothing, has no clock, asks no model and no person.
// Begin with step.go.
package drafts
