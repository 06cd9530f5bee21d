// Package handoff is the store.Engine over two engines: home, where everything
// belongs, and away, which takes the commits that home cannot write and hands
// them home when it can. Databases call this hinted handoff. It knows keys,
// bytes and revisions, and never a domain noun, a path or a kind of engine.
//
// # Reading
//
// What is read is home, overlaid by the commits that lie away. While nothing is
// away, that is home alone and costs two looks whether an away store is there:
// one before and one after, because a commit that comes home between the two
// engines' reads would be missed by both. For the same reason a read with
// something away is repeated when away changed meanwhile. A home that was never
// made reads as empty; one that is there and cannot be read is its fault.
//
// # Writing
//
// A commit goes home. Only if home says that it takes no writes (it is full,
// read-only, or the permissions refuse, and nothing was written) it goes away,
// its checks held against home overlaid by away. So no two commits that
// contradict each other are both acknowledged, in whatever order processes find
// home full and well again:
//
//  1. who finds home unwritable makes the away store, with a head of a revision
//     that is given once, before it reads home;
//  2. a commit to home looks, while it holds home's lock, that there is no away
//     store; so none happens after the read of 1, unless away is gone by then;
//  3. the commit away holds under the condition that its head did not change.
//
// # Coming home
//
// Every commit, MoveHome, and a look now and then while somebody watches first
// hand home what is away: each commit whole, in their order, and each on the
// checks it was made on. The away store is removed, under its own lock and if
// its head did not change, when it is empty. Any number of processes may do so
// at once, and die at any step: a commit is taken from away only after home has
// it, and is handed home, under home's lock, only while away has it; if home has
// its operation already, that was done before.
//
// A home that refuses is not asked again by every look and every quiet commit of
// every process: the pause of each grows to half a minute. Other commits ask.
//
// # Revisions
//
// Away gives revisions far above home's, and each commit takes its revision
// home; so a revision that a reader holds means the same record before, during
// and after, and what home gives next is above them.
//
// # What does not come home
//
// Home may be changed underneath by one who does not see this away store, on
// another machine. A commit whose checks no longer hold there is not forced on
// it and not dropped: Options.Keep gets it whole, before it is taken from away,
// with what the same operation wrote ahead of it because it was too long for one
// commit, and Options.Notice says so. A home where that can't be kept takes no
// writes. Two records that Options.Same takes for the same do not contradict each
// other.
//
// A quiet commit of which nothing is left to read, because quiet ones after it
// wrote all of it again, is not kept: a draft may be saved every second, and
// home stay full for days.
package handoff
