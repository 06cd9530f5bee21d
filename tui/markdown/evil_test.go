package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/themes"
)

// places returns documents with a text in each place where text can stand.
func places() map[string]string {
	return map[string]string{
		"paragraph":   "before %s after",
		"start":       "%s after before",
		"end":         "before after %s",
		"heading":     "# before %s after",
		"setext":      "before %s after\n===",
		"emphasis":    "before **%s** ~~%[1]s~~ *%[1]s* after",
		"item":        "- before %s after",
		"task":        "- [x] before %s after",
		"quote":       "> before %s after",
		"cell":        "| before | %s |\n|---|---|\n| %[1]s | after |",
		"fence":       "before\n```\n%s\n```\nafter",
		"go":          "before\n```go\nvar x = \"%s\" // %[1]s\n```\nafter",
		"info":        "before\n```%s\ncode\n```\nafter",
		"indented":    "before\n\n    %s\n\nafter",
		"mermaid":     "before\n```mermaid\n%s\n```\nafter",
		"message":     "before\n```mermaid\nsequenceDiagram\nA->>B: %s\n```\nafter",
		"participant": "before\n```mermaid\nsequenceDiagram\nparticipant A as %s\nnote over A: %[1]s\nA->>%[1]s: \n```\nafter",
		"legend":      "before\n```mermaid\nsequenceDiagram\nA->>B: 0123456789012345678901234567890123456789%s\nlink A: %[1]s\n```\nafter",
		"code":        "before `%s` after",
		"link text":   "before [%s](https://a.example) after",
		"link":        "before [text](https://a.example/%s) after",
		"angled link": "before [text](<https://a.example/%s>) after",
		"link title":  "before [text](https://a.example \"%s\") after",
		"reference":   "before [text][1] after\n\n[1]: https://a.example/%s '%[1]s'",
		"autolink":    "before <https://a.example/%s> https://b.example/%[1]s after",
		"image":       "before ![%s](img.png) ![alt](%[1]s.png) after",
		"html":        "before\n\n<div title=\"%s\">%[1]s</div>\n\nafter",
		"comment":     "before\n\n<!-- %s -->\n\nafter",
		"inline html": "before <b title='%s'>%[1]s</b> after",
	}
}

// TestEvilText checks that evil text in any place of a document becomes visible
// characters only, and that no visible text disappears with it.
func TestEvilText(t *testing.T) {
	t.Parallel()
	renderers := []*Renderer{New(themes.Default(true).Palette, 0), New(themes.None().Palette, 0)}
	n := 0
	for kind, text := range safetest.Hostile() {
		for place, format := range places() {
			n++ // alternate: one palette is enough for each text
			doc := renderers[n%2].Render(safe.New(fmt.Sprintf(format, text)), 40)
			if bad := obeyed(doc.Lines); bad != "" {
				t.Errorf("%s in %s: %s in %q", kind, place, bad, doc.Lines)
			}
			shown := unstyled(doc.Lines)
			if !strings.Contains(shown, "before") || !strings.Contains(shown, "after") {
				t.Errorf("%s in %s: took text with it: %q", kind, place, shown)
			}
			if doc.Notice != "" {
				t.Errorf("%s in %s: not formatted: %s", kind, place, doc.Notice)
			}
		}
		if bad := obeyed(Plain(safe.New(text), 20).Lines); bad != "" {
			t.Errorf("%s as plain text: %s", kind, bad)
		}
	}
}

// TestFinishTrustsNothing feeds the last filter with text that should never reach it.
func TestFinishTrustsNothing(t *testing.T) {
	for kind, text := range safetest.Hostile() {
		if kind == "stacked marks" || kind == "emoji joiners" || kind == "conceal" {
			continue // safe.Text limits these characters, because some writing needs them
		}
		if bad := obeyed([]string{finish("x" + text + "y")}); bad != "" {
			t.Errorf("%s: %s", kind, bad)
		}
	}
	for in, want := range map[string]string{
		"\x1b[1mbold\x1b[m":               "\x1b[1mbold\x1b[m",
		"\x1b[1m\x1b[mplain":              "plain",
		"\x1b[1ma\x1b[m\x1b[1mb\x1b[m":    "\x1b[1mab\x1b[m",
		"\x1b[1ma\x1b[0;3mb":              "\x1b[1ma\x1b[m\x1b[3mb\x1b[m",
		"\x1b[1ma\x1b[3mb\x1b[0m":         "\x1b[1ma\x1b[m\x1b[1;3mb\x1b[m",
		"\x1b[31ma\x1b[m \x1b[32mb\x1b[m": "\x1b[31ma \x1b[m\x1b[32mb\x1b[m",
		"\x1b[38;2;4;7;9ma\x1b[m b":       "\x1b[38;2;4;7;9ma\x1b[m b",
		"\x1b[41m  \x1b[m \x1b[4mb":       "\x1b[41m  \x1b[m \x1b[4mb\x1b[m",
		"\x1b[41m  \x1b[m  ":              "",
		"a  ":                             "a",
		"\x1b[38:2::1:2:3mé\x1b[m":        "\x1b[38:2::1:2:3mé\x1b[m",
		"\x1b[1;31":                       unseen + "[1;31",
		"\x1b[?1m":                        unseen + "[?1m",
		"\x1b[<1m\x1b[1 m":                unseen + "[<1m" + unseen + "[1 m",
		"a\xffb":                          "a" + unseen + "b",
		"\u0600١":                         "\u0600١",
		"क्\u200dष":                       "क्\u200dष",
	} {
		if got := finish(in); got != want {
			t.Errorf("finish(%q) = %q, want %q", in, got, want)
		}
	}
}

