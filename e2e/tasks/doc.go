// Package tasks tests the way of a plan of tasks through the whole program: an agent
// proposes it, a person approves it in a pane, and agents work it off.
package tasks
