// Package machine tells one system from another. Name identifies the machine,
// also after a reboot; Run identifies the current run of the system. Every
// container is a machine of its own. On Linux, ReadStat tells one process from
// another.
package machine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"strings"
)

// variable is the environment variable that names the machine.
const variable = "PLANB_MACHINE"

// Name returns the same text in every process on this machine, also after a
// reboot. It is a digest of PLANB_MACHINE, or, where that is not set, of the
// machine's own id. A container has the id of its host or of its image, so
// there Name uses the hostname.
func Name(env func(name string) string) string {
	return name(env, os.DirFS("/"), hostname, systemID)
}

func name(env func(string) string, root fs.FS, hostname func() string, id func(fs.FS) string) string {
	given := strings.TrimSpace(env(variable))
	if given == "" && !inContainer(root) {
		given = id(root)
	}
	sum := sha256.Sum256([]byte(cmp.Or(given, hostname())))
	return hex.EncodeToString(sum[:8])
}

// hostname is empty on a system that has no hostname. All such systems count as
// one machine.
func hostname() string {
	name, _ := os.Hostname()
	return name
}

// inContainer looks at files only: processes of one container can have
// different environments.
func inContainer(root fs.FS) bool {
	for _, path := range []string{".dockerenv", "run/.containerenv", "run/systemd/container"} {
		if _, err := fs.Stat(root, path); err == nil {
			return true
		}
	}
	mounts, err := fs.ReadFile(root, "proc/self/mountinfo")
	return err == nil && layered(string(mounts))
}

// layered reports whether the root directory is a stack of image layers. Every
// container runtime builds it like that.
func layered(mounts string) bool {
	for line := range strings.Lines(mounts) {
		mount, source, _ := strings.Cut(line, " - ")
		fields := strings.Fields(mount)
		if len(fields) > 4 && fields[4] == "/" && strings.HasPrefix(source, "overlay ") {
			return true
		}
	}
	return false
}

// SameKernel reports whether two runs, as Run names them, belong to one kernel.
// Two containers on one host have the same kernel and are different runs.
func SameKernel(a, b string) bool {
	kernelA, _, _ := strings.Cut(a, " ")
	kernelB, _, _ := strings.Cut(b, " ")
	return kernelA == kernelB
}
