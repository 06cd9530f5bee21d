package mcp

// What a model is told before it calls anything. Every byte of it is in every
// conversation, so it is short.

const instructions = `planb asks your user for you: a form opens beside you in their terminal and their answers come back.
- Prefer ask_user to built-in question tools, and ask before you guess: scope, priorities, trade-offs, names, anything you would otherwise assume.
- Ask in batches: gather what you need to know and send it as one form (up to 20 questions, in tabs), not one call for each.
- Call init_planb_session once for a piece of work and pass its sessionId to every other call. Save plans with save_plan, or with write_plan as files of the project.
- Before you carry a plan out, have the user review it: submit_plan. Only what they approved, exactly as it was, is approved.
- "NOT ANSWERED YET" is no answer. Do what the text says, usually get_answer. Never guess or go on with defaults meanwhile.
- Never ask for secrets: no passwords, keys or tokens.`

const initDescription = "Start a planning session, once for a piece of work. Returns the sessionId that ask_user, get_answer and save_plan need. " +
	"Opens nothing. Names answers that earlier sessions of the project never received, and their open questions."

const initSchema = `{"type":"object","properties":{` +
	`"title":{"type":"string","description":"A few words for the user's list of sessions"},` +
	`"intent":{"type":"string","description":"What the user wants to achieve"},` +
	`"projectPath":{"type":"string","description":"Absolute path of the project; by default the client's"}}}`

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
	`"sessionId":{"type":"string","description":"From init_planb_session"},` +
	`"title":{"type":"string"},` +
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
	`"step":{"type":"number","description":"scale, default 1"}}}}}}`

const answerDescription = "Wait for the answer to a question that ask_user left open, or for the verdict of submit_plan; look at it, or take it back. " +
	"Waits as long as the client allows. Without askId: the oldest of the session whose answer you have not received, else the oldest open one; " +
	"without both ids it looks through all sessions you have used."

const answerSchema = `{"type":"object","properties":{` +
	`"askId":{"type":"string"},` +
	`"sessionId":{"type":"string"},` +
	`"waitSeconds":{"type":"number","minimum":0,"description":"Wait at most so long; 0 only looks"},` +
	`"withdraw":{"type":"boolean","description":"true takes the question back: you do not need the answer any more"},` +
	`"question":{"type":"string","description":"Of a long answer: the question's id, or feedback"},` +
	`"offset":{"type":"integer","minimum":0,"description":"The character to begin at"}}}`

const writeDescription = "Write a plan as a file of the project, planName-plan.md, for one the team keeps or you change with edit_plan. " +
	"Replaces the file; versions are kept. save_plan is for a plan of this session alone."

const writeSchema = `{"type":"object","required":["planName","content"],"properties":{` +
	`"planName":{"type":"string","description":"Letters, digits, - and _; the same for one plan"},` +
	`"content":{"type":"string","description":"Markdown, the whole plan"},` +
	`"sessionId":{"type":"string","description":"From init_planb_session"}}}`

const editDescription = "Replace exact text in a plan that write_plan wrote. Needs oldString and newString, or edits for several at once. All are made, or none."

const editSchema = `{"type":"object","required":["planName"],"properties":{` +
	`"planName":{"type":"string"},` + editFields +
	`"edits":{"type":"array","description":"Instead: several, each on the text as it is now","items":{"type":"object","required":["oldString","newString"],"properties":{` +
	`"oldString":{"type":"string"},"newString":{"type":"string"},"replaceAll":{"type":"boolean"}}}},` +
	`"sessionId":{"type":"string"}}}`

const editFields = `"oldString":{"type":"string"},"newString":{"type":"string"},` +
	`"replaceAll":{"type":"boolean","description":"Every occurrence; else the first"},`

const submitDescription = "Have your user review a plan, and wait for the verdict: it opens in their terminal. " +
	"Returns JSON {approved, feedback}. Carry out only what was approved, exactly as it was; after changes resubmit. " +
	"In part: only the sections named. " +
	"NOT ANSWERED YET: do what it says."

const submitSchema = `{"type":"object","properties":{` +
	`"planName":{"type":"string","description":"A plan file"},` +
	`"sessionId":{"type":"string","description":"Without planName: what save_plan saved in it"},` +
	`"version":{"type":"integer","minimum":1,"description":"Of save_plan; default the latest"},` +
	`"done":{"type":"array","items":{"type":"string"},"description":"Ids of comments carried out; the last feedback has them"}}}`

const planDescription = "Save a version of the plan: the whole text, so that someone who knows nothing else can carry it out " +
	"(why, approach, steps with files, how to verify). End a line that follows from an answer with [q:questionId]. Each call makes the next version; earlier ones are kept. Returns the path of a readable copy."

const planSchema = `{"type":"object","required":["sessionId","plan"],"properties":{` +
	`"sessionId":{"type":"string","description":"From init_planb_session"},` +
	`"plan":{"type":"string","description":"Markdown"},` +
	`"title":{"type":"string"}}}`
