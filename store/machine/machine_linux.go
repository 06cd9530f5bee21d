package machine

import (
	"io/fs"
	"os"
	"strings"
)

// systemID returns the id that systemd or D-Bus gave this installation.
func systemID(root fs.FS) string {
	for _, path := range []string{"etc/machine-id", "var/lib/dbus/machine-id"} {
		text, err := fs.ReadFile(root, path)
		id := strings.TrimSpace(string(text))
		if err == nil && id != "uninitialized" && id != "" {
			return id
		}
	}
	return ""
}

// Run identifies this run of the kernel and the PID namespace; each container
// has a namespace of its own. It is empty if that cannot be read.
func Run() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + space
}
