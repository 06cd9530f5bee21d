package tasks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// seedReader reads seeds from what models write, or from a file.
type seedReader struct {
	lenient.Reader
	imports bool            // tasks may be done already
	known   []lenient.Field // see fields
}

// fields returns the fields of a task: the same list for all.
func (r *seedReader) fields() []lenient.Field {
	if r.known == nil {
		r.known = itemFields()
		if r.imports {
			r.known = append(r.known, lenient.Field{Name: "done", Hidden: true})
		}
	}
	return r.known
}

func itemFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("nodeKey", "id", "key", "node", "slug"),
		lenient.Named("title", "name", "task", "subject"),
		lenient.Named("description", "body", "summary"),
		{Name: "details", Hidden: true},
		lenient.Named("executionContract", "execution"),
		lenient.Named("verificationContract", "verification"),
		lenient.Named("dependsOn", "dependencies", "deps", "after", "blockedBy", "requires"),
		{Name: "alsoAfter", Hidden: true},
		{Name: "soft", Also: []string{"related"}, Hidden: true},
		lenient.Named("priority"),
		lenient.Named("estimateMinutes", "estimate", "minutes"),
		{Name: "acceptanceCriteria", Also: []string{"criteria"}, Hidden: true},
		{Name: "testStrategy", Hidden: true},
		lenient.Named("cancel"),
		lenient.Named("splitFrom"),
	}
}

// item reads one task.
func (r *seedReader) item(o *lenient.Object) Item {
	cancel := r.Boolean(o, "cancel", false)
	item := Item{
		Seed: Seed{
			Key:          r.key(o),
			Title:        r.title(o, !cancel, "a text that says what to do", `"Write the API"`),
			Description:  r.description(o),
			Execution:    r.execution(o),
			Verification: r.verification(o),
			Priority:     r.priority(o),
			Minutes:      r.minutes(o),
			Edges:        Edges{r.keys(o, "dependsOn"), r.keys(o, "alsoAfter"), r.keys(o, "soft")},
		},
		Cancel:    cancel,
		SplitFrom: r.Optional(o, "splitFrom", MaxKeyBytes).Raw(),
		Done:      r.Optional(o, "done", MaxNoteBytes),
	}
	return item
}

// title reads a title: one line, in which each run of white space is one space.
func (r *seedReader) title(o *lenient.Object, needed bool, allowed, example string) safe.Text {
	read := r.Optional
	if needed {
		read = func(o *lenient.Object, name string, limit int) safe.Text {
			return r.Needed(o, name, limit, allowed, example)
		}
	}
	title := oneLine(read(o, "title", math.MaxInt))
	if len(title.Raw()) > MaxTitleBytes {
		checkBytes(&r.Problems, o.Place("title"), title, MaxTitleBytes)
	}
	return title
}

func oneLine(text safe.Text) safe.Text {
	return safe.New(strings.Join(strings.Fields(text.Raw()), " "))
}

// description reads the description, and the details that some tools keep apart.
func (r *seedReader) description(o *lenient.Object) safe.Text {
	field, text := "description", tidyDescription(r.Optional(o, "description", math.MaxInt).Raw())
	if _, given := o.Get("details"); given {
		field = "details"
		details := tidyDescription(r.Optional(o, field, math.MaxInt).Raw())
		text = tidyDescription(text.Raw() + "\n\n" + details.Raw())
	}
	if len(text.Raw()) > MaxDescriptionBytes {
		checkBytes(&r.Problems, o.Place(field), text, MaxDescriptionBytes)
	}
	return text
}

// key reads a nodeKey; empty if there is none.
func (r *seedReader) key(o *lenient.Object) string {
	n, ok := o.Get("nodeKey")
	if !ok || n.Blank() {
		return ""
	}
	key, ok := lenient.Plain(n)
	if key = strings.TrimSpace(key); !ok || !validKey(key) {
		r.Problems.Add(o.Place("nodeKey"), n.String(), keyRule(), `"api"`)
		return ""
	}
	return key
}

// keys reads a list of nodeKeys, or a text with commas between them.
func (r *seedReader) keys(o *lenient.Object, field string) []string {
	n, ok := o.Get(field)
	if !ok || n.Blank() {
		return nil
	}
	n = lenient.Unwrap(n)
	if text, isPlain := lenient.Plain(n); isPlain {
		return splitKeys(text)
	}
	if n.Kind != lenient.ListNode {
		r.Problems.Add(o.Place(field), n.String(), "a list of nodeKeys", `["schema"]`)
		return nil
	}
	var keys []string
	for i, item := range n.Items {
		key, ok := lenient.Plain(item)
		if !ok {
			r.Problems.Add(fmt.Sprintf("%s[%d]", o.Place(field), i), item.String(), "a nodeKey", `"schema"`)
			continue
		}
		keys = append(keys, strings.TrimSpace(key))
	}
	return keys
}

func splitKeys(text string) (keys []string) {
	for part := range strings.SplitSeq(text, ",") {
		if key := strings.TrimSpace(part); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// priorityWords are the priorities that other tools name; the index is the number.
func priorityWords() [][]string {
	return [][]string{
		{"p0", "critical", "urgent", "blocker", "highest"},
		{"p1", "high"},
		{"p2", "medium", "normal"},
		{"p3", "low"},
		{"p4", "lowest", "backlog", "trivial"},
	}
}

func (r *seedReader) priority(o *lenient.Object) int {
	n, ok := o.Get("priority")
	if !ok || n.Blank() {
		return DefaultPriority
	}
	if text, isPlain := lenient.Plain(n); isPlain {
		if priority, ok := parsePriority(text); ok {
			return priority
		}
	}
	r.Problems.Add(o.Place("priority"), n.String(), priorityRule(), strconv.Itoa(DefaultPriority))
	return DefaultPriority
}

func parsePriority(text string) (int, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	for priority, words := range priorityWords() {
		if text == strconv.Itoa(priority) || slices.Contains(words, text) {
			return priority, true
		}
	}
	return 0, false
}

func (r *seedReader) minutes(o *lenient.Object) int {
	n, ok := o.Get("estimateMinutes")
	if !ok || n.Empty() {
		return DefaultMinutes
	}
	if text, isPlain := lenient.Plain(n); isPlain {
		if minutes, ok := parseMinutes(text); ok {
			return minutes
		}
	}
	r.Problems.Add(o.Place("estimateMinutes"), n.String(), minutesRule(), strconv.Itoa(DefaultMinutes))
	return DefaultMinutes
}

// parseMinutes reads 90, 90m, 1h30m, or 2d of 24 hours.
func parseMinutes(text string) (int, bool) {
	text = strings.ToLower(strings.ReplaceAll(text, " ", ""))
	if strings.Trim(text, "0123456789") == "" {
		text += "m"
	}
	if days, found := strings.CutSuffix(text, "d"); found {
		count, err := strconv.Atoi(days)
		return count * 24 * 60, err == nil && count >= 1 && count*24*60 <= MaxMinutes
	}
	d, err := time.ParseDuration(text)
	minutes := int(d / time.Minute)
	return minutes, err == nil && d%time.Minute == 0 && minutes >= 1 && minutes <= MaxMinutes
}
