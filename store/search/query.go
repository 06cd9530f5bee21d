package search

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"

	"planb/questions"
)

// MaxQueryBytes limits a query. No person types a longer one.
const MaxQueryBytes = 1 << 10

// Query is what to look for. The zero Query finds nothing.
type Query struct {
	words    []pattern
	projects []pattern
	clients  []pattern
	kinds    []string
	statuses []string
	after    time.Time // inclusive
	before   time.Time

	Excerpts int // the most of a hit; 0: MaxExcerpts
}

// Problem is a filter that cannot be understood.
type Problem struct {
	Filter  string // as it was written
	Allowed string
}

// Error is the problem in one sentence.
func (p *Problem) Error() string {
	return fmt.Sprintf("%q is no filter; allowed: %s", p.Filter, p.Allowed)
}

// Empty reports whether the query has neither words nor filters.
func (q Query) Empty() bool {
	return len(q.words)+len(q.projects)+len(q.clients)+len(q.kinds)+len(q.statuses) == 0 &&
		q.after.IsZero() && q.before.IsZero()
}

// Parse reads a query as a person types it; the package comment describes the
// language. Dates are days in now's location, and times ago count back from
// now. A filter that has no value yet is ignored. The error is a *Problem.
func Parse(text string, now time.Time) (Query, error) {
	if len(text) > MaxQueryBytes {
		return Query{}, &Problem{fmt.Sprintf("%d bytes", len(text)), fmt.Sprintf("a query of up to %d", MaxQueryBytes)}
	}
	var q Query
	for term := range terms(text) {
		name, value, isFilter := strings.Cut(term, ":")
		if !isFilter || !q.isFilter(name) {
			q.words = appendPattern(q.words, unquoted(term))
			continue
		}
		if err := q.filter(strings.ToLower(name), unquoted(value), now); err != nil {
			return Query{}, err
		}
	}
	return q, nil
}

// terms yields the terms of a query.
func terms(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			var term string
			if term, text = cutTerm(text); term != "" && !yield(term) {
				return
			}
		}
	}
}

// cutTerm cuts off the first term, up to white space outside of quotes. A quote
// that is not closed reaches to the end.
func cutTerm(text string) (term, rest string) {
	quoted := false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted:
			return text[:i], strings.TrimLeftFunc(text[i:], unicode.IsSpace)
		}
	}
	return text, ""
}

func unquoted(term string) string { return strings.ReplaceAll(term, `"`, "") }

func (Query) isFilter(name string) bool {
	return slices.Contains([]string{"project", "client", "before", "after", "kind", "status"}, strings.ToLower(name))
}

func (q *Query) filter(name, value string, now time.Time) (err error) {
	if value == "" {
		return nil
	}
	switch name {
	case "project":
		q.projects = appendPattern(q.projects, value)
	case "client":
		q.clients = appendPattern(q.clients, value)
	case "before":
		q.before, err = parseDate(name, value, now)
	case "after":
		q.after, err = parseDate(name, value, now)
	case "kind":
		q.kinds, err = oneOf(q.kinds, name, value, Kinds(), kindDraft)
	case "status":
		q.statuses, err = oneOf(q.statuses, name, value, Statuses(), otherStatuses()...)
	}
	return err
}

// oneOf takes what is allowed, and also what a problem does not name.
func oneOf(list []string, name, value string, allowed []string, also ...string) ([]string, error) {
	value = strings.ToLower(value)
	if !slices.Contains(allowed, value) && !slices.Contains(also, value) {
		last := len(allowed) - 1
		return nil, &Problem{name + ":" + value, strings.Join(allowed[:last], ", ") + " or " + allowed[last]}
	}
	return append(list, value), nil
}

// The values of the filter kind:, beside the kinds of questions.
const (
	kindSession  = "session"
	kindQuestion = "question"
	kindAnswer   = "answer"
	kindNote     = "note"
	kindPlan     = "plan"
	kindAsk      = "ask"    // everything of a form
	kindReview   = "review" // everything of a plan's review
	kindDraft    = "draft"
)

// Kinds returns the values that the filter kind: accepts and that Run finds.
func Kinds() []string {
	kinds := []string{kindSession, kindAsk, kindQuestion, kindAnswer, kindNote, kindPlan, kindReview}
	for _, kind := range questions.Kinds() {
		kinds = append(kinds, string(kind))
	}
	return kinds
}

// The values of the filter status:, beside the states of an ask.
const (
	statusOpen        = "open"
	statusWaiting     = "waiting" // the inbox's word for open
	statusOverdue     = "overdue"
	statusReviewed    = "reviewed"
	statusReplied     = "replied"
	statusRepliedTo   = "replied to"
	statusUndelivered = "undelivered"
	statusLate        = "late"
)

// Statuses returns the values of the filter status: that are words on the screens.
func Statuses() []string {
	return []string{
		statusOpen, statusOverdue, string(questions.Answered), statusReviewed, statusReplied,
		string(questions.Declined), string(questions.Withdrawn), statusUndelivered, statusLate,
	}
}

// otherStatuses are further values that the filter takes: another form of a word on the screens, or
// the name of a state in the store, which scripts have.
func otherStatuses() []string {
	return []string{statusWaiting, statusRepliedTo, string(questions.Pending), string(questions.Expired), string(questions.Discuss)}
}
