// Package clients knows the MCP clients that can start planb. For each it knows
// where its configuration is, what that must contain, and what it contains now.
// The right configuration starts planb, lets it wait for a person, and does not
// ask the person before each form.
//
// A client is data in a file of its own: its files, the keys of an entry, its
// limits. tmux.go does the same for tmux, which shows what waits. The package only
// reads configuration; a caller writes it after asking the person. Begin to read at
// Client.
package clients
