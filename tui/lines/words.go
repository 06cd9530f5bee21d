package lines

import (
	"strings"

	"planb/tui/cells"
)

// word is a word that the person can type. Do is a function that gets what is typed
// behind the word.
type word[Do any] struct {
	name  string
	short string // a letter that means the same; empty for none
	also  string // the word that means the same elsewhere; empty for none
	takes string // what is typed behind it; empty for nothing
	does  string // for the help
	do    Do
}

// words are the words of a conversation, in the order of its help.
type wordList[Do any] []word[Do]

// find returns what the first word of a line does, and what is typed behind that word.
func (words wordList[Do]) find(line string) (do Do, rest string, ok bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	for _, w := range words {
		if first != "" && (strings.EqualFold(first, w.name) || strings.EqualFold(first, w.short) || strings.EqualFold(first, w.also)) {
			return w.do, strings.TrimSpace(rest), true
		}
	}
	return do, "", false
}

// help says what each word does, with what is typed before it.
func (words wordList[Do]) help(before string) []string {
	lines := make([]string, len(words))
	for i, w := range words {
		line := before + w.name
		if w.short != "" {
			line += ", or " + before + w.short
		}
		if w.takes != "" {
			line += ", " + w.takes
		}
		lines[i] = line + ": " + w.does + "."
	}
	return lines
}

// bareWord returns a line without the slash that words need where other lines are
// answers. A person may type that slash everywhere.
func bareWord(line string) string { return strings.TrimPrefix(line, "/") }

// commas joins the parts that are not empty to a line that is read out.
func commas(parts ...string) string { return cells.JoinBy(", ", parts...) }

// spoken returns a line of a screen with commas between its parts.
func spoken(line string) string { return strings.ReplaceAll(line, " · ", ", ") }
