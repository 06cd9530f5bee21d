package kvtest

import (
	"flag"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
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

// AtOnce lets n parallel tests of a room that mostly waits run at once, unless -parallel says
// otherwise. It is called once, before the tests run.
func AtOnce(n int) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
			panic(err)
		}
	}
}

// RunCases runs the tests of a room, and lets its random ones run n cases unless
// -rapid.checks or RAPID_CHECKS asks for another number. It does not return.
func RunCases(m *testing.M, n string) {
	flag.Parse()
	QuickDisk()
	asked := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		if err := flag.Set("rapid.checks", n); err != nil {
			panic(err)
		}
	}
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400) // the many small stores leave much garbage
	}
	os.Exit(m.Run())
}
