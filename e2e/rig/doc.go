// Package rig is what the tests of the whole program stand on: a planb built from
// the tree, agents that speak to its server over stdio, a real tmux, a person at a
// terminal, and the store that all of them left. It has no tests of its own and
// judges nothing but whether its parts work. Only the packages below e2e import it.
//
// Each of those packages runs its tests by Main. Begin to read at StartAgent and
// StartTmux. A test polls with Until and never sleeps.
package rig
