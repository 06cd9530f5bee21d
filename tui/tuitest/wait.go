package tuitest

import (
	"flag"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

// Patience bounds every wait of these tests; none takes nearly as long.
const Patience = time.Minute

// Poll waits until a condition holds, and fails the test after Patience.
func Poll(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); ; time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain for: %s", Patience, what)
		}
	}
}

// RunAtOnce runs the tests of a room that mostly wait, n parallel ones at once unless
// -parallel says otherwise, and returns the exit code.
func RunAtOnce(m *testing.M, n int) int {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
			panic(err)
		}
	}
	return Run(m)
}

// Run runs the tests of a room that draws much, and returns the exit code. To draw thousands
// of screens leaves much garbage, and to collect it takes a sixth of the time. What benchmarks
// measure is left as it is.
func Run(m *testing.M) int {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	return m.Run()
}
