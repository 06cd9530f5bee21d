package tui

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
)

// evilTexts are the ways in which text tries to drive the terminal it is shown in.
func evilTexts() map[string]string {
	return map[string]string{
		"SGR":                          "a\x1b[31;5mred\x1b[0m",
		"CSI clear and home":           "a\x1b[2J\x1b[H",
		"OSC 52 ended by BEL":          "a\x1b]52;c;ZXZpbA==\x07b",
		"OSC 52 ended by ST":           "a\x1b]52;c;ZXZpbA==\x1b\\b",
		"OSC 8 link":                   "\x1b]8;;http://evil.example\x07good.example\x1b]8;;\x07",
		"OSC 0 without an end":         "a\x1b]0;title",
		"DCS without an end":           "a\x1bP+q544e",
		"DCS":                          "a\x1bP$q q\x1b\\b",
		"APC, PM and SOS":              "\x1b_x\x1b\\\x1b^y\x1b\\\x1bXz\x1b\\",
		"CSI in 8 bits":                "a\x9b2Jb",
		"OSC in 8 bits":                "a\x9d0;t\x9cb",
		"CSI as U+009B":                "a\u009b2Jb",
		"OSC as U+009D":                "a\u009d0;t\u009cb",
		"C0":                           "\x00\x01\x07\x08\x0b\x0c\x0e\x0f\x7f",
		"CR overwrites":                "safe\rEVIL",
		"ESC at the end":               "a\x1b",
		"RIS":                          "a\x1bcb",
		"ESC in ESC":                   "\x1b\x1b\x1b[31m",
		"parts that would join":        "\x1b\x1b[0m[2J",
		"parts that would join again":  "\x1b[\x1b[31m2J",
		"CSI with intermediates":       "\x1b[1 q\x1b[!p\x1b[?1049h\x1b[>4;2m",
		"CSI too long":                 "\x1b[" + strings.Repeat("1;", 200) + "\x01m",
		"right to left override":       "abc\u202edcba\u202c\u2066x\u2069\u200e\u200f",
		"zero width":                   "a\u200bb\u2060c\ufeffd\u180ee",
		"tag characters":               "a\U000e0041\U000e007f",
		"line and paragraph ends":      "a\u2028b\u2029c\u0085d",
		"5000 combining marks":         "a" + strings.Repeat("\u0301", 5000),
		"no UTF-8":                     "a\xff\xfe\xc0\x80\xed\xa0\x80b",
		"entities":                     "&#27;[2J &#7; &#8238;x &#x9b;2J &ESC;",
		"fenced code":                  "```\n\x1b[2J\u009b31m\u202e\n```",
		"fenced Go":                    "```go\nfunc \x1b[2J\u009b31m() {\u202e}\n```",
		"code in a sentence":           "`\x1b[2J\u009b31m`",
		"link to an escape":            "[x](http://e/\x1b]0;t\x07)",
		"link by entity and percent":   "[x](http://e/&#27;]0;t&#7;%1b%07)",
		"link that looks like another": "[http://good.example](http://evil.example)",
		"picture":                      "![\x1b[2J&#27;[2J](http://e/\x1bc.png)",
		"HTML":                         "<b onclick=x>\x1b[2J&#27;[2J</b><script>alert(1)</script>",
		"heading and table":            "# a\x1b[2J&#27;c\n\n|a\x1b[1m|&#27;[2J|\n|---|---|\n|\u009b2J|x|",
		"backslashes":                  "\\\x1b[2J \\\\x1b[2J",
		"task and footnote":            "- [ ] &#27;[2J\n\n[^1]\n\n[^1]: \x1b[2J",
		"info of a fence":              "```\x1b[2J\u009b2J\nx\n```",
		"emoji short code":             ":smile: &#8205; 👩\u200d🚀 \u200d",
	}
}

