// Package scripts runs the command lines in testdata/scripts, one file a command,
// against the real program on a real terminal.
package scripts
