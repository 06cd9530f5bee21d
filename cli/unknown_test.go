package cli

import (
	"testing"

	"planb/cli/frame"
	"planb/cli/ink"
)

func TestUnknownCommandOnATerminal(t *testing.T) {
	for want, unknown := range map[string]frame.UnknownCommand{
		"✗ unknown command \"shw\"\n\n  Did you mean  planb show\n  planb --help\n": {Name: "shw", Nearest: "planb show", Under: "planb"},
		"✗ unknown command \"\\x1b[31m\";\n  the commands are ask, retro\n\n  planb tui --help\n": {
			Name: "\x1b[31m", Known: []string{"ask", "retro"}, Under: "planb tui"},
	} {
		if got := unknownCommand(ink.Ink{Width: 30, Terminal: true}, unknown); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}
