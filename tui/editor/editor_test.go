package editor

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"planb/tui/cells"
	"planb/tui/keymap"
)

func typed(e *Editor, text string) *Editor {
	e.Act(keymap.Press{Act: keymap.Insert, Text: text})
	return e
}

func TestDownGoesOnFromWhereTheMouseWasPressed(t *testing.T) {
	e := typed(New(false), "0123456789\n0123456789\n0123456789")
	e.Layout(40, 5)
	e.Act(keymap.Press{Act: keymap.Up})
	e.Click(2, 0)
	e.Act(keymap.Press{Act: keymap.Down})
	if got := marked(e); got != "0123456789\n01|23456789\n0123456789" {
		t.Errorf("got %q", got)
	}
}

func TestEditorActions(t *testing.T) {
	tests := []struct {
		name string
		text string
		acts []keymap.Action
		want string // | is the caret
	}{
		{"type at the end", "ab", nil, "ab|"},
		{"left", "ab", []keymap.Action{keymap.Left}, "a|b"},
		{"left over a wide and a joined character", "a漢👩‍🚀é", []keymap.Action{keymap.Left, keymap.Left}, "a漢|👩‍🚀é"},
		{"backspace takes a whole character", "a👩‍🚀", []keymap.Action{keymap.Backspace}, "a|"},
		{"backspace takes an accent with its letter", "xe\u0301", []keymap.Action{keymap.Backspace}, "x|"},
		{"backspace joins lines", "a\nb", []keymap.Action{keymap.Home, keymap.Backspace}, "a|b"},
		{"delete joins lines", "a\nb", []keymap.Action{keymap.Up, keymap.Delete}, "a|b"},
		{"delete at the very end", "ab", []keymap.Action{keymap.Delete}, "ab|"},
		{"backspace at the very start", "ab", []keymap.Action{keymap.Home, keymap.Backspace}, "|ab"},
		{"left over a line break", "a\nb", []keymap.Action{keymap.Home, keymap.Left}, "a|\nb"},
		{"right over a line break", "a\nb", []keymap.Action{keymap.Up, keymap.Right}, "a\n|b"},
		{"enter", "ab", []keymap.Action{keymap.Left, keymap.Enter}, "a\n|b"},
		{"word left", "one two-three", []keymap.Action{keymap.WordLeft, keymap.WordLeft}, "one |two-three"},
		{"word right", "one two", []keymap.Action{keymap.Home, keymap.WordRight}, "one| two"},
		{"delete word", "one two  ", []keymap.Action{keymap.DeleteWord}, "one |"},
		{"word left over an emoji with a mark", "so ❤️ so", []keymap.Action{keymap.WordLeft, keymap.WordLeft}, "|so ❤️ so"},
		{"word right over an emoji with a mark", "❤️ so", []keymap.Action{keymap.Home, keymap.WordRight}, "❤️ so|"},
		{"delete word with an emoji with a mark", "so ❤️", []keymap.Action{keymap.DeleteWord}, "|"},
		{"delete word in a script with marks", "सो नमस्ते", []keymap.Action{keymap.DeleteWord}, "सो |"},
		{"delete to start", "a\none two", []keymap.Action{keymap.WordLeft, keymap.DeleteToStart}, "a\n|two"},
		{"delete to end", "one two", []keymap.Action{keymap.WordLeft, keymap.DeleteToEnd}, "one |"},
		{"line ends", "one\ntwo", []keymap.Action{keymap.LineStart, keymap.Up, keymap.LineEnd}, "one|\ntwo"},
		{"up keeps the column over a short line", "abcdef\nx\nabcdef", []keymap.Action{keymap.Up, keymap.Up}, "abcdef|\nx\nabcdef"},
		{"CR and CRLF are line breaks", "a\r\nb\rc", nil, "a\nb\nc|"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := typed(New(false), test.text)
			e.Layout(40, 10)
			for _, act := range test.acts {
				e.Act(keymap.Press{Act: act})
			}
			if got := marked(e); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// marked returns an editor's text with | in the place of the caret.
func marked(e *Editor) string {
	var lines []string
	for i, l := range e.lines {
		text := l.text
		if i == e.row {
			text = text[:e.col] + "|" + text[e.col:]
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

func TestEditorLeavesAtItsEnds(t *testing.T) {
	e := typed(New(false), "a\nb")
	e.Layout(40, 10)
	if got := e.Act(keymap.Press{Act: keymap.Down}); got != keymap.LeaveDown {
		t.Errorf("down in the last line: %v, want leaveDown", got)
	}
	e.Act(keymap.Press{Act: keymap.Up})
	if got := e.Act(keymap.Press{Act: keymap.Up}); got != keymap.LeaveUp {
		t.Errorf("up in the first line: %v, want leaveUp", got)
	}
}

func TestEditorOneLineHasNoBreaks(t *testing.T) {
	e := typed(New(true), "a\nb\r\nc\n")
	if got := e.Text(); got != "a b c" {
		t.Errorf("got %q", got)
	}
	if got := e.Act(keymap.Press{Act: keymap.Enter}); got != keymap.Ignored {
		t.Errorf("enter: %v, want ignored", got)
	}
}

// TestEditorAttaches holds that a long paste is one row on the screen, whole in the text, and
// removed by one key, in any place.
func TestEditorAttaches(t *testing.T) {
	blob := strings.Repeat("0123456789abcde\n", 812<<10/16)
	for _, test := range []struct{ before, after string }{{"", ""}, {"see ", ""}, {"", " end"}, {"see ", " end"}, {"see\n", "\nend"}} {
		e := typed(New(false), test.before+test.after)
		for range utf8.RuneCountInString(test.after) {
			e.Act(keymap.Press{Act: keymap.Left})
		}
		typed(e, blob)
		if e.Text() != test.before+blob+test.after {
			t.Fatalf("%q: the text is not whole", test)
		}
		rows, _, _ := e.Layout(40, 20)
		shown := 0
		for _, row := range rows {
			if row.Text == "[pasted 812 KB]" && row.Attached {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("%q: rows %v", test, rows)
		}
		typed(e, "x")
		if e.Text() != test.before+blob+"x"+test.after {
			t.Errorf("%q: typing after the paste went elsewhere", test)
		}
		e.Act(keymap.Press{Act: keymap.Backspace})
		e.Act(keymap.Press{Act: keymap.Backspace})
		if got := e.Text(); got != test.before+test.after {
			t.Errorf("%q: after taking it away: %d bytes", test, len(got))
		}
	}
}

func TestEditorKeepsUTF8(t *testing.T) {
	e := typed(New(false), "a\xffb")
	if !utf8.ValidString(e.Text()) {
		t.Errorf("%q is no UTF-8", e.Text())
	}
}

// TestEditorRows holds that rows never pass their width and lose nothing.
func TestEditorRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab  漢é\u0301👩\u200d🚀\t\u202e\x1b\n"))).Draw(t, "text")
		width := rapid.IntRange(3, 30).Draw(t, "width")
		e := typed(New(false), text)
		total := e.RowCount(width)
		rows, x, y := e.Layout(width, total+1)
		if len(rows) != total {
			t.Fatalf("%d rows, rowCount says %d", len(rows), total)
		}
		for _, row := range rows {
			if w := ansi.StringWidth(row.Text); w > max(width-1, tabCells) {
				t.Fatalf("row %q is %d cells wide, want at most %d", row.Text, w, width-1)
			}
			if strings.ContainsAny(row.Text, "\x1b\u202e\t\n") {
				t.Fatalf("row %q is not clean", row.Text)
			}
		}
		if x < 0 || x >= width || y < 0 || y >= len(rows) {
			t.Fatalf("caret at %d,%d of %d rows", x, y, len(rows))
		}
	})
}

// TestEditorLikeAString compares the editor with a plain string and a caret, through any
// sequence of keys.
func TestEditorLikeAString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := New(false)
		model := ""
		at := 0
		e.Layout(12, 4)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0, 1:
				s := rapid.StringMatching(`[a-c ]{1,4}`).Draw(t, "typed")
				typed(e, s)
				model, at = model[:at]+s+model[at:], at+len(s)
			case 2:
				e.Act(keymap.Press{Act: keymap.Enter})
				model, at = model[:at]+"\n"+model[at:], at+1
			case 3:
				e.Act(keymap.Press{Act: keymap.Backspace})
				if at > 0 {
					model, at = model[:at-1]+model[at:], at-1
				}
			case 4:
				e.Act(keymap.Press{Act: keymap.Delete})
				if at < len(model) {
					model = model[:at] + model[at+1:]
				}
			case 5:
				e.Act(keymap.Press{Act: keymap.Left})
				at = max(0, at-1)
			case 6:
				e.Act(keymap.Press{Act: keymap.Right})
				at = min(len(model), at+1)
			}
			if want := model[:at] + "|" + model[at:]; marked(e) != want {
				t.Fatalf("got %q, want %q", marked(e), want)
			}
		}
		if e.Text() != model {
			t.Fatalf("text %q, want %q", e.Text(), model)
		}
	})
}

