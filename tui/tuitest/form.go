package tuitest

import (
	"strings"
	"testing"

	"planb/questions"
)

// RichForm has an introduction, three tabs, every kind of question, defaults,
// "Other…", illustrations and required questions.
const RichForm = `{
 "title": "Before the export is written",
 "intro": "## What is there\n\nOrders leave as **CSV**, once a night.\n\n| file | rows |\n|---|---:|\n| orders | 1200 |\n\n` + "```go\\nfunc main() {}\\n```" + `\n\nThree things are open.",
 "questions": [
  {"id":"format","kind":"single","tab":"Format","required":true,"label":"Which format?","description":"The bank reads **all** of them.","default":"csv",
   "options":[
    {"value":"csv","label":"CSV","description":"Small, and loses types.","markdown":"### CSV\n\n` + "```text\\nid;total\\n1;20.00\\n```" + `"},
    {"value":"json","label":"JSON","markdown":"### JSON\n\n` + "```json\\n{\\\"id\\\": 1}\\n```" + `"},
    {"value":"xml","label":"XML"}]},
  {"id":"fields","kind":"multi","tab":"Format","label":"Which fields?","options":["id","total","date","customer"],"default":["id","total"]},
  {"id":"name","kind":"text","tab":"Delivery","required":true,"label":"What is the file called?","placeholder":"orders-2026-11-20.csv"},
  {"id":"time","kind":"text","tab":"Delivery","label":"When does it leave?","default":"03:00"},
  {"id":"keep","kind":"scale","tab":"Delivery","label":"How many days is it kept?","min":1,"max":90,"default":30},
  {"id":"mood","kind":"scale","tab":"Delivery","label":"How sure are you?","min":1,"max":5},
  {"id":"why","kind":"longtext","tab":"Last words","label":"Anything else?","placeholder":"What I should not forget"},
  {"id":"go","kind":"single","tab":"Last words","required":true,"label":"May I start?","options":["yes","no"],"other":false}
 ]}`

// Parse reads a form, which has to be a good one.
func Parse(t testing.TB, raw string) questions.Spec {
	t.Helper()
	spec, err := questions.Parse([]byte(raw))
	if err != nil {
		t.Fatalf("the form of this test: %v", err)
	}
	return spec
}

// OptionsForm is a form with five options, illustrated or not.
func OptionsForm(illustrated bool) string {
	var options []string
	for _, name := range []string{"PostgreSQL, as in the other services", "SQLite in a file beside it", "A table in the warehouse", "Redis with a dump every hour", "Nothing at all for now"} {
		option := `{"value":"` + name + `","description":"What speaks for it, in a dozen words or so."`
		if illustrated {
			option += `,"markdown":"### ` + name[:6] + `\n\nWhat it looks like with **` + name[:4] + `**.\n\n` + "```text\\n" + `app --> ` + name[:6] + `\n` + "```" + `"`
		}
		options = append(options, option+"}")
	}
	return `{"title":"Where does it live?","questions":[{"id":"q","kind":"single","label":"Which database?","options":[` + strings.Join(options, ",") + `]}]}`
}