// TestFormDrawsNothingButSGR puts every evil text into every place that takes
// text, walks through the form, and reads the raw bytes it would draw.
func TestFormDrawsNothingButSGR(t *testing.T) {
	if n := len(evilTexts()); n != 42 {
		t.Fatalf("%d evil texts, want all 42", n)
	}
	for name, evil := range evilTexts() {
		t.Run(name, func(t *testing.T) {
			for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
				r := rigIn(t, evilInput(t, evil), size[0], size[1], themes.Default(true))
				check := func(keys string) {
					t.Helper()
					r.keys(keys)
					f := r.View()
					onlySGR(t, keys, f.Content, size[0], size[1])
					if i := strings.IndexFunc(f.Title, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }); i >= 0 {
						t.Errorf("the title has a control: %q", f.Title)
					}
				}
				check("")
				check("z")
				check("esc right d")
				check("down z")
				check("esc n")
				r.send(tea.PasteMsg{Content: evil})
				check("enter")
				check("tab 1")
				check("alt+right")
				r.send(tea.PasteMsg{Content: evil})
				check("tab")
				r.send(tea.PasteMsg{Content: evil})
				check("tab right")
				check("esc r")
				r.send(tea.PasteMsg{Content: evil})
				check("esc esc c esc")
				r.send(draftSaved{AskID: "the-ask", Err: fmt.Errorf("bad %s", evil)})
				check("ctrl+s")
				r.stage = sending
				r.send(settled{AskID: "the-ask", Err: fmt.Errorf("bad %s", evil)})
				check("")
				ask := r.in.Ask
				ask.Outcome = questions.Outcome{State: questions.Answered, By: evil, At: aMoment}
				r.send(askChanged{Ask: ask})
				check("")
				for _, msg := range r.told {
					if quit, ok := msg.(quitProgram); ok {
						onlySGR(t, "notice", quit.Notice, 1<<20, 1)
					}
				}
			}
		})
	}
}

// evilInput is a form with a text in every place.
func evilInput(t *testing.T, text string) formInput {
	evil := safe.New(text)
	proposed := questions.TextValue(text)
	option := questions.Option{Value: evil, Label: evil, Description: evil, Markdown: evil}
	other := option
	other.Value = safe.New(text + "2")
	spec := questions.Spec{
		Title: evil, IntroTitle: evil, Intro: evil,
		Questions: []questions.Question{
			{ID: "s", Kind: questions.Single, Label: evil, Description: evil, Tab: evil, Options: []questions.Option{option, other}, Other: true, Default: &proposed, Required: true},
			{ID: "m", Kind: questions.Multi, Label: evil, Description: evil, Tab: evil, Options: []questions.Option{option, other}, Other: true},
			{ID: "t", Kind: questions.Text, Label: evil, Tab: safe.New("b" + text), Placeholder: evil},
			{ID: "l", Kind: questions.LongText, Label: evil, Tab: safe.New("b" + text), Default: &proposed},
			{ID: "n", Kind: questions.Scale, Label: evil, Tab: safe.New("b" + text), Range: &questions.Range{Min: 1, Max: 5, Step: 1}},
		},
	}
	in := formInputOf(spec)
	client := store.Client{Name: evil, Title: evil, Version: evil}
	in.Ask.Client, in.Session.Client = client, client
	in.Session.Title, in.Session.Project, in.Session.Intent = evil, evil, evil
	in.Carried = true
	in.Prior = &store.Ask{Outcome: questions.Outcome{At: aMoment}}
	return in
}

// onlySGR checks that a frame has no control but SGR and line feeds, nothing
// that turns or hides text, and keeps to its size.
func onlySGR(t *testing.T, at, content string, width, height int) {
	t.Helper()
	if !utf8.ValidString(content) {
		t.Errorf("%s: no UTF-8", at)
	}
	lines := strings.Split(content, "\n")
	if len(lines) > height {
		t.Errorf("%s: %d lines, want at most %d", at, len(lines), height)
	}
	for _, line := range lines {
		rest := line
		for rest != "" {
			i := strings.IndexByte(rest, 0x1b)
			if i < 0 {
				break
			}
			end := strings.IndexFunc(rest[i+1:], func(c rune) bool { return c >= '@' && c != '[' })
			if end < 0 || rest[i+1] != '[' || rest[i+1+end] != 'm' || strings.Trim(rest[i+2:i+1+end], "0123456789;:") != "" {
				t.Fatalf("%s: not an SGR: %q in %q", at, rest[i:min(len(rest), i+12)], line)
			}
			rest = rest[i+2+end:]
		}
		plain := stripSGR(line)
		for _, c := range strings.ReplaceAll(line, "\x1b", "") {
			switch {
			case c < ' ', c >= 0x7f && c < 0xa0, c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069, c >= 0xe0000 && c < 0xe0080,
				c == 0x200b, c == 0x2060, c == 0xfeff, c == 0x200e, c == 0x200f, c == 0x2028, c == 0x2029:
				t.Fatalf("%s: U+%04X is drawn in %q", at, c, plain)
			}
		}
		if w := cellsOf(line); w > width {
			t.Fatalf("%s: %d cells in a line, want at most %d: %q", at, w, width, plain)
		}
	}
}
