package questions

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"planb/questions/safe"
)

// id reads a given id; without one it is empty. People read ids, and agents
// send them back, so what cannot be seen is refused.
func (r *reader) id(o *object) string {
	n, at, ok := o.get("id")
	if !ok || n.kind == textNode && n.text == "" {
		return ""
	}
	id, ok := plain(n)
	_, printable := safe.Printable(id)
	if !ok || !printable || len(id) > MaxIDBytes || strings.TrimSpace(id) != id {
		r.problems.add(at, n.String(),
			fmt.Sprintf("1 to %d bytes of visible characters, without space at the ends", MaxIDBytes), `"db"`)
		return ""
	}
	return id
}

// ids checks that ids are unique and gives one to each question without.
func (r *reader) ids(at string, questions []Question, headers []string) {
	first := map[string]int{}
	for i, q := range questions {
		if q.ID == "" {
			continue
		}
		if before, twice := first[q.ID]; twice {
			r.problems.add(fmt.Sprintf("%s[%d].id", at, i), fmt.Sprintf("%s, as in %s[%d]", quote(q.ID), at, before),
				"an id of its own", "")
			continue
		}
		first[q.ID] = i
	}
	uses := map[string]int{}
	for _, header := range headers {
		uses[header]++
	}
	for i := range questions {
		q := &questions[i]
		if q.ID != "" {
			continue
		}
		name := slug(q.Label.Raw())
		if header := headers[i]; uses[header] == 1 && slug(header) != "" {
			name = slug(header)
		}
		if name == "" {
			name = "q" + strconv.Itoa(i+1)
		}
		q.ID = name
		for n := 2; ; n++ {
			if _, taken := first[q.ID]; !taken {
				break
			}
			q.ID = name + "-" + strconv.Itoa(n)
		}
		first[q.ID] = i
	}
}

// slug makes an id of a label: its letters, their marks and digits in lower
// case, dashes between the words, cut at a word's end. It is empty if nothing
// is left.
func slug(label string) string {
	const most = 40 // bytes; the answers are easier to read with short names
	var id strings.Builder
	between := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) }
	for word := range strings.FieldsFuncSeq(label, between) {
		word = strings.ToLower(word)
		switch {
		case id.Len() == 0:
			id.WriteString(cut(word, most))
		case id.Len()+1+len(word) <= most:
			id.WriteString("-" + word)
		default:
			return printableOrNone(id.String())
		}
	}
	return printableOrNone(id.String())
}

func printableOrNone(id string) string {
	if _, ok := safe.Printable(id); !ok {
		return ""
	}
	return id
}

// cut shortens s to at most limit bytes of whole characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
