package dialog

import (
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/tool"
	"planb/questions"
)

// Reply is what a person did with a dialog.
type Reply struct {
	Action sdk.ElicitationResponseAction
	// Answer holds the part of the content that fits the form.
	Answer questions.Reply
	// Elsewhere says that the person chose "Other…": they want to write, which the
	// dialog cannot take.
	Elsewhere bool
	// Wrong is why the content cannot be submitted; nil: it can, if it answers anything.
	Wrong error
}

// Read reads the client's result. The error says that it is no result of a dialog.
func (f Form) Read(raw json.RawMessage) (Reply, error) {
	var result struct {
		Action  sdk.ElicitationResponseAction `json:"action"`
		Content json.RawMessage               `json:"content"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return Reply{}, fmt.Errorf("it is no result of a dialog: %w", err)
	}
	reply := Reply{Action: result.Action}
	switch result.Action {
	case sdk.ElicitationResponseActionAccept:
		f.readContent(result.Content, &reply)
	case sdk.ElicitationResponseActionDecline, sdk.ElicitationResponseActionCancel:
	default:
		return Reply{}, fmt.Errorf("its action is %q; allowed are accept, decline and cancel", tool.Shortened(string(result.Action)))
	}
	return reply, nil
}

// readContent reads the fields that the dialog has, and no others. A client may send back
// anything, so its content is checked like any answer.
func (f Form) readContent(content json.RawMessage, into *Reply) {
	into.Answer.Answers = map[string]questions.Value{}
	var given map[string]json.RawMessage
	if len(content) > 0 {
		if err := json.Unmarshal(content, &given); err != nil {
			into.Wrong = fmt.Errorf("its content is no object: %w", err)
			return
		}
	}
	for _, field := range f.Fields {
		raw, ok := given[field.Name]
		delete(given, field.Name)
		if !ok || string(raw) == "null" {
			continue
		}
		value, elsewhere, err := field.value(raw)
		switch {
		case err != nil:
			into.Wrong = fmt.Errorf("%s: %w", field.Name, err)
		case elsewhere:
			into.Elsewhere = true
		default:
			into.Answer.Answers[field.ID] = value
		}
	}
	if len(given) > 0 && len(f.Fields) > 0 && into.Wrong == nil {
		into.Wrong = fmt.Errorf("it has %d fields that the dialog does not have", len(given))
	}
	into.Answer = f.Spec.Normalize(into.Answer)
	if into.Wrong == nil && len(into.Answer.Answers) > 0 {
		into.Wrong = f.Spec.CheckReply(into.Answer)
	}
	if f.Answer == nil || len(into.Answer.Answers) == 0 {
		return
	}
	var err error
	if into.Answer, err = f.Answer(into.Answer); err != nil {
		into.Wrong = err
	}
}

// value is the answer that a field's content stands for.
func (f Field) value(raw json.RawMessage) (value questions.Value, elsewhere bool, err error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return questions.Value{}, false, fmt.Errorf("got %s; allowed is a text", tool.Shown(raw))
	}
	if f.Choices == nil || text == "" {
		return questions.TextValue(text), false, nil
	}
	switch i := slices.Index(f.Choices, text); {
	case i < 0:
		return questions.Value{}, false, fmt.Errorf("got %q, which is not among the choices", tool.Shortened(text))
	case i >= len(f.Values):
		return questions.Value{}, true, nil
	default:
		return questions.TextValue(f.Values[i]), false, nil
	}
}
