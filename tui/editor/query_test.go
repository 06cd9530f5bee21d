package editor

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/keymap"
	"planb/tui/screen"
)

func TestAQueryOfWideCharactersFits(t *testing.T) {
	q := NewQuery(200)
	q.Type(keymap.None, strings.Repeat("世界", 20))
	st := screen.NewStyles(themes.None().Palette)
	for room := 4; room < 50; room++ {
		if got := ansi.Strip(q.Draw(&st, "/ ", true, room)); ansi.StringWidth(got) > len("/ ")+room {
			t.Errorf("in %d cells stand %d: %q", room, ansi.StringWidth(got)-len("/ "), got)
		}
	}
}

func TestAQueryIsTypedAtItsEnd(t *testing.T) {
	q := NewQuery(12)
	for _, step := range []struct {
		act     keymap.Action
		text    string
		want    string
		changed bool
	}{
		{keymap.None, "", "", false},
		{keymap.None, "web hook", "web hook", true},
		{keymap.Backspace, "", "web hoo", true},
		{keymap.DeleteWord, "", "web ", true},
		{keymap.None, "a\x1b[31m\nb", "web a␛[31m", true}, // cleaned, and cut between two characters
		{keymap.None, "x", "web a␛[31m", false},
		{keymap.DeleteToStart, "", "", true},
		{keymap.None, "a line\r", "a line", true}, // as it was copied
		{keymap.DeleteToStart, "", "", true},
		{keymap.Backspace, "", "", false},
		{keymap.Up, "up", "", false},
		{keymap.None, "👩‍🚀", "👩‍🚀", true},
		{keymap.Backspace, "", "", true},
	} {
		if changed := q.Type(step.act, step.text); q.Text() != step.want || changed != step.changed {
			t.Errorf("%v %q gives %q, changed %v; want %q, %v", step.act, step.text, q.Text(), changed, step.want, step.changed)
		}
	}
	q.Type(keymap.None, "shop")
	if q.Clear(); q.Text() != "" {
		t.Errorf("cleared it is %q", q.Text())
	}
}

func TestALongQueryShowsItsEnd(t *testing.T) {
	q := NewQuery(200)
	q.Type(keymap.None, strings.Repeat("0123456789", 5)+"end")
	st := screen.NewStyles(themes.None().Palette)
	for _, c := range []struct {
		typing bool
		want   string
	}{{true, "/ …56789end▏"}, {false, "/ …456789end"}} {
		if got := ansi.Strip(q.Draw(&st, "/ ", c.typing, 10)); got != c.want {
			t.Errorf("typing %v: %q, want %q", c.typing, got, c.want)
		}
	}
}
