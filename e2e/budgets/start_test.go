package budgets_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"planb/e2e/rig"
)

// floorProgram builds a program of e2e/budgets/floor and returns its path.
func floorProgram(t testing.TB, name string) string {
	t.Helper()
	path, err := rig.Build("floor-"+name, "./e2e/budgets/floor/"+name)
	if err != nil {
		t.Fatalf("the program to compare with can't be built: %v", err)
	}
	return path
}

// The floor programs must build and do what they are measured for. No other
// test would notice if they did not.
func TestFloorPrograms(t *testing.T) {
	t.Parallel()
	w := rig.StartTimedClient(t, nil, floorProgram(t, "mcp"))
	w.Initialize()
	w.Result(w.Send("tools/list", nil))
	w.Stop()

	tm := rig.StartTmux(t, 80, 24)
	pane := tm.Run("new-window", "-d", "-P", "-F", "#{pane_id}", "--", floorProgram(t, "tea"), "Hello")
	tm.Shows(pane, "Hello")
	tm.Keys(pane, "q")
	tm.Gone(pane)
}

// serverVariables returns the environment of a server.
func serverVariables(dataDir string, more ...string) []string {
	return append([]string{
		"HOME=" + dataDir, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "PLANB_DATA_DIR=" + dataDir,
	}, more...)
}

// measureStart measures the time from just before the process starts until the
// answer to initialize arrives, on a store that was used before.
func measureStart(t testing.TB) []figure {
	program, floor := rig.Planb(t), floorProgram(t, "mcp")
	env := serverVariables(t.TempDir())
	used := rig.StartTimedClient(t, env, program, "mcp")
	used.Initialize()
	used.Session("used before")
	used.Stop()

	start := func(program string, args ...string) func() float64 {
		return func() float64 {
			w := rig.StartTimedClient(t, env, program, args...)
			defer w.Stop()
			return rig.Milliseconds(w.Initialize().At.Sub(w.Begun))
		}
	}
	p := pairs(60, start(program, "mcp"), start(floor))
	beside := fmt.Sprintf("a bare mcp-go server: %s ms", digits(p.floor.median()))
	return []figure{
		{what: "start to initialize answered", metric: "ms", unit: "ms", most: 30,
			got: p.ours.median(), spread: p.ours.quartiles(), floor: beside},
		{what: "  beside a bare mcp-go server", metric: "×floor", unit: "×", most: 4,
			got: p.ratio.median(), spread: p.ratio.quartiles(), floor: beside},
	}
}

// measureMemory measures a server's memory after initialize and tools/list,
// once it no longer changes.
func measureMemory(t testing.TB) []figure {
	const what = "resident memory, idle server"
	if runtime.GOOS != "linux" {
		return []figure{{what: what, unit: "MB", most: 30, skipped: "needs /proc"}}
	}
	idle := func(program string, args ...string) (resident, anonymous float64) {
		w := rig.StartTimedClient(t, serverVariables(t.TempDir()), program, args...)
		defer w.Stop()
		w.Initialize()
		w.Result(w.Send("tools/list", nil))
		awaitSteady(func() int { return int(megabytes(t, w.Cmd.Process.Pid, "VmRSS:") * 100) }, 500*time.Millisecond)
		return megabytes(t, w.Cmd.Process.Pid, "VmRSS:"), megabytes(t, w.Cmd.Process.Pid, "RssAnon:")
	}
	resident, anonymous := idle(rig.Planb(t), "mcp")
	bare, bareAnonymous := idle(floorProgram(t, "mcp"))
	return []figure{
		{what: what, metric: "MB", unit: "MB", most: 30, got: resident,
			floor: "a bare mcp-go server: " + inUnit(bare, "MB")},
		{what: "  of it its own, not the program file's pages", metric: "own-MB", unit: "MB", bare: true, got: anonymous,
			floor: "a bare mcp-go server: " + inUnit(bareAnonymous, "MB")},
	}
}

// megabytes reads one line of a process's status, in megabytes of 1,000,000
// bytes.
func megabytes(t testing.TB, pid int, field string) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(status) {
		if words := bytes.Fields(line); len(words) == 3 && string(words[0]) == field {
			if kib, err := strconv.Atoi(string(words[1])); err == nil {
				return float64(kib) * 1024 / 1e6
			}
		}
	}
	t.Fatalf("/proc/%d/status tells no %s:\n%s", pid, field, status)
	return 0
}

// awaitSteady waits until a number has not changed for that long. It reads the
// number at least twice.
func awaitSteady(read func() int, still time.Duration) {
	last, since := read(), time.Now()
	for d := rig.NewDeadline(); time.Since(since) < still && !d.Passed(); d.Pause() {
		if n := read(); n != last {
			last, since = n, time.Now()
		}
	}
}
