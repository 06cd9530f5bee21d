// Package bolt is the kv.Engine over one bbolt file that any number of processes
// share. It knows keys, bytes and revisions, and no domain noun. Begin with Engine;
// session.go is where bbolt is used.
//
// # Files
//
// Beside the file (planb.db) lie the turnstile (planb.db.turn), the doorbell
// (planb.db.bell) and the reserve (planb.db.reserve), which is room for a full disk.
// All three may be deleted while no process uses the store. A new file is made under
// the name planb.db.new-* and linked into place when it is whole. Directories are made
// with mode 0700, files with 0600.
//
// # Locks
//
// The file is opened for one operation and closed after it, so no process keeps it
// from another. An operation
//
//  1. passes the engine's gate, so that many waiting goroutines of one process are one
//     blocked thread;
//  2. locks the turnstile exclusively, so that readers, whose shared locks overlap,
//     cannot starve a writer;
//  3. locks the file with bbolt's own lock, waiting in the kernel where bbolt would
//     poll, and makes sure that the locked file is still the one at the path;
//  4. releases the turnstile (a writer does so when it is about to write), does one
//     short transaction, and closes the file.
//
// A writer that met others, or expects to, may keep the turnstile for all that it reads and
// writes (TakeTurn).
//
// A goroutine of its own waits for the locks, and releases them at once if the caller
// has gone. After five seconds the error says which process holds the store. On Windows
// a second lock on the file would conflict with bbolt's own: there the turnstile is
// held throughout. A process that replaces the file must hold the turnstile and the
// file's lock meanwhile and ring the doorbell.
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
// The doorbell holds the last eight commits that rang, each in 1,024 bytes at the place
// that the remainder of its revision gives. A commit is a line with two decimal
// numbers, the revision and bbolt's transaction number. If there is room, two more lines
// follow: one with the revision of the commit that rang before and every key that was
// written or deleted, separated by tabs; and one with the CRC-32C of both lines in
// hexadecimal. So other commits do not wake a process that watches one record.
//
// # Reserve
//
// The reserve (Options.Reserve, 8 MiB in planb) is a file without content that really
// occupies its room on the disk. When a commit finds the disk full, the engine cuts the
// file to no bytes, under the store's lock, and commits once more: so what people are
// answering is still written. A batch that can wait (kv.Batch.CanWait) never gets that
// room. Such a batch makes the reserve if there is none, and makes it again if it was
// given up; both need twice its size of free room. While the reserve is given up and
// cannot be made again, such a batch is refused: what an agent begins would fill the
// room that a person needs.
//
// # Faults
//
// bbolt initialises an empty file anew, and panics or crashes on damaged ones. So every
// operation first inspects the locked file, turns memory faults into panics, and turns
// panics into errors. Damage comes back as a *kv.Fault. The package never starts empty
// where data was, and only Repair repairs. Two kinds of damage stay unseen, because
// bbolt's pages have no checksums. A key changed within a page of the tree can hide
// records; the records that are found are right nevertheless. A page of the tree that
// refers to one above it ends the process, or keeps it busy without end; Check finds it
// before bbolt follows it.
package bolt
