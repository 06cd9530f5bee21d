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
// errors.Is(err, kv.ErrUnclear). Every write rewrites the draft's record dn/, provided
// that nobody has changed it, so two writers never overwrite each other. Each of these
// is one commit, with its event:
//
//   - a draft with all its indexes (Create). Of two equal requests at once the first
//     wins, and the second gets its draft;
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
// that settles a person's ask, by Edit with a Caller that is a person, and for a draft
// that a person began without gates. The same holds for the verdict of the brief, once
// it is there. A draft whose session a person put into their archive is edited, resumed and
// retried only by a person.
//
// # Keys
//
// <draft> and <session> are UUIDs in lower case. <hash> is the first half of a SHA-256 in
// hexadecimal.
//
//	dp/<draft>                     its prompt, session, directory, detail, start date, schedule flags
//	dn/<draft>                     its run: state, number, generation, who stopped it and why, the error, the newest cursor
//	ds/<draft>/<nn>[.part]         a step: output, hashes, author, guidance, at most five earlier outputs
//	de/<draft>/<cursor>            an event, 10 digits; the newest 2,000
//	dt/<inverted time>/<draft>     all drafts, the newest first; says the directory
//	dd/<hash>                      the newest draft with this prompt and these settings
//	dr/<hash>                      the draft of a client's own request id
//	do/<session>/<draft>           the drafts of a session
//	dw/<session>/<draft>           those of them that are not completed
//	k/draft/<hash>                 the claim of the program that writes a draft
//	k/step/<hash>/<step>           the claims of those who write single steps
//
// Outputs and prompts are chunks (x/). Audit finds what is lost or damaged, and Reindex
// makes the indexes anew from the drafts. A draft ends with its session (DropSession).
package runs
