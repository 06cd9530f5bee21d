package dialog

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/tool"
	"planb/questions"
	"planb/questions/safe"
)

// Elsewhere is the choice that stands for "Other…", which these dialogs do not have: the
// person then writes in planb.
const Elsewhere = "Other… (in planb)"

// MaxTitle is how many characters of a title a message has.
const MaxTitle = 300

// Form is what a client's dialog shows.
type Form struct {
	Spec    questions.Spec // of the fields: replies are checked against it
	Message string
	Fields  []Field // none: the dialog only says what to run
	Meta    map[string]any
	// Answer turns a reply to Spec into a reply to the ask; nil: the reply is one already.
	Answer func(questions.Reply) (questions.Reply, error)
}

// Field is one question in it.
type Field struct {
	ID       string   // of the question
	Name     string   // the key of the field in the schema; it has no meaning
	Label    string   // the question
	Beside   string   // what else there is to say
	Choices  []string // as they are shown, perhaps with Elsewhere as the last; nil: a text is typed
	Values   []string // the options that the choices stand for
	Required bool
}

// Params is the form as elicitation/create wants it. Choices are a plain list of strings,
// which every version of the protocol and every client knows; the values that they stand
// for stay here. No field has a preset value: what the agent proposes is no answer until
// the person takes it over. No field is a checkbox: one that was never touched says no.
func (f Form) Params() (sdk.ElicitationParams, error) {
	schema, err := f.schema()
	params := sdk.ElicitationParams{Message: f.Message, RequestedSchema: schema}
	if f.Meta != nil {
		params.Meta = &sdk.Meta{AdditionalFields: f.Meta}
	}
	return params, err
}

// schema is written field by field, to keep the questions in their order.
func (f Form) schema() (json.RawMessage, error) {
	var properties []string
	required := []string{}
	for _, field := range f.Fields {
		property, err := json.Marshal(struct {
			Type        string   `json:"type"`
			Title       string   `json:"title"`
			Description string   `json:"description,omitempty"`
			Enum        []string `json:"enum,omitempty"`
		}{"string", field.Label, field.Beside, field.Choices})
		if err != nil {
			return nil, err
		}
		properties = append(properties, fmt.Sprintf("%q:%s", field.Name, property))
		if field.Required {
			required = append(required, field.Name)
		}
	}
	must, err := json.Marshal(required)
	if err != nil {
		return nil, err
	}
	schema := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		schema += `,"required":` + string(must)
	}
	return json.RawMessage(schema + "}"), nil
}

// Line is a text as a dialog shows it. It does not fit if it has several lines, or more
// than most characters.
func Line(text safe.Text, most int) (line string, fits bool) {
	if strings.ContainsAny(text.Raw(), "\r\n") {
		return "", false
	}
	line = text.Line()
	return line, utf8.RuneCountInString(line) <= most
}

// Shortened cuts a text of more than most characters, and shows that it did.
func Shortened(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return tool.FirstOf(text, most-1) + "…"
}
