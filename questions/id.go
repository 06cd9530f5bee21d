package questions

import (
	"fmt"
	"strconv"
	"strings"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// id reads a question's id; it is empty if the agent gave none. People read ids
// and agents send them back, so an id must consist of visible characters.
func (r *reader) id(o *lenient.Object) string {
	n, ok := o.Get("id")
	if !ok || n.Kind == lenient.TextNode && n.Text == "" {
		return ""
	}
	id, ok := lenient.Plain(n)
	_, printable := safe.Printable(id)
	if !ok || !printable || len(id) > MaxIDBytes || strings.TrimSpace(id) != id {
		r.Problems.Add(o.Place("id"), n.String(),
			fmt.Sprintf("1 to %d bytes of visible characters, without space at the ends", MaxIDBytes), `"db"`)
		return ""
	}
	return id
}

// maxMadeIDBytes limits an id that is made from a label. Short ids make the answers
// easier to read.
const maxMadeIDBytes = 40

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
			r.Problems.Add(fmt.Sprintf("%s[%d].id", at, i), fmt.Sprintf("%s, as in %s[%d]", lenient.Quote(q.ID), at, before),
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
		name := lenient.Slug(q.Label.Raw(), maxMadeIDBytes)
		if header := headers[i]; uses[header] == 1 && lenient.Slug(header, maxMadeIDBytes) != "" {
			name = lenient.Slug(header, maxMadeIDBytes)
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
