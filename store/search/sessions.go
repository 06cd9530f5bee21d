package search

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/store"
)

// SessionQuery narrows a list of sessions. The zero SessionQuery lets all pass.
type SessionQuery struct {
	// Words are the words as they were typed. Matches ignores them: the caller compares them,
	// and may do that loosely in a short list.
	Words    []string
	filters  Query
	statuses []string
}

// ParseSessions reads a query for sessions as a person types it: words, and
//
//	project: client:       as in a search
//	before: after:         the session's last change
//	status:                one of the statuses or of the other words, or the beginning of one
//
// A problem names the statuses only.
// A filter that has no value yet is ignored. The first filter that cannot be
// understood is ignored too, and returned as the error, a *Problem.
func ParseSessions(text string, now time.Time, statuses []string, also ...string) (SessionQuery, error) {
	var q SessionQuery
	if len(text) > MaxQueryBytes {
		return q, &Problem{fmt.Sprintf("%d bytes", len(text)), fmt.Sprintf("a filter of up to %d", MaxQueryBytes)}
	}
	var problem error
	for term := range terms(text) {
		name, value, _ := strings.Cut(term, ":")
		name, value = strings.ToLower(name), unquoted(value)
		var err error
		switch {
		case name == term || !slices.Contains([]string{"project", "client", "before", "after", "status"}, name):
			q.Words = append(q.Words, strings.Fields(unquoted(term))...)
		case name == "status":
			err = q.status(strings.ToLower(value), statuses, also)
		default:
			err = q.filters.filter(name, value, now)
		}
		if problem == nil {
			problem = err
		}
	}
	return q, problem
}

func (q *SessionQuery) status(value string, statuses, also []string) error {
	if value == "" {
		return nil
	}
	begins := func(status string) bool { return strings.HasPrefix(status, value) }
	known := slices.Concat(statuses, also)
	if !slices.ContainsFunc(known, begins) {
		last := len(statuses) - 1
		return &Problem{"status:" + value, strings.Join(statuses[:last], ", ") + " or " + statuses[last]}
	}
	for _, status := range known {
		if begins(status) {
			q.statuses = append(q.statuses, status)
		}
	}
	return nil
}

// Matches reports whether the session passes the filters. It calls has to learn whether the
// session has a status.
func (q SessionQuery) Matches(session store.Session, has func(status string) bool) bool {
	return q.filters.inTime(item{hit: Hit{At: session.Updated}}) &&
		q.filters.inProject(session) && q.filters.ofClient([]store.Client{session.Client}) &&
		(len(q.statuses) == 0 || slices.ContainsFunc(q.statuses, has))
}
