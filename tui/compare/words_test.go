package compare

import (
	"strings"
	"testing"

	"planb/plans/diff"
	"planb/questions/safe"
)

// What changed is said with its place, and with the ends of the lines where these may be the change.
func TestChangesAreSaid(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"both texts have the same ends", "a\nb\n", "a\nc\n", "was:\nb\nNow:\nc"},
		{"a last line without an end", "a\nb", "a\nb\n", "was:\nb (no line end)\nNow:\nb"},
		{"other ends than before", "a\r\nb\n", "a\nb\n", "was:\na (CR LF)\nNow:\na (LF)"},
		{"mixed ends that stay", "a\r\nb\nc\n", "a\r\nb\nd\n", "was:\nc (LF)\nNow:\nd (LF)"},
		{"gone from the start", "a\nb\n", "b\n", "\n\nAt the start, gone:\na"},
		{"gone from behind a line", "a\nb\n", "a\n", "\n\nAfter line 1, gone:\nb"},
	} {
		said := Words(Comparison{From: "v1", To: "v2", Before: safe.New(c.before), After: safe.New(c.after), Diff: diff.Between(c.before, c.after)})
		if !strings.HasSuffix(said, c.want) {
			t.Errorf("%s: %q does not end with %q", c.name, said, c.want)
		}
	}
}
