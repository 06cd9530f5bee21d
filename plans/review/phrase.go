package review

import (
	"strings"

	"planb/plans/diff"
)

// Phrase is a part of an older text.
type Phrase struct {
	Text string
	Gone bool // the newer text does not have it
}

// Before returns the lines on which a comment was made, in phrases. It returns nil unless
// they have changed.
func (e *Entry) Before(c Comment) []Phrase {
	old, isEarlier := e.EarlierComment(c.ID)
	_, before, gone, quotes := c.origin()
	now := c.Quote.Raw()
	switch {
	case !quotes && (!isEarlier || old.State != Addressed):
		return nil
	case !quotes:
		before = old.Quote.Raw()
	}
	switch {
	case gone:
		now = ""
	case isEarlier:
		now = e.now(old)
	}
	return phrases(before, now)
}

// phrases cuts the text before into phrases: those that the text after still has, and those that
// are gone from it.
func phrases(before, after string) []Phrase {
	before = strings.TrimRight(before, "\n")
	removed, _, ok := diff.Words(before, after)
	if !ok { // too little of it is left to tell words apart
		return []Phrase{{before, true}}
	}
	var all []Phrase
	done := 0
	add := func(to int, gone bool) {
		if done < to {
			all = append(all, Phrase{before[done:to], gone})
		}
		done = max(done, to)
	}
	for _, span := range removed {
		add(span.From, false)
		add(span.To, true)
	}
	add(len(before), false)
	return all
}

// wordsAround is how many words an excerpt has on either side of what is gone.
const wordsAround = 2

// Excerpt shortens phrases to those that are gone, with a few words around them and an
// ellipsis for the rest. Phrases of which none is gone stay as they are.
func Excerpt(all []Phrase) []Phrase {
	var short []Phrase
	for i, phrase := range all {
		if phrase.Gone {
			short = append(short, phrase)
			continue
		}
		before, after := i+1 < len(all), i > 0
		if text := shortened(phrase.Text, after, before); before || after {
			short = append(short, Phrase{Text: text})
		} else {
			short = append(short, phrase)
		}
	}
	return short
}

// shortened keeps the first words of a text if something gone stands before it, and the
// last ones if something gone stands after it.
func shortened(text string, first, last bool) string {
	words := diff.Split(text)
	keep := 2 * wordsAround // each word with the white space beside it
	most := keep
	if first && last {
		most = 2 * keep
	}
	switch {
	case len(words) <= most+2: // an ellipsis would be no shorter
		return text
	case first && last:
		return strings.Join(words[:keep], "") + "… " + strings.Join(words[len(words)-keep:], "")
	case first:
		return strings.TrimRight(strings.Join(words[:keep], ""), " \t\n") + " …"
	}
	return "… " + strings.TrimLeft(strings.Join(words[len(words)-keep:], ""), " \t\n.,:;)")
}
