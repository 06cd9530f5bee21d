package drafts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// traits say which patterns a text can match at all. Most texts can match none, and to find
// the traits takes a tenth of the time of the patterns.
type traits struct {
	digit    bool
	iso      bool // 7-0 of 2027-06-18
	dotted   bool // 8.6 of 18.6.2027, 8/ 6
	month    bool // the name of a month
	quarter  bool // Q3
	year     bool // 2027 behind a space or a hyphen
	clock    bool // 7:15 of 17:15, 5pm
	relative bool // Y3, Month 3
	named    bool // D-1 of COVID-19
}

// traits looks through a text once.
func (p patterns) traits(text string) (t traits) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		t.digit = true
		t.before(text, i)
		t.behind(text, i)
	}
	t.month = t.digit && p.hasMonth(text)
	return t
}

// before notes what stands before the digit at i.
func (t *traits) before(text string, i int) {
	t.relative = t.relative || i > 0 && strings.IndexByte("YMCT", text[i-1]) >= 0 || strings.HasSuffix(text[:i], "Month ")
	t.quarter = t.quarter || i > 0 && text[i-1] == 'Q'
	before := strings.TrimSuffix(text[:i], "-")
	r, _ := utf8.DecodeLastRuneInString(before)
	t.named = t.named || before != "" && unicode.IsLetter(r)
}

// behind notes what stands behind the digit at i.
func (t *traits) behind(text string, i int) {
	digit := func(at int) bool { return at < len(text) && text[at] >= '0' && text[at] <= '9' }
	space := func(at int) bool { return at < len(text) && strings.IndexByte(" \t\n\f\r", text[at]) >= 0 }
	meridiem := func(at int) bool {
		return at < len(text) && (text[at] == 'a' || text[at] == 'p') && strings.HasPrefix(strings.TrimPrefix(text[at+1:], "."), "m")
	}
	parted := i > 0 && (text[i-1] == '-' || space(i-1))
	t.year = t.year || parted && digit(i+3) && isYear(text[i:i+4])
	if i+1 >= len(text) {
		return
	}
	switch next := text[i+1]; {
	case next == '-':
		t.iso = t.iso || digit(i+2)
	case next == '.' || next == '/':
		t.dotted = t.dotted || digit(i+2) || space(i+2)
		t.clock = t.clock || digit(i+2) && digit(i+3)
	case next == ':' || next == 'h':
		t.clock = t.clock || digit(i+2) && digit(i+3)
	case space(i + 1):
		t.clock = t.clock || meridiem(i+2)
	default:
		t.clock = t.clock || meridiem(i+1)
	}
}

// hasMonth reports whether a word of a text is a month. To the patterns, a letter that is
// not ASCII ends a word, too.
func (p patterns) hasMonth(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if p.months[word] {
			return true
		}
		if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			continue
		}
		for month := range p.months {
			if strings.Contains(word, month) {
				return true
			}
		}
	}
	return false
}

// dated reports whether the pattern at a place of patterns.dates can match.
func (t traits) dated(place int) bool {
	switch place {
	case isoDate:
		return t.iso
	case dottedDate:
		return t.dotted
	case quarterDate:
		return t.quarter
	}
	return t.month
}
