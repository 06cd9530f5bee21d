//go:build !linux && !darwin

package machine

// parentOf knows nothing here.
func parentOf(int) (name string, parent int, ok bool) { return "", 0, false }
