package mcp

import (
	"encoding/json"

	"planb/mcp/tool"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// askData is an ask as data: how it stands, or what the person said.
type askData struct {
	Session string               `json:"sessionId,omitempty"`
	Ask     string               `json:"askId,omitempty"`
	Short   string               `json:"shortId,omitempty"`
	State   questions.State      `json:"state,omitempty"`
	Next    string               `json:"nextAskId,omitempty"` // what has taken its place
	Away    bool                 `json:"away,omitempty"`
	Nowhere bool                 `json:"nowhere,omitempty"`
	Closed  bool                 `json:"closed,omitempty"` // by the person, without answering
	PutOff  bool                 `json:"putOff,omitempty"` // by the person, with all that waits there
	Answers json.RawMessage      `json:"answers,omitempty"`
	Open    []string             `json:"unanswered,omitempty"`
	Other   []string             `json:"other,omitempty"`
	Notes   map[string]safe.Text `json:"notes,omitempty"`
	Note    safe.Text            `json:"note,omitzero"`
	Message safe.Text            `json:"message,omitzero"`
	Plan    *questions.PlanRef   `json:"plan,omitempty"`   // what was to be reviewed
	Review  *review.Review       `json:"review,omitempty"` // what the user said of it
	tool.Facts
}

func (d *askData) Bound() {
	d.Answers, d.Notes, d.Review = nil, nil, nil
	d.Note, d.Message = safe.Text{}, safe.Text{}
	d.Facts.Bound()
}

// aboutAsk is a result on an ask that is still open.
func aboutAsk(ask store.Ask, text string) *tool.Result {
	return withData(ask, text, dataOf(ask))
}

// withData is aboutAsk with more to say as data.
func withData(ask store.Ask, text string, data *askData) *tool.Result {
	return &tool.Result{Items: []string{text}, Session: ask.Session, Data: data, Ask: ask}
}

// outcomeOf is the result that carries an ask's final outcome.
func outcomeOf(ask store.Ask) *tool.Result {
	return &tool.Result{Telling: tellingOf(ask), Session: ask.Session, Data: dataOf(ask), Ask: ask, Carries: []string{ask.ID}}
}

func dataOf(ask store.Ask) *askData {
	data := &askData{
		Session: ask.Session, Ask: ask.ID, Short: store.ShortID(ask.ID),
		State: ask.Outcome.State, Next: ask.Outcome.Next, Message: ask.Outcome.Message, Plan: ask.Spec.Plan,
	}
	if ask.Spec.Plan != nil {
		data.Review = reviewIn(ask)
		return data
	}
	switch ask.Outcome.State {
	case questions.Answered:
		data.Open = ask.Spec.Unanswered(ask.Outcome.Reply)
	case questions.Discuss:
	default:
		return data
	}
	data.Answers = ask.Spec.AnswersJSON(ask.Outcome.Reply)
	data.Other = ask.Spec.WrittenUnderOther(ask.Outcome.Reply)
	data.Notes, data.Note = ask.Outcome.Reply.Notes, ask.Outcome.Reply.Note
	return data
}

// tellingOf tells the outcome of an ask.
func tellingOf(ask store.Ask) *tool.Telling {
	return &tool.Telling{
		Words:   func(c *tool.Cutter) []string { return outcomeText(ask, c) },
		Session: ask.Session, About: ask.ID, Ask: ask.ID,
	}
}
