// Package tasks keeps projects and their plans of tasks. What a plan is, which task
// is ready and what an error says are rules of planb/plans/tasks; how records are
// read and committed is the ledger's business. This package knows no session and no
// ask: the store hands in what it needs of them (Options). Begin with Store.
//
// # Promises
//
// A method that returns without an error has written durably, in one commit; one
// that returns an error has written nothing that a record refers to, unless
// errors.Is(err, kv.ErrUnclear). Each of these is one commit, with its audit row and
// with its quotas checked in it:
//
//   - a project with its name and slug (CreateProject). If two projects get
//     one name, the first wins;
//   - a proposed plan with all its tasks, the counters of its project and month, and
//     its place in its session (Propose). The texts of the tasks are written before,
//     or in that commit if they are short. Nothing refers to them if the process is
//     killed between: there is no plan then, and a sweep removes them;
//   - new content of a proposed plan (Propose with the plan's id);
//   - an amendment of an active plan, which waits beside it (Propose with its id), a
//     task that is added and locked (Add), an edge (SetDependency);
//   - an approval, together with the outcome of the person's review (Settle);
//   - a claim, and all that its holder says and reports (Connection). If two agents
//     claim one task, the first wins;
//   - what a person decides about a task or a plan (Accept, SendBack, Finish, Cancel,
//     Release, SetPriority, Edit, Pause, CancelPlan).
//
// # Who may decide
//
// Agents propose. A plan is active only by Settle, and Settle runs only in the commit
// that settles a person's review. It approves the plan whose hash the review was
// asked for, under three conditions: the plan is proposed, it still has that hash,
// and the text that the person read has it. The approved content is named in the
// record; what differs from it later is locked by comparison (tasks.Graph.Unlocked).
//
// In an active plan, Pending is what waits for the person: tasks that are locked, and
// what an amendment would change. The subject of its review is the digest of its text.
// Settle approves those changes that were read and still wait as they were read; the
// others keep waiting.
//
// Besides Settle only Edit writes the approved content: for the one task that a person
// reworded on their screen, which calls it.
//
// # Working
//
// A claim is a record of its own, so claims on two tasks of a plan do not conflict;
// Claim and all that follows read the task, its claim, its past and the plan in one
// snapshot and check them. Claim and Complete do so in one turn (ledger.CommitInTurn): in a
// crowd all want the same best task, and all write the record of states. Only what decides
// about a task for good writes that record. Blocked, ready and lapsed are derived by
// tasks.View and never stored.
//
// A Connection says that it lives by one claim of the ledger. A process that finds a claim
// on a task whose connection is dead writes when it found that. After the grace others may
// claim the task; the attempt of the former holder ends in that commit. Until somebody
// does, its claimId resumes, and its report counts.
//
// # Keys
//
// <project> and <plan> are UUIDs in lower case. <hash> is the first half of a
// SHA-256 in hexadecimal, because names and slugs may hold any letter; the owner of
// the store is part of it.
//
//	wj/<project>                         a project: name, slug, directory, how many tasks its plans have; in ascending order the oldest is first
//	wn/<hash>                            the project with a name, in any letter case
//	wg/<hash>                            the project with a slug
//	wl/<project>/<plan>                  the plans of a project
//	wo/<session>/<plan>                  the plans of a session that are proposed or active
//	wp/<plan>                            a plan: project, session, title, status, the chunks of its graph and of its tasks, the same of what was approved, held tasks, approval
//	wp/<plan>/c/<n>                      who has task n: claimId, worker, connection, since when, lease, when its holder was found gone
//	wp/<plan>/s                          a letter of state and a digit of priority for each task; a claimed task is open in it
//	wr/<plan>/<n>                        the work on task n: attempts, notes, reports, late reports; every claim checks it
//	wv/<project or plan>/<inverted time>/<op>  an audit row: what the commit with that operation id did, and who did it; the newest first
//	wq/<yyyy-mm>                         how many tasks were created in that month (UTC)
//	wq/projects                          how many projects there are
//	k/agent/<hash>                       says that a connection lives, while it holds a task
//	x/<digest>                           a graph, the texts of up to 256 tasks, or a long report
//
// Audit finds what is lost or damaged, and Reindex makes entries and counters anew from
// the projects and plans.
//
// A row is written once and never again. So if the outcome of a commit is unclear, its row
// says whether it happened.
package tasks
