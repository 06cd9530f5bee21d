package search_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions/safe"
	"planb/store"
	"planb/store/search"
)

func TestSessionsAreFiltered(t *testing.T) {
	now := time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC)
	sessions := []store.Session{
		{ID: "shop", Project: safe.New("/home/ann/my Shop"), Updated: now, Client: store.Client{Title: safe.New("Claude Code")}},
		{ID: "web", Project: safe.New("/home/ann/web"), Updated: now.AddDate(0, 0, -1), Client: store.Client{Name: safe.New("codex")}},
		{ID: "old", Updated: now.AddDate(-1, 0, 0)},
	}
	has := map[string][]string{"open": {"web"}, "waiting": {"web"}, "archived": {"old"}}
	for _, test := range []struct {
		query, words, takes, problem string
	}{
		{query: "", takes: "shop web old"},
		{query: `two "three four"`, words: "two three four", takes: "shop web old"},
		{query: "project:shop late", words: "late", takes: "shop"},
		{query: `project:"my shop"`, takes: "shop"},
		{query: "project:shop PROJECT:web", takes: "shop web"},
		{query: "client:claude", takes: "shop"},
		{query: "after:2026 before:2026-06-20", takes: "web"},
		{query: "before:3w", takes: "old"},
		{query: "status:open", takes: "web"},
		{query: "status:wait", takes: "web"},
		{query: "status:arch", takes: "old"},
		{query: "status:open status:archived", takes: "web old"},
		{query: "status: project:", takes: "shop web old"},
		{query: "kind:plan http://x", words: "kind:plan http://x", takes: "shop web old"},
		{query: "status:gone web", words: "web", takes: "shop web old", problem: `"status:gone" is no filter; allowed: open or archived`},
		{query: "before:never project:web", takes: "web", problem: `"before:never" is no filter`},
		{query: strings.Repeat("x", search.MaxQueryBytes+1), takes: "shop web old", problem: "a filter of up to"},
	} {
		q, err := search.ParseSessions(test.query, now, []string{"open", "archived"}, "waiting")
		if test.problem == "" && err != nil || test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%.40s: %v, want %s", test.query, err, test.problem)
		}
		if problem := new(search.Problem); err != nil && !errors.As(err, &problem) {
			t.Errorf("%.40s: a %T", test.query, err)
		}
		var takes []string
		for _, session := range sessions {
			if q.Matches(session, func(status string) bool { return slices.Contains(has[status], session.ID) }) {
				takes = append(takes, session.ID)
			}
		}
		if strings.Join(q.Words, " ") != test.words || strings.Join(takes, " ") != test.takes {
			t.Errorf("%.40s: words %q, takes %q; want %q, %q", test.query, q.Words, takes, test.words, test.takes)
		}
	}
}
