// Package mcp is planb's Model Context Protocol server: it connects the rooms below and
// offers their tools, prompts and resources to the agents of its connections.
//
// It promises that a cancelled request leaves its question open, and that an answer
// counts as delivered only once the reply that carries it was written.
//
// Its rooms, from the top down:
//
//	asking    the tools that ask: init_planb_session, ask_user, get_answer
//	planning  the tools for plans: save_plan, write_plan, edit_plan, submit_plan
//	tasks     the tools for plans of tasks
//	drafts    the tools for drafts, by which an agent writes a plan from one prompt
//	library   resources: past sessions, plans and answers
//	wait      brings an ask before a person and waits for its outcome; in wait/dialog,
//	          the form as a client's own dialog
//	planfile  plans as files of the project, and readable copies
//	tool      what tools have in common: listing, arguments, caller, result
//	agent     the agent of a connection: its project, its sessions, what it asked
//	wire      the stdio loop around mcp-go, which decodes and answers the messages
//	pane      opens a pane in the person's terminal multiplexer
//
// A call comes in at wire, becomes a tool.Request here (conn.go), and is served by the
// tool of its name (tools.go). The tool answers with a tool.Result; steps add what every
// result says; the result is cut to what the client passes on; and wait is told once the
// reply was written.
//
// No screen is drawn here and no storage engine is known here. A process of its own shows a
// question to a person; package pane starts it.
//
// Begin to read at New in server.go.
package mcp
