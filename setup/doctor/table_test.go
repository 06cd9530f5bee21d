package doctor

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planb/questions/safe"
	"planb/questions/safe/safetest"
)

func sample() Report {
	return Report{Version: "1.2.3", System: "linux/amd64", Findings: []Finding{
		{AreaStore, "file", OK, "/home/me/.local/share/planb/planb.db, 1.2 MB", ""},
		{AreaStore, "free pages", Warning, "31 % of the file are free pages, whose list every write reads and writes", "planb doctor --compact"},
		{AreaTerminal, "escape-time", Warning, "tmux waits 500 ms after Esc, which makes it feel broken", "put into tmux.conf:  set -sg escape-time 10"},
		{AreaOpener, "zellij", Note, "not here: ZELLIJ is not set", ""},
		{AreaClients, "Codex", Problem, "/home/me/.codex/config.toml starts /usr/bin/planb, which is not there", "planb setup codex"},
	}}
}

func TestTable(t *testing.T) {
	for _, width := range []string{"40", "80", "120"} {
		t.Run(width, func(t *testing.T) {
			columns := map[string]int{"40": 40, "80": 80, "120": 120}[width]
			var text strings.Builder
			if err := sample().WriteTable(&text, columns, false); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text.String()) {
				w := ansi.StringWidth(strings.TrimSuffix(line, "\n"))
				if isPath := strings.Contains(line, "/home/me/"); w > columns && !isPath {
					t.Errorf("a line of %d columns: %q", w, line)
				}
			}
			golden.RequireEqual(t, []byte(text.String()))
		})
	}
}

func TestTableColoursSignsOnly(t *testing.T) {
	var plain, coloured strings.Builder
	if err := sample().WriteTable(&plain, 80, false); err != nil {
		t.Fatal(err)
	}
	if err := sample().WriteTable(&coloured, 80, true); err != nil {
		t.Fatal(err)
	}
	if plain.String() == coloured.String() || ansi.Strip(coloured.String()) != plain.String() {
		t.Errorf("with colours:\n%s", coloured.String())
	}
}

func TestNothingForeignReachesTheTerminal(t *testing.T) {
	for name, evil := range safetest.Hostile() {
		t.Run(name, func(t *testing.T) {
			r := Report{Version: "1", System: "x", Findings: []Finding{{AreaClients, "client " + evil, Problem, evil, evil}}}
			var text strings.Builder
			if err := r.WriteTable(&text, 80, false); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text.String()) {
				if bad, ok := safe.Printable(strings.TrimSuffix(line, "\n")); !ok {
					t.Errorf("%U is in %q", bad, line)
				}
			}
		})
	}
}

func TestSummary(t *testing.T) {
	one, two := []Finding{{State: Problem}}, []Finding{{State: Warning}, {State: Warning}}
	for _, c := range []struct {
		findings []Finding
		want     string
	}{
		{nil, "All is well."},
		{[]Finding{{State: Note}}, "All is well."},
		{two[:1], "planb works; 1 thing could be better."},
		{one, "1 problem."},
		{append(one, two...), "1 problem, and 2 things could be better."},
	} {
		if got := (Report{Findings: c.findings}).summary(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
