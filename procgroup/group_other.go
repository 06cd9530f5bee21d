//go:build !unix

package procgroup

import "os/exec"

// Own does nothing: a command is killed when its context ends, and what it
// has started goes on.
func Own(*exec.Cmd) (kill func()) { return func() {} }
