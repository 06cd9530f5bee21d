package safe

import (
	"unicode"
	"unicode/utf8"
)

// context is what the rules for a character need to know about the characters
// before it.
type context struct {
	prev  rune // the last character shown, 0 at the start of a line
	base  rune // the last character that is not a mark, joiner or selector
	marks int  // combining marks on base
	full  bool // base had too many marks; keep no more until the next base
}

// keep reports whether r is shown as it is, given the characters before it and
// the text next after it. It updates c.
func (c *context) keep(r rune, next string) bool {
	switch {
	case isOrdinary(r):
		*c = context{prev: r, base: r}
		return true
	case r == zwj || r == zwnj:
		return c.keepJoiner(r, next)
	case isSelector(r):
		return c.keepSelector(r, next)
	case isUnshown(r):
		return false
	case unicode.In(r, unicode.Mn, unicode.Me):
		return c.keepMark(r)
	}
	*c = context{prev: r, base: r}
	return true
}

// shown updates c after the glyph that stands for hidden characters. The glyph can
// carry marks but cannot be joined.
func (c *context) shown() {
	if !c.full {
		*c = context{prev: utf8.RuneError, base: utf8.RuneError}
	}
}

// joined reports whether the last kept character has no column of its own.
func (c *context) joined() bool { return c.prev != c.base }

func (c *context) keepMark(r rune) bool {
	if c.prev == 0 || c.full {
		return false
	}
	if c.marks == MaxMarks {
		c.full = true
		return false
	}
	c.marks++
	c.prev = r
	return true
}

// keepJoiner keeps ZWJ between emoji. It keeps both joiners in the scripts whose
// spelling needs them, between two letters or after a vowel sign.
func (c *context) keepJoiner(r rune, next string) bool {
	if c.full || isJoiner(c.prev) {
		return false
	}
	after, _ := utf8.DecodeRuneInString(next)
	emoji := r == zwj && isEmoji(c.base) && isEmoji(after)
	inWord := needsJoiners(c.prev) && (unicode.Is(unicode.Mn, c.prev) || needsJoiners(after))
	if !emoji && !inWord {
		return false
	}
	c.prev = r
	return true
}

// keepSelector keeps one variation selector directly behind a base that it can
// change.
func (c *context) keepSelector(r rune, next string) bool {
	if c.prev == 0 || c.prev != c.base {
		return false
	}
	after, _ := utf8.DecodeRuneInString(next)
	if !selects(r, c.base) && !(r == emojiStyle && isKeycapBase(c.base) && after == keycap) {
		return false
	}
	c.prev = r
	return true
}
