package search

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A precheck and a pattern find the same words.
func TestPrechecksFindWhatPatternsFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("aAbBzZ1- _\n\"éÉKſ中"))
		word := rapid.StringOfN(letters, 1, 4, -1).Draw(t, "word")
		text := rapid.StringOfN(letters, 0, 40, -1).Draw(t, "text")
		if len(strings.Fields(word)) != 1 || strings.TrimSpace(word) != word {
			t.Skip("not one word")
		}
		p := appendPattern(nil, word)[0]
		c, ok := newPrecheck(string(p[0]))
		ascii := strings.IndexFunc(string(p[0]), func(r rune) bool { return r >= 0x80 }) < 0
		if ok != ascii {
			t.Fatalf("%q has a precheck: %v", word, ok)
		}
		if !ok {
			return
		}
		if want := p.in(text); c.inText(text) != want || c.inBytes([]byte(text)) != want {
			t.Fatalf("%q in %q: %v and %v, want %v", word, text, c.inText(text), c.inBytes([]byte(text)), want)
		}
	})
}

func TestWhatJSONTellsOfAnAsk(t *testing.T) {
	for query, want := range map[string][2]bool{ // for {"Title":"Ask"}, and for an empty object
		"ask":           {true, false},
		"TITLE ask":     {true, false},
		"other":         {false, false},
		"42 é a-b":      {true, true}, // JSON may write these in another way
		`"ask title"`:   {true, false},
		"kind:plan":     {true, true},
		"ask 42":        {true, false},
		"ask approved":  {true, false},
		"Approved":      {true, true}, // JSON has "approve"
		"status:open":   {true, true},
		"project:other": {true, true},
	} {
		q, err := Parse(query, noon())
		if err != nil {
			t.Fatal(err)
		}
		may := q.mayMatch()
		for i, json := range []string{`{"Title":"Ask"}`, `{}`} {
			if got := may == nil || may([]byte("[]"), []byte(json)); got != want[i] {
				t.Errorf("%s may be in %s: %v", query, json, got)
			}
		}
	}
}
