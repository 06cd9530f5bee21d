package tasks_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// T12, T25: a seed needs a title; the rest has defaults.
func TestT12SeedDefaults(t *testing.T) {
	p, err := tasks.ReadProposal([]byte(`{"title":" Auth \n rewrite","tasks":[{"title":"Write the API"},{"title":"Write the API"},"Ship it",{"title":"…"}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Title.Raw() != "Auth rewrite" {
		t.Errorf("the title is %q", p.Title.Raw())
	}
	want := seed("write-the-api")
	want.Title = safe.New("Write the API")
	if !reflect.DeepEqual(p.Items[0].Seed, want) {
		t.Errorf("got  %+v\nwant %+v", p.Items[0].Seed, want)
	}
	var keys []string
	for _, item := range p.Items {
		keys = append(keys, item.Key)
	}
	if got := strings.Join(keys, " "); got != "write-the-api write-the-api-2 ship-it task-4" {
		t.Errorf("the keys are %s", got)
	}
}

// What models and other tools write is understood (2.5).
func TestT12AlsoUnderstood(t *testing.T) {
	evidence := func(criteria ...string) tasks.Verification {
		return tasks.Verification{Kind: tasks.Evidence, Criteria: tasks.Texts(criteria...)}
	}
	for name, c := range map[string]struct {
		json string
		want func(*tasks.Seed)
	}{
		"id and dependencies as numbers": {`{"id":2,"title":"T","dependencies":[1]}`, func(s *tasks.Seed) { s.Key, s.DependsOn = "2", []string{"1"} }},
		"snake case":                     {`{"node_key":"k","title":"T","depends_on":"1"}`, func(s *tasks.Seed) { s.DependsOn = []string{"1"} }},
		"one text with commas":           {`{"id":"k","title":"T","dependsOn":"1, 3"}`, func(s *tasks.Seed) { s.DependsOn = []string{"1", "3"} }},
		"a list in a text":               {`{"id":"k","title":"T","dependsOn":"[\"1\"]"}`, func(s *tasks.Seed) { s.DependsOn = []string{"1"} }},
		"acceptance criteria":            {`{"id":"k","title":"T","acceptanceCriteria":["a","b"]}`, func(s *tasks.Seed) { s.Verification = evidence("a", "b") }},
		"one criterion":                  {`{"id":"k","title":"T","acceptance_criteria":"a"}`, func(s *tasks.Seed) { s.Verification = evidence("a") }},
		"a test strategy":                {`{"id":"k","title":"T","testStrategy":"run it"}`, func(s *tasks.Seed) { s.Verification = evidence("run it") }},
		"a contract by its kind":         {`{"id":"k","title":"T","executionContract":"human"}`, func(s *tasks.Seed) { s.Execution.Kind = tasks.Human }},
		"a kind from its commands": {`{"id":"k","title":"T","verificationContract":{"commands":"go test"}}`, func(s *tasks.Seed) {
			s.Verification = tasks.Verification{Kind: tasks.Command, Commands: tasks.Texts("go test")}
		}},
		"github_pr":           {`{"id":"k","title":"T","verificationContract":{"kind":"github_pr"}}`, func(s *tasks.Seed) { s.Verification = evidence("URL of the merged pull request") }},
		"files in one way":    {`{"id":"k","title":"T","executionContract":{"files":["././a","./ b","./"]}}`, func(s *tasks.Seed) { s.Execution.Files = tasks.Texts("a", "b", "./") }},
		"a contract as text":  {`{"id":"k","title":"T","executionContract":"{\"files\":[\"./a\",\"b/\"]}"}`, func(s *tasks.Seed) { s.Execution.Files = tasks.Texts("a", "b/") }},
		"details":             {`{"id":"k","title":"T","description":"d\r\n","details":"e"}`, func(s *tasks.Seed) { s.Description = safe.New("d\n\ne") }},
		"an open code block":  {`{"id":"k","title":"T","description":"~~~~go\nx"}`, func(s *tasks.Seed) { s.Description = safe.New("~~~~go\nx\n~~~~") }},
		"a word as priority":  {`{"id":"k","title":"T","priority":"high"}`, func(s *tasks.Seed) { s.Priority = 1 }},
		"an estimate":         {`{"id":"k","title":"T","estimate":"1h30m"}`, func(s *tasks.Seed) { s.Minutes = 90 }},
		"an estimate in days": {`{"id":"k","title":"T","estimate":"2d"}`, func(s *tasks.Seed) { s.Minutes = 2 * 24 * 60 }},
		"the longest in days": {`{"id":"k","title":"T","estimate":"7d"}`, func(s *tasks.Seed) { s.Minutes = tasks.MaxMinutes }},
		"an estimate in text": {`{"id":"k","title":"T","estimateMinutes":"45"}`, func(s *tasks.Seed) { s.Minutes = 45 }},
		"empty fields": {`{"id":"k","title":"T","description":"","dependsOn":[],"executionContract":{},"verificationContract":null,"priority":null,"estimateMinutes":0}`,
			func(*tasks.Seed) {}},
	} {
		t.Run(name, func(t *testing.T) {
			list, _ := json.Marshal(`[{"id":1,"title":"one"},` + c.json + `,{"id":"3","title":"three"}]`)
			p, err := tasks.ReadProposal([]byte(`{"title":"P","planId":"x","tasks":`+string(list)+`}`), nil, "planId")
			if err != nil {
				t.Fatal(err)
			}
			want := seed("k")
			want.Title = safe.New("T")
			c.want(&want)
			if !reflect.DeepEqual(p.Items[1].Seed, want) {
				t.Errorf("got  %+v\nwant %+v", p.Items[1].Seed, want)
			}
		})
	}
}

// All problems are told at once, each with its place.
func TestT14AllProblemsAtOnce(t *testing.T) {
	_, err := tasks.ReadProposal([]byte(`{"tasks":[
		{"nodeKey":"schema","title":"Schema","priority":7,"estimateMinutes":"soon"},
		{"nodeKey":"bad key","titel":"x"},
		{"nodeKey":"schema","title":"Again","verificationContract":{"kind":"evidence"}},
		{"nodeKey":"api","title":"API","dependsOn":["schma",{}],"executionContract":{"kind":"robot"},"verificationContract":{"kind":"none","commands":["x"]}}
	]}`), nil)
	want := `title: got nothing; allowed: a text that names the plan; example: "Auth rewrite"
tasks[0].priority: got the number 7; allowed: a whole number from 0 (most urgent) to 4; example: 2
tasks[0].estimateMinutes: got "soon"; allowed: a whole number of minutes from 1 to 10080; example: 30
tasks[1].titel: got a field that planb does not know; allowed: "title", which is probably meant
tasks[1].nodeKey: got "bad key"; allowed: 1 to 64 bytes of letters, digits and - _ . : /, a letter or digit first; example: "api"
tasks[1].title: got nothing; allowed: a text that says what to do; example: "Write the API"
tasks[2].verificationContract.criteria: got 0; allowed: 1 to 20 for kind evidence
tasks[3].executionContract.kind: got "robot"; allowed: "unblocked" or "human"; example: "human"
tasks[3].verificationContract.commands: got 1; allowed: none for kind none; use kind command
tasks[3].dependsOn[1]: got an empty object; allowed: a nodeKey; example: "schema"
tasks[2].nodeKey: got "schema", as in tasks[0]; allowed: a nodeKey of its own
tasks[3].dependsOn[0]: "schma" is no nodeKey here; did you mean "schema"?`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if tasks.CodeOf(err) != tasks.CodeValidationInvalidInput {
		t.Errorf("the code is %s", tasks.CodeOf(err))
	}
}

func TestProposalLimits(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	many := func(n int, item string) string { return strings.Repeat(item+",", n-1) + item }
	for name, c := range map[string]struct{ json, want string }{
		"too many tasks": {`{"title":"P","tasks":[` + many(501, `"t"`) + `]}`, "tasks: got a list of 501; allowed: a list of 1 to 500 tasks; have these approved first, then propose the others with the planId"},
		"none":           {`{"title":"P","tasks":[]}`, "tasks: got a list of 0; allowed: a list of 1 to 500 tasks; example: [" + `{"nodeKey":"api","title":"Write the API","dependsOn":["schema"]}]`},
		"a title":        {`{"title":"P","tasks":[{"title":"` + long(301) + `"}]}`, "tasks[0].title: got a text of 301 bytes; allowed: at most 300 bytes"},
		"a description":  {`{"title":"P","tasks":[{"title":"t","description":"` + long(16<<10+1) + `"}]}`, "tasks[0].description: got a text of 16385 bytes; allowed: at most 16384 bytes"},
		"a list":         {`{"title":"P","tasks":[{"title":"t","acceptanceCriteria":[` + many(21, `"c"`) + `]}]}`, "tasks[0].acceptanceCriteria: got a list of 21; allowed: a list of at most 20 texts"},
		"an item":        {`{"title":"P","tasks":[{"title":"t","acceptanceCriteria":["` + long(501) + `"]}]}`, "tasks[0].acceptanceCriteria[0]: got a text of 501 bytes; allowed: at most 500 bytes"},
		"edges":          {`{"title":"P","tasks":[{"title":"t","dependsOn":[` + many(101, `"t"`) + `]}]}`, "tasks[0].dependsOn: got 101 tasks; allowed: at most 100"},
		"no JSON":        {`{"title":`, `got JSON that ends too early, after byte 9; allowed: a JSON object with title and tasks; example: {"title":"Auth rewrite","tasks":[{"nodeKey":"api","title":"Write the API","dependsOn":["schema"]}]}`},
		"a list alone":   {`[]`, "got a list of 0; allowed: a JSON object with title and tasks; example: " + `{"title":"Auth rewrite","tasks":[{"nodeKey":"api","title":"Write the API","dependsOn":["schema"]}]}`},
		"too long":       {`"` + long(8<<20) + `"`, "got 8388610 bytes; allowed: at most 8388608 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tasks.ReadProposal([]byte(c.json), nil)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	// Five hundred tasks with a hundred unknown edges each are refused quickly.
	var list []string
	for i := range 500 {
		edges := make([]string, 100)
		for j := range edges {
			edges[j] = fmt.Sprintf(`"unknown-%d-%d"`, i, j)
		}
		list = append(list, fmt.Sprintf(`{"title":"task %d","dependsOn":[%s]}`, i, strings.Join(edges, ",")))
	}
	_, err := tasks.ReadProposal([]byte(`{"title":"P","tasks":[`+strings.Join(list, ",")+`]}`), nil)
	if err == nil || !strings.HasSuffix(err.Error(), "and 49940 more") {
		t.Errorf("got %.200v", err)
	}
}

// T13: an agent cannot propose that something is done; an import can say so.
func TestT13NothingIsProposedAsDone(t *testing.T) {
	raw := []byte(`{"title":"P","tasks":[{"title":"A","done":"yes"}]}`)
	if _, err := tasks.ReadProposal(raw, nil); err == nil || !strings.HasPrefix(err.Error(), "tasks[0].done: got a field that planb does not know") {
		t.Errorf("got %v", err)
	}
	i, err := tasks.ImportJSON(raw)
	if err != nil || tasks.NewMarks(i.Plan().Tasks).State(1) != tasks.Done {
		t.Errorf("got %+v, %v", i, err)
	}
}

// T25: a task that is added may depend on those of its plan.
func TestT25ReadTask(t *testing.T) {
	g := build(t, seed("schema"), seed("api"))
	got, err := tasks.ReadTask([]byte(`{"planId":"p","title":"Fix the lock","dependsOn":["schema"],"discoveredFrom":"api"}`), g, "planId", "discoveredFrom")
	if err != nil || got.Key != "fix-the-lock" || !reflect.DeepEqual(got.DependsOn, []string{"schema"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = tasks.ReadTask([]byte(`{"title":"Api"}`), g)
	if err != nil || got.Key != "api-2" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = tasks.ReadTask([]byte(`{"title":"X","nodeKey":"api","dependsOn":["schem"]}`), g)
	if want := "nodeKey: got \"api\", which another task has; allowed: a nodeKey of its own\ndependsOn[0]: \"schem\" is no nodeKey here; did you mean \"schema\"?"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A plan that is not approved yet is replaced: there is nothing to cancel or split in it.
func TestWhatIsNotApprovedIsLeftOut(t *testing.T) {
	raw := `{"title":"P","tasks":[{"nodeKey":"a","title":"A","cancel":true},{"nodeKey":"b","title":"B","splitFrom":"a"}]}`
	want := "tasks[0].cancel: the plan is not approved yet, and this replaces it: leave the task out\n" +
		"tasks[1].splitFrom: the plan is not approved yet, and this replaces it: give the parts, and leave the task out"
	if _, err := tasks.ReadProposal([]byte(raw), nil); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err := tasks.ReadProposal([]byte(raw), build(t, seed("a"))); err != nil {
		t.Errorf("of an approved plan: %v", err)
	}
}

// T25: a task that is added replaces none, and cancels none.
func TestT25ATaskThatIsAddedReplacesNone(t *testing.T) {
	g := build(t, seed("api"))
	for field, raw := range map[string]string{
		"splitFrom": `{"title":"Part","splitFrom":"api"}`,
		"cancel":    `{"title":"Part","cancel":true}`,
	} {
		want := field + ": a task that is added replaces none; propose_plan with planId splits and cancels"
		if _, err := tasks.ReadTask([]byte(raw), g); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := tasks.ReadTask([]byte(`{"title":"X","frob":1}`), g); err == nil || strings.Contains(err.Error(), "splitFrom") {
		t.Errorf("the fields are told as %v", err)
	}
}

// No task is told that it could wait for itself.
func TestAnUnknownKeyIsNotTheTasksOwn(t *testing.T) {
	for raw, want := range map[string]string{
		`{"title":"P","tasks":[{"title":"Y","dependsOn":["z"]}]}`:                      `tasks[0].dependsOn[0]: "z" is no nodeKey here`,
		`{"title":"P","tasks":[{"title":"Bake","dependsOn":["Bake"]}]}`:                `tasks[0].dependsOn[0]: "Bake" is no nodeKey here`,
		`{"title":"P","tasks":[{"title":"Bake"},{"title":"Eat","dependsOn":["pie"]}]}`: `tasks[1].dependsOn[0]: "pie" is no nodeKey here; there are "bake"`,
	} {
		if _, err := tasks.ReadProposal([]byte(raw), nil); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", raw, err, want)
		}
	}
}

// The largest plan that a person can review is imported again from its own export. What an agent
// sends has the limit of all its calls.
func TestTheLargestExportIsImported(t *testing.T) {
	key := func(n int) string { return fmt.Sprintf("t%d", n) }
	var out strings.Builder
	out.WriteString(`{"title":"P","tasks":[`)
	for n := range tasks.MaxTasks {
		var after []string
		for before := max(0, n-10); before < n; before++ {
			after = append(after, strconv.Quote(key(before)))
		}
		fmt.Fprintf(&out, `%s{"nodeKey":%q,"title":"a","dependsOn":[%s]}`, strings.Repeat(",", min(n, 1)), key(n), strings.Join(after, ","))
	}
	out.WriteString("]}")
	once, err := tasks.ImportJSON([]byte(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	if size := len(tasks.Render(once.Proposal).Raw()); size > tasks.MaxMarkdownBytes || size < tasks.MaxMarkdownBytes/2 {
		t.Errorf("the plan has %d bytes of Markdown", size)
	}
	raw, err := json.Marshal(once.Proposal)
	if err != nil {
		t.Fatal(err)
	}
	again, err := tasks.ImportJSON(raw)
	if err != nil || !reflect.DeepEqual(again, once) {
		t.Errorf("the export is imported as another plan: %v", err)
	}
	if _, err := tasks.ReadProposal(raw, nil); err == nil || !strings.Contains(err.Error(), "more than 100000 values") {
		t.Errorf("an agent's proposal: %v", err)
	}
}

// JSON of a proposal is read as the same proposal, whatever it holds.
func FuzzProposal(f *testing.F) {
	f.Add([]byte(`{"title":"P","tasks":[{"title":"a","dependsOn":["b"]},{"id":"b","title":"b","verificationContract":{"kind":"command","commands":["x"]}}]}`))
	f.Add([]byte(`{"title":"P","tasks":"[{\"title\":\"a\",\"executionContract\":{\"files\":[\"./x\"]}}]"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := tasks.ReadProposal(data, nil)
		if err != nil {
			return
		}
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := tasks.ImportJSON(raw)
		if err != nil || !reflect.DeepEqual(again.Proposal, p) {
			t.Fatalf("got  %+v, %v\nwant %+v", again, err, p)
		}
	})
}
