package plans_test

import (
	"reflect"
	"strings"
	"testing"

	"planb/plans"
	"planb/questions/safe"
)

func TestCitations(t *testing.T) {
	type cited struct {
		question string
		line     int
	}
	for _, c := range []struct {
		name, text string
		want       []cited
	}{
		{"none", "# Plan\n[q](x) [Q:a] q:a", nil},
		{"one", "We retry for a day [q:retries].", []cited{{"retries", 1}}},
		{"several on a line", "a [q:a][q:b]\n\n- c [q:c d]", []cited{{"a", 1}, {"b", 1}, {"c d", 3}}},
		{"fenced", "```\n[q:a]\n```\n[q:b]\n~~~ text\n[q:c]\n```\n[q:d]\n~~~\n[q:e]", []cited{{"b", 4}, {"e", 10}}},
		{"a fence that never ends", "```\n[q:a]\n", nil},
		{"indented by a list", "1. step\n   ```\n   [q:a]\n   ```\n   [q:b]", []cited{{"b", 5}}},
		{"empty and blank", "[q:] [q: ] [q: a] [q:a ]", nil},
		{"not closed", "[q:a\n]", nil},
		{"in another", "[q:[q:a]]", []cited{{"[q:a", 1}}},
		{"too long", "[q:" + strings.Repeat("a", 300) + "] [q:b]", []cited{{"b", 1}}},
		{"windows", "[q:a]\r\n```\r\n[q:b]\r\n```\r\n[q:c]\r\n", []cited{{"a", 1}, {"c", 5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []cited
			for _, citation := range plans.Citations(safe.New(c.text)) {
				got = append(got, cited{citation.Question, citation.Line})
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Start and End of every citation enclose its text.
func FuzzCitations(f *testing.F) {
	f.Add("a [q:b] c\n```\n[q:d]\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, c := range plans.Citations(safe.New(text)) {
			if c.Start < end || text[c.Start:c.End] != "[q:"+c.Question+"]" {
				t.Fatalf("%+v is not in %q, or not behind the one before", c, text)
			}
			if line := 1 + strings.Count(text[:c.Start], "\n"); line != c.Line {
				t.Fatalf("%+v is on line %d", c, line)
			}
			end = c.End
		}
	})
}

// An id is looked for no further than an id can be long. Else this text, which closes none, would take an hour.
func TestCitationsThatAreNeverClosed(t *testing.T) {
	text := strings.Repeat("[q:", plans.MaxPlanBytes/len("[q:"))
	if got := plans.Citations(safe.New(text)); len(got) != 0 {
		t.Errorf("%d citations", len(got))
	}
}
