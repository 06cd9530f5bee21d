//go:build !unix

package pane

// readsEnvirons says whether the environments of other processes can be read.
const readsEnvirons = false

// processesAbove returns none: without tmux there is nothing to look for.
func processesAbove() []process { return nil }