var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// unstyled returns lines as a person reads them.
func unstyled(lines []string) string {
	return sgr.ReplaceAllString(strings.Join(lines, "\n"), "")
}

// obeyed names the first thing in lines that a terminal would obey or hide.
func obeyed(lines []string) string {
	for _, line := range lines {
		for _, seq := range sgr.FindAllString(line, -1) {
			if attrs := strings.Split(strings.Trim(seq, "\x1b[m"), ";"); attrs[0] == "8" || attrs[0] == "5" {
				return fmt.Sprintf("SGR %q", seq)
			}
		}
		text := sgr.ReplaceAllString(line, "")
		if !utf8.ValidString(text) {
			return fmt.Sprintf("invalid UTF-8 %q", text)
		}
		marks := 0
		for i, r := range text {
			if unicode.Is(unicode.Mn, r) {
				if marks++; marks > safe.MaxMarks {
					return "stacked marks"
				}
				continue
			}
			marks = 0
			if r < ' ' || 0x7f <= r && r < 0xa0 || unicode.Is(controls, r) {
				return fmt.Sprintf("%U at byte %d", r, i)
			}
		}
	}
	return ""
}

// controls returns the characters that move, hide or reorder others.
var controls = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00ad, 0x00ad, 1}, {0x061c, 0x061c, 1}, {0x180e, 0x180e, 1}, {0x200b, 0x200b, 1}, {0x200e, 0x200f, 1},
		{0x2028, 0x202e, 1}, {0x2060, 0x206f, 1}, {0xfeff, 0xfeff, 1}, {0xfff9, 0xfffb, 1},
	},
	R32: []unicode.Range32{{0xe0000, 0xe007f, 1}},
}

// FuzzRender checks, for any text, palette and width, that Render succeeds, that its
// lines are safe, and that only lines of wide blocks exceed the width.
func FuzzRender(f *testing.F) {
	for _, text := range safetest.Hostile() {
		f.Add(text, 40)
	}
	for _, format := range places() {
		f.Add(fmt.Sprintf(format, "x"), 12)
	}
	f.Add("| a | b |\n|:-:|--|\n| 漢字 | `|` <br> |\n", 10)
	f.Add("1. a\n   > - b\n   > ```go\n   > x\n", 11)
	f.Add("[a]: b\n[*a*][a] ![c] [c]: <d> ~~[a]~~", 20)
	palettes := []themes.Palette{themes.Default(true).Palette, themes.None().Palette}
	renderers := []*Renderer{New(palettes[0], 0), New(palettes[1], 0)}
	f.Fuzz(func(t *testing.T, text string, width int) {
		if len(text) > 4<<10 {
			return // TestLimits tests large texts
		}
		width = min(max(width, 0), 200)
		for _, r := range renderers {
			doc := r.Render(safe.New(text), width)
			if strings.Contains(doc.Notice, "failed") {
				t.Fatalf("panicked on %q", text)
			}
			if bad := obeyed(doc.Lines); bad != "" {
				t.Fatalf("%s in %q", bad, doc.Lines)
			}
			for _, line := range doc.Lines {
				if strings.HasSuffix(line, " ") || strings.Contains(line, "\n") {
					t.Fatalf("not one trimmed line: %q", line)
				}
			}
		}
	})
}

// FuzzNothingIsSwallowed checks that every word of a text is on the screen.
func FuzzNothingIsSwallowed(f *testing.F) {
	for _, format := range places() {
		f.Add(fmt.Sprintf(format, "marker"))
	}
	f.Add("|a|b|\n|-|-|\n|c|d|beyond|\n")
	f.Add("[label]: <destination> 'title'\n[label]: another\n")
	f.Add("<details open>\n<summary>hidden</summary>\n\n- <!-- comment\n- end -->\n")
	f.Add("***bold* text**![image][label]~~struck [link](there 'title')~~\n\n[label]: where\n")
	// The language of code shows only in its colours, and mail links show no scheme.
	unshown := regexp.MustCompile("(?m)^.*(```|~~~).*$|mailto:|&.*")
	words := regexp.MustCompile(`[a-z]{4,20}`)
	r := New(themes.None().Palette, 0)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 || strings.Contains(strings.ToLower(text), "mermaid") {
			return // a drawing shows some words as lines; see TestMermaidSaysAll
		}
		doc := r.Render(safe.New(text), 200)
		shown := strings.NewReplacer(" ", "", "\n", "", "│", "").Replace(unstyled(doc.Lines))
		for _, word := range words.FindAllString(unshown.ReplaceAllString(text, ""), -1) {
			if !strings.Contains(shown, word) {
				t.Fatalf("%q is not shown: %q", word, doc.Lines)
			}
		}
	})
}
