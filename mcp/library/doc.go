// Package library is what the store holds, to be read as resources: past sessions, the
// versions of their plans, what was asked and answered.
//
// An agent sees the sessions of its own projects and those it began. Reading writes
// nothing: an answer that was read here still counts as not delivered. A client can
// follow what it read, and is told when it changes.
//
// Begin to read at resources.go.
package library
