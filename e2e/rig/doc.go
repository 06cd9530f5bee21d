// Package rig is the harness of the tests of the whole program: a planb built
// from the tree, agents that speak to its server over stdio, a real tmux, a
// person at a terminal, and access to the store. It has no tests of its own.
// Only the packages below e2e import it.
//
// Each of those packages runs its tests with Main. Begin to read at StartAgent
// and StartTmux. A method whose name is an observation, such as Shows, Gone or
// Ready, polls until it holds, for at most Patience, and then fails the test.
// No test sleeps.
package rig
