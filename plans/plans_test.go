package plans_test

import (
	"errors"
	"strings"
	"testing"

	"planb/plans"
	"planb/questions/safe"
)

func TestNew(t *testing.T) {
	v, err := plans.New(safe.New("# Plan\n"), safe.New(" \t"))
	if err != nil {
		t.Fatal(err)
	}
	const digest = "c3964bb3b70a957ec9b233c7dd3653f6ba17701ab00facf88ae1393dc6155577" // printf '# Plan\n' | sha256sum
	if want := (plans.Version{Bytes: 7, Digest: digest}); v != want {
		t.Errorf("got %+v, want %+v", v, want)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, title, want string }{
		{"empty", "", "", "plan: got a blank text; allowed: Markdown that says something"},
		{"white space", " \n\t\u00a0\n", "", "plan: got a blank text; allowed: Markdown that says something"},
		{"invisible", "\u200b\ufeff", "", "plan: got a blank text; allowed: Markdown that says something"},
		{"not UTF-8", "plan \xff", "", "plan: got text that is not UTF-8: its byte 6 is 0xff; allowed: Markdown in UTF-8"},
		{"not UTF-8 behind what stands for it", "\ufffd\xc3(", "", "plan: got text that is not UTF-8: its byte 4 is 0xc3; allowed: Markdown in UTF-8"},
		{"too large", strings.Repeat("a", plans.MaxPlanBytes+1), "", "plan: got 16777217 bytes; allowed: at most 16777216 bytes"},
		{"title too large", "x", strings.Repeat("t", 1025), "title: got 1025 bytes; allowed: at most 1024 bytes"},
		{"title not UTF-8", "x", "\xff", "title: got text that is not UTF-8; allowed: a text in UTF-8"},
		{"title of two lines", "x", "a\nb", "title: got several lines; allowed: one line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := plans.New(safe.New(c.text), safe.New(c.title))
			var problem *plans.Problem
			if !errors.As(err, &problem) || err.Error() != c.want {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
	if _, err := plans.New(safe.New(strings.Repeat("a", plans.MaxPlanBytes)), safe.New(strings.Repeat("t", plans.MaxTitleBytes))); err != nil {
		t.Errorf("a plan of exactly the limits: %v", err)
	}
}

func TestSame(t *testing.T) {
	version := func(text, title string) plans.Version {
		t.Helper()
		v, err := plans.New(safe.New(text), safe.New(title))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	last := version("# A", "A")
	last.Number, last.By = 4, "client"
	for _, c := range []struct {
		text, title string
		want        bool
	}{
		{"# A", "A", true},
		{"# A\n", "A", false},
		{"# A", "", false},
		{"# B", "A", false},
		{"# \u200bA", "A", false}, // looks the same but differs
	} {
		if got := plans.Same(last, version(c.text, c.title)); got != c.want {
			t.Errorf("%q titled %q: same %v, want %v", c.text, c.title, got, c.want)
		}
	}
}

func TestSameNeedsTheSameName(t *testing.T) {
	v, err := plans.New(safe.New("# A"), safe.Text{})
	if err != nil {
		t.Fatal(err)
	}
	named := v
	named.Name = "a"
	if plans.Same(v, named) || !plans.Same(named, named) {
		t.Error("a plan that is a file is the same as one that is none")
	}
}

func TestNext(t *testing.T) {
	if n := plans.Next(plans.Version{}); n != 1 {
		t.Errorf("the first version is %d, want 1", n)
	}
	if n := plans.Next(plans.Version{Number: 41}); n != 42 {
		t.Errorf("after 41 comes %d, want 42", n)
	}
}

func TestHeading(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# Move the store\n\ntext", "Move the store"},
		{"intro\n\n   ## Second level ##\n", "Second level"},
		{"#no space\n#\n####### seven\n### third", "third"},
		{"```\n# comment\n```\n# after", "after"},
		{"~~~~ sh\n# comment\n~~~\n# still\n~~~~\n# after", "after"},
		{"``` a`b\n# not a fence", "not a fence"},
		{"    # code", ""},
		{"# C#", "C#"},
		{"# ###\n# real", "real"},
		{"plain", ""},
		{"", ""},
		{"#\tTab\r\n", "Tab"},
	} {
		if got := plans.Heading(safe.New(c.text)).Raw(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzHeading(f *testing.F) {
	f.Add("# a\n```\n# b\n")
	f.Fuzz(func(t *testing.T, text string) {
		heading := plans.Heading(safe.New(text)).Raw()
		if !strings.Contains(text, heading) || strings.ContainsAny(heading, "\n") {
			t.Errorf("%q is no line of %q", heading, text)
		}
	})
}
