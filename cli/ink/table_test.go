package ink

import (
	"testing"

	"planb/cli/layout"
)

// A column that fills takes the spare room, but not in a file.
func TestAColumnFillsTheTable(t *testing.T) {
	columns := []Column{{Fill: true}, {Right: true}}
	rows := [][]Cell{{{Text: "a"}, {Text: "now"}}}
	for width, want := range map[int]string{layout.Endless: "a  now\n", 10: "a      now\n", 4: "a  …\n"} {
		if got := (Ink{Width: width}).Table(columns, rows); got != want {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	columns := []Column{{}, {Least: 6}, {Leave: 2}, {Right: true, Leave: 1}}
	rows := [][]Cell{
		{{Text: "a1"}, {Text: "計画 of a session"}, {Text: "Codex"}, {Text: "9 h ago"}},
		{{Text: "b22"}, {Text: "Short"}, {}, {Text: "today"}},
	}
	for width, want := range map[int]string{
		layout.Endless: "a1   計画 of a session  Codex  9 h ago\nb22  Short                       today\n",
		30:             "a1   計画 of …  Codex  9 h ago\nb22  Short               today\n",
		20:             "a1   計画 of…  Codex\nb22  Short\n",
		16:             "a1   計画 of a …\nb22  Short\n",
		8:              "a1   計…\nb22  Sh…\n",
	} {
		if got := (Ink{Width: width}).Table(columns, rows); got != want {
			t.Errorf("in %d cells:\n%swant\n%s", width, got, want)
		}
	}
}

// A column is left out before one that wants more cells shrinks. Below that, it shrinks after all.
func TestAColumnWantsMoreThanItsLeast(t *testing.T) {
	columns := []Column{{Least: 4, Wants: 12}, {Right: true, Leave: 1}}
	rows := [][]Cell{{{Text: "Retries of the sender"}, {Text: "today"}}, {{Text: "Short"}, {Text: "9 h"}}}
	if got, want := (Ink{Width: 12}).Table([]Column{{Least: 4, Wants: 12}, {Right: true, Leave: 3}}, rows), "Retr…  today\nShort    9 h\n"; got != want {
		t.Errorf("beside a column that is left out late:\n%swant\n%s", got, want)
	}
	for width, want := range map[int]string{
		20: "Retries of t…  today\nShort            9 h\n",
		18: "Retries of the se…\nShort\n",
		8:  "Retries…\nShort\n",
	} {
		if got := (Ink{Width: width}).Table(columns, rows); got != want {
			t.Errorf("in %d cells:\n%swant\n%s", width, got, want)
		}
	}
}
