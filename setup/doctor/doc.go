// Package doctor judges a person's planb: its store, the terminal, the ways to open
// panes for forms, and the clients that start its server. It judges the state of each,
// and says for every problem what to do.
//
// It changes nothing and gathers nothing. Its callers hand in the facts as
// data, so that a judgement can be read and tested without the machine it is
// about. Begin to read at Report.
package doctor
