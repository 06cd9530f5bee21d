package budgets_test

import (
	"fmt"
	"os"
	"testing"

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
	pane := tm.NewWindow("--", floorProgram(t, "tea"), "Hello")
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
