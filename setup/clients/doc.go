// Package clients knows the MCP clients that can start planb: where each keeps
// its configuration, what must stand there so that planb is started, may wait
// for a person and is not asked about before each form, and what stands there
// now.
//
// A client is data, in a file of its own: the places of its files, the keys of
// an entry, its limits. The package reads configuration; writing is the
// business of whoever has asked the person.
package clients
