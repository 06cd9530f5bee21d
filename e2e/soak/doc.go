// Package soak has agents, servers and people act at random and all at once,
// and kills some of them. Then it compares the store with what everyone was
// told. It runs only when the variable PLANB_SOAK_SCRIPTS says how many rounds.
package soak
