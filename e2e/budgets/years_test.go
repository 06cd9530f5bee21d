package budgets_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/e2e/rig/fakestore"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/search"
)

var yearsDir = flag.String("years", "", "keep the store of the budget named years in this `directory`, so that later runs need not generate it")

// measureYears measures planb after years of use: 10,000 sessions with 100,000
// asks and 50,000 plan versions of 20 KB.
func measureYears(t testing.TB) []figure {
	size, rounds := fakestore.FullSize(), 20
	dir := *yearsDir
	if dir == "" {
		dir = t.TempDir()
	}
	return yearsFigures(t, startYears(t, dir, size), rounds)
}

// The measurement itself must work. With a small store its numbers mean
// nothing.
func TestBudgetOfYearsInLittle(t *testing.T) {
	t.Parallel()
	y := startYears(t, t.TempDir(), fakestore.Size{Sessions: 40, Asks: 100, Versions: 60, VersionBytes: 1000, Longest: 20})
	for _, f := range yearsFigures(t, y, 1) {
		if f.skipped == "" && (f.what == "" || f.metric == "" || f.unit == "") {
			t.Errorf("a figure is %+v", f)
		}
	}
}

// years is a store after years of use.
type years struct {
	dir     string
	st      *store.Store
	newest  store.Session
	longest store.Session
	all     int // sessions
	counter int // counts the measured commits
}

