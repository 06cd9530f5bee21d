//go:build !unix

package pane

// readsEnvirons says whether other processes' environments are to be read here.
const readsEnvirons = false

// processesAbove finds none: where there is no tmux, nothing is looked for.
func processesAbove() []process { return nil }
