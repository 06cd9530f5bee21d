// Package ledger is what every family of records stands on: optimistic commits over a
// kv.Engine, long texts in chunks, ids, parts of keys, and claims. A package that keeps
// records of its own (the store; tasks and runs of drafts) is written with it and does not
// touch the engine. The ledger does not know what a record means, nor what may follow what.
//
// Begin with Ledger. A family of records is
//
//   - a prefix of keys, and a type that embeds Header, written with NewHeader;
//   - reads: Get, GetEach, Page, Each and List give records, and Decode makes them
//     values. Found is a record of a list, or why it cannot be read; AboutOne tells
//     an error about one record from one about the whole store;
//   - writes: Commit runs a function that reads, checks what it read, and puts and
//     deletes. Rewrite and Object keep the fields that a newer planb added;
//   - long texts: NewBlob, Keep or KeepNew, and Texts. The record holds the Ref;
//   - ids and keys: NewID, CanonicalID, TimeOf; Hash, Inverted, LastPart, Parent,
//     Family; DropUnder and DropSeen for what is swept away.
//
// The example in example_test.go is a whole family.
//
// # Commits
//
// Every change is optimistic. The function given to Commit reads, decides, and names what
// must not have changed; the commit then happens whole or not at all. After a conflict the
// function runs again and must start anew. A commit whose outcome the engine does not know
// is read back by the id of its operation, which the engine keeps with each record. If
// others have written those records again since, only the function can tell whether the
// commit happened: it compares kv.Record.Op with Change.Op, or what it finds with what it
// wanted. If reading back fails as well, the caller gets an error that is kv.ErrUnclear.
//
// # Formats
//
// The record "format" holds the format of the whole store, and each record its own
// in the field "v". A format is raised only when older code would misunderstand
// what is written; new fields and new families raise none. Every read of records
// includes the format record, and every commit checks it, so an older planb stops
// with a *FormatError at the first use.
//
// # Chunks
//
// A text over 512 KiB is cut into chunks. A chunk is a zstd frame with a checksum
// under the SHA-256 of its text (x/<digest>), so equal texts are kept once. Chunks
// are written before the commit that refers to them, or in that commit when they
// are small; the commit checks the chunks that were there already. KeepNew does not
// look for small ones, and writes them anew.
//
// No engine tells the size of a value without the value. So z/<digest> has the size of
// each chunk, and a prune need not read the texts that are in use. The format record
// says whether that index has every chunk; in a store from before there was an index,
// chunks are read instead until IndexChunks.
//
// A chunk that no record names is removed by Sweep, in two steps. First the chunk is
// condemned: the same frame is written again, with a mark behind it that readers
// skip. A writer that wants to refer to a condemned chunk writes it anew, and a
// writer that found it before meets a conflict. Then all records are looked through,
// and a condemned chunk that none of them names is deleted under the condition that
// it stayed as it was. Any 64 hexadecimal digits in a record count as the name of a
// chunk, so references of a newer planb count as well.
//
// # Claims
//
// Claims tell which processes are alive and at what: see Claims. They say nothing
// about data; a lost claim loses nothing.
package ledger
