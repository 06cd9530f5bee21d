// Package drafts holds the rules by which one prompt becomes a whole plan, step by
// step.
//
// A step is declared once (Step): its needs, its task for the model, and the shape
// of its output, from which skeleton, schema, checks and rendering come. Steps
// returns those of a Detail in their order. A Draft is the prompt with the outputs
// accepted so far. From it come
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
// days. A person alone decides the steps by Person: Draft.ChooseForm and
// Draft.ConfirmForm ask them, Draft.Choose and Draft.Confirm turn their answers
// into outputs.
//
// The package is pure: it keeps nothing, has no clock, asks no model and no person.
// Begin with step.go.
package drafts
