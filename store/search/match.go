package search

import (
	"cmp"
	"slices"
	"strings"

	"planb/questions"
	"planb/store"
)

const (
	maxMatches = 200     // matches that are looked at in one text
	maxFolded  = 1 << 20 // a larger buffer is not kept for the next item
)

// matcher looks at one item after another.
type matcher struct {
	query     Query
	prechecks []precheck
	folded    []byte // the text that was folded last; its memory is reused
}

func newMatcher(q Query) matcher { return matcher{query: q, prechecks: q.prechecks()} }

// hit returns the item as a hit, if it matches. It skips the lines in seen, which newer
// versions of the plan have shown; seen may be nil.
func (m *matcher) hit(i item, seen *seenLines) (Hit, bool) {
	q := m.query
	if !q.passes(i) {
		return Hit{}, false
	}
	i.fields = slices.DeleteFunc(i.fields, func(f field) bool { return f.text == "" || !q.matchesKind(f) })
	defer m.forget()
	if len(i.fields) == 0 || !m.mayHaveAll(i.fields) || !m.hasAll(i.fields) {
		return Hit{}, false
	}
	if len(q.words) == 0 {
		return i.hit, true
	}
	for _, f := range i.fields {
		m.folded = fold(m.folded, f.text)
		found := excerpts(f, spans(q.words, m.folded, maxMatches))
		if seen != nil {
			found = slices.DeleteFunc(found, seen.was)
		}
		i.hit.Excerpts = append(i.hit.Excerpts, found...)
	}
	if len(i.hit.Excerpts) == 0 {
		return Hit{}, false
	}
	slices.SortStableFunc(i.hit.Excerpts, func(a, b Excerpt) int { return len(b.words(q)) - len(a.words(q)) })
	most := cmp.Or(q.Excerpts, MaxExcerpts)
	if more := len(i.hit.Excerpts) - most; more > 0 {
		i.hit.Excerpts, i.hit.More = i.hit.Excerpts[:most], more
	}
	return i.hit, true
}

func (m *matcher) forget() {
	if cap(m.folded) > maxFolded {
		m.folded = nil
	}
}

// mayHaveAll reports false if an ASCII word occurs in no field. It is quicker than hasAll.
func (m *matcher) mayHaveAll(fields []field) bool {
	for _, c := range m.prechecks {
		if !slices.ContainsFunc(fields, func(f field) bool { return c.inText(f.text) }) {
			return false
		}
	}
	return true
}

// hasAll reports whether each word occurs in one of the fields.
func (m *matcher) hasAll(fields []field) bool {
	missing := slices.Clone(m.query.words)
	for _, f := range fields {
		if len(missing) == 0 {
			return true
		}
		m.folded = fold(m.folded, f.text)
		missing = slices.DeleteFunc(missing, func(p pattern) bool {
			_, ok := p.find(m.folded, 0)
			return ok
		})
	}
	return len(missing) == 0
}

// words lists which of the query's words an excerpt shows, by their index.
func (e Excerpt) words(q Query) (found []int) {
	var shown strings.Builder
	for _, p := range e.Pieces {
		shown.WriteString(p.Text.Raw())
	}
	for n, word := range q.words {
		if word.in(shown.String()) {
			found = append(found, n)
		}
	}
	return found
}

// passes applies the filters that judge the whole item.
func (q Query) passes(i item) bool {
	return q.inTime(i) && q.inProject(i.hit.Session) && q.ofClient(i.client) && q.inStatus(i.hit.Ask)
}

func (q Query) inTime(i item) bool {
	return !i.hit.At.Before(q.after) && (q.before.IsZero() || i.hit.At.Before(q.before))
}

func (q Query) inProject(session store.Session) bool {
	return anyIn(q.projects, session.Project.Raw())
}

func (q Query) ofClient(clients []store.Client) bool {
	return len(q.clients) == 0 || slices.ContainsFunc(clients, func(c store.Client) bool {
		return anyIn(q.clients, c.Name.Raw()+" "+c.Title.Raw())
	})
}

func anyIn(patterns []pattern, text string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p pattern) bool { return p.in(text) })
}

func (q Query) inStatus(ask store.Ask) bool {
	return len(q.statuses) == 0 || ask.ID != "" && slices.ContainsFunc(q.statuses, func(status string) bool {
		switch status {
		case statusOpen, statusWaiting:
			return ask.Open()
		case statusOverdue:
			return ask.Outcome.State == questions.Expired
		case statusReviewed:
			return ask.Outcome.State == questions.Answered && ask.Spec.Plan != nil
		case statusReplied, statusRepliedTo:
			return ask.Outcome.State == questions.Discuss
		case statusUndelivered:
			return ask.Undelivered()
		case statusLate:
			return len(ask.TooLate) > 0
		}
		return ask.Outcome.State == questions.State(status)
	})
}

// matchesKind applies the filter that judges one text of an item.
func (q Query) matchesKind(f field) bool {
	return len(q.kinds) == 0 || slices.ContainsFunc(q.kinds, func(kind string) bool {
		return kind == f.kind || kind == f.form || kind == string(f.asks) || kind == kindAnswer && f.kind == kindNote
	})
}

// wantsPlans reports whether the query can match plans at all. If not, they
// need not be read.
func (q Query) wantsPlans() bool {
	return len(q.statuses) == 0 && (len(q.kinds) == 0 || slices.Contains(q.kinds, kindPlan))
}

// wantsDrafts is wantsPlans for drafts.
func (q Query) wantsDrafts() bool {
	return len(q.statuses) == 0 && (len(q.kinds) == 0 || slices.Contains(q.kinds, kindDraft))
}

// wantsAsks is wantsPlans for asks.
func (q Query) wantsAsks() bool {
	return len(q.kinds) == 0 || slices.ContainsFunc(q.kinds, func(kind string) bool {
		return kind != kindPlan && kind != kindSession && kind != kindDraft
	})
}
