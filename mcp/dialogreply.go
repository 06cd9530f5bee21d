package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/tool"
	"planb/questions"
)

// dialogReply is what a person did with a client's dialog.
type dialogReply struct {
	action sdk.ElicitationResponseAction
	// reply holds what of the content fits the form.
	reply questions.Reply
	// elsewhere is set where "Other…" was chosen: the person wants to write, which
	// the dialog cannot take.
	elsewhere bool
	// wrong is why the content cannot be submitted; nil: it can, if it says anything.
	wrong error
}

// read takes the client's result apart. The error says that it is none.
func (f dialogForm) read(raw json.RawMessage) (dialogReply, error) {
	var result struct {
		Action  sdk.ElicitationResponseAction `json:"action"`
		Content json.RawMessage               `json:"content"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return dialogReply{}, fmt.Errorf("it is no result of a dialog: %w", err)
	}
	read := dialogReply{action: result.Action}
	switch result.Action {
	case sdk.ElicitationResponseActionAccept:
		f.readContent(result.Content, &read)
	case sdk.ElicitationResponseActionDecline, sdk.ElicitationResponseActionCancel:
	default:
		return dialogReply{}, fmt.Errorf("its action is %q; allowed are accept, decline and cancel", tool.Shortened(string(result.Action)))
	}
	return read, nil
}

// readContent reads the fields that the dialog has, and no others. What a client
// sends back is checked like any answer: it may be anything.
func (f dialogForm) readContent(content json.RawMessage, into *dialogReply) {
	into.reply.Answers = map[string]questions.Value{}
	var given map[string]json.RawMessage
	if len(content) > 0 {
		if err := json.Unmarshal(content, &given); err != nil {
			into.wrong = fmt.Errorf("its content is no object: %w", err)
			return
		}
	}
	for _, field := range f.fields {
		raw, ok := given[field.name]
		delete(given, field.name)
		if !ok || string(raw) == "null" {
			continue
		}
		value, elsewhere, err := field.value(raw)
		switch {
		case err != nil:
			into.wrong = fmt.Errorf("%s: %w", field.name, err)
		case elsewhere:
			into.elsewhere = true
		default:
			into.reply.Answers[field.id] = value
		}
	}
	if len(given) > 0 && len(f.fields) > 0 && into.wrong == nil {
		into.wrong = fmt.Errorf("it has %d fields that the dialog does not have", len(given))
	}
	into.reply = f.spec.Normalize(into.reply)
	if into.wrong == nil && len(into.reply.Answers) > 0 {
		into.wrong = f.spec.CheckReply(into.reply)
	}
	if f.answer == nil || len(into.reply.Answers) == 0 {
		return
	}
	var err error
	if into.reply, err = f.answer(into.reply); err != nil {
		into.wrong = err
	}
}

// value is the answer that a field's content stands for.
func (f dialogField) value(raw json.RawMessage) (value questions.Value, elsewhere bool, err error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return questions.Value{}, false, fmt.Errorf("got %s; allowed is a text", tool.Shown(raw))
	}
	if f.choices == nil || text == "" {
		return questions.TextValue(text), false, nil
	}
	switch i := slices.Index(f.choices, text); {
	case i < 0:
		return questions.Value{}, false, fmt.Errorf("got %q, which is not among the choices", tool.Shortened(text))
	case i >= len(f.values):
		return questions.Value{}, true, nil
	default:
		return questions.TextValue(f.values[i]), false, nil
	}
}
