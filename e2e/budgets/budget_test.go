package budgets_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var showBudgets = flag.Bool("budget", false, "measure what planb promises of its speed and size, and print the table")

// budget is a promise of speed or size, and the function that measures it.
type budget struct {
	name    string // of its benchmark
	measure func(t testing.TB) []figure
}

func budgets() []budget {
	return []budget{
		{"start", measureStart},
		{"memory", measureMemory},
		{"paint", measurePaint},
		{"submit", measureSubmit},
		{"highlight", measureHighlight},
		{"longtext", measureLongText},
		{"crowd", measureCrowd},
		{"inbox", measureInbox},
		{"tasks", measureTaskCommands},
		{"verdict", measureTaskVerdict},
		{"manyservers", measureManyServers},
		{"years", measureYears},
	}
}

// TestBudgets prints the table of all budgets and fails if one is exceeded. The
// result depends on the machine and its load, so it runs only when asked.
func TestBudgets(t *testing.T) {
	if !*showBudgets {
		t.Skip("measures only when asked:  go test -run TestBudgets -budget")
	}
	fmt.Printf("%s/%s, %d cores, %s, load %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), load())
	const row = "%-56s │ %12s │ %-24s │ %-49s │ %s\n"
	fmt.Printf(row, "what", "budget", "measured (middle half)", "floor", "verdict")
	over, promised := 0, 0
	for _, b := range append(budgets(), roomBudgets()...) {
		t.Run(b.name, func(t *testing.T) {
			for _, f := range b.measure(t) {
				fmt.Printf(row, f.what, f.budget(), f.measured(), f.floor, f.verdict())
				if f.promised() {
					promised++
				}
				if f.exceeded() {
					over++
				}
			}
		})
	}
	fmt.Printf("\n%d of %d within budget; load %s at the end\n", promised-over, promised, load())
	if over > 0 {
		t.Errorf("%d budgets are exceeded on this machine", over)
	}
}

// BenchmarkBudget measures the same for benchstat and similar tools. The
// measurements of single rooms are benchmarks in those rooms.
func BenchmarkBudget(b *testing.B) {
	for _, budget := range budgets() {
		b.Run(budget.name, func(b *testing.B) {
			var figures []figure
			for b.Loop() {
				figures = budget.measure(b)
			}
			b.ReportMetric(0, "ns/op") // the time of the whole measurement means nothing
			for _, f := range figures {
				if f.skipped == "" {
					b.ReportMetric(f.got, f.metric)
				}
			}
		})
	}
}

// figure is one measured number.
type figure struct {
	what    string
	metric  string // its unit in a benchmark's output: one word, unique in the line
	unit    string
	got     float64
	most    float64   // the budget
	bare    bool      // there is no budget; the number is there for comparison
	spread  []float64 // the quartiles around got, or nil
	floor   string    // what it is compared with
	skipped string    // why it could not be measured here
}

func (f figure) promised() bool { return !f.bare && f.skipped == "" }
func (f figure) exceeded() bool { return f.promised() && f.got > f.most }

func (f figure) budget() string {
	if f.bare {
		return ""
	}
	return "≤ " + inUnit(f.most, f.unit)
}

func (f figure) measured() string {
	switch {
	case f.skipped != "":
		return f.skipped
	case f.spread == nil:
		return inUnit(f.got, f.unit)
	}
	return fmt.Sprintf("%s (%s–%s)", inUnit(f.got, f.unit), digits(f.spread[0]), digits(f.spread[1]))
}

func (f figure) verdict() string {
	switch {
	case !f.promised():
		return "–"
	case f.exceeded():
		return "OVER"
	}
	return "ok"
}

func inUnit(n float64, unit string) string { return digits(n) + " " + unit }

// digits writes a number with the precision of a measurement.
func digits(n float64) string {
	switch {
	case n == float64(int(n)):
		return fmt.Sprintf("%d", int(n))
	case n >= 100:
		return fmt.Sprintf("%.0f", n)
	case n >= 10:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2f", n)
}

// sample is the results of one measurement, repeated.
type sample []float64

func (s sample) quantile(q float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*q))]
}

func (s sample) median() float64      { return s.quantile(0.5) }
func (s sample) quartiles() []float64 { return []float64{s.quantile(0.25), s.quantile(0.75)} }

// paired is two things measured in turns. What slows the machine down for a
// while slows both, so the ratios still hold.
type paired struct{ ours, floor, ratio sample }

// pairs measures both the given number of times. Each goes first every other
// time.
func pairs(rounds int, ours, floor func() float64) paired {
	var p paired
	for i := range rounds {
		var a, b float64
		if i%2 == 0 {
			a, b = ours(), floor()
		} else {
			b, a = floor(), ours()
		}
		p.ours, p.floor, p.ratio = append(p.ours, a), append(p.floor, b), append(p.ratio, a/b)
	}
	return p
}

// load returns how many processes wanted to run in the last minute, if the
// system tells.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
