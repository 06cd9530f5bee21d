package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planb/cli/ink"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/setup/doctor"
	"planb/themes"
	"planb/tui/screen"
)

func sampleReport() doctor.Report {
	return doctor.Report{Version: "1.2.3", System: "linux/amd64", Findings: []doctor.Finding{
		{Area: doctor.AreaStore, Name: "file", State: doctor.OK, Detail: "/home/me/.local/share/planb/planb.db, 1.2 MB", Remedy: ""},
		{Area: doctor.AreaStore, Name: "free pages", State: doctor.Warning, Detail: "31 % of the file are free pages, whose list every write reads and writes", Remedy: "planb doctor --compact"},
		{Area: doctor.AreaTerminal, Name: "escape-time", State: doctor.Warning, Detail: "tmux waits 500 ms after Esc, which makes it feel broken", Remedy: "put into tmux.conf:  set -sg escape-time 10"},
		{Area: doctor.AreaOpener, Name: "zellij", State: doctor.Note, Detail: "not here: ZELLIJ is not set", Remedy: ""},
		{Area: doctor.AreaClients, Name: "Codex", State: doctor.Problem, Detail: "/home/me/.codex/config.toml starts /usr/bin/planb, which is not there", Remedy: "planb setup codex"},
	}}
}

func TestTable(t *testing.T) {
	for _, width := range []string{"40", "80", "120"} {
		t.Run(width, func(t *testing.T) {
			columns := map[string]int{"40": 40, "80": 80, "120": 120}[width]
			text := reportText(ink.Ink{Width: columns}, sampleReport())
			for line := range strings.Lines(text) {
				w := ansi.StringWidth(strings.TrimSuffix(line, "\n"))
				if isPath := strings.Contains(line, "/home/me/"); w > columns && !isPath {
					t.Errorf("a line of %d columns: %q", w, line)
				}
			}
			golden.RequireEqual(t, text)
		})
	}
}

// Colours say what the signs say, and no line is broken elsewhere for them.
func TestTableWithColoursIsTheSame(t *testing.T) {
	plain := reportText(ink.Ink{Width: 80}, sampleReport())
	coloured := reportText(ink.Ink{Width: 80, Styles: screen.NewStyles(themes.Printed())}, sampleReport())
	if plain == coloured || ansi.Strip(coloured) != plain {
		t.Errorf("with colours:\n%s", coloured)
	}
}

func TestNothingForeignReachesTheTerminal(t *testing.T) {
	for name, evil := range safetest.Hostile() {
		t.Run(name, func(t *testing.T) {
			r := doctor.Report{Version: "1", System: "x", Findings: []doctor.Finding{{Area: doctor.AreaClients, Name: "client " + evil, State: doctor.Problem, Detail: evil, Remedy: evil}}}
			for line := range strings.Lines(reportText(ink.Ink{Width: 80}, r)) {
				if bad, ok := safe.Printable(strings.TrimSuffix(line, "\n")); !ok {
					t.Errorf("%U is in %q", bad, line)
				}
			}
		})
	}
}

func TestSummary(t *testing.T) {
	one, two := []doctor.Finding{{State: doctor.Problem}}, []doctor.Finding{{State: doctor.Warning}, {State: doctor.Warning}}
	for _, c := range []struct {
		findings []doctor.Finding
		want     string
	}{
		{nil, "All is well."},
		{[]doctor.Finding{{State: doctor.Note}}, "All is well."},
		{two[:1], "planb works; 1 thing could be better."},
		{one, "1 problem."},
		{append(one, two...), "1 problem, and 2 things could be better."},
	} {
		if got := reportSummary(doctor.Report{Findings: c.findings}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
