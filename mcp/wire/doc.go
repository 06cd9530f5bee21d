// Package wire is the stdio loop of an MCP server: JSON-RPC messages, one on a line,
// from a client and to it.
//
// It promises that nothing but JSON-RPC is written; that a request which waits for a person
// never keeps another one waiting; that a cancelled request gets no reply; and that its
// Handler is told of every reply just before it is written, and then how the writing went.
// A connection accepts a bounded amount of work: see load.
//
// It knows the methods of the protocol and no tool. The loop is planb's own because the
// one of mcp-go waits for a free worker, and loses cancellations that arrive right
// behind their request.
//
// Begin to read at Conn.handleLine.
package wire
