package tui

import (
	"bytes"
	"strings"
	"testing"

	"planb/tui/screen"
)

// Past sessions are not read out. A person who asks for them is told which commands print
// them.
func TestPastSessionsHaveCommandsWhereNothingIsDrawn(t *testing.T) {
	w := newWorld(t)
	var out bytes.Buffer
	err := Retro(t.Context(), Options{Store: w.Store, Command: "my-planb", Session: w.Session("Names", "").ID,
		Terminal: screen.Terminal{Input: strings.NewReader(""), Output: &out, Environ: []string{"ACCESSIBLE=1"}}})
	if err == nil || !strings.HasPrefix(err.Error(), "past sessions are read with other commands of planb") || !strings.HasSuffix(err.Error(), "my-planb sessions") || out.Len() > 0 {
		t.Errorf("the error is %v, printed was %q", err, out.String())
	}
}
