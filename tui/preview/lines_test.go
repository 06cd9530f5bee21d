package preview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// wide is a preview of a few lines beside a list.
func wide(lines int) *Lines {
	st := screen.NewStyles(themes.None().Palette)
	return newLines(&st, Split{Width: 120, Height: 40, Lines: lines}, spacious)
}

func text(l *Lines) string { return ansi.Strip(strings.Join(l.Done(), "\n")) }

func TestAPreviewSaysThatItLeavesSomethingOut(t *testing.T) {
	for lines, want := range map[int]string{3: "one\n\ntwo", 2: "one\n…"} {
		l := wide(lines)
		l.Say(l.Styles.Text.Render, "one", 1)
		l.Gap()
		l.Say(l.Styles.Text.Render, "two", 1)
		if got := text(l); got != want {
			t.Errorf("of %d lines it has %q, want %q", lines, got, want)
		}
	}
}

// A question that waits has a mark if it must be answered, or is; in a dense preview it has one line.
func TestAQuestionThatWaits(t *testing.T) {
	spec := tuitest.Parse(t, tuitest.RichForm)
	reply := questions.Entry{Fields: map[string]questions.Field{"format": {Picked: []string{"json"}}}}.Reply(spec)
	st := screen.NewStyles(themes.None().Palette)
	for _, c := range []struct {
		split Split
		form  form
		want  []string
	}{
		{Split{Width: 120, Height: 40, Lines: 40}, spacious, []string{"✓ Which format?", "  JSON", "  Which fields?", "  id\u00a0· total\u00a0· date\u00a0· customer", "● What is the file called?", "  a line of text"}},
		{Split{Width: 80, Height: 40, Lines: 36}, densest, []string{"✓ Which format? → JSON", "  Which fields?", "● What is the file called?"}},
	} {
		l := newLines(&st, c.split, c.form)
		for _, q := range spec.Questions[:3] {
			l.Pending(q, reply)
		}
		if got := text(l); got != strings.Join(c.want, "\n") {
			t.Errorf("at %d columns:\n%s", c.split.Width, got)
		}
	}
}

func TestTheSplit(t *testing.T) {
	for _, c := range []struct {
		split             Split
		beside, shown     bool
		list, lines, room int
	}{
		{Split{Width: 200, Height: 60, Lines: 56}, true, true, 72, 56, 100},
		{Split{Width: 120, Height: 40, Lines: 36, Share: 55}, true, true, 66, 36, 51},
		{Split{Width: 120, Height: 40, Lines: 36, Share: 55, Most: 54}, true, true, 54, 36, 63},
		{Split{Width: 100, Height: 12, Lines: 8}, true, true, 51, 8, 46},
		{Split{Width: 100, Height: 30, Lines: 20, Alone: true}, true, true, 51, 20, 46},
		{Split{Width: 99, Height: 40, Lines: 36}, false, true, 99, 12, 97},
		{Split{Width: 99, Height: 40, Lines: 36, Alone: true}, false, false, 99, 0, 97},
		{Split{Width: 80, Height: 24, Lines: 20, Rows: 4}, false, true, 80, 15, 78},
		{Split{Width: 80, Height: 24, Lines: 20, Rows: 30}, false, true, 80, 9, 78},
		{Split{Width: 60, Height: 22, Lines: 18}, false, true, 60, 6, 58},
		{Split{Width: 60, Height: 21, Lines: 17}, false, false, 60, 0, 58},
	} {
		s := c.split
		if s.Beside() != c.beside || s.Shown() != c.shown || s.ListWidth() != c.list || s.PreviewLines() != c.lines || s.Room() != c.room {
			t.Errorf("%+v: beside %v, shown %v, list %d, lines %d, room %d", s, s.Beside(), s.Shown(), s.ListWidth(), s.PreviewLines(), s.Room())
		}
	}
}

func below(lines int) Split { return Split{Width: 80, Height: 60, Lines: lines, Rows: lines / 2} }

func drawn(s Split, draws func(*Lines)) string {
	st := screen.NewStyles(themes.None().Palette)
	return ansi.Strip(strings.Join(Draw(&st, s, draws), "\n"))
}

func TestAPreviewBelowTheListHasGapsIfTheyFit(t *testing.T) {
	for lines, want := range map[int]string{10: "name\none\n\ntwo", 8: "one\n\ntwo", 6: "one\ntwo"} {
		got := drawn(below(lines), func(l *Lines) {
			if !l.Tight() {
				l.Say(l.Styles.Text.Render, "name", 1)
			}
			l.Say(l.Styles.Text.Render, "one", 1)
			l.Gap()
			l.Say(l.Styles.Text.Render, "two", 1)
		})
		if got != want {
			t.Errorf("of %d lines it has %q, want %q", below(lines).PreviewLines(), got, want)
		}
	}
}

func TestAPreviewCountsTheItemsItLeavesOut(t *testing.T) {
	items := [][]string{{"one"}, {"two", "  and more"}, {"three"}}
	for lines, want := range map[int]string{10: "one\ntwo\n  and more\nthree", 8: "one\n2 more"} {
		if got := drawn(below(lines), func(l *Lines) { l.Items(items, 0) }); got != want {
			t.Errorf("of %d lines it has %q, want %q", below(lines).PreviewLines(), got, want)
		}
	}
	if got := drawn(below(20), func(l *Lines) { l.Items(items[:1], 4) }); got != "one\n4 more" {
		t.Errorf("with four elsewhere: %q", got)
	}
}

// Below a rule a tight preview has an empty line if that costs nothing of the text.
func TestAGapBelowARule(t *testing.T) {
	text := safe.New("One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n\nSix.\n")
	look := (*screen.Look)(nil).With(themes.None().Palette)
	for lines, want := range map[int]string{14: "rule\n\nOne.\n\nTwo.\n…", 16: "rule\nOne.\n\nTwo.\n\nThree.\n…"} {
		s := below(lines)
		l := newLines(&screen.Styles{}, s, tight)
		l.Add("rule")
		l.Loosen()
		l.Doc(look.Markdown.Render(text, s.Room()), text)
		if got := ansi.Strip(strings.Join(l.Done(), "\n")); got != want {
			t.Errorf("of %d lines it has %q, want %q", s.PreviewLines(), got, want)
		}
	}
}

func TestAPreviewDoesNotEndWithAHeading(t *testing.T) {
	text := safe.New("One.\n\nTwo.\n\n## Three\n\nFour.\n\nFive.\n")
	look := (*screen.Look)(nil).With(themes.None().Palette)
	s := below(14)
	if got := drawn(s, func(l *Lines) { l.Doc(look.Markdown.Render(text, s.Room()), text) }); got != "One.\n\nTwo.\n…" {
		t.Errorf("of %d lines it has %q", s.PreviewLines(), got)
	}
}
