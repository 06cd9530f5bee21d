// Package safetest lists texts that try to control the terminal that shows them, or
// to deceive the person who reads them. Every package that draws foreign text tests
// against all of them. It is for tests only.
package safetest

import "strings"

// Hostile returns texts that are hostile in any place. The key says what each does.
func Hostile() map[string]string {
	return map[string]string{
		"SGR":                       "a\x1b[31;5mred\x1b[0m",
		"conceal":                   "\x1b[8mhidden\x1b[m",
		"clear and home":            "\x1b[2J\x1b[H",
		"clipboard, BEL":            "\x1b]52;c;cm0gLXJmIH4K\x07",
		"clipboard, ST":             "\x1b]52;c;cm0gLXJmIH4K\x1b\\",
		"hyperlink":                 "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07",
		"title, unterminated":       "\x1b]0;root shell",
		"DCS, unterminated":         "\x1bP1$r0m",
		"DCS":                       "\x1bP+q544e\x1b\\",
		"APC, PM, SOS":              "\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\",
		"raw C1 CSI":                "\x9b2J\x9b31m",
		"raw C1 OSC":                "\x9d0;title\x9c",
		"encoded C1 CSI":            "\u009b2J\u009b31m",
		"encoded C1 OSC":            "\u009d0;title\u009c",
		"C0":                        "\x00\x01\x07\x08\x0b\x0c\x0e\x0f\x7f",
		"carriage return":           "harmless\revil    ",
		"lone ESC at the end":       "text\x1b",
		"reset":                     "a\x1bcb",
		"nested ESC":                "\x1b\x1b[\x1b[31m",
		"reassembled":               "\x1b[\x1b[0m31m",
		"reassembled OSC":           "\x1b]\x1b]52;c;eA==\x07",
		"CSI with intermediates":    "\x1b[?25l\x1b[>0c\x1b[!p\x1b[1 q\x1b[?1049h\x1b[>4;2m",
		"CSI with a control inside": "\x1b[3\x011m",
		"bidi":                      "abc\u202edef\u202c\u2066x\u2069\u200e\u200f\u061c",
		"zero width":                "pass\u200bword\ufeff\u2060\u180e",
		"tags":                      "a\U000e0041\U000e007f",
		"line separators":           "a\u2028b\u2029c\u0085d",
		"stacked marks":             "z" + strings.Repeat("\u0301", 5000),
		"not UTF-8":                 "\xff\xfe\x80\xc3(\xc0\x80b",
		"surrogate and overlong":    "\xed\xa0\x80\xc0\x9b\xe0\x80\x9b",
		"soft hyphen":               "pay\u00adpal",
		"entity ESC":                "&#27;[31m&#x1b;]52;c;eA==&#7;",
		"entity C1":                 "&#155;2J&#x9d;0;t&#x9c;",
		"entity conceal":            "&#27;[8mhidden&#27;[5m",
		"entity bidi":               "&#8238;evil&rlm;&lrm;",
		"entity zero width":         "&ZeroWidthSpace;&#x200b;&NoBreak;&zwj;&#xfeff;",
		"entity breaks":             "a&#10;b&#13;c&NewLine;d&Tab;e&#x2028;",
		"entity NUL":                "&#0;&#xD800;&#x110000;",
		"doubly encoded":            "&amp;#27;[31m&amp;amp;#7;",
		"percent encoded":           "%1b%5d52%07",
		"escaped":                   "\\\x1b[31m\\&#27;[31m",
		"hyperlink parts":           "\x07\x1b]8;;\x1b]8;id=1;x\x07",
		"emoji joiners":             "👩\u200d\u200d\u200d👧\u200d",
		"parts that would join":     "\x1b\x1b[0m[2J",
		"CSI too long":              "\x1b[" + strings.Repeat("1;", 200) + "\x01m",
	}
}

// Markdown returns texts that are hostile as parts of a Markdown document, because a
// renderer decodes or joins harmless parts of them.
func Markdown() map[string]string {
	return map[string]string{
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
