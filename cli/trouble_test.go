package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/questions/lenient"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
)

// What happened stands above what to do, whatever the error is about.
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
		{of: frame.Declined(errors.New("left; answer it with  planb tui ask 1a2b")), want: "· left\n  → answer it with\n      planb tui ask 1a2b\n"},
		{of: frame.UnknownCommand(&cobra.Command{Use: "planb"}, "shw", "planb show"), want: "✗ unknown command \"shw\"\n  → did you mean `planb show`?\n"},
		{of: frame.UnknownCommand(&cobra.Command{Use: "planb"}, "\x1b[31m", ""), want: "✗ unknown command \"\\x1b[31m\"\n  → `planb --help` lists the commands\n"},
		{err: "planb diff takes one, but got 0; see `planb diff --help`", want: "✗ planb diff takes one, but got 0\n  → see `planb diff --help`\n"},
		{err: `a title "with; semicolons" is one; name another`, want: "✗ a title \"with; semicolons\" is one\n  → name another\n"},
		{err: "two lines; put it right:\n\n    a = 1", want: "✗ two lines\n  → put it right:\n\n    a = 1\n"},
		{of: fmt.Errorf("f.json is not a form; read about forms:\n%w", form), want: "✗ f.json is not a form\n\n" +
			"  questions[0].kind  got      \"slider\"\n" +
			"                     allowed  text, longtext, single,\n" +
			"                              multi, scale\n" +
			"                     example  \"kind\":\"scale\"\n\n" +
			"  title              the title is too long\n\n" +
			"  there are no questions\n\n" +
			"  → read about forms\n"},
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
