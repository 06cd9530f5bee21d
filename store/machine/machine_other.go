//go:build !linux && !darwin

package machine

import "io/fs"

// systemID is not known here, so Name uses the hostname.
func systemID(fs.FS) string { return "" }

// Run is not known here.
func Run() string { return "" }
