// Package library offers what the store holds as MCP resources: past sessions, the
// versions of their plans, and what was asked and answered.
//
// An agent sees the sessions of its own projects and those it began. Reading writes
// nothing: an answer that was read here still counts as not delivered. A client can
// follow a resource, and is told when it changes.
//
// Begin to read at resources.go.
package library
