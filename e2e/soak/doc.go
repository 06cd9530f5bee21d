// Package soak has agents, servers and people do what comes to mind, at random and
// all at once, kills some of them, and holds what is left in the store against
// what everyone was told. A few rounds run with the other tests; the variable
// PLANB_SOAK_SCRIPTS asks for more.
package soak
