package questions

import "planb/questions/safe"

// Reply is what a person sends back: answers by question id, only where they
// answered, and notes.
type Reply struct {
	Answers map[string]Value     `json:"answers"`
	Notes   map[string]safe.Text `json:"notes,omitempty"` // by question id
	Note    safe.Text            `json:"note,omitzero"`   // on the whole form
}

// Draft is a half-filled form: everything the person has typed or picked so
// far, valid or not.
type Draft struct {
	Fields map[string]Field `json:"fields,omitempty"` // by question id
	Note   safe.Text        `json:"note,omitzero"`    // on the whole form
	Focus  string           `json:"focus,omitempty"`  // id of the question last worked on
}

// Field is one question's part of a Draft. What a kind does not use stays zero.
type Field struct {
	Text        safe.Text `json:"text,omitzero"`         // text, longtext
	Picked      []string  `json:"picked,omitempty"`      // single, multi: values of options, single at most one
	Other       safe.Text `json:"other,omitzero"`        // the text under "Other…", kept even while unpicked
	OtherPicked bool      `json:"otherPicked,omitempty"` // "Other…" is chosen
	Number      *float64  `json:"number,omitempty"`      // scale
	Note        safe.Text `json:"note,omitzero"`
}
