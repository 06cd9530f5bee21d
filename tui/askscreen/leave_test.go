package askscreen

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A terminal would break a long receipt within a word.
func TestTheReceiptIsBrokenBetweenWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", "/home/you/a_project_that_has_a_name_of_many_letters"), "The new ship", "")
	d, h := w.host(Options{ID: ask.ID})
	d.press("V", "e", "g", "a", "ctrl+s")
	parting := d.end()
	const want = "1 answer kept for Claude Code, which is not waiting · a_project_that_has_a_name_of_many_letters"
	if strings.Join(parting, " ") != want || h.receipt != want {
		t.Errorf("printed %q, the receipt is %q", parting, h.receipt)
	}
	for _, line := range parting {
		if ansi.StringWidth(line) >= 80 {
			t.Errorf("%q fills the line", line)
		}
	}
}
