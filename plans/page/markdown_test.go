package page

import (
	"slices"
	"strings"
	"testing"

	"planb/questions/safe"
)

// If laying out a text panics, the page still has the text.
func TestTextThatBreaksTheLayout(t *testing.T) {
	broken := func(string) Cited { panic("broken") }
	got := Markdown(safe.New("see [q:a] <b>"), "v1", broken, NewDrawer(nil))
	if got.HTML != "" || got.Plain != "see [q:a] <b>" || !strings.Contains(got.Notice, "could not be formatted") {
		t.Errorf("%+v", got)
	}
}

// The parser needs quadratic time for tildes within a line.
func TestManyTildes(t *testing.T) {
	for n, notice := range map[int]string{maxMarks: "", maxMarks + 1: "Shown as plain text: a paragraph has too many marks to be formatted."} {
		if got := Markdown(safe.New("a "+strings.Repeat("~", n)), "v1", nil, NewDrawer(nil)); got.Notice != notice {
			t.Errorf("with %d of them the notice is %q", n, got.Notice)
		}
	}
}

// Headings have anchors only in a text with a prefix, and the outline leads to them.
func TestHeadings(t *testing.T) {
	const text = "# One\n\n## *Two*\n"
	got := Markdown(safe.New(text), "v1", nil, NewDrawer(nil))
	if want := []Heading{{1, "One", "v1-1"}, {2, "Two", "v1-2"}}; !slices.Equal(got.Outline, want) {
		t.Errorf("the outline is %+v", got.Outline)
	}
	if !strings.Contains(string(got.HTML), `<h4 class="as-h1" id="v1-1">`) || !strings.Contains(string(got.HTML), `id="v1-2"`) {
		t.Errorf("got %s", got.HTML)
	}
	if got = Markdown(safe.New(text), "", nil, NewDrawer(nil)); len(got.Outline) > 0 || strings.Contains(string(got.HTML), " id=") {
		t.Errorf("without a prefix: %+v", got)
	}
}
