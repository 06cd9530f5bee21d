package machine

import (
	"os"
	"testing"
)

func TestParseStat(t *testing.T) {
	const rest = " 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 100 200\n"
	for raw, want := range map[string]Stat{
		"30 (planb) S 7" + rest:        {Name: "planb", Parent: 7, Start: "4711"},
		"30 (a) b (c)) R 7" + rest:     {Name: "a) b (c)", Parent: 7, Start: "4711"},
		"30 (\x1b\xff) Z 1" + rest:     {Name: "\x1b\xff", Ended: true, Parent: 1, Start: "4711"},
		"30 (gone) X 1" + rest:         {Name: "gone", Ended: true, Parent: 1, Start: "4711"},
		"30 () S 0":                    {},
		"30 (an older kernel) S 1 1 1": {Name: "an older kernel", Parent: 1},
	} {
		if got, err := parseStat([]byte(raw)); got != want || err != nil {
			t.Errorf("%q: %+v, %v; want %+v", raw, got, err, want)
		}
	}
	for _, raw := range []string{"", "1 (", ")(", "1 (a)", "1 (a) S", "1 (a) S x"} {
		if got, err := parseStat([]byte(raw)); err == nil {
			t.Errorf("%q: %+v", raw, got)
		}
	}
}

func TestReadStatOfThisProcess(t *testing.T) {
	got, err := ReadStat("/proc", os.Getpid())
	if err != nil {
		t.Skip("/proc is missing: ", err)
	}
	if got.Parent != os.Getppid() || got.Ended || got.Start == "" || got.Name == "" {
		t.Errorf("got %+v, the parent is %d", got, os.Getppid())
	}
}

func FuzzParseStat(f *testing.F) {
	for _, stat := range []string{"", "1 (a) S 0", "1 (", ")(", "1 (a)) S 2 3", "1 (a) S x"} {
		f.Add([]byte(stat))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if stat, err := parseStat(raw); err != nil && stat != (Stat{}) {
			t.Errorf("%+v, %v", stat, err)
		}
	})
}
