package search

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func noon() time.Time {
	return time.Date(2026, 5, 17, 12, 0, 0, 0, time.FixedZone("here", 2*60*60))
}

func TestParseReadsWordsPhrasesAndFilters(t *testing.T) {
	midnight := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, noon().Location())
	}
	for _, test := range []struct {
		text string
		want Query
	}{
		{"", Query{}},
		{" \t ", Query{}},
		{`""`, Query{}},
		{"Cache", Query{words: words("cache")}},
		{"cache  eviction", Query{words: append(words("cache"), words("eviction")...)}},
		{`"cache eviction" lru`, Query{words: append(words("cache eviction"), words("lru")...)}},
		{`"cache eviction`, Query{words: words("cache eviction")}},
		{`say"cheese now"`, Query{words: words("saycheese now")}},
		{"ÄRGER", Query{words: words("ärger")}},
		{"project:Web", Query{projects: words("web")}},
		{`project:"my work" project:x`, Query{projects: append(words("my work"), words("x")...)}},
		{"client:codex x", Query{clients: words("codex"), words: words("x")}},
		{"Kind:Plan kind:scale", Query{kinds: []string{"plan", "scale"}}},
		{"status:open", Query{statuses: []string{"open"}}},
		{"after:2026", Query{after: midnight(2026, 1, 1)}},
		{"before:2026-05", Query{before: midnight(2026, 5, 1)}},
		{"before:2026-05-17", Query{before: midnight(2026, 5, 17)}},
		{"after:36h", Query{after: noon().Add(-36 * time.Hour)}},
		{"after:7d", Query{after: midnight(2026, 5, 10).Add(12 * time.Hour)}},
		{"after:2w", Query{after: midnight(2026, 5, 3).Add(12 * time.Hour)}},
		{"kind:", Query{}},
		{"http://example.org", Query{words: words("http://example.org")}},
		{"kindness:plan", Query{words: words("kindness:plan")}},
	} {
		got, err := Parse(test.text, noon())
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if !same(got, test.want) {
			t.Errorf("%q: got %+v, want %+v", test.text, got, test.want)
		}
		if got.Empty() != same(got, Query{}) {
			t.Errorf("%q: Empty is %v", test.text, got.Empty())
		}
	}
}

func words(text string) []pattern { return appendPattern(nil, text) }

func same(a, b Query) bool {
	show := func(list []pattern) (shown string) {
		for _, p := range list {
			for _, word := range p {
				shown += string(word) + " "
			}
			shown += "| "
		}
		return shown
	}
	return show(a.words) == show(b.words) && show(a.projects) == show(b.projects) && show(a.clients) == show(b.clients) &&
		strings.Join(a.kinds, " ") == strings.Join(b.kinds, " ") && strings.Join(a.statuses, " ") == strings.Join(b.statuses, " ") &&
		a.after.Equal(b.after) && a.before.Equal(b.before)
}

func TestParseSaysWhatAFilterTakes(t *testing.T) {
	for text, want := range map[string]string{
		"kind:banana":              `"kind:banana" is no filter; allowed: session, ask, question, answer, note, plan, review, text, longtext, single, multi or scale`,
		"status:gone":              `"status:gone" is no filter; allowed: open, overdue, answered, reviewed, replied, declined, withdrawn, undelivered or late`,
		"before:soon":              `"before:soon" is no filter; allowed: a day, month or year such as 2026-05-17, 2026-05 or 2026, or a time ago such as 12h, 7d or 3w`,
		"after:2026-13":            `"after:2026-13" is no filter; allowed: a day, month or year such as 2026-05-17, 2026-05 or 2026, or a time ago such as 12h, 7d or 3w`,
		"after:99999999d":          `"after:99999999d" is no filter; allowed: a day, month or year such as 2026-05-17, 2026-05 or 2026, or a time ago such as 12h, 7d or 3w`,
		strings.Repeat("a ", 1024): `"2048 bytes" is no filter; allowed: a query of up to 1024`,
	} {
		_, err := Parse(text, noon())
		if problem := new(Problem); !errors.As(err, &problem) || err.Error() != want {
			t.Errorf("%.20q: got %v\nwant %s", text, err, want)
		}
	}
}
