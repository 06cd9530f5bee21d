package search

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// Hit is one thing that matches the whole query: an ask, a version of a plan, a draft,
// or, if all three are zero, a session itself.
type Hit struct {
	Session store.Session
	Ask     store.Ask    // without its spec's questions; zero if the hit is not an ask
	Plan    store.Plan   // zero if the hit is not a version of a plan
	Draft   runs.Summary // zero if the hit is not a draft
	// At is the time when the plan was saved, the ask was answered (or asked, if it has
	// no answer), something was written into the draft, or the session changed.
	At time.Time
	// Excerpts are the first matches, at most as many as the query asks for. There are none if
	// the query has only filters. More counts the other matching lines.
	Excerpts []Excerpt
	More     int
}

// MaxExcerpts is how many matching lines of one hit are shown, if a query asks for no other number.
const MaxExcerpts = 3

// Field names the text that an excerpt is cut from.
type Field string

// The fields of sessions, asks, plans and drafts.
const (
	FieldTitle        Field = "title"   // of a session, a form or a plan
	FieldIntent       Field = "intent"  // of a session
	FieldProject      Field = "project" // of a session
	FieldIntro        Field = "intro"   // of a form
	FieldQuestion     Field = "question"
	FieldOption       Field = "option"
	FieldIllustration Field = "illustration"
	FieldAnswer       Field = "answer"
	FieldNote         Field = "note"
	FieldMessage      Field = "message"
	FieldTooLate      Field = "late" // written after another outcome had won
	FieldPlan         Field = "plan"
	FieldPrompt       Field = "prompt"  // of a draft
	FieldSection      Field = "section" // of a draft; Question and Of name its step
)

// Excerpt is a line that has a match, cut to MaxExcerptBytes around the first
// one.
type Excerpt struct {
	Field    Field
	Question string    // the id of the question it belongs to, or of a draft's step, if any
	Of       safe.Text // that question's label, or the step's name
	Line     int       // of the field's text, counted from 1
	Row      bool      // the line is a row of a Markdown table
	Pieces   []Piece
}

// Shown returns the pieces for a person: of a row of a table without the bars.
func (e Excerpt) Shown() []Piece {
	if !e.Row {
		return e.Pieces
	}
	list := slices.Clone(e.Pieces)
	for i, p := range list {
		text := p.Text.Raw()
		if i == 0 {
			text = strings.TrimLeft(text, " |")
		}
		if i == len(list)-1 {
			text = strings.TrimRight(text, " |")
		}
		list[i].Text = safe.New(strings.ReplaceAll(strings.ReplaceAll(text, " | ", "|"), "|", " · "))
	}
	return list
}

// Raw returns the excerpt as it stands in the text it was cut from.
func (e Excerpt) Raw() string {
	var text strings.Builder
	for _, p := range e.Pieces {
		text.WriteString(p.Text.Raw())
	}
	return strings.Trim(text.String(), "…")
}

// Piece is a part of an excerpt, either matching or not.
type Piece struct {
	Text  safe.Text
	Match bool
}

// MaxExcerptBytes limits how much of a line an excerpt shows. An excerpt is
// longer if the match itself is longer.
const MaxExcerptBytes = 160

// excerpts cuts one excerpt for each line of the text that has matches.
func excerpts(f field, matches []span) []Excerpt {
	var list []Excerpt
	line, counted := 1, 0
	for len(matches) > 0 {
		first := matches[0]
		from := strings.LastIndexByte(f.text[:first.start], '\n') + 1
		to := len(f.text)
		if i := strings.IndexByte(f.text[first.end:], '\n'); i >= 0 {
			to = first.end + i
		}
		n := 1
		for n < len(matches) && matches[n].start < to {
			n++
		}
		line += strings.Count(f.text[counted:from], "\n")
		counted = from
		list = append(list, Excerpt{
			Field: f.field, Question: f.question, Of: f.of, Line: line, Row: isRow(f.text[from:to]),
			Pieces: pieces(f.text, from, to, matches[:n]),
		})
		matches = matches[n:]
	}
	return list
}

// isRow reports whether a line begins and ends with the bar of a Markdown table.
func isRow(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 1 && strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|")
}

// pieces cuts the line text[from:to] around its matches.
func pieces(text string, from, to int, matches []span) []Piece {
	const before = MaxExcerptBytes / 4
	start, end := from, to
	if end-start > MaxExcerptBytes {
		start = max(from, matches[0].start-before)
		end = min(to, max(start+MaxExcerptBytes, matches[0].end))
		start, end = wordStart(text, start, matches[0].start, from), wordEnd(text, end, matches[0].end, to)
	}
	var list []Piece
	add := func(text string, match bool) {
		if text != "" {
			// Cloned, because a substring keeps the whole text in memory.
			list = append(list, Piece{safe.New(strings.Clone(text)), match})
		}
	}
	if start > from {
		add("…", false)
	}
	at := start
	for _, m := range matches {
		if m.start >= end {
			break
		}
		add(text[at:m.start], false)
		at = min(m.end, end)
		add(text[m.start:at], true)
	}
	add(strings.TrimRight(text[at:end], "\r"), false)
	if end < to {
		add("…", false)
	}
	return list
}

// wordStart moves the start of a cut forward to the start of a word, if one
// begins before the match.
func wordStart(text string, start, match, least int) int {
	if start == least {
		return start
	}
	if i := strings.IndexByte(text[start:match], ' '); i >= 0 {
		return start + i + 1
	}
	return runeStart(text, start, match)
}

// wordEnd moves the end of a cut back to the end of a word, if one ends behind the match and
// not far from there.
func wordEnd(text string, end, match, most int) int {
	const far = MaxExcerptBytes / 5
	end = runeStart(text, end, most)
	if end == most || text[end] == ' ' {
		return end
	}
	if from := max(match, end-far); from < end {
		if i := strings.LastIndexByte(text[from:end], ' '); i >= 0 {
			return from + i
		}
	}
	return end
}

// runeStart moves a cut forward to the start of a character.
func runeStart(text string, at, most int) int {
	for at < most && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}
