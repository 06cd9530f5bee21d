// Package soak has agents, servers and people act at random and all at once,
// and kills some of them. Then it compares the store with what everyone was
// told. A few rounds run with the other tests; the variable PLANB_SOAK_SCRIPTS
// asks for more.
package soak
