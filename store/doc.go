// Package store keeps what planb must not lose: sessions, asks and their answers,
// entries, claims and plan versions. It knows the families of records and what may
// follow what. The ledger reads and commits records, and an engine keeps their bytes.
// The package shows nothing and waits for no person. Begin with Store and with the types
// in records.go; the life of an ask is in openask.go, settle.go and deliver.go.
//
// # Promises
//
// A method that returns without an error has written everything durably. A method that
// returns an error has written nothing that a record refers to, unless errors.Is(err,
// kv.ErrUnclear). A method of several commits (Deliver of many asks, Import, Prune,
// Delete) may have made the first ones.
//
// Every change is optimistic: it reads, and commits under the condition that nothing it
// read was changed; after a conflict it reads and decides again. So any number of
// processes may work on one store. Each of these is one commit:
//
//   - an ask with all its indexes and its place in the queue (OpenAsk);
//   - an outcome (Settle), with all that goes with it: the ask moves from the open ones
//     to the undelivered ones and leaves its queue, its entry ends, and its answers are
//     found when the questions are asked again. The first final outcome wins; the words
//     of a later one are kept beside it;
//   - with an outcome, what follows from it for the ask's subject (Settler);
//   - a plan version: numbers are 1, 2, 3 … without a gap (SavePlan). For a plan that
//     is a file the commit also says which version the file holds, and makes a session
//     if the file has none (SaveFilePlan);
//   - an imported session, then some of its asks, then one version after the other
//     (Import);
//   - the end of a session: from then on it and its asks are unknown. Prune ends an old
//     one if nothing in it is open, undelivered or new; Delete ends one that a person
//     deletes if nothing in it is open, and nothing changed since the person looked;
//   - putting a session into a person's archive, and back (Archive);
//   - leaving a place under the condition that its queue is empty (LeavePlace).
//
// Two reads are not one snapshot: a list may miss what changed while it was read. Watch
// then rings, and the reader reads again.
//
// # Keys
//
// Keys are flat ASCII. <session> and <ask> are UUIDs in lower case, <digest> is a
// SHA-256 in hexadecimal, <hash> the first half of one, of a text that may hold any
// byte.
//
//	format                        the format record; every commit checks that it did not change; says that z/ has every chunk
//	gone                          the sessions that were pruned or deleted while their asks and plans still have to be swept away; absent when there are none
//	s/<session>                   a session
//	t/<inverted time>/<session>   sessions, newest change first; the time is 2^63-1 minus nanoseconds since 1970, 16 hex digits
//	p/<session>/<number>          a plan version, 8 digits, without its text
//	n/<hash>                      a plan file, by its path and machine: the version that it was last known to hold
//	a/<ask>                       an ask: all but its spec and long replies; until when it is snoozed, too
//	sa/<session>/<ask>            the asks of a session
//	o/<session>/<ask>             the open ones: pending and expired
//	u/<session>/<ask>             those with a final outcome, not withdrawn, that no agent was told; says the hash of the project and its machine
//	e/<session>/<digest>          the ask with this spec that is open or undelivered; created under the condition that it is absent; for an ask with a Subject the digest is of both
//	g/<digest>/<ask>              all asks ever made with this spec; says the session and the hash of the project and its machine
//	i/<short id>/<ask>            asks by the last 8 digits of their id
//	m/<hash>/<inverted time>/<ask>  the asks of a project that have answers, newest first; says which questions were answered, by hashes of their ids and of their words, and the machine
//	adopted                       which machines' sessions count as another's, too, because a store was restored there
//	q/<hash>                      the open asks of a place; absent when there are none
//	w/<ask>/<number>              a reply that came after the ask's outcome, 2 digits; the ask's record counts them
//	b/<hash>                      until when no pane comes up by itself at a place, and when the last ones did; absent when all of that is past
//	d/<ask>                       an ask's entry
//	d/<ask>/<digest>              a chunk of a long entry; it goes with its entry
//	x/<digest>                    a chunk: spec, long reply, plan text
//	z/<digest>                    how many bytes the chunk takes
//	wj/ wn/ wg/ wl/ wo/ wp/ wq/ wr/ wv/  projects and plans of tasks; the package comment of store/tasks has each
//	dp/ dn/ ds/ de/ dt/ dd/ dr/ do/ dw/  drafts; the package comment of store/runs has each
//	l/<hash>                      how a person divided a form's screen; earlier versions wrote it, and nothing reads it
//	k/show/<hash>/<hash>          the claims of the panes that show an ask
//	k/place/<hash>                the claim of the pane that serves a place's queue
//	k/wait/<hash>/<hash>          the claims of the processes that wait for an ask
//	k/asker/<hash>/<hash>         the claims of the processes that asked it and do not know its outcome yet
//
// The ledger writes format, x/, z/ and k/; its package comment says how.
//
// # Pruning
//
// One commit deletes a session and puts its id into the record "gone". Every read looks
// at that record in the same snapshot. So the session's asks are unknown from this
// commit on, even while they are still being swept away. The id leaves "gone" when
// nothing of the session is left. The next Prune goes on with a sweep that ended early.
//
// # Other versions of planb
//
// New fields, new states of an ask and new families of keys do not raise a format. The
// store rewrites a record field by field, so that the fields of a newer planb survive.
//
// # Memory
//
// EarlierAnswers finds what a person answered before to the questions of an ask, in any session
// of its project: the newest answer to each question that is the same one
// (questions.Question.SameAs), among the project's latest some thousand asks. A form
// that was declined or withdrawn has no answers, and a review of a plan is no answer. A
// deleted session is forgotten, an archived one is not.
//
// # Claims
//
// ShowClaim: a pane shows this ask, so no other has to be opened for it; a person may
// show it in any number of panes. PlaceClaim: a pane serves this place's queue, so an
// ask put into it will be shown. WaitClaim: an agent's server waits for this ask, so its
// outcome will be delivered at once. AskerClaim: a process asked this ask and will learn
// its outcome. Renewals of claims, entries and what is remembered of panes are written
// quietly: watchers are not told.
package store
