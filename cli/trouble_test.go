package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/questions/lenient"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
)

func TestUnknownCommandOnATerminal(t *testing.T) {
	for want, unknown := range map[string]frame.UnknownCommand{
		"✗ unknown command \"shw\"\n\n  Did you mean  planb show\n  planb --help\n": {Name: "shw", Nearest: "planb show", Under: "planb"},
		"✗ unknown command \"\\x1b[31m\";\n  the commands are ask, retro\n\n  planb tui --help\n": {
			Name: "\x1b[31m", Known: []string{"ask", "retro"}, Under: "planb tui"},
	} {
		if got := trouble(ink.Ink{Width: 30, Terminal: true}, frame.UsageError(unknown)); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// What happened stands above what to do.
func TestTroubleOnATerminal(t *testing.T) {
	form := lenient.Problems{
		{Where: "questions[0].kind", Got: `"slider"`, Allowed: "text, longtext, single, multi, scale", Example: `"kind":"scale"`},
		{Where: "title", Got: "the title is too long"},
		{Got: "there are no questions"},
	}
	for _, test := range []struct {
		err  string
		of   error
		want string
	}{
		{err: "nothing was changed", want: "✗ nothing was changed\n"},
		{err: "planb diff got 0 arguments; see `planb diff --help`", want: "✗ planb diff got 0 arguments\n  see `planb diff --help`\n"},
		{err: `a title "with; semicolons" is one; name another`, want: "✗ a title \"with; semicolons\" is one\n  name another\n"},
		{err: "two lines:\nthe second", want: "✗ two lines:\n  the second\n"},
		{of: fmt.Errorf("f.json is not a form:\n%w", form), want: "✗ f.json is not a form\n\n" +
			"  questions[0].kind  got      \"slider\"\n" +
			"                     allowed  text, longtext, single,\n" +
			"                              multi, scale\n" +
			"                     example  \"kind\":\"scale\"\n\n" +
			"  title              the title is too long\n\n" +
			"  there are no questions\n"},
	} {
		err := test.of
		if err == nil {
			err = errors.New(test.err)
		}
		if got := trouble(ink.Ink{Width: 56, Terminal: true}, err); got != test.want {
			t.Errorf("got\n%swant\n%s", got, test.want)
		}
	}
}

func TestNothingForeignIsInTrouble(t *testing.T) {
	for name, evil := range safetest.Hostile() {
		t.Run(name, func(t *testing.T) {
			for _, err := range []error{errors.New(evil), lenient.Problems{{Where: evil, Got: evil, Allowed: evil, Example: evil}}} {
				for line := range strings.Lines(trouble(ink.Ink{Width: 80}, err)) {
					if bad, ok := safe.Printable(strings.TrimSuffix(line, "\n")); !ok {
						t.Errorf("%U is in %q", bad, line)
					}
				}
			}
		})
	}
}
