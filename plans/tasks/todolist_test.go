package tasks_test

import (
	"strings"
	"testing"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// told tells what was imported, a task a line.
func told(i tasks.Import) string {
	var out strings.Builder
	out.WriteString(i.Title.Raw() + "\n")
	if !i.Description.IsZero() {
		out.WriteString("  | " + strings.ReplaceAll(i.Description.Raw(), "\n", "\n  | ") + "\n")
	}
	for _, item := range i.Items {
		out.WriteString(item.Key + ": " + item.Title.Raw())
		for _, part := range []struct{ name, value string }{
			{"after", strings.Join(item.DependsOn, " ")}, {"soft", strings.Join(item.Soft, " ")}, {"done", item.Done.Raw()},
		} {
			if part.value != "" {
				out.WriteString("; " + part.name + " " + part.value)
			}
		}
		if item.Minutes != tasks.DefaultMinutes || item.Priority != tasks.DefaultPriority {
			out.WriteString("; " + strings.Repeat("!", item.Priority) + strings.Repeat("m", item.Minutes/10))
		}
		for _, c := range item.Verification.Criteria {
			out.WriteString("; criterion " + c.Raw())
		}
		out.WriteString("\n")
		if !item.Description.IsZero() {
			out.WriteString("  | " + strings.ReplaceAll(item.Description.Raw(), "\n", "\n  | ") + "\n")
		}
	}
	for _, what := range i.Dropped {
		out.WriteString("dropped: " + what + "\n")
	}
	return out.String()
}

func TestImportLists(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"boxes": {"# Shop\n\nWhy.\n\n- note\n\n## Backend\n\n- [ ] Write the schema {#schema} (30m)\n- [x] Write the API (after: schema) (1h30m) !1\n  how to\n\n  ```\n  - [ ] code\n  ```\n  - [ ] Get (fast)\n    - detail\n  - [ ] Put\n* [ ] Ship it !0 {#ship}\n",
			`Shop
  | Why.
  | 
  | - note
schema: Write the schema
write-the-api: Write the API; after schema get-fast put; done checked off in the list; !mmmmmmmmm
  | how to
  | 
  | ` + "```" + `
  | - [ ] code
  | ` + "```" + `
get-fast: Get (fast)
  | - detail
put: Put
ship: Ship it; mmm
dropped: line 7: the heading "Backend"
`},
		"an ordered list is a chain": {"1. One\n2. Two\n   - Inner\n   - Other\n3) Three\n\n## More\n\n1. Four\n2. Five\n",
			`TODO
one: One
two: Two; after inner other
inner: Inner; after one
other: Other; after one
three: Three; after two
four: Four
five: Five; after four
dropped: line 7: the heading "More"
`},
		"text of a numbered item": {"9. One\n   text\n\n       code\n10. Two\n    - [not a box\n",
			"TODO\none: One\n  | text\n  | \n  |     code\ntwo: Two; after not-a-box\nnot-a-box: [not a box; after one\n"},
		"lines between items": {"- A\n\n* * *\n\n- B\n  - - -\n- -\n", "TODO\na: A\n  | * * *\nb: B\n  | - - -\n  | - -\n"},
		"underlined headings": {"Shop\n====\n\nWhy.\n\n- [ ] A\n  text\n---\n\n1. [ ] B\n---\n\nLater\n-----\n- [ ] C\nlazy\n---\n\n```\nD\n===\n```\n",
			"Shop\n  | Why.\na: A\n  | text\n  | ---\nb: B\n  | ---\nc: C\n  | lazy\n  | ---\n  | \n  | ```\n  | D\n  | ===\n  | ```\ndropped: line 13: the heading \"Later\"\n"},
		"the same title": {"- [ ] Test\n- [ ] Test\n", "TODO\ntest: Test\ntest-2: Test\n"},
		"no list marks":  {"- -5 degrees\n-x\n1.5 is no item\n- [ ]\n", "TODO\n5-degrees: -5 degrees\n  | -x\n  | 1.5 is no item\ntask-2: [ ]\n"},
		"tabs":           {"- [ ] A\n\t- [ ] B\r\n\ttext\n", "TODO\na: A; after b\nb: B\n  | \ttext\n"},
		"the format":     {"# P\n\n## A {#a}\n\nafter: b\n\n- [ ] no task\n\n## B {#b}\n", "P\na: A; after b\n  | - [ ] no task\nb: B\n"},
	} {
		t.Run(name, func(t *testing.T) {
			i, err := tasks.ImportMarkdown(safe.New(c.text), safe.New("TODO"))
			if err != nil {
				t.Fatal(err)
			}
			if got := told(i); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if _, err := tasks.Build(i.Plan()); err != nil {
				t.Error(err)
			}
		})
	}
	for text, want := range map[string]string{
		"only text\n":                    "got 0 tasks; allowed: 1 to 10000: items of a list, or headings with a nodeKey; example: - [ ] Write the API",
		"- [ ] A (after: bb)\n- [ ] Bbb": `line 1.dependsOn[0]: "bb" is no nodeKey here; did you mean "bbb"?`,
		"- [ ] A {#a b}\n- [ ] A {#a/}":  "",
	} {
		if _, err := tasks.ImportMarkdown(safe.New(text), safe.Text{}); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestImportIsRepeatedWithWhatIsNew(t *testing.T) {
	first, err := tasks.ImportMarkdown(safe.New("- [ ] A\n"), safe.New("P"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := tasks.ImportMarkdown(safe.New("- [ ] B (after: a)\n- [ ] A\n"), safe.New("P"))
	if err != nil {
		t.Fatal(err)
	}
	p := first.Plan()
	fresh := second.OnlyNew(graph(t, p))
	if len(fresh.Items) != 1 || fresh.Items[0].Key != "b" || len(second.Items) != 2 {
		t.Fatalf("new are %+v", fresh.Items)
	}
	after, err := p.Amend(fresh, nil)
	if err != nil || edgesOf(after) != "1:a(;) 2:b(a;)" {
		t.Errorf("got %s, %v", edgesOf(after), err)
	}
}

const beadsExport = `{"_type":"beads-jsonl","version":1}
{"_type":"issue","id":"bd-1","title":"Epic","issue_type":"epic","priority":0,"labels":["x"]}
{"id":"bd-1.1","title":"Schema","description":"d","design":"e","status":"closed","close_reason":"merged","estimated_minutes":90,"priority":1,"dependencies":[{"issue_id":"bd-1.1","depends_on_id":"bd-1","type":"parent-child"}]}
{"id":"bd-1.2","title":"API","status":"in_progress","acceptance_criteria":"- [ ] answers\n- is fast","assignee":"a","dependencies":[{"issue_id":"bd-1.2","depends_on_id":"bd-1.1","type":"blocks"},{"depends_on_id":"bd-1.1","type":"related"},{"depends_on_id":"bd-9","type":"blocks"},{"depends_on_id":"bd-1","type":"parent-child"}]}

{"id":"bd-2","title":"Gone","status":"tombstone"}
{"_type":"memory","key":"k","value":"v"}
{"id":"bd-3","title":"Later","acceptance_criteria":"it works","dependencies":[{"depends_on_id":"bd-1.2","type":"waits-for"},{"depends_on_id":"bd-1","type":"discovered-from"},{"depends_on_id":"bd-1.1","type":"conditional-blocks"}]}
`

func TestImportBeads(t *testing.T) {
	i, err := tasks.ImportBeads([]byte(beadsExport), safe.Text{})
	if err != nil {
		t.Fatal(err)
	}
	want := `Imported from beads
bd-1: Epic; after bd-1.1 bd-1.2; mmm
bd-1.1: Schema; done merged; !mmmmmmmmm
  | d
  | 
  | ### Design
  | 
  | e
bd-1.2: API; after bd-1.1; criterion answers; criterion is fast
bd-3: Later; after bd-1.2 bd-1.1; soft bd-1; criterion it works
dropped: deleted issues: 1
dropped: fields "assignee": 1
dropped: fields "labels": 1
dropped: lines of the type "beads-jsonl": 1
dropped: lines of the type "memory": 1
dropped: links to issues that are not in the file: 1
`
	if got := told(i); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	marks := tasks.NewMarks(i.Plan().Tasks)
	if marks.State(2) != tasks.Done || marks.State(1) != tasks.Open || marks.Priority(1) != 0 {
		t.Errorf("the marks are %s", marks)
	}
	cycle := `{"id":"a","title":"A","dependencies":[{"depends_on_id":"b","type":"blocks"}]}` + "\n" + `{"id":"b","title":"B","dependencies":[{"depends_on_id":"a","type":"blocks"}]}`
	if i, err = tasks.ImportBeads([]byte(cycle), safe.Text{}); err != nil {
		t.Fatal(err)
	}
	if _, err := tasks.Build(i.Plan()); tasks.CodeOf(err) != tasks.CodeDependencyCycle || err.Error() != "a → b → a is a cycle. Nothing was stored." {
		t.Errorf("got %v", err)
	}
	long := `{"id":"a","title":"` + strings.Repeat("t", 400) + `","description":"` + "```" + strings.Repeat("é", 20000) + `","acceptance_criteria":"` + strings.Repeat("c", 600) + `"}`
	if i, err = tasks.ImportBeads([]byte(long), safe.New("P")); err != nil || strings.Join(i.Dropped, ", ") != "ends of long descriptions: 1, ends of long titles: 1" {
		t.Errorf("got %q, %v", i.Dropped, err)
	}
	_, err = tasks.ImportBeads([]byte("x\n[]\n"+`{"id":"a b","title":"x"}`+"\n"+`{"id":"c"}`), safe.Text{})
	want = `line 1: got text that is not JSON near byte 0 (invalid character 'x' at start of value); allowed: an issue as JSON; example: {"id":"bd-1","title":"Write the API"}
line 2: got a list of 0; allowed: an issue as JSON; example: {"id":"bd-1","title":"Write the API"}
line 3.nodeKey: got "a b"; allowed: 1 to 64 bytes of letters, digits and - _ . : /, a letter or digit first; example: "api"
line 4.title: got nothing; allowed: a text that says what to do; example: "Write the API"`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	_, err = tasks.ImportBeads([]byte(`{"id":"a","title":"A"}`+"\n"+`{"title":"B","dependencies":5}`+"\n"+`{"title":" "}`+"\n"+`{"id":"a","title":"C"}`), safe.Text{})
	want = `line 3.title: got nothing; allowed: a text that says what to do; example: "Write the API"
line 4.nodeKey: got "a", as in line 1; allowed: a nodeKey of its own`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// What is imported is exported, and imported again with the same hash (6).
func checkExport(t *testing.T, i tasks.Import) {
	t.Helper()
	before, err := tasks.Build(i.Plan())
	if err != nil {
		return
	}
	again, err := tasks.ImportMarkdown(tasks.Render(i.Proposal), safe.Text{})
	if err != nil {
		t.Fatalf("%s\n%v", tasks.Render(i.Proposal).Raw(), err)
	}
	if graph(t, again.Plan()).Hash() != before.Hash() {
		t.Fatalf("%s\nis another plan", tasks.Render(i.Proposal).Raw())
	}
}

func FuzzLists(f *testing.F) {
	f.Add("# T\n- [ ] A {#a} (after: b) (30m) !1\n  - [x] B {#b}\n1. C\n2. D\ntext\n")
	f.Add("- a\n\t1) b\n\t2) c\n```\n- d\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		if i, err := tasks.ImportMarkdown(safe.New(text), safe.Text{}); err == nil {
			checkExport(t, i)
		}
	})
}

func FuzzBeads(f *testing.F) {
	f.Add([]byte(beadsExport))
	f.Fuzz(func(t *testing.T, data []byte) {
		if i, err := tasks.ImportBeads(data, safe.Text{}); err == nil {
			checkExport(t, i)
		}
	})
}
