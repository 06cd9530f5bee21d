package tool

import (
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/store"
)

// metaResult is the key of a result's _meta under which a program finds what
// the text says as data.
const metaResult = "planb/result"

// Result is what a tool answers: texts for the model, and the same facts as
// data. There is no structuredContent, because clients that are given it show
// the model nothing else.
type Result struct {
	Items   []string
	IsError bool
	Unknown bool // the session that was named was never created
	Data    Data
	Ask     store.Ask // that it is about; zero if it is about none
	Session string    // whose earlier answers are announced with it
	Foreign bool      // the connection does not see the session's project: nothing of the session is announced
	Carries []string  // asks whose outcome the items tell
	Telling *Telling  // words the items, where they may be too long
	Part    *Part     // words the items, where a part was asked for
	Earlier []Announcement
	said    []string // what of earlier questions is said with it
	Notes   []string // what else there is to say, behind all that
	// Wants is what the client is to ask its user, and then to call again with.
	Wants *sdk.CallToolResult
}

// Data is a result as data. Each tool has a type of its own for it, which embeds
// facts.
type Data interface {
	common() *Facts
	// Bound takes out what may be long.
	Bound()
}

// Facts are what the data of any result may have.
type Facts struct {
	Earlier []Data   `json:"earlier,omitempty"`
	Longer  []longer `json:"longer,omitempty"` // of which the texts have only the beginning
}

func (f *Facts) common() *Facts { return f }

// Bound takes out what may be long.
func (f *Facts) Bound() { f.Earlier = nil }

// SessionOnly is the data of a result of which there is nothing else to say.
type SessionOnly struct {
	Session string `json:"sessionId,omitempty"`
	Facts
}

// Failed is a result that tells the model what it did wrong, or what is.
func Failed(session, text string) *Result {
	return &Result{Items: []string{text}, IsError: true, Session: session, Data: &SessionOnly{Session: session}}
}

// Reword replaces words in what the result says of its subject.
func (r *Result) Reword(anew *strings.Replacer) {
	replace := func(items []string) []string {
		for i, item := range items {
			items[i] = anew.Replace(item)
		}
		return items
	}
	replace(r.Items)
	if r.Telling != nil {
		words := r.Telling.Words
		r.Telling.Words = func(c *Cutter) []string { return replace(words(c)) }
	}
}

// Tells are the asks that the result tells of: its own, unless it has only a part of
// that, and earlier ones.
func (r *Result) Tells() []store.Ask {
	var all []store.Ask
	if r.Part == nil {
		all = append(all, r.Ask)
	}
	for _, earlier := range r.Earlier {
		all = append(all, earlier.Ask)
	}
	return all
}

// protocol is the result as the protocol library wants it.
func (r *Result) protocol() *sdk.CallToolResult {
	texts := r.texts()
	content := make([]sdk.Content, len(texts))
	for i, text := range texts {
		content[i] = sdk.NewTextContent(text)
	}
	answer := &sdk.CallToolResult{Content: content, IsError: r.IsError}
	if r.Wants != nil {
		answer = r.Wants
	}
	answer.Meta = &sdk.Meta{AdditionalFields: map[string]any{metaResult: r.Data}}
	return answer
}
