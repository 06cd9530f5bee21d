package mcp

import (
	"encoding/json"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// metaResult is the key of a result's _meta under which a program finds what
// the text says as data.
const metaResult = "planb/result"

// result is what a tool answers: texts for the model, and the same facts as
// data. There is no structuredContent, because clients that are given it show
// the model nothing else.
type result struct {
	items   []string
	isError bool
	unknown bool // the session that was named was never created
	data    resultData
	session string   // whose earlier answers are announced with it
	carries []string // asks whose outcome the items tell
	telling *telling // words the items, where they may be too long
	part    *partOf  // words the items, where a part was asked for
	earlier []announcement
	said    []string // what of earlier questions is said with it
	notes   []string // what else there is to say, behind all that
	// wants is what the client is to ask its user, and then to call again with.
	wants *sdk.CallToolResult
}

// resultData is the result as data.
type resultData struct {
	Session     string               `json:"sessionId,omitempty"`
	Project     string               `json:"projectPath,omitempty"`
	Ask         string               `json:"askId,omitempty"`
	Short       string               `json:"shortId,omitempty"`
	State       questions.State      `json:"state,omitempty"`
	Next        string               `json:"nextAskId,omitempty"` // what has taken its place
	Away        bool                 `json:"away,omitempty"`
	Nowhere     bool                 `json:"nowhere,omitempty"`
	Closed      bool                 `json:"closed,omitempty"` // by the person, without answering
	PutOff      bool                 `json:"putOff,omitempty"` // by the person, with all that waits there
	Answers     json.RawMessage      `json:"answers,omitempty"`
	Open        []string             `json:"unanswered,omitempty"`
	Other       []string             `json:"other,omitempty"`
	Notes       map[string]safe.Text `json:"notes,omitempty"`
	Note        safe.Text            `json:"note,omitzero"`
	Message     safe.Text            `json:"message,omitzero"`
	Plan        *questions.PlanRef   `json:"plan,omitempty"`         // what was to be reviewed
	Review      *review.Review       `json:"review,omitempty"`       // what the user said of it
	Title       string               `json:"title,omitempty"`        // of a call that wrote a plan, for people
	Diff        string               `json:"diff,omitempty"`         // what it changed in the plan's file, unified
	Foreign     int                  `json:"foreign,omitempty"`      // the version of what was found in the file, and somebody else had written
	Theirs      string               `json:"otherSession,omitempty"` // whose text was in the plan's file
	Version     int                  `json:"version,omitempty"`
	Path        string               `json:"path,omitempty"`
	CopyDiffers bool                 `json:"copyDiffers,omitempty"`
	Unchanged   bool                 `json:"unchanged,omitempty"`
	Earlier     []resultData         `json:"earlier,omitempty"`
	StillOpen   []string             `json:"stillOpen,omitempty"` // asks of earlier sessions of the project
	Unread      []string             `json:"unread,omitempty"`    // asks of other sessions whose answers are for other agents
	Longer      []longer             `json:"longer,omitempty"`    // of which the texts have only the beginning
}

// failed is a result that tells the model what it did wrong, or what is.
func failed(session, text string) *result {
	return &result{items: []string{text}, isError: true, session: session, data: resultData{Session: session}}
}

// aboutAsk is a result on an ask that is still open.
func aboutAsk(ask store.Ask, text string) *result {
	return &result{items: []string{text}, session: ask.Session, data: askData(ask)}
}

// outcomeOf is the result that carries an ask's final outcome.
func outcomeOf(ask store.Ask) *result {
	return &result{telling: tellingOf(ask), session: ask.Session, data: askData(ask), carries: []string{ask.ID}}
}

func askData(ask store.Ask) resultData {
	data := resultData{
		Session: ask.Session, Ask: ask.ID, Short: store.ShortID(ask.ID),
		State: ask.Outcome.State, Next: ask.Outcome.Next, Message: ask.Outcome.Message, Plan: ask.Spec.Plan,
	}
	if ask.Spec.Plan != nil {
		if said, err := reviewed(ask); err == nil && ask.Outcome.State == questions.Answered {
			data.Review = &said
		}
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

// reword replaces words in what the result says of its subject.
func (r *result) reword(anew *strings.Replacer) {
	replace := func(items []string) []string {
		for i, item := range items {
			items[i] = anew.Replace(item)
		}
		return items
	}
	replace(r.items)
	if r.telling != nil {
		words := r.telling.words
		r.telling.words = func(c *cutter) []string { return replace(words(c)) }
	}
}

// tells is what the result tells of: its own subject, and earlier questions.
func (r *result) tells() []resultData {
	all := []resultData{r.data}
	for _, earlier := range r.earlier {
		all = append(all, askData(earlier.ask))
	}
	return all
}

// protocol is the result as the protocol library wants it.
func (r *result) protocol() *sdk.CallToolResult {
	texts := r.texts()
	content := make([]sdk.Content, len(texts))
	for i, text := range texts {
		content[i] = sdk.NewTextContent(text)
	}
	answer := &sdk.CallToolResult{Content: content, IsError: r.isError}
	if r.wants != nil {
		answer = r.wants
	}
	answer.Meta = &sdk.Meta{AdditionalFields: map[string]any{metaResult: r.data}}
	return answer
}
