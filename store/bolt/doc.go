// Package bolt is the kv.Engine over one bbolt file that any number of
// processes share. It knows keys, bytes and revisions, and never a domain noun.
//
// # Files
//
// Beside the file (planb.db) lie planb.db.turn, the turnstile, and planb.db.bell,
// the doorbell, and planb.db.reserve, the room that is kept for a full disk. All
// three may be deleted at rest. A new file is made under the name
// planb.db.new-* and linked into place when it is whole. Directories are made
// with mode 0700, files with 0600.
//
// # Locks
//
// The file is opened for one operation and closed after it, so no process keeps
// it from another. An operation
//
//  1. passes the engine's gate, so that many waiters of one process are one
//     blocked thread;
//  2. takes the turnstile exclusively, so that readers, whose shared locks
//     overlap, cannot starve a writer;
//  3. takes the lock on the file that bbolt itself uses, waiting in the kernel
//     where bbolt would poll, and looks whether the locked file is still the one
//     at the path;
//  4. releases the turnstile (a writer when it is about to write), does one
//     short transaction, and closes.
//
// The locks are waited for in a goroutine of its own, which lets them go if
// nobody waits any more. After five seconds the error says who holds the store.
// On Windows a second lock on the file would conflict with bbolt's own: there
// the turnstile is held throughout. Whoever replaces the file must hold the
// turnstile and the file's lock meanwhile and ring the doorbell.
//
// # Format 1
//
// A bbolt file with two buckets:
//
//	planb    "format" → 8 bytes, the number of this format.
//	         The bucket's sequence is the revision of the last commit that rang.
//	records  key → envelope. The bucket's sequence is the last revision.
//
// An envelope is what kv.Seal makes. A format that an older program could not read
// raises the number; then the older program refuses it in one sentence.
//
// The doorbell holds the last eight commits that rang, each in the 1,024 bytes
// that the remainder of its revision gives it: a line with two decimal numbers,
// the revision and bbolt's transaction number; unless it needs more room a line
// with the revision of the commit that rang before and every key that was written
// or deleted, between tabs; and one with the CRC-32C of both in hexadecimal. So
// who watches one record is not woken by all others.
//
// # Reserve
//
// The reserve (Options.Reserve, 8 MiB in planb) is a file of nothing, whose room on
// the disk is really occupied. When a commit finds the disk full, the file is cut to
// no bytes, under the store's lock, and the commit is made once more: so what people
// are answering is still written. A batch that can wait (kv.Batch.CanWait) never
// gets that room. It makes the reserve where there is none, and makes it again where
// it was given up; both take twice its size of free room. While it is given up and
// cannot be made again, such a batch is refused: what an agent begins would fill the
// room that a person needs.
//
// # Faults
//
// bbolt initialises an empty file anew, and panics or crashes on damaged ones.
// So every operation first examines the locked file, and runs with memory
// faults turned into panics and panics into errors. What is wrong comes back as
// a *kv.Fault. The package never starts empty where data was, and never
// repairs. Two damages stay unseen, because bbolt's pages have no checksums: a
// key changed within a page of the tree can hide records (what is found is right
// nevertheless), and a page of the tree that refers to one above it ends the
// process, or keeps it busy without end; Check finds it before bbolt may follow it.
package bolt
