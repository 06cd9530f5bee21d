package budgets_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// roomBudgets are measured by benchmarks and tests of single rooms. This
// package runs them and reads their output.
func roomBudgets() []budget {
	return []budget{
		{"formkey", measureFormKey},
		{"write", measureWrite},
		{"contention", measureContention},
		{"kill", countLostWrites},
		{"tasks", measureTasks},
	}
}

// inRoom runs tests of one package and returns their output.
func inRoom(t testing.TB, room string, flags ...string) string {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"test", "-count=1"}, flags...), "./"+room)...)
	cmd.Env = append(os.Environ(), "TMUX=", "TMUX_PANE=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out)
}

// metrics reads the numbers of a benchmark, by unit, from all its runs.
func metrics(t testing.TB, output, benchmark string) map[string]sample {
	t.Helper()
	found := map[string]sample{}
	for line := range strings.Lines(output) {
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], benchmark) {
			continue
		}
		for i := 2; i+1 < len(words); i += 2 {
			n, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				t.Fatalf("%q is no benchmark's line", line)
			}
			found[words[i+1]] = append(found[words[i+1]], n)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s printed no numbers:\n%s", benchmark, output)
	}
	return found
}

// measureFormKey measures the time that the form itself needs for a key in 20
// KB.
func measureFormKey(t testing.TB) []figure {
	out := inRoom(t, "tui/form", "-run", "^$", "-bench", "^BenchmarkFormKey$/^20_KB", "-benchtime", "100x", "-count", "3")
	slowest := metrics(t, out, "BenchmarkFormKey/20_KB")["ns/op"].quantile(1) / 1e6
	return []figure{{what: "a key in 20 KB of long text, the form alone", unit: "ms", most: 5, got: slowest,
		floor: "the slower of many lines and one; no terminal"}}
}

func measureWrite(t testing.TB) []figure {
	out := inRoom(t, "store/bolt", "-run", "^$", "-bench", "^BenchmarkWrite$", "-benchtime", "1000x", "-count", "5")
	m := metrics(t, out, "BenchmarkWrite")
	return []figure{{what: "one write through the store, beside a held handle", unit: "×", most: 1.6,
		got: m["ratio"].median(), spread: m["ratio"].quartiles(),
		floor: fmt.Sprintf("a held bbolt handle: %s ms", digits(m["µs/held"].median()/1000))}}
}

func measureContention(t testing.TB) []figure {
	out := inRoom(t, "store/bolt", "-run", "^$", "-bench", "^BenchmarkContention$", "-benchtime", "10x", "-count", "5")
	m := metrics(t, out, "BenchmarkContention")
	return []figure{{what: "16 processes writing at once, p99 beside a lone write", unit: "×", most: 48,
		got: m["ratio"].median(), spread: m["ratio"].quartiles(),
		floor: fmt.Sprintf("a lone write: %s ms", digits(m["µs/alone"].median()/1000))}}
}

var killed = regexp.MustCompile(`(\d+) processes killed, (\d+) acknowledged commits`)

// countLostWrites runs the test that fails if a write is lost.
func countLostWrites(t testing.TB) []figure {
	out := inRoom(t, "store/bolt", "-run", "^TestKill$", "-v")
	match := killed.FindStringSubmatch(out)
	if match == nil {
		t.Fatalf("TestKill did not say what it did:\n%s", out)
	}
	return []figure{{what: "acknowledged writes lost by kill -9", unit: "of " + match[2], most: 0, got: 0,
		floor: fmt.Sprintf("TestKill in store/bolt: %s processes killed", match[1])}}
}

// measureTasks measures what is promised of plans of tasks.
func measureTasks(t testing.TB) []figure {
	const bench = "^BenchmarkBudget$"
	out := inRoom(t, "store/tasks", "-run", "^$", "-bench", bench, "-skip", bench+"/crowd", "-benchtime", "100x", "-count", "3") +
		inRoom(t, "store/tasks", "-run", "^$", "-bench", bench+"/crowd", "-benchtime", "10x")
	ratio := func(name, what, floor string, most float64) figure {
		m := metrics(t, out, "BenchmarkBudget/"+name)
		return figure{what: what, unit: "×", most: most, got: m["ratio"].median(), spread: m["ratio"].quartiles(),
			floor: fmt.Sprintf("%s: %s ms", floor, digits(m["µs/floor"].median()/1000))}
	}
	ms := func(name, what string, most float64) figure {
		return figure{what: what, unit: "ms", most: most, got: metrics(t, out, "BenchmarkBudget/"+name)["µs"].median() / 1000}
	}
	return []figure{
		ratio("propose", "500 tasks of 1 KB proposed", "a small write", 5),
		ratio("next", "the next of 10,000 tasks", "the read of them", 10),
		ms("next", "the next of 10,000 tasks", 1),
		ms("explain", "why 10,000 tasks are not ready", 5),
		ratio("claim", "a task claimed", "a small write", 2),
		ratio("dependents", "one completed for which 1,000 wait", "one for which none waits", 1.2),
		ratio("crowd", "16 processes claiming and completing, p99", "16 processes writing, p99", 2),
	}
}
