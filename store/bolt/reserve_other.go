//go:build !linux

package bolt

import "os"

// occupy has the file take that many bytes of its disk.
func occupy(f *os.File, bytes int64) error { return fillUp(f, bytes) }