// BenchmarkEditorKey measures a key in 20 KB of text, with the rows drawn after it, in many
// lines and in one.
func BenchmarkEditorKey(b *testing.B) {
	for name, text := range map[string]string{
		"lines":   strings.Repeat("a line of text that a person may well have typed\n", 20<<10/49),
		"oneline": strings.Repeat("words ", 20<<10/6),
		"wide":    strings.Repeat("漢字 ", 20<<10/7),
	} {
		b.Run(name, func(b *testing.B) {
			e := typed(New(false), text)
			e.Layout(76, 12)
			for i := 0; b.Loop(); i++ {
				if i%2 == 0 {
					typed(e, "x")
				} else {
					e.Act(keymap.Press{Act: keymap.Backspace})
				}
				e.Layout(76, 12)
			}
		})
	}
}

// A row breaks earlier if a terminal that does not know clusters needs more cells for it, so
// that no text is cut away.
func TestEditorRowsFitTerminalsWithoutClusters(t *testing.T) {
	word := rapid.SampledFrom([]string{"त्रिपाठी", "भाषा", "क्षक्षक्षक्षक्षक्ष", "กำแพง", "தமிழ்", "👩🏽‍💻", "🇯🇵", "漢字", "plan", "\t"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 1, 20).Draw(t, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "between"))
		width := rapid.IntRange(8, 40).Draw(t, "width")
		e := typed(New(false), text)
		rows, x, y := e.Layout(width, 1000)
		all := ""
		for _, row := range rows {
			if got, _ := cells.Fit(cells.Pad(row.Text, width), width, 0); strings.Contains(got, "…") {
				t.Fatalf("at %d %q is shown as %q", width, row.Text, got)
			}
			all += row.Text
		}
		if all != cells.Clean(text) {
			t.Fatalf("%q is shown as %q", text, all)
		}
		if y != len(rows)-1 || x != min(ansi.StringWidth(rows[y].Text), width-1) {
			t.Fatalf("the caret is at %d, %d of %v", x, y, rows)
		}
	})
}
