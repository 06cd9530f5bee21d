package safe_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"planb/questions/safe"
)

func TestScreenForms(t *testing.T) {
	for _, c := range []struct{ name, raw, line, block string }{
		{"plain", "Which database?", "Which database?", "Which database?"},
		{"empty", "", "", ""},
		{"letters of many scripts", "naïve Москва 東京 서울 ελ", "naïve Москва 東京 서울 ελ", "naïve Москва 東京 서울 ελ"},
		{"box drawing", "┌─┐\n└─┘", "┌─┐↵└─┘", "┌─┐\n└─┘"},

		{"colour", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m", "␛[31mred␛[0m"},
		{"clear and home", "a\x1b[2J\x1b[Hb", "a␛[2J␛[Hb", "a␛[2J␛[Hb"},
		{"clipboard, ended by BEL", "\x1b]52;c;ZXZpbA==\x07", "␛]52;c;ZXZpbA==␇", "␛]52;c;ZXZpbA==␇"},
		{"link, ended by ST", "\x1b]8;;http://x\x1b\\y", "␛]8;;http://x␛\\y", "␛]8;;http://x␛\\y"},
		{"device control without an end", "\x1bPq#0", "␛Pq#0", "␛Pq#0"},
		{"reset", "\x1bc", "␛c", "␛c"},
		{"ESC within ESC", "\x1b\x1b[[31m", "␛␛[[31m", "␛␛[[31m"},
		{"ESC at the end", "a\x1b", "a␛", "a␛"},
		{"controls", "\x00\x07\x08\x0b\x0c\x0e\x0f\x7f", "␀␇␈␋␌␎␏␡", "␀␇␈␋␌␎␏␡"},
		{"CSI as one byte", "\x9b31mred", "�31mred", "�31mred"},
		{"CSI as UTF-8", "\u009b31mred", "�31mred", "�31mred"},
		{"OSC and ST as UTF-8", "\u009d0;t\u009cx", "�0;t�x", "�0;t�x"},

		{"CR alone", "safe\revil", "safe␍evil", "safe␍evil"},
		{"CR LF", "a\r\nb\r\n", "a↵b↵", "a\nb\n"},
		{"CR CR LF", "a\r\r\nb", "a␍↵b", "a␍\nb"},
		{"next line", "a\u0085b", "a�b", "a�b"},
		{"line and paragraph separator", "a\u2028b\u2029c", "a�b�c", "a�b�c"},
		{"tabs", "a\tb\n\tc\n1234\td", "a b↵ c↵1234 d", "a   b\n    c\n1234    d"},
		{"tab after a control and a mark", "\x1be\u0301\tx", "␛e\u0301 x", "␛e\u0301  x"},

		{"override", "photo\u202egpj.exe", "photo�gpj.exe", "photo�gpj.exe"},
		{"a run of bidi controls", "a\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061cb", "a�b", "a�b"},
		{"tags", "hi\U000E0001\U000E0069\U000E0067\U000E007F!", "hi�!", "hi�!"},
		{"flag of tags", "🏴\U000E0067\U000E0062\U000E007F", "🏴�", "🏴�"},
		{"zero width", "pay\u200bpal\u2060\ufeff\u180e.com", "pay�pal�.com", "pay�pal�.com"},
		{"soft hyphen", "Donau\u00addampf", "Donau�dampf", "Donau�dampf"},
		{"annotation", "\ufff9a\ufffab\ufffb", "�a�b�", "�a�b�"},
		{"invisible operators", "f\u2061x\u2063", "f�x�", "f�x�"},
		{"Hangul fillers", "a\u115f\u1160b\u3164c\uffa0", "a�b�c�", "a�b�c�"},
		{"grapheme joiner", "a\u034fb", "a�b", "a�b"},
		{"non-characters", "a\ufffeb\ufdd0c\U0010ffff", "a�b�c�", "a�b�c�"},
		{"not UTF-8", "a\xff\xfeb\xc3", "a�b�", "a�b�"},
		{"overlong and surrogate", "\xc0\xaf\xed\xa0\x80x", "�x", "�x"},
		{"the replacement character itself", "a\ufffd\ufffdb", "a\ufffd\ufffdb", "a\ufffd\ufffdb"},

		{"joined emoji", "👩\u200d💻 👨\u200d👩\u200d👧", "👩\u200d💻 👨\u200d👩\u200d👧", "👩\u200d💻 👨\u200d👩\u200d👧"},
		{"joined with skin and selector", "🧑🏽\u200d🚀 ❤\ufe0f\u200d🔥", "🧑🏽\u200d🚀 ❤\ufe0f\u200d🔥", "🧑🏽\u200d🚀 ❤\ufe0f\u200d🔥"},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"flag", "🇩🇪", "🇩🇪", "🇩🇪"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"},
		{"Hindi", "क्\u200dष", "क्\u200dष", "क्\u200dष"},
		{"Malayalam at a word's end", "ക്\u200d.", "ക്\u200d.", "ക്\u200d."},
		{"Han variant", "葛\U000E0100城", "葛\U000E0100城", "葛\U000E0100城"},
		{"Arabic number sign", "\u0600١", "\u0600١", "\u0600١"},
		{"icon of a patched font", "\ue0b0", "\ue0b0", "\ue0b0"},
		{"joiner between Latin letters", "a\u200db\u200cc", "a�b�c", "a�b�c"},
		{"joiners in a row", "👩\u200d\u200d💻", "👩�💻", "👩�💻"},
		{"joiner at the ends", "\u200d👩\u200d", "�👩�", "�👩�"},
		{"selectors on a letter", "a\ufe0fb1\ufe0f2", "a�b1�2", "a�b1�2"},
		{"selectors as a hidden channel", "😀\ufe01\U000E0123\ufe0f", "😀�", "😀�"},
		{"two selectors", "❤\ufe0f\ufe0f", "❤\ufe0f�", "❤\ufe0f�"},

		{"mark", "e\u0301", "e\u0301", "e\u0301"},
		{"marks at the limit", "e" + strings.Repeat("\u0301", 8) + "x", "e" + strings.Repeat("\u0301", 8) + "x", "e" + strings.Repeat("\u0301", 8) + "x"},
		{"marks without end", "e" + strings.Repeat("\u0301", 5000) + "x", "e" + strings.Repeat("\u0301", 8) + "�x", "e" + strings.Repeat("\u0301", 8) + "�x"},
		{"marks interrupted", "e" + strings.Repeat("\u0301", 9) + "\u200b\u0301x", "e" + strings.Repeat("\u0301", 8) + "�x", "e" + strings.Repeat("\u0301", 8) + "�x"},
		{"mark without a base", "\u0301a\n\u0301b", "�a↵�b", "�a\n�b"},
		{"Vietnamese", "Tie\u0302\u0301ng", "Tie\u0302\u0301ng", "Tie\u0302\u0301ng"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := safe.New(c.raw)
			if got := text.Line(); got != c.line {
				t.Errorf("Line of %q:\ngot  %q\nwant %q", c.raw, got, c.line)
			}
			if got := text.Block(); got != c.block {
				t.Errorf("Block of %q:\ngot  %q\nwant %q", c.raw, got, c.block)
			}
			if text.Raw() != c.raw {
				t.Errorf("Raw of %q: got %q", c.raw, text.Raw())
			}
		})
	}
}

func TestBlank(t *testing.T) {
	for raw, want := range map[string]bool{
		"": true, " \t\r\n\u00a0\u3000": true, "\u200b\ufeff\u2060": true, "\x1b\x00": true, "\u3164\u2800": true, "\u200d\ufe0f": true,
		"x": false, " .": false, "\u0301": false, "\xff": false, "👩": false,
	} {
		if got := safe.New(raw).Blank(); got != want {
			t.Errorf("%q: blank %v, want %v", raw, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for _, c := range []struct {
		s   string
		bad rune
		ok  bool
	}{
		{"", 0, true}, {"db-choice_1", 0, true}, {"with space", 0, true}, {"école", 0, true}, {"数据库", 0, true},
		{"👩\u200d💻", 0, true}, {"می\u200cخواهم", 0, true}, {"\ufffd", 0, true},
		{"a\nb", '\n', false}, {"a\tb", '\t', false}, {"a\x1b[m", 0x1b, false}, {"a\u200bb", 0x200b, false},
		{"a\u00a0b", 0xa0, false}, {"\u3000", 0x3000, false}, {"\u202e", 0x202e, false}, {"a\xffb", 0xfffd, false},
		{"\u0301", 0x301, false}, {"\u009b", 0x9b, false}, {"\U000E0041", 0xE0041, false},
	} {
		if bad, ok := safe.Printable(c.s); bad != c.bad || ok != c.ok {
			t.Errorf("%q: got %U, %v; want %U, %v", c.s, bad, ok, c.bad, c.ok)
		}
	}
}

func TestFmtShowsTheCleanForm(t *testing.T) {
	text := safe.New("a\x1b]0;x\x07\u009b")
	for _, verb := range []string{"%v", "%s", "%+v", "%#v", "%q"} {
		inStruct := struct{ Title safe.Text }{text}
		for _, got := range []string{fmt.Sprintf(verb, text), fmt.Sprintf(verb, inStruct), fmt.Sprintf(verb, []safe.Text{text})} {
			if strings.ContainsAny(got, "\x1b\x07\u009b") {
				t.Errorf("%s writes controls: %q", verb, got)
			}
		}
	}
}

func TestJSONKeepsTheText(t *testing.T) {
	for _, raw := range []string{"", "plain", "<a href=\"x\">&amp;</a>", "\x1b\u009b\u202e\u2028", "\"\\\n"} {
		data, err := json.Marshal(safe.New(raw))
		if err != nil {
			t.Fatal(err)
		}
		var back safe.Text
		if err := json.Unmarshal(data, &back); err != nil || back.Raw() != raw {
			t.Errorf("%q came back as %q (%v)", raw, back.Raw(), err)
		}
	}
	data, err := safe.New("<&>").MarshalJSON()
	if err != nil || string(data) != `"<&>"` {
		t.Errorf("got %s (%v), want the text unescaped", data, err)
	}
	var text safe.Text
	if err := json.Unmarshal([]byte(`{"a":1}`), &text); err == nil {
		t.Error("an object was read as a text")
	}
}

// FuzzClean checks the screen forms with rules that are written independently of
// the code that makes them.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"plain\ttext\r\n", "\x1b[31m\u009b\x9b", "\u202e\u2066\u200b\u200d\ufeff", "👩\u200d💻❤\ufe0f\u200d🔥1\ufe0f\u20e3",
		"می\u200cخواهم क्\u200dष", "e" + strings.Repeat("\u0301", 20), "葛\U000E0100\U000E0041\ufff9", "\xff\xfe\xc0\xaf", "\u3164\u115f\u2028\u0085",
		"क" + strings.Repeat("\u093c", 8) + "\u200d\u093c", "ᠠ\u180b\u180b\u180e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text := safe.New(raw)
		line, block := text.Line(), text.Block()
		if fault := fault(line, false); fault != "" {
			t.Errorf("Line of %q is %q: %s", raw, line, fault)
		}
		if fault := fault(block, true); fault != "" {
			t.Errorf("Block of %q is %q: %s", raw, block, fault)
		}
		if again := safe.New(line).Line(); again != line {
			t.Errorf("Line of %q changes when cleaned again:\n%q\n%q", raw, line, again)
		}
		if again := safe.New(block).Block(); again != block {
			t.Errorf("Block of %q changes when cleaned again:\n%q\n%q", raw, block, again)
		}
		if len(block) > 4*len(raw) || len(line) > 4*len(raw) {
			t.Errorf("%d bytes became %d and %d", len(raw), len(line), len(block))
		}
		if _, ok := safe.Printable(raw); ok && line != raw {
			t.Errorf("%q is called printable but shown as %q", raw, line)
		}
	})
}

// fault describes the part of a screen form that a terminal would obey or hide;
// empty if there is none.
func fault(s string, breaks bool) string {
	marks := 0
	for i, r := range s {
		switch {
		case r == '\n' && breaks:
		case r < 0x20, r >= 0x7f && r < 0xa0:
			return fmt.Sprintf("control %U", r)
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c:
			return fmt.Sprintf("bidi %U", r)
		case r >= 0xe0000 && r < 0xe0100, r >= 0xe01f0 && r < 0xe1000:
			return fmt.Sprintf("tag %U", r)
		case r == 0x2028, r == 0x2029, r == 0xad, r == 0x200b, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r == 0x180e,
			r >= 0xfff0 && r <= 0xfffb, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x34f:
			return fmt.Sprintf("hidden %U", r)
		case r == 0xfffd && !strings.HasPrefix(s[i:], "\ufffd"):
			return "not UTF-8"
		case r == 0x200d && (strings.HasPrefix(s[i+3:], "\u200d") || i == 0 || s[i-1] < 0x80):
			return "stray joiner"
		}
		if r >= 0x300 && r < 0x370 {
			marks++
		} else {
			marks = 0
		}
		if marks > 8 {
			return "too many marks"
		}
	}
	return ""
}

func BenchmarkBlock(b *testing.B) {
	const size = 10 << 20
	for _, c := range []struct{ name, unit string }{
		{"ascii", "The quick brown fox jumps over the lazy dog.\n"},
		{"tabs", "\tif err != nil {\n\t\treturn err\n\t}\n"},
		{"cyrillic", "Съешь же ещё этих мягких французских булок. "},
		{"han", "天地玄黃宇宙洪荒日月盈昃辰宿列張"},
		{"emoji", "👩\u200d💻❤\ufe0f 🧑🏽\u200d🚀"},
		{"escapes", "\x1b[31m\u009b\x07"},
		{"marks", "\u0301"},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := safe.New(strings.Repeat(c.unit, size/len(c.unit)))
			b.SetBytes(int64(len(text.Raw())))
			b.ReportAllocs()
			for b.Loop() {
				_ = text.Block()
			}
		})
	}
}
