//go:build !unix

package ink

import "os"

// inForeground says no here, so that no terminal is asked anything.
func inForeground(*os.File) bool { return false }

// typedAhead cannot tell here.
func typedAhead(*os.File) bool { return true }