// startYears generates the store, unless it exists.
func startYears(t testing.TB, dir string, size fakestore.Size) *years {
	t.Helper()
	path := filepath.Join(dir, "planb.db")
	if _, err := os.Stat(path); err != nil {
		engine, err := bolt.Open(t.Context(), path, bolt.Options{})
		if err == nil {
			err = fakestore.Generate(t.Context(), engine, size)
		}
		if err == nil {
			err = engine.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	y := &years{dir: dir, st: rig.OpenStore(t, dir)}
	for after := ""; ; {
		list, next, err := y.st.Sessions(t.Context(), after, kv.MaxPageRecords-1)
		if err != nil {
			t.Fatal(err)
		}
		for _, session := range list {
			if y.all++; y.all == 1 {
				y.newest = session
			}
			if session.Plans > y.longest.Plans {
				y.longest = session
			}
		}
		if after = next; next == "" {
			return y
		}
	}
}

func yearsFigures(t testing.TB, y *years, rounds int) []figure {
	return append(append(y.list(t, rounds), y.find(t, rounds)...), y.writer(t, rounds*10)...)
}

// list measures the list of sessions and the longest session on a terminal.
func (y *years) list(t testing.TB, rounds int) []figure {
	t.Helper()
	rig.Planb(t) // built before the clock starts
	var paint, page, open, memory sample
	show := func(until string, arguments ...string) (tty *typist, took float64) {
		begun := time.Now()
		tty = startOnTerminal(t, y.dir, append([]string{"tui", "retro"}, arguments...)...)
		return tty, rig.Milliseconds(tty.sawAt(until).Sub(begun))
	}
	remember := func(tty *typist) {
		if runtime.GOOS == "linux" {
			anonymous := func() int { return int(megabytes(t, tty.pid, "RssAnon:") * 10) }
			awaitSteady(anonymous, 500*time.Millisecond)
			memory = append(memory, float64(anonymous())/10)
		}
	}
	for round := range rounds {
		tty, took := show("Sessions")
		paint = append(paint, took)
		if round == 0 {
			tty.quiet()
			for range 2 * rounds {
				before, _ := tty.size()
				pressed := time.Now()
				tty.press("\x1b[6~") // page down
				page = append(page, rig.Milliseconds(tty.firstAfter(before).Sub(pressed)))
			}
			tty.press("/")
			tty.press("e") // planb reads all records for it
			remember(tty)
		}
		tty.press("\x03") // leaves planb
		tty, took = show(" of ", y.longest.ID)
		open = append(open, took)
		if round == 0 {
			remember(tty)
		}
		tty.press("\x03")
	}
	name := fmt.Sprintf("%d sessions: ", y.all)
	occupied := figure{what: name + "RssAnon, all of the list read", metric: "anon-MB", unit: "MB", most: 60, skipped: "needs /proc"}
	if len(memory) > 0 {
		occupied.got, occupied.skipped = memory[0], ""
		occupied.floor = fmt.Sprintf("%s MB with the longest session open", digits(memory[1]))
	}
	return []figure{
		{what: name + "start to the list on the terminal", metric: "paint-ms", unit: "ms", most: 100,
			got: paint.median(), spread: paint.quartiles(), floor: fmt.Sprintf("slowest: %s ms", digits(paint.quantile(1)))},
		{what: name + "page down", metric: "page-ms", unit: "ms", most: 16,
			got: page.median(), spread: page.quartiles(), floor: fmt.Sprintf("a frame in it: up to 8 ms; the preview of a session comes later; slowest: %s ms", digits(page.quantile(1)))},
		occupied,
		{what: fmt.Sprintf("start to a session with %d versions on the terminal", y.longest.Plans), metric: "open-ms", unit: "ms", most: 150,
			got: open.median(), spread: open.quartiles(), floor: fmt.Sprintf("slowest: %s ms", digits(open.quantile(1)))},
	}
}

// find measures searches in this process.
func (y *years) find(t testing.TB, rounds int) []figure {
	t.Helper()
	run := func(text string, until func(search.Step) bool) float64 {
		query, err := search.Parse(text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		for step, err := range search.Run(t.Context(), y.st, query) {
			if err != nil {
				t.Fatal(err)
			}
			if until(step) {
				break
			}
		}
		return rig.Milliseconds(time.Since(begun))
	}
	older := func(step search.Step) bool { return step.Older }
	var latest, first, all sample
	for range rounds {
		latest = append(latest, run("kind:plan zzyzx", older))
		first = append(first, run("webhooks", func(step search.Step) bool { return len(step.Hits) > 0 || step.Older }))
	}
	all = append(all, run("zzyzx", older))
	name := fmt.Sprintf("%d sessions: ", y.all)
	return []figure{
		{what: name + "the first hits of a search", metric: "hits-ms", unit: "ms", most: 50,
			got: first.median(), spread: first.quartiles(), floor: fmt.Sprintf("slowest: %s ms", digits(first.quantile(1)))},
		{what: name + "searching all latest versions", metric: "latest-ms", unit: "ms", most: 1000,
			got: latest.median(), spread: latest.quartiles(), floor: fmt.Sprintf("on %d cores", runtime.GOMAXPROCS(0))},
		{what: name + "  and all forms and answers, too", metric: "forms-ms", unit: "ms", bare: true, got: all.median()},
	}
}

// writer measures how much a search slows a writer: the same commit while
// another process searches everything, and without one.
func (y *years) writer(t testing.TB, rounds int) []figure {
	t.Helper()
	session, err := y.st.CreateSession(t.Context(), store.Session{Title: safe.New("Measured")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { // a store that is kept must stay what it was
		if err := y.st.Delete(context.WithoutCancel(t.Context()), session, nil); err != nil {
			t.Error(err)
		}
	}()
	commit := func() float64 {
		y.counter++
		begun := time.Now()
		if _, err := y.st.Archive(t.Context(), session.ID, y.counter%2 == 1); err != nil {
			t.Fatal(err)
		}
		return rig.Milliseconds(time.Since(begun))
	}
	measure := func() (took sample) {
		for range rounds {
			took = append(took, commit())
		}
		return took
	}
	without := measure()
	reader := startOnTerminal(t, y.dir, "tui", "retro")
	reader.sees("Sessions")
	reader.press("f")
	reader.press("zzyzx")
	with := measure()
	tell := func(what, metric string, q float64, bare bool) figure {
		return figure{
			what: "a search delays a writer, " + what, metric: metric, unit: "ms", most: 5, bare: bare,
			got:   with.quantile(q) - without.quantile(q),
			floor: fmt.Sprintf("%s ms with, %s ms without", digits(with.quantile(q)), digits(without.quantile(q))),
		}
	}
	return []figure{
		tell("median", "delay-ms", 0.5, false),
		tell("p99", "delay99-ms", 0.99, false),
		tell("the slowest", "delaymax-ms", 1, true), // depends on what else the machine does
	}
}
