package machine

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// systemID returns the id of the hardware.
func systemID(fs.FS) string { return sysctl("kern.uuid") }

// Run identifies this run of the kernel.
func Run() string { return sysctl("kern.bootsessionuuid") }

// sysctl returns "" if the kernel does not know the name.
func sysctl(name string) string {
	value, err := unix.Sysctl(name)
	if err != nil {
		return ""
	}
	return value
}
