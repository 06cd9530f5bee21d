package kvtest

import (
	"flag"
	"os"
)

// QuickDisk puts the temporary directories of a room's tests on a disk in memory, if this
// system has one: each commit waits for its disk, so with a true one the tests mostly wait. A
// TMPDIR that is set stays as it is, and benchmarks measure the true disk. It is called once,
// before the tests run, and after flag.Parse.
func QuickDisk() {
	if os.Getenv("TMPDIR") != "" || flag.Lookup("test.bench").Value.String() != "" {
		return
	}
	if dir := memoryDisk(); dir != "" {
		if err := os.Setenv("TMPDIR", dir); err != nil {
			panic(err)
		}
	}
}
