package safe

import "unicode"

const (
	zwnj       = '\u200C'
	zwj        = '\u200D'
	textStyle  = '\uFE0E' // variation selector 15
	emojiStyle = '\uFE0F' // variation selector 16
	keycap     = '\u20E3'
	del        = '\x7f'
)

// isOrdinary reports whether r belongs to the most used alphabets and is always
// shown as it is. Most text so needs no search through Unicode's tables.
func isOrdinary(r rune) bool {
	switch {
	case r < 0x300:
		return r >= ' ' && r < del || r > 0xA0 && r != 0xAD // Latin
	case r < 0x530:
		return r >= 0x370 && r < 0x483 || r > 0x489 // Greek and Cyrillic, but not their marks
	case r < 0x4E00:
		return r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FA // kana
	}
	return r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 // Han and Hangul
}

// isControl reports whether r is a C0 control or DEL. These controls have
// pictures.
func isControl(r rune) bool { return r >= 0 && r < ' ' || r == del }

// picture returns the symbol for a control, from Unicode's block Control Pictures.
func picture(r rune) string {
	if r == del {
		return "␡"
	}
	return string('␀' + r)
}

func isJoiner(r rune) bool { return r == zwj || r == zwnj }

// isSelector reports whether r is a variation selector, of any of the four kinds.
func isSelector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// selects reports whether the variation selector r can follow base in real
// writing.
func selects(r, base rune) bool {
	switch {
	case r == textStyle || r == emojiStyle:
		return isEmoji(base)
	case r < 0x1900: // the Mongolian free variation selectors
		return unicode.Is(unicode.Mongolian, base)
	case r >= 0xE0100: // variants of Han characters, as in names
		return unicode.Is(unicode.Han, base)
	}
	return unicode.In(base, unicode.Han, unicode.Myanmar, unicode.Phags_Pa)
}

func isKeycapBase(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// isEmoji reports whether r is a pictograph that can begin or continue an emoji.
// It accepts the whole blocks that hold Unicode's Extended_Pictographic, and the
// single characters outside them. The few other characters in these blocks do no
// harm.
func isEmoji(r rune) bool {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, // all emoji blocks
		r >= 0x2190 && r <= 0x21FF,                     // Arrows
		r >= 0x2300 && r <= 0x23FF,                     // Miscellaneous Technical
		r >= 0x25A0 && r <= 0x27BF,                     // Geometric Shapes to Dingbats
		r >= 0x2900 && r <= 0x297F,                     // Supplemental Arrows-B
		r >= 0x2B00 && r <= 0x2BFF,                     // Miscellaneous Symbols and Arrows
		r == 0xA9, r == 0xAE, r == 0x203C, r == 0x2049, // © ® ‼ ⁉
		r == 0x2122, r == 0x2139, r == 0x24C2, // ™ ℹ Ⓜ
		r == 0x3030, r == 0x303D, r == 0x3297, r == 0x3299: // 〰 〽 ㊗ ㊙
		return true
	}
	return false
}

// needsJoiners reports whether r is a letter or mark of a script whose spelling
// uses the zero-width joiner or non-joiner.
func needsJoiners(r rune) bool {
	if r < 0x0600 || !unicode.In(r, unicode.L, unicode.M) {
		return false
	}
	return unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Phags_Pa,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
		unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Balinese, unicode.Javanese)
}

// isUnshown reports whether a terminal obeys or hides r, in every context.
func isUnshown(r rune) bool {
	switch {
	case r < 0xAD:
		return r >= 0x80 && r < 0xA0 // C1
	case r < 0x300:
		return r == 0xAD // soft hyphen
	case r == 0x2028 || r == 0x2029: // line and paragraph separator
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return isFiller(r) || unicode.Is(unicode.Noncharacter_Code_Point, r) || r >= 0xE0000 && r < 0xE1000
}

// isFiller reports whether r is a letter or mark without a glyph: a filler of
// incomplete Hangul, the grapheme joiner, one of two unwritten Khmer vowels, or a
// code point reserved for such characters.
func isFiller(r rune) bool {
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// isInvisible reports whether a reader sees nothing of r. White space does not
// count as invisible.
func isInvisible(r rune) bool {
	const brailleBlank = '\u2800'
	return isControl(r) || isJoiner(r) || isSelector(r) || r == brailleBlank || isUnshown(r)
}
