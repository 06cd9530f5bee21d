package questions

import (
	"encoding/json"
	"strings"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// PlanRef names the version of a plan that a person reviews.
type PlanRef struct {
	Name   string `json:"name,omitempty"` // of the plan, if it is kept as a file
	Number int    `json:"number"`         // of the version, within the ask's session
	Digest string `json:"digest"`         // of the version's text, in lower-case hexadecimal
	Path   string `json:"path,omitempty"` // of the file, as the agent knows it
	// Since is the id of the ask of the last review of this plan; empty if there
	// was no review before.
	Since string `json:"since,omitempty"`
	// Done holds the ids of the comments of that last review that the agent says
	// it has carried out.
	Done []string `json:"done,omitempty"`
}

// ReviewID is the id of a review's only question.
const ReviewID = "review"

// ReviewOf returns the form in which a person reviews a plan. Its only question
// has the kind Review, which agents cannot ask. The answer is a JSON object;
// planb/plans/review has the rules for it.
func ReviewOf(title safe.Text, plan PlanRef) Spec {
	return Spec{Title: title, Plan: &plan, Questions: []Question{{
		ID: ReviewID, Kind: Review, Label: safe.New("What do you say of this plan?"), Required: true, Tab: safe.New(DefaultTab),
	}}}
}

// reviewRules holds the rules of Review. Here any JSON object is a good answer;
// planb/plans/review checks what is in it.
type reviewRules struct{}

func (reviewRules) kind() Kind { return Review }

func (reviewRules) words() (firm, loose []string) { return nil, nil }

func (reviewRules) fields() []lenient.Field { return nil }

func (reviewRules) implied(*lenient.Object) bool { return false }

func (reviewRules) read(*reader, *lenient.Object, *Question) {}

func (reviewRules) readDefault(Question, lenient.Node) (Value, bool) { return Value{}, false }

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
