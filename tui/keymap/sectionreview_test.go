package keymap

import (
	"slices"
	"testing"
)

// The key that has a section written again is that of a draft; it does nothing else in the review,
// and one that the person has given to something else stays that.
func TestTheReviewOfASectionHasTheKeyOfADraft(t *testing.T) {
	t.Parallel()
	acts := func(keys []Binding, key string) (acts []Action) {
		for _, k := range keys {
			if slices.Contains(k.Key.Keys(), key) {
				acts = append(acts, k.Act)
			}
		}
		return acts
	}
	usual := SectionReview(Review())
	if got := acts(usual.OutsideText, "g"); !slices.Equal(got, []Action{Request}) || Label(usual.OutsideText, Request) != "g" {
		t.Errorf("g does %v, and %q has the section written again", got, Label(usual.OutsideText, Request))
	}
	if got := acts(usual.OutsideText, "r"); !slices.Equal(got, []Action{Request}) {
		t.Errorf("r does %v", got)
	}
	own := Review()
	for i, k := range own.OutsideText {
		if k.Act == Comment {
			own.OutsideText[i].Key.SetKeys("g")
		}
	}
	if got := acts(SectionReview(own).OutsideText, "g"); !slices.Contains(got, Comment) || slices.Contains(got, Request) {
		t.Errorf("with comments on g, g does %v", got)
	}
}
