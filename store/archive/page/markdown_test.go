package page

import (
	"strings"
	"testing"

	"planb/questions/safe"
)

// Whatever breaks while a text is laid out, the text is on the page.
func TestTextThatBreaksTheLayout(t *testing.T) {
	broken := func(string) (string, string) { panic("broken") }
	got := markdown(safe.New("see [q:a] <b>"), "v1", broken, newDrawer(nil))
	if got.HTML != "" || got.Plain != "see [q:a] <b>" || !strings.Contains(got.Notice, "could not be formatted") {
		t.Errorf("%+v", got)
	}
}
