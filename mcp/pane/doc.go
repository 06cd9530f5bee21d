// Package pane shows a command to a person: it opens a pane in the terminal
// multiplexer around the MCP server, and gives the focus back when the person
// is done. Without a multiplexer it opens a window on the person's display.
// Only this package runs multiplexers.
//
// It does not know what runs in a pane. It never gives an agent's text to a
// shell, and cleans and escapes what it gives to a multiplexer. Some terminals
// start commands only through a shell. They get a file in which planb's own
// words, the directory and the environment are quoted; see script.
//
// Begin to read at Opener and openers. A new multiplexer or terminal is one row in
// openers and one file with a launcher; or with an Opener of its own, if it looks
// at the panes first or gives the focus back.
package pane
