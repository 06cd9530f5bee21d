package tuitest

import (
	"flag"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	"planb/store/kv/kvtest"
)

// Patience bounds every wait of these tests; none takes nearly as long.
const Patience = time.Minute

// InBubble runs a test whose waits take no time: its clock leaps ahead whenever all goroutines
// wait. What meets another process or a terminal cannot run so; see testing/synctest. Nor can
// what colours code: the patterns of all tests share one clock, which would outlive the bubble.
func InBubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		// It runs last, and lets the timers of a program that has ended go off. A bubble must
		// end without goroutines.
		t.Cleanup(func() { time.Sleep(Patience) })
		test(t)
	})
}

// Poll waits until a condition holds, and fails the test after Patience. The longer it has
// waited, the less often it looks.
func Poll(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); ; {
		if holds() {
			return
		}
		waited := time.Since(began)
		if waited > Patience {
			t.Fatalf("waited %v in vain for: %s", Patience, what)
		}
		time.Sleep(min(time.Millisecond+waited/8, 20*time.Millisecond))
	}
}

// RunAtOnce runs the tests of a room that mostly wait, n parallel ones at once unless
// -parallel says otherwise, and returns the exit code.
func RunAtOnce(m *testing.M, n int) int {
	kvtest.AtOnce(n)
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
