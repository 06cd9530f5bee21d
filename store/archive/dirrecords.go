package archive

import (
	"encoding/json"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// dirVersion is the schemaVersion of every file of the layout.
const dirVersion = 1

// The files of the layout. The members stand in the order of the file. A member
// named planb holds what the layout has no place for; planb-mcp ignores it.
type (
	dirSession struct {
		SchemaVersion     int             `json:"schemaVersion"`
		SessionID         string          `json:"sessionId"`
		ProjectPath       safe.Text       `json:"projectPath,omitzero"`
		Title             safe.Text       `json:"title,omitzero"`
		Intent            safe.Text       `json:"intent,omitzero"`
		CreatedAt         string          `json:"createdAt"`
		UpdatedAt         string          `json:"updatedAt"`
		LatestPlanVersion *int            `json:"latestPlanVersion"`
		PlanCount         int             `json:"planCount"`
		AskCount          int             `json:"askCount"`
		Asks              []dirAskEntry   `json:"asks"`
		Plans             []dirPlanEntry  `json:"plans"`
		Planb             *dirSessionMore `json:"planb,omitempty"`
	}
	dirSessionMore struct {
		Client   store.Client `json:"client,omitzero"`
		Archived bool         `json:"archived,omitempty"`
	}
	dirAskEntry struct {
		AskID      string    `json:"askId"`
		File       string    `json:"file"`
		Title      safe.Text `json:"title"`
		Status     string    `json:"status"`
		CreatedAt  string    `json:"createdAt"`
		AnsweredAt *string   `json:"answeredAt"`
	}
	dirPlanEntry struct {
		Version   int       `json:"version"`
		Title     safe.Text `json:"title,omitzero"`
		File      string    `json:"file"`
		CreatedAt string    `json:"createdAt"`
	}

	dirAsk struct {
		SchemaVersion int             `json:"schemaVersion"`
		AskID         string          `json:"askId"`
		SessionID     string          `json:"sessionId"`
		Status        string          `json:"status"`
		CreatedAt     string          `json:"createdAt"`
		AnsweredAt    *string         `json:"answeredAt"`
		Title         safe.Text       `json:"title"`
		Input         json.RawMessage `json:"input"`
		Answers       json.RawMessage `json:"answers"`
		Outcome       *dirOutcome     `json:"outcome"`
		Planb         *dirAskMore     `json:"planb,omitempty"`
	}
	dirOutcome struct {
		Type    string    `json:"type"`
		Action  string    `json:"action,omitempty"`
		Detail  safe.Text `json:"detail,omitzero"`
		Message safe.Text `json:"message,omitzero"` // planb's own
	}
	// dirAskMore is the ask as the JSON document has it. Its spec is set only
	// if it differs from input.
	dirAskMore struct {
		jsonAsk
		Spec *questions.Spec `json:"spec,omitempty"`
	}

	dirPlan struct {
		SchemaVersion int          `json:"schemaVersion"`
		SessionID     string       `json:"sessionId"`
		Version       int          `json:"version"`
		Title         safe.Text    `json:"title,omitzero"`
		CreatedAt     string       `json:"createdAt"`
		File          string       `json:"file"`
		Bytes         int          `json:"bytes"`
		Planb         *dirPlanMore `json:"planb,omitempty"`
	}
	dirPlanMore struct {
		By   safe.Text `json:"by,omitzero"`
		Name string    `json:"name,omitempty"`
	}
)

// Statuses and types of outcomes in the layout.
const (
	dirPending  = "pending"
	dirAnswered = "answered"
	dirTimeout  = "timeout"
	dirDeclined = "declined"
	dirDecline  = "decline"
	dirDiscuss  = "discuss" // planb's own action
	dirError    = "error"
)

// The form as it was asked. planb's own members stand last.
type (
	dirInput struct {
		Title      safe.Text     `json:"title"`
		IntroTitle safe.Text     `json:"introTitle,omitzero"`
		Intro      safe.Text     `json:"intro,omitzero"`
		Questions  []dirQuestion `json:"questions"`
	}
	dirQuestion struct {
		ID          string             `json:"id"`
		Label       safe.Text          `json:"label"`
		Required    bool               `json:"required,omitempty"`
		Tab         safe.Text          `json:"tab,omitzero"`
		Kind        questions.Kind     `json:"kind"`
		Placeholder safe.Text          `json:"placeholder,omitzero"`
		Options     []questions.Option `json:"options,omitempty"`
		Min         *float64           `json:"min,omitempty"`
		Max         *float64           `json:"max,omitempty"`
		Step        *float64           `json:"step,omitempty"`
		Description safe.Text          `json:"description,omitzero"`
		Default     *questions.Value   `json:"default,omitempty"`
		Other       bool               `json:"other,omitempty"`
	}
)

// newInput omits what has its default value, as agents do.
func newInput(spec questions.Spec) dirInput {
	in := dirInput{Title: spec.Title, IntroTitle: spec.IntroTitle, Intro: spec.Intro, Questions: []dirQuestion{}}
	if in.IntroTitle.Raw() == questions.DefaultIntroTitle {
		in.IntroTitle = safe.Text{}
	}
	for _, q := range spec.Questions {
		out := dirQuestion{
			ID: q.ID, Label: q.Label, Required: q.Required, Tab: q.Tab, Kind: q.Kind, Placeholder: q.Placeholder,
			Options: q.Options, Description: q.Description, Default: q.Default, Other: q.Other,
		}
		if out.Tab.Raw() == questions.DefaultTab {
			out.Tab = safe.Text{}
		}
		if q.Range != nil {
			out.Min, out.Max = &q.Min, &q.Max
			if q.Step != questions.DefaultStep {
				out.Step = &q.Step
			}
		}
		in.Questions = append(in.Questions, out)
	}
	return in
}
