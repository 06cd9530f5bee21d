// Package tasks keeps projects and their plans of tasks. What a plan is, which task
// is ready and what an error says are rules of planb/plans/tasks; how records are
// read and committed is the ledger's business. This package knows no session and no
// ask. Begin with Store.
//
// # Promises
//
// A method that returns without an error has written durably, in one commit; one
// that returns an error has written nothing that a record refers to, unless
// errors.Is(err, kv.ErrUnclear). Each of these is one commit, with its audit row and
// with its quotas checked in it:
//
//   - a project with its name and slug (CreateProject). Of two projects with one
//     name the first wins.
//
// # Keys
//
// <project> is a UUID in lower case. <hash> is the first half of a
// SHA-256 in hexadecimal, because names and slugs may hold any letter; the owner of
// the store is part of it.
//
//	wj/<project>                         a project: name, slug, directory, how many tasks its plans have; in ascending order the oldest is first
//	wn/<hash>                            the project with a name, in any letter case
//	wg/<hash>                            the project with a slug
//	wv/<project>/<inverted time>/<op>    an audit row: what the commit with that operation id did, and who did it; the newest first
//	wq/projects                          how many projects there are
//
// A row is written once and never again. So after a commit of which nothing was
// heard, its row says whether it happened.
package tasks
