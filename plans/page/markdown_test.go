package page

import (
	"strings"
	"testing"

	"planb/questions/safe"
)

// If laying out a text panics, the page still has the text.
func TestTextThatBreaksTheLayout(t *testing.T) {
	broken := func(string) (string, string) { panic("broken") }
	got := Markdown(safe.New("see [q:a] <b>"), "v1", broken, NewDrawer(nil))
	if got.HTML != "" || got.Plain != "see [q:a] <b>" || !strings.Contains(got.Notice, "could not be formatted") {
		t.Errorf("%+v", got)
	}
}
