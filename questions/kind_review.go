package questions

import (
	"encoding/json"
	"strings"

	"planb/questions/safe"
)

// PlanRef names the version of a plan that a person is to review.
type PlanRef struct {
	Name   string `json:"name,omitempty"` // of a plan that is worked on as a file
	Number int    `json:"number"`         // of the version, within the ask's session
	Digest string `json:"digest"`         // of its text, in lower-case hexadecimal
	Path   string `json:"path,omitempty"` // of the file, as the agent knows it
	// Since is the id of the ask in which the plan was reviewed last; empty for a
	// plan that never was.
	Since string `json:"since,omitempty"`
	// Done are the ids of comments of that review which the agent says it has
	// carried out.
	Done []string `json:"done,omitempty"`
}

// ReviewID is the id of a review's only question.
const ReviewID = "review"

// ReviewOf returns the form in which a person reviews a plan. Its one question has
// the kind Review, which no agent can ask: the answer is a JSON object, whose
// rules are those of planb/plans/review.
func ReviewOf(title safe.Text, plan PlanRef) Spec {
	return Spec{Title: title, Plan: &plan, Questions: []Question{{
		ID: ReviewID, Kind: Review, Label: safe.New("What do you say of this plan?"), Required: true, Tab: safe.New(DefaultTab),
	}}}
}

// reviewRules are those of Review. The person's screen has rules for what it
// writes; here it is any JSON object.
type reviewRules struct{}

func (reviewRules) kind() Kind { return Review }

func (reviewRules) words() (firm, loose []string) { return nil, nil }

func (reviewRules) fields() []field { return nil }

func (reviewRules) implied(*object) bool { return false }

func (reviewRules) read(*reader, *object, *Question) {}

func (reviewRules) readDefault(Question, node) (Value, bool) { return Value{}, false }

func (reviewRules) check(_ Question, v Value) Problems {
	text, ok := v.Text()
	if !ok || !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
		return Problems{{Got: v.String(), Allowed: "a review as a JSON object"}}
	}
	return nil
}

func (reviewRules) tidy(_ Question, v Value) Value { return v }

func (reviewRules) value(_ Question, f Field) Value {
	if f.Text.IsZero() {
		return Value{}
	}
	return TextValue(f.Text.Raw())
}

func (reviewRules) field(_ Question, v Value) Field {
	text, _ := v.Text()
	return Field{Text: safe.New(text)}
}

func (reviewRules) family() string { return "" }

func (reviewRules) refit(Question, Question, Value) (Value, bool) { return Value{}, false }

func (reviewRules) ownWords(Question, Value) bool { return false }
