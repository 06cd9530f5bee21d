package tool

import (
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/store"
)

// metaResult is the key of a result's _meta under which a program finds what
// the text says as data.
const metaResult = "planb/result"

// Result is a tool's answer: texts for the model, and the same facts as data. It has no
// structuredContent, because clients that get it show the model only that.
type Result struct {
	Items   []string
	IsError bool
	Unknown bool // there is no session of the id that the call named
	Data    Data
	Ask     store.Ask // the result is about it; zero: about none
	Cause   error     // why the store opened no ask; nil if that is not the reason of the failure
	Session string    // its earlier answers are announced with the result
	Foreign bool      // the connection does not see the session's project: nothing of the session is announced
	Carries []string  // ids of the asks whose outcome the items tell
	Telling *Telling  // words the items, if they may be too long
	Part    *Part     // words the items, if the call asked for a part
	Earlier []Announcement
	said    []string // the announcements that fit, as texts
	Notes   []string // more texts, behind the announcements
	Asides  []Aside  // become notes
	// Wants, if set, has the client show its user a dialog, and call again with the reply.
	Wants *sdk.CallToolResult
}

// Data is a result as data. Each tool has its own type for it, which embeds Facts.
type Data interface {
	common() *Facts
	// Bound takes out the fields that may be long.
	Bound()
}

// Facts are the data that any result may have.
type Facts struct {
	Earlier []Data   `json:"earlier,omitempty"`
	Longer  []longer `json:"longer,omitempty"` // the texts that were cut
}

func (f *Facts) common() *Facts { return f }

// Bound implements Data.
func (f *Facts) Bound() { f.Earlier = nil }

// SessionOnly is the data of a result that has no other.
type SessionOnly struct {
	Session string `json:"sessionId,omitempty"`
	Facts
}

// Failed is a result that tells the model what went wrong.
func Failed(session, text string) *Result {
	return &Result{Items: []string{text}, IsError: true, Session: session, Data: &SessionOnly{Session: session}}
}

// Reword replaces words in the result's items.
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

// Tells returns the asks whose outcome the result tells: its own, unless it tells only a
// part of that, and the earlier ones.
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
