// Package pane makes a command visible to a person: it opens a pane of the
// terminal multiplexer the MCP server runs in, and when the person is done it
// gives the focus back. It is the only place that runs a multiplexer.
//
// It knows nothing of what runs inside a pane. No text that came from an agent
// is ever given to a shell, and none reaches a multiplexer without being cleaned
// and escaped. Where a terminal starts commands only through a shell, planb's own
// words, the directory and the environment go there quoted, in a file; see script.
//
// Where there is no multiplexer it opens a window on the person's display.
//
// Another multiplexer or terminal is one file with an Opener and one row in
// openers.
package pane
