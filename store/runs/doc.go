// Package runs keeps drafts: the prompt of each, its outputs step by step, and how its
// writing stands. What a step is and which steps are dirty are rules of planb/drafts;
// how records are read and committed is the ledger's business. This package knows no
// session and no ask: the store hands in what it needs of them (Options). Begin with
// Store.
//
// # Promises
//
// A method that returns without an error has written durably, in one commit; one that
// returns an error has written nothing that a record refers to, unless
// errors.Is(err, kv.ErrUnclear). Every write of a plan rewrites its record dn/ under the
// condition that it did not change, so that two writers never meet in one plan. Each of
// these is one commit, with its event:
//
//   - a plan with all its indexes (Create). Of two equal requests at once the first
//     wins, and the second gets its plan;
//   - an output (Accept), in at most six writes. The first answer that was written from
//     the inputs as they are wins. One that was written from inputs that have changed is
//     kept in the history of its step;
//   - a person's answer to a gate, together with the outcome of the ask (Settle);
//   - an edit, a request to have a step written again, and other flags for the schedule
//     (Edit, Regenerate, Place);
//   - the end and the beginning of a run (Stop, Fail, Resume, Retry).
//
// # Who may decide
//
// The steps of drafts.Person are written only by Settle, which runs only in the commit
// that settles a person's ask, by Edit with a Caller that is a person, and for a plan
// that a person began without gates. The same holds for the verdict of the brief, once
// it is there. A plan whose session a person put into their archive is edited, resumed and
// retried only by a person.
//
// # Keys
//
// <plan> and <session> are UUIDs in lower case. <hash> is the first half of a SHA-256 in
// hexadecimal.
//
//	dp/<plan>                      a plan: prompt, session, directory, detail, start date, schedule flags
//	dn/<plan>                      its run: state, number, generation, who stopped it and why, the error, the newest cursor
//	ds/<plan>/<nn>[.part]          a step: output, hashes, author, guidance, at most five earlier outputs
//	de/<plan>/<cursor>             an event, 10 digits; the newest 2,000
//	dt/<inverted time>/<plan>      all plans, the newest first; says the directory
//	dd/<hash>                      the newest plan with this prompt and these settings
//	dr/<hash>                      the plan of a client's own request id
//	do/<session>/<plan>            the plans of a session
//	dw/<session>/<plan>            those of them that are not completed
//	k/draft/<hash>                 the claim of the worker that writes a plan
//	k/step/<hash>/<step>           the claims of those who write single steps
//
// Outputs and prompts are chunks (x/). Audit finds what is lost or damaged, and Reindex
// makes the indexes anew from the plans. A plan ends with its session (DropSession).
package runs
