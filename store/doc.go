// Package store keeps what planb must not lose: sessions, asks and their
// answers, entries, claims and plan versions. It knows keys, formats and what
// may follow what; bytes are an Engine's business, screens and waiting for a
// person are others'.
//
// # Promises
//
// A method that returned without an error has written durably, all of it or,
// where several asks are given to Deliver, a whole number of commits of it.
// One that returned an error wrote nothing that anything refers to, unless
// errors.Is(err, ErrUnclear).
// Every change is optimistic: it reads, and commits under the condition that
// nothing it read was changed; after a conflict it reads and decides again. So
// any number of processes may work on one store, and each of these is one
// commit:
//
//   - an ask with all its indexes and its place in the queue (OpenAsk);
//   - an outcome, the ask's way from the open ones to the undelivered ones and
//     out of its queue, the end of its entry, where its answers are found when
//     their questions are asked again (Settle): the first final outcome wins, and
//     what a later one says is kept beside it;
//   - with an outcome, what follows from it for the ask's subject (Settler);
//   - a plan version: numbers are 1, 2, 3 … without a gap (SavePlan); of a plan
//     that is a file also which version that holds, and its session if it has
//     none (SaveFilePlan);
//   - an imported session, then some of its asks, then one version after the
//     other (Import);
//   - the end of an old session, if nothing in it is open, undelivered or new
//     (Prune), or of one that a person deletes, if nothing in it is open and
//     nothing changed since they looked (Delete): from then on it and its asks
//     are unknown;
//   - putting a session into a person's archive, and taking it back (Archive);
//   - leaving a place under the condition that its queue is empty (LeavePlace).
//
// A commit whose outcome the engine does not know is read back by the id of its
// operation, which the engine keeps with each record, and an outcome also in
// the record; only when that fails too does the caller see ErrUnclear.
//
// Two reads are not one snapshot: a list may miss what changed while it was
// read. Watch then rings, and the reader reads again.
//
// # Keys
//
// Keys are flat ASCII. <session> and <ask> are UUIDs in lower case, <digest> is
// a SHA-256 in hexadecimal, <hash> the first half of one, of a text that may
// hold any byte.
//
//	format                        the format record; every commit checks that it did not change; says that z/ has every chunk
//	gone                          the sessions that were pruned or deleted while their asks and plans still have to be swept away; absent when there are none
//	s/<session>                   a session; refers to what its import keeps beside it, too
//	t/<inverted time>/<session>   sessions, newest change first; the time is 2^63-1 minus nanoseconds since 1970, 16 hex digits
//	p/<session>/<number>          a plan version, 8 digits, without its text
//	n/<hash>                      a plan file, by its path and machine: the version that it was last known to hold
//	a/<ask>                       an ask: all but its spec and long replies; until when it is snoozed, too
//	sa/<session>/<ask>            the asks of a session
//	o/<session>/<ask>             the open ones: pending and expired
//	u/<session>/<ask>             those with a final outcome, not withdrawn, that no agent was told; says the hash of the project and its machine
//	e/<session>/<digest>          the ask with this spec that is open or undelivered; created under the condition that it is absent
//	g/<digest>/<ask>              all asks ever made with this spec; says the session and the hash of the project and its machine
//	i/<short id>/<ask>            asks by the last 8 digits of their id
//	m/<hash>/<inverted time>/<ask>  the asks of a project that have answers, newest first; says which questions were answered, by hashes of their ids and of their words, and the machine
//	adopted                       which machines' sessions count as another's, too, because a store was restored there
//	q/<hash>                      the open asks of a place; absent when there are none
//	w/<ask>/<number>              a reply that came after the ask's outcome, 2 digits; the ask's record counts them
//	b/<hash>                      until when no pane comes up by itself at a place, and when the last ones did; absent when all of that is past
//	d/<ask>                       an ask's entry
//	d/<ask>/<digest>              a chunk of a long entry; it goes with its entry
//	x/<digest>                    a chunk: spec, long reply, plan text, what an import keeps
//	z/<digest>                    how many bytes the chunk takes
//	l/<hash>                      how a person, by their name, divided the screen between questions and illustration
//	k/show/<hash>/<hash>          the claims of the panes that show an ask
//	k/place/<hash>                the claim of the pane that serves a place's queue
//	k/wait/<hash>/<hash>          the claims of those who wait for an ask
//	k/asker/<hash>/<hash>         the claims of the processes that asked it and do not know its outcome yet
//
// # Values
//
// Records are JSON objects with a format version, "v". Longer texts are cut
// into pieces of 512 KiB; each is a chunk, a zstd frame with its checksum, named
// by the SHA-256 of its text, which every read compares. Chunks are written
// before the commit that refers to them, or with it when they are small; that
// commit checks those it found. Nothing else is written in two steps.
//
// # Pruning
//
// One commit deletes a session and puts its id into the record "gone". Every read
// looks at that record in the same snapshot, so that from this commit on the
// session's asks are unknown, however long it takes to sweep them away. The id is
// taken out of "gone" when nothing hangs on it any more; a sweep that died is
// taken up by the next one.
//
// A chunk that nothing refers to is first condemned: the same frame is written
// again with a zstd frame behind it that readers skip. Who is about to refer to a
// condemned chunk writes it anew, and who found it before meets a conflict. So a
// chunk that was condemned before all records were looked through, and that none
// of them refers to, is deleted under the condition that it stayed as it was. What
// looks like a chunk's name in any record counts as a reference, so that those of
// a newer planb count, too.
//
// # Other versions of planb
//
// New fields, new states of the world and new key families do not raise a
// format. A record is rewritten field by field, so that fields a newer planb
// added survive. A format is raised only when older code would misunderstand
// what is written: then the older code says so with a *FormatError, when it
// reads (each read of records includes the format record) and when it writes
// (each commit checks that the format record is the one it knows).
//
// # Memory
//
// Earlier finds what a person answered before to the questions of an ask, in any
// session of its project: the newest answer to each question that is the same one
// (questions.Question.SameAs), among the project's latest some thousand asks. What
// was declined or withdrawn is none, and what a person says of a plan is not. A
// deleted session is forgotten, an archived one is not.
//
// # Claims
//
// A claim is a statement about a process that is alive, never about data:
// losing one loses no answer. ShowClaim: a pane shows this ask, so none has to
// be opened for it; a person may show it in any number of them. PlaceClaim: a pane serves this place's queue, so an ask put into it
// will be shown. WaitClaim: an agent's server waits for this ask, so its outcome
// will be delivered at once. They are renewed by raising a counter, and judged
// by its standing still; no clock of another machine matters, and neither a
// jump of the clock nor a machine that slept ends one. They, entries, what is
// remembered of panes and how a screen is divided are written quietly: only taking
// and giving up a claim rings.
package store
