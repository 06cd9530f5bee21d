package asking

import (
	"context"
	"encoding/json"

	"planb/mcp/tool"
	"planb/questions"
	"planb/store"
)

// askTool is ask_user.
func (s *toolset) askTool() tool.Tool {
	return tool.Tool{
		Name: "ask_user", Title: "Ask the user (form in their terminal)",
		Description: askDescription, Schema: askSchema, Serve: s.askUser,
	}
}

const askDescription = "Ask the user in a form that opens in their terminal, and wait for the answers. " +
	"Prefer this to built-in question tools such as AskUserQuestion.\n" +
	"- Send all you need to know now as one form; a tab groups questions.\n" +
	"- intro: what the user must know to decide, in Markdown (headings, tables, code, sketches).\n" +
	"- An option: say in description what it means, and illustrate it in markdown (code, a layout sketch), shown beside it.\n" +
	"- required: only what you cannot go on without. Never ask for secrets.\n" +
	"- The user may write under Other…, add notes, or reply without finishing.\n" +
	"Returns JSON {questionId: value}, only what was answered (multi: string[], scale: number, else string); " +
	"a second text says what was left open, which is no default, and has the user's notes.\n" +
	"NOT ANSWERED YET: do what it says; nothing is lost, and the same questions asked again join the open form. " +
	"NOT FINISHED: answer the message in your next form, under the same ids. " +
	"User cancelled: they declined; go on without it, and do not ask again.\n" +
	`Example: {"sessionId":"…","title":"Storage","intro":"## What I found\n…","questions":[` +
	`{"id":"db","kind":"single","label":"Which database?","options":[{"value":"sqlite","label":"SQLite","description":"One file, no server","markdown":"…"},"postgres"]},` +
	`{"id":"risk","kind":"scale","label":"How much risk?","min":0,"max":10}]}`

const askSchema = `{"type":"object","required":["sessionId","title","questions"],"properties":{` +
	`"sessionId":{"type":"string","description":"From init_planb_session"},` + formProperties + `}}`

// FormSchema is the JSON Schema of a form in a file: what ask_user takes, without the
// session.
const FormSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"A form for planb ask",` +
	`"type":"object","required":["title","questions"],"properties":{` + formProperties + `}}`

// formProperties are those of ask_user that make the form.
const formProperties = `"title":{"type":"string"},` +
	`"intro":{"type":"string","description":"Markdown, the form's first tab"},` +
	`"introTitle":{"type":"string","description":"That tab's name, default Overview"},` +
	`"questions":{"type":"array","minItems":1,"maxItems":20,"items":{"type":"object","required":["id","kind","label"],"properties":{` +
	`"id":{"type":"string","description":"Unique; a key of the result"},` +
	`"kind":{"type":"string","enum":["text","longtext","single","multi","scale"]},` +
	`"label":{"type":"string","description":"The question"},` +
	`"description":{"type":"string","description":"Markdown under the question"},` +
	`"required":{"type":"boolean"},` +
	`"tab":{"type":"string","description":"Groups questions, default Questions"},` +
	`"default":{"description":"Your proposal. Shown as such; no answer until the user takes it"},` +
	`"placeholder":{"type":"string","description":"text, longtext"},` +
	`"options":{"type":"array","minItems":1,"description":"single, multi: what may be chosen","items":{"anyOf":[{"type":"string"},` +
	`{"type":"object","required":["value"],"properties":{` +
	`"value":{"type":"string","description":"Unique; what is returned"},` +
	`"label":{"type":"string","description":"Shown instead of value"},` +
	`"description":{"type":"string","description":"One line under it"},` +
	`"markdown":{"type":"string","description":"Illustration"}}}]}},` +
	`"other":{"type":"boolean","description":"single, multi: false forbids an answer of the user's own; default true"},` +
	`"min":{"type":"number","description":"scale"},"max":{"type":"number","description":"scale"},` +
	`"step":{"type":"number","description":"scale, default 1"}}}}`

// askUser serves ask_user.
func (s *toolset) askUser(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	sessionID, problem := sessionOf(raw)
	spec, err := questions.Parse(raw)
	if problem != "" {
		return tool.Failed("", joinProblems(problem, err))
	}
	session, failure := c.Session(ctx, sessionID, "ask_user")
	switch {
	case failure != nil && failure.Unknown:
		return tool.Failed("", joinProblems(failure.Items[0], err))
	case failure != nil:
		return failure
	case err != nil:
		return tool.Failed(session.ID, err.Error())
	}
	return s.Room.Ask(ctx, c, store.Ask{Session: session.ID, Spec: spec})
}

// sessionOf reads sessionId alone. Package questions reads the other arguments, and reports
// it if they are no object.
func sessionOf(raw json.RawMessage) (id, problem string) {
	args := tool.ReadArguments("ask_user", raw)
	id = args.SessionID()
	if n := len(args.Problems); n > 0 {
		return "", args.Problems[n-1]
	}
	return id, ""
}

// joinProblems adds the problems of the form; err is nil if there are none.
func joinProblems(problem string, err error) string {
	if err == nil {
		return problem
	}
	return problem + "\n" + err.Error()
}
