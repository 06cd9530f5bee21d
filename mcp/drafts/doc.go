// Package drafts is the toolset of drafts: an agent writes a whole plan from one prompt,
// step by step, while its user decides at two gates.
//
// plan_create begins a draft. step_next gives the next step with all that its writer must
// know, and step_submit takes the answer and gives the step after it, until both say DONE.
// A gate asks the user in a form in their terminal, which opens by itself. The agent goes
// on with other steps meanwhile, and waits once there are none. The other tools look at a
// draft, stop it and go on with it, change a section, and give its files.
//
// The rules of a draft are in planb/drafts, its records in planb/store/runs. Results of
// plan_* are JSON, with a second text that says what to do; those of step_* are words
// alone, because all that they say is for the model. Both are in _meta as data.
//
// Begin to read at toolset.go, then at step_next.go.
package drafts
