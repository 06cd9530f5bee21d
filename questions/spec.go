package questions

import (
	"planb/questions/safe"
)

// Kind is the kind of a question.
type Kind string

// The five kinds that an agent may ask, and the kind of planb's own reviews.
const (
	Text     Kind = "text"     // one line of text
	LongText Kind = "longtext" // text of many lines
	Single   Kind = "single"   // one of the options
	Multi    Kind = "multi"    // any number of the options
	Scale    Kind = "scale"    // a number between two ends
	Review   Kind = "review"   // a person's review of a plan; see ReviewOf
)

// Defaults of a form's optional parts.
const (
	DefaultIntroTitle = "Overview"
	DefaultTab        = "Questions"
	DefaultStep       = 1.0
)

// Spec is a form as an agent asks it, after parsing: valid, with every default
// filled in. Its JSON form is the canonical one that Digest hashes.
type Spec struct {
	Title      safe.Text  `json:"title"`
	IntroTitle safe.Text  `json:"introTitle,omitzero"` // set when Intro is
	Intro      safe.Text  `json:"intro,omitzero"`      // Markdown
	Questions  []Question `json:"questions"`
	Plan       *PlanRef   `json:"plan,omitempty"` // the plan to review; nil in an agent's form
}

// Question is one question of a form.
type Question struct {
	ID          string    `json:"id"`
	Kind        Kind      `json:"kind"`
	Label       safe.Text `json:"label"`
	Required    bool      `json:"required,omitempty"`
	Tab         safe.Text `json:"tab"`
	Description safe.Text `json:"description,omitzero"` // Markdown
	// Default is the answer that the agent proposes. A screen shows it as a
	// proposal; it becomes an answer only when the person accepts it.
	Default     *Value    `json:"default,omitempty"`
	Placeholder safe.Text `json:"placeholder,omitzero"` // text and longtext
	Options     []Option  `json:"options,omitempty"`    // single and multi
	Other       bool      `json:"other,omitempty"`      // single and multi: "Other…" is offered
	*Range                // scale; nil for other kinds
}

// Option is one choice of a single or multi question.
type Option struct {
	Value       safe.Text `json:"value"`                // returned byte for byte when chosen
	Label       safe.Text `json:"label,omitzero"`       // shown instead of Value
	Description safe.Text `json:"description,omitzero"` // one line under it
	Markdown    safe.Text `json:"markdown,omitzero"`    // the illustration in the side panel
}

// Shown returns what a screen shows for the option: its label, else its value.
func (o Option) Shown() safe.Text {
	if !o.Label.IsZero() {
		return o.Label
	}
	return o.Value
}

// Tab is a named part of a form.
type Tab struct {
	Title     safe.Text
	Intro     bool  // the form's introduction; no questions
	Questions []int // indexes into Spec.Questions
}

// Tabs returns the form's tabs: the introduction first if there is one, then
// the questions' tabs in the order of their first appearance.
func (s Spec) Tabs() []Tab {
	var tabs []Tab
	if !s.Intro.IsZero() {
		tabs = append(tabs, Tab{Title: s.IntroTitle, Intro: true})
	}
	at := map[string]int{}
	for i, q := range s.Questions {
		n, seen := at[q.Tab.Raw()]
		if !seen {
			n = len(tabs)
			at[q.Tab.Raw()] = n
			tabs = append(tabs, Tab{Title: q.Tab})
		}
		tabs[n].Questions = append(tabs[n].Questions, i)
	}
	return tabs
}

// Question returns the question with that id; the second value is false if there
// is none.
func (s Spec) Question(id string) (Question, bool) {
	for _, q := range s.Questions {
		if q.ID == id {
			return q, true
		}
	}
	return Question{}, false
}
