// Package scripts runs the command lines in testdata/scripts, one file for each
// command, against the real program on a real terminal.
package scripts
