// Package mcptest is what the tests of all rooms of mcp share: a World, which is a server
// over a store in memory, with what a person does to it; a Client, which speaks to that
// server over pipes; an Author, which is a client that works on plan files; a Screen, which
// opens panes as a test wants; and Snapshot, which compares with testdata/mcp.
//
// Only tests use it, and only from packages of their own (wait_test), because it imports
// the whole server.
//
// Begin to read at world.go and client.go.
package mcptest
