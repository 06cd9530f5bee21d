package drafts_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/shape"
)

// V12, T4 and X11: five samples of 300 to 800 words, each with money, days, what
// must not be, a word that is not wanted, and measures of success.
func TestSamples(t *testing.T) {
	t.Parallel()
	samples, err := drafts.Samples()
	if err != nil {
		t.Fatal(err)
	}
	if len(samples) != 5 {
		t.Errorf("%d samples", len(samples))
	}
	ids := map[string]bool{}
	for _, s := range samples {
		if n := len(strings.Fields(s.Prompt)); n < 300 || n > 800 {
			t.Errorf("%s has %d words", s.ID, n)
		}
		if ids[s.ID] || len(s.Tags) == 0 {
			t.Errorf("%s: the id twice, or no tags", s.ID)
		}
		ids[s.ID] = true
		for name, pattern := range map[string]string{
			"an amount of money": `\d euros`, "three days": `(?s)(\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)( \d{4})?.*){3}`,
			"what must not be": `What must not be`, "a word that is not wanted": `(?i)(word|never write|do not (speak|use))[^.]*"`, "success": `Success`,
			"what is not known": `(not know|Open is)`,
		} {
			if !regexp.MustCompile(pattern).MatchString(s.Prompt) {
				t.Errorf("%s does not say %s", s.ID, name)
			}
		}
	}
}

// Whatever a model sends for any step, it is refused with problems, or it is an
// output that is stored and read again with the same bytes.
func FuzzAnswers(f *testing.F) {
	whole := draftstest.FullUpTo(f, "")
	steps := modelSteps(whole)
	for i, s := range steps {
		f.Add(i, draftstest.File(f, s.ID+".json"))
	}
	f.Add(6, []byte(`{"facts":[{"key":"a","value":"1","number":1,"formula":"((((max(a, min(a)))))) ÷ 0 − -max(","kind":"estimate","basis":"x"}]}`))
	f.Fuzz(func(t *testing.T, n int, raw []byte) {
		s := steps[((n%len(steps))+len(steps))%len(steps)]
		o, err := whole.Read(s, raw, 0)
		if err != nil {
			if _, ok := errors.AsType[shape.Problems](err); !ok || o != nil {
				t.Fatalf("%v and %v", o, err)
			}
			return
		}
		data := s.Shape.JSON(o)
		again, err := whole.Read(s, data, 0)
		if err != nil || string(s.Shape.JSON(again)) != string(data) {
			t.Fatalf("%s is read as %s (%v)", data, s.Shape.JSON(again), err)
		}
		whole.With(s.ID, o).Markdown(s.ID)
	})
}
