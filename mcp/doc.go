// Package mcp is planb's Model Context Protocol server: the tools an agent calls,
// the waiting for a person, and the words a model reads.
//
// It promises that a cancelled request leaves its question open, and that an answer
// counts as delivered only once the reply that carries it was written.
//
// Its rooms, from the top down:
//
//	library   resources: past sessions, plans and answers
//	wait      brings an ask before a person and waits for what becomes of it
//	planfile  plans as files of the project, and readable copies
//	tool      what tools have in common: listing, arguments, caller, result
//	agent     the agent of a connection: its project, its sessions, what it asked
//	wire      the stdio loop around mcp-go, which decodes and answers the messages
//	pane      opens a pane in the person's terminal multiplexer
//
// Where no pane can be opened, a client that declares form elicitation is made
// to show a dialog of its own, once for an ask: it names the command to run, and
// asks what is small enough. Its reply is checked and stored like any answer.
//
// No screen is drawn here and no storage engine is known here. What shows a
// question to a person is a process of its own, started through package pane.
package mcp
