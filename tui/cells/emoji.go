package cells

import (
	"strings"
	"unicode/utf8"
)

// plainEmoji returns a single emoji for a sequence of emoji, as wide as in the layout. It
// returns false if the cluster is not such a sequence.
func plainEmoji(cluster string, width int) (string, bool) {
	first, size := utf8.DecodeRuneInString(cluster)
	if regional(first) {
		return letters(cluster, width), true
	}
	sequence := strings.ContainsFunc(cluster[size:], func(r rune) bool {
		return r == 0xfe0f || r == 0x20e3 || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0x1f000 || r >= 0x2600 && r < 0x2800 || r >= 0x2b00 && r < 0x2c00
	})
	if !sequence {
		return "", false
	}
	show := first
	if runeWidth(first) < width {
		for _, r := range cluster {
			if runeWidth(r) == width {
				show = r
				break
			}
		}
	}
	return string(show) + strings.Repeat(" ", max(0, width-runeWidth(show))), true
}

// letters returns the letters of a flag.
func letters(flag string, width int) string {
	var text strings.Builder
	for _, r := range flag {
		if regional(r) && text.Len() < width {
			text.WriteRune('A' + r - 0x1f1e6)
		}
	}
	return text.String() + strings.Repeat(" ", max(0, width-text.Len()))
}

// regional reports whether a character is half of a flag.
func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
