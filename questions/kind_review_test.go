package questions_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/safe"
)

func TestAReviewIsAFormThatNoAgentCanAsk(t *testing.T) {
	spec := questions.ReviewOf(safe.New("The plan"), questions.PlanRef{Name: "feature", Number: 3, Digest: "abc", Path: "/p/feature-plan.md"})
	var back questions.Spec
	if err := json.Unmarshal(spec.Canonical(), &back); err != nil || !reflect.DeepEqual(back, spec) {
		t.Errorf("it comes back as %+v, %v", back, err)
	}
	again := spec
	plan := *spec.Plan
	plan.Number++
	again.Plan = &plan
	if again.Digest() == spec.Digest() {
		t.Error("the review of another version is the same ask")
	}
	for _, text := range []string{
		`{"title":"x","questions":[{"id":"r","kind":"review","label":"?"}]}`,
		`{"title":"x","questions":[{"id":"r","kind":"text","label":"?"}],"plan":{"number":1,"digest":"x"}}`,
	} {
		if _, err := questions.Parse([]byte(text)); err == nil || strings.Contains(err.Error(), "review,") {
			t.Errorf("%s: %v", text, err)
		}
	}
	form, err := questions.Parse([]byte(`{"title":"x","questions":[{"id":"r","kind":"text","label":"?"}]}`))
	if err != nil || strings.Contains(string(form.Canonical()), "plan") {
		t.Errorf("a form's canonical bytes have changed: %s, %v", form.Canonical(), err)
	}
}

func TestTheAnswerToAReview(t *testing.T) {
	spec := questions.ReviewOf(safe.New("The plan"), questions.PlanRef{Number: 1, Digest: "abc"})
	for text, fits := range map[string]bool{`{"verdict":"approve"}`: true, `{}`: true, `[]`: false, `{`: false, ``: false, `yes`: false} {
		reply := questions.Reply{Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(text)}}
		if err := spec.CheckReply(reply); (err == nil) != fits {
			t.Errorf("%q: %v", text, err)
		}
		if !fits {
			continue
		}
		if got := spec.EntryFrom(reply).Reply(spec).Answers[questions.ReviewID]; !got.Equal(questions.TextValue(text)) {
			t.Errorf("%q comes back as %s", text, got)
		}
	}
	if err := spec.CheckReply(questions.Reply{}); err == nil {
		t.Error("a review may be left out")
	}
	if reply := (questions.Entry{}).Reply(spec); len(reply.Answers) != 0 {
		t.Errorf("an empty entry says %v", reply.Answers)
	}
}
