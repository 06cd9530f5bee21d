//go:build !unix

package mcp

import (
	"context"
	"os"
)

// lockPlans does nothing: a directory cannot be locked here. Two servers that
// write one plan at the same moment keep all that they wrote as versions, and each
// may take the other's for somebody else's.
func lockPlans(context.Context, *os.File) error { return nil }
