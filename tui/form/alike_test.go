package form

import (
	"fmt"
	"strings"
	"testing"

	"planb/tui/tuitest"
)

// alikeForm has so many questions of one tab with options, and one of another tab.
func alikeForm(count int, options func(i int) string) string {
	var all strings.Builder
	for i := range count {
		fmt.Fprintf(&all, `{"id":"q%d","kind":"single","required":true,"label":"Statement %d holds, as far as anybody knows, for each of the years that the plan looks at.","tab":"Checks",
			"description":"Basis: a guess, %d to 90. If it is wrong, each month costs 2,000 more.","default":"keep","options":%s},`, i, i, i, options(i))
	}
	return `{"title":"Checks","questions":[` + all.String() + `{"id":"more","kind":"longtext","label":"What else?","tab":"More"}]}`
}

func keepOrDrop(int) string { return `["keep","drop",{"value":"unknown","label":"I don't know"}]` }

func alikeRig(t *testing.T, form string, width, height int) *formRig {
	t.Helper()
	return rig(t, formInputOf(tuitest.Parse(t, form)), width, height)
}

// Questions with the same options are a list to go through: where they do not fit, only the one
// with the focus is unfolded, so that a person sees several at once.
func TestQuestionsAlikeFoldWhereTheyDoNotFit(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		r := alikeRig(t, alikeForm(6, keepOrDrop), size[0], size[1])
		for i, keys := range []string{"1", "2", "3", "n x ctrl+s enter tab", "4 o n l y enter", "down"} {
			screen, seen := r.screen(), 0
			for n := range 6 {
				if strings.Contains(screen, fmt.Sprintf("Statement %d holds", n)) {
					seen++
				}
			}
			if seen < 3 {
				t.Errorf("at statement %d only %d are seen:\n%s", i, seen, screen)
			}
			if strings.Count(screen, "2  drop") != 1 || strings.Count(screen, "Basis") != 1 || !strings.Contains(screen, fmt.Sprintf("guess, %d to", i)) {
				t.Errorf("not only statement %d is unfolded:\n%s", i, screen)
			}
			r.keys(keys)
		}
		if got := r.answersNow(); got != `{"q0":"keep","q1":"drop","q2":"unknown","q4":"only"}` {
			t.Errorf("the keys answered %s", got)
		}
	}
}

// A folded question shows its answer and its note.
func TestAFoldedQuestionShowsItsAnswer(t *testing.T) {
	t.Parallel()
	r := alikeRig(t, alikeForm(6, keepOrDrop), 100, 40).keys("3 n x ctrl+s tab 4 o n l y enter up shift+tab shift+tab shift+tab shift+tab")
	if r.where() != "tabs" {
		t.Fatalf("the focus is on %s", r.where())
	}
	for _, want := range []string{"✓", "  ◉ I don't know", "✎ x", "◉ only", "●"} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("no folded question shows %q:\n%s", want, r.screen())
		}
	}
	if strings.Contains(r.screen(), "Basis") {
		t.Errorf("with the focus on the tabs a question is unfolded:\n%s", r.screen())
	}
	r.clickOn("Statement 2")
	if r.where() != "q2/other" || !strings.Contains(r.screen(), "guess, 2 to") {
		t.Errorf("a click on a folded question leads to %s:\n%s", r.where(), r.screen())
	}
}

// Questions that fit, and those with different options, show all of them.
func TestOtherQuestionsDoNotFold(t *testing.T) {
	t.Parallel()
	different := func(i int) string { return fmt.Sprintf(`["keep","drop","drop until %d"]`, i) }
	for name, form := range map[string]string{"they fit": alikeForm(3, keepOrDrop), "they differ": alikeForm(6, different), "they are two": alikeForm(2, keepOrDrop)} {
		height := 40
		if name == "they are two" {
			height = 20
		}
		r := alikeRig(t, form, 100, height)
		if n := strings.Count(r.screen(), "2  drop"); n < 2 {
			t.Errorf("%s: %d show their options:\n%s", name, n, r.screen())
		}
	}
}
