package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/agent"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// What of an ask fits into a client's own dialog. Such dialogs are narrow and
// uneven: some cannot enter numbers, some cut long options short, none shows
// Markdown. What does not fit is asked in a terminal, where nothing is lost.
const (
	maxDialogQuestions = 3
	maxDialogOptions   = 6
	maxDialogText      = 200 // characters of a label or what is said beside it
	maxDialogOption    = 40  // characters of an option
	dialogOptionCut    = 20  // characters of an option that are sure to be seen
	maxDialogTitle     = 300 // characters
)

// elsewhereChoice stands for "Other…", which these dialogs do not have.
const elsewhereChoice = "Other… (in planb)"

// dialogForm is what a client's own dialog shows of an ask.
type dialogForm struct {
	spec    questions.Spec
	message string
	fields  []dialogField // none: the dialog only says what to run
	meta    map[string]any
	// answer makes of what was entered a reply to the ask; nil: it is one.
	answer func(questions.Reply) (questions.Reply, error)
}

// dialogField is one question in it.
type dialogField struct {
	id      string   // of the question
	name    string   // of the field, which says nothing: clients use it as a key
	label   string   // the question
	beside  string   // what else there is to say
	choices []string // as they are shown; nil: a text is typed
	values  []string // the options they stand for
	must    bool
}

// newDialogForm returns what the dialog shows: who asks, the title and the
// command always, and the questions if all of them fit.
func newDialogForm(ask store.Ask) dialogForm {
	if ask.Spec.Plan != nil {
		return newReviewDialog(ask)
	}
	form := dialogForm{spec: ask.Spec, fields: dialogFields(ask.Spec)}
	who, command := agent.Title(ask.Client), "planb tui ask "+store.ShortID(ask.ID)
	lines := []string{shortened(who, maxDialogOption) + " asks you: " + shortened(ask.Spec.Title.Line(), maxDialogTitle)}
	if len(form.fields) == 0 {
		lines = append(lines, "To answer, run this in a terminal:  "+command, "The agent waits for your answer.")
	} else {
		lines = append(lines, "Answer here; or cancel this and run in a terminal, where you can also write answers of your own and notes:  "+command)
	}
	form.message = strings.Join(lines, "\n")
	return form
}

// dialogFields returns the questions as fields; none if one of them does not fit.
func dialogFields(spec questions.Spec) []dialogField {
	if len(spec.Questions) > maxDialogQuestions || !spec.Intro.IsZero() || len(spec.Tabs()) > 1 {
		return nil
	}
	fields := make([]dialogField, 0, len(spec.Questions))
	for i, q := range spec.Questions {
		field, ok := dialogFieldOf(q)
		if !ok {
			return nil
		}
		field.name = fmt.Sprintf("question%d", i+1)
		fields = append(fields, field)
	}
	return fields
}

func dialogFieldOf(q questions.Question) (dialogField, bool) {
	field := dialogField{id: q.ID, must: q.Required}
	var fits bool
	if field.label, fits = dialogText(q.Label, maxDialogText); !fits {
		return dialogField{}, false
	}
	var proposed string
	switch q.Kind {
	case questions.Text:
		if q.Default != nil {
			proposed, _ = q.Default.Text()
		}
	case questions.Single:
		if !field.choose(q) {
			return dialogField{}, false
		}
		if q.Default != nil {
			proposed = field.shownFor(q)
		}
	default:
		return dialogField{}, false
	}
	if proposed != "" {
		proposed = "proposed: " + proposed
	}
	if !plainText(q.Description.Raw()) {
		return dialogField{}, false
	}
	var beside []string
	for _, text := range []safe.Text{q.Description, q.Placeholder, safe.New(proposed)} {
		line, fits := dialogText(text, maxDialogText)
		if !fits {
			return dialogField{}, false
		}
		if line != "" {
			beside = append(beside, line)
		}
	}
	field.beside = strings.Join(beside, " · ")
	return field, true
}

// choose makes the options choices, and reports whether they fit: few of them,
// with nothing to be read beside them, and to be told apart where a client
// cuts them short.
func (f *dialogField) choose(q questions.Question) bool {
	if len(q.Options) > maxDialogOptions {
		return false
	}
	for _, o := range q.Options {
		shown, fits := dialogText(o.Shown(), maxDialogOption)
		if !fits || shown == "" || !o.Description.IsZero() || !o.Markdown.IsZero() {
			return false
		}
		f.choices, f.values = append(f.choices, shown), append(f.values, o.Value.Raw())
	}
	if q.Other {
		f.choices = append(f.choices, elsewhereChoice)
	}
	seen := map[string]bool{}
	for _, choice := range f.choices {
		seen[strings.ToLower(strings.TrimSpace(firstOf(choice, dialogOptionCut)))] = true
	}
	return len(seen) == len(f.choices)
}

// shownFor is how the proposed option is shown; a proposal of the agent's own
// words as it is.
func (f *dialogField) shownFor(q questions.Question) string {
	proposed, _ := q.Default.Text()
	if i := slices.Index(f.values, proposed); i >= 0 {
		return f.choices[i]
	}
	return proposed
}

// dialogText is a text as a dialog shows it; it does not fit with more than one
// line or more than most characters.
func dialogText(text safe.Text, most int) (line string, fits bool) {
	if strings.ContainsAny(text.Raw(), "\r\n") {
		return "", false
	}
	line = text.Line()
	return line, utf8.RuneCountInString(line) <= most
}

// plainText reports whether a reader of Markdown would see the same. It takes
// too much for Markdown rather than too little.
func plainText(text string) bool {
	return !strings.ContainsAny(text, "*_`#[]<>|~\\$&") && !strings.HasPrefix(text, "- ") && !strings.HasPrefix(text, "+ ")
}

// shortened cuts a text of more than most characters, and shows that it did.
func shortened(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return firstOf(text, most-1) + "…"
}

// firstOf is the beginning of a text, of at most n characters.
func firstOf(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// params is the dialog as elicitation/create wants it. Choices are a plain list
// of strings, which every version of the protocol and every client knows, and
// what they stand for stays here. Nothing is preset: what the agent proposes is
// no answer until the person takes it over. There is no checkbox either: one
// that nobody touched says no.
func (f dialogForm) params() (sdk.ElicitationParams, error) {
	schema, err := f.schema()
	params := sdk.ElicitationParams{Message: f.message, RequestedSchema: schema}
	if f.meta != nil {
		params.Meta = &sdk.Meta{AdditionalFields: f.meta}
	}
	return params, err
}

// schema is written field by field, to keep the questions in their order.
func (f dialogForm) schema() (json.RawMessage, error) {
	var properties []string
	required := []string{}
	for _, field := range f.fields {
		property, err := json.Marshal(struct {
			Type        string   `json:"type"`
			Title       string   `json:"title"`
			Description string   `json:"description,omitempty"`
			Enum        []string `json:"enum,omitempty"`
		}{"string", field.label, field.beside, field.choices})
		if err != nil {
			return nil, err
		}
		properties = append(properties, fmt.Sprintf("%q:%s", field.name, property))
		if field.must {
			required = append(required, field.name)
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
