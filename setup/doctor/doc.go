// Package doctor looks over a person's planb: its store, the terminal, what
// opens panes for forms, and the clients that shall start its server. It says
// of each thing how it is, and of every trouble what to do.
//
// It changes nothing. What it judges is handed in as data, so that a judgement
// can be read, and tested, without the machine it is about; gathering that data
// is the business of whoever knows the engine, the multiplexer and the files.
package doctor
