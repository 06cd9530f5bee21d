// Package kv says what an engine is: it keeps planb's records. The package says what a
// store may rely on, and what it must expect. Begin with Engine and the limits above it;
// Fault is how an engine says that it cannot do its work, and Validate refuses what no
// engine takes. A Bell wakes the watchers of an engine. The law that every engine passes is
// kvtest.
//
// No engine lives here, and nothing here knows what a record means. An engine
// imports this room and no other of the store; the rooms above it are written
// against Engine alone.
package kv
