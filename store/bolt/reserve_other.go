//go:build !linux

package bolt

import "os"

// occupy reserves that many bytes of the disk for the file.
func occupy(f *os.File, bytes int64) error { return fillUp(f, bytes) }
