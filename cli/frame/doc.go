// Package frame is what all commands stand on: the program with its environment and
// standard streams, the store of this person, and the common rules of arguments,
// printing, help, consent and exit codes.
//
// It knows no command. A command embeds Program or is handed one; begin to read
// there. The settings are read in cli.
package frame
