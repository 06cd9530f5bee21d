//go:build !linux && !darwin

package tui

import "io"

// withoutFlowControl has nothing to do here.
func withoutFlowControl(io.Reader) (restore func()) { return func() {} }
