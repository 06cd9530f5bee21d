package questions

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"planb/questions/safe"
)

// id reads a question's id; it is empty if the agent gave none. People read ids
// and agents send them back, so an id must consist of visible characters.
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

// ids checks that the given ids are unique, and makes one for each question
// without an id: from its header if no other question has the same, else from its
// label.
func (r *reader) ids(at string, questions []Question, headers []string) {
	first := map[string]int{}
	for i, q := range questions {
		if q.ID == "" {
			continue
		}
		if before, found := first[q.ID]; found {
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
			if _, used := first[q.ID]; !used {
				break
			}
			q.ID = name + "-" + strconv.Itoa(n)
		}
		first[q.ID] = i
	}
}

// slug makes an id from a label: letters with their marks and digits in lower
// case, a dash between words, cut at the end of a word. It is empty if the label
// has no letters or digits, or if the id would not be printable.
func slug(label string) string {
	const most = 40 // bytes; short ids make the answers easier to read
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
