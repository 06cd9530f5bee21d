package mcp

import (
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

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
	data    data
	ask     store.Ask // that it is about; zero if it is about none
	session string    // whose earlier answers are announced with it
	carries []string  // asks whose outcome the items tell
	telling *telling  // words the items, where they may be too long
	part    *partOf   // words the items, where a part was asked for
	earlier []announcement
	said    []string // what of earlier questions is said with it
	notes   []string // what else there is to say, behind all that
	// wants is what the client is to ask its user, and then to call again with.
	wants *sdk.CallToolResult
}

// data is a result as data. Each tool has a type of its own for it, which embeds
// facts.
type data interface {
	common() *facts
	// bound takes out what may be long.
	bound()
}

// facts are what the data of any result may have.
type facts struct {
	Earlier []data   `json:"earlier,omitempty"`
	Longer  []longer `json:"longer,omitempty"` // of which the texts have only the beginning
}

func (f *facts) common() *facts { return f }
func (f *facts) bound()         { f.Earlier = nil }

// sessionOnly is the data of a result of which there is nothing else to say.
type sessionOnly struct {
	Session string `json:"sessionId,omitempty"`
	facts
}

// failed is a result that tells the model what it did wrong, or what is.
func failed(session, text string) *result {
	return &result{items: []string{text}, isError: true, session: session, data: &sessionOnly{Session: session}}
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

// tells are the asks that the result tells of: its own, unless it has only a part of
// that, and earlier ones.
func (r *result) tells() []store.Ask {
	var all []store.Ask
	if r.part == nil {
		all = append(all, r.ask)
	}
	for _, earlier := range r.earlier {
		all = append(all, earlier.ask)
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
