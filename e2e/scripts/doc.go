// Package scripts runs the command lines in testdata/scripts, one file for each
// command. Most run in the process of the tests (inProcess); those that need a
// terminal or a process of their own start the real program.
package scripts
