package tasks_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans/tasks"
)

// T37: each kind of contract, met and not.
func TestT37Verification(t *testing.T) {
	evidence := tasks.Verification{Kind: tasks.Evidence, Criteria: tasks.Texts("All tests pass", "It is fast")}
	one := tasks.Verification{Kind: tasks.Evidence, Criteria: tasks.Texts("2")}
	command := tasks.Verification{Kind: tasks.Command, Commands: tasks.Texts("go test ./...", "go test")}
	both := tasks.Verification{Kind: tasks.Command, Commands: tasks.Texts("go vet"), Criteria: tasks.Texts("It is fast")}
	const ran = `{"command":"go test","exitCode":"0","output":""}`
	for name, c := range map[string]struct {
		contract tasks.Verification
		evidence string
		want     string // the state, or the words of the error
	}{
		"none":               {tasks.Verification{Kind: tasks.None}, ``, "done"},
		"manual":             {tasks.Verification{Kind: tasks.Manual}, ``, "needs_review"},
		"manual, unmet":      {tasks.Verification{Kind: tasks.Manual, Criteria: tasks.Texts("a")}, ``, "Not complete: criterion 1 has no evidence. You still hold it."},
		"manual, met":        {tasks.Verification{Kind: tasks.Manual, Criteria: tasks.Texts("a")}, `"here"`, "needs_review"},
		"by number and text": {evidence, `{"criterion":1,"text":"ok 12"},{"criterion":"It is fast","text":"3 ms"}`, "done"},
		"one is missing":     {evidence, `{"criterion":1,"text":"ok"}`, "Not complete: criterion 2 has no evidence. You still hold it."},
		"a blank text":       {evidence, `{"criterion":1,"text":"ok"},{"criterion":2,"text":" "}`, "Not complete: criterion 2 has no evidence. You still hold it."},
		"no such criterion":  {evidence, `{"criterion":1,"text":"ok"},{"criterion":3,"text":"x"},{"criterion":"it is fast","text":"x"}`, `Not complete: criterion 2 has no evidence; "3" is no criterion; "it is fast" is no criterion. You still hold it.`},
		"the only criterion": {one, `{"text":"here"}`, "done"},
		"a number is one":    {one, `{"criterion":"2","text":"here"}`, `Not complete: criterion 1 has no evidence; "2" is no criterion. You still hold it.`},
		"commands":           {command, ran + `,{"command":"go test ./...","exitCode":0,"output":"ok"}`, "done"},
		"it failed":          {command, ran + `,{"command":"go test ./...","exitCode":1,"output":"FAIL"}`, `Not complete: "go test ./..." exited 1. You still hold it.`},
		"it failed at first": {command, ran + `,{"command":"go test ./...","exitCode":1,"output":"FAIL"},{"command":"go test ./...","exitCode":0,"output":"ok"}`, "done"},
		"no exit code":       {command, ran + `,{"command":"go test ./...","output":"ok"}`, `Not complete: "go test ./..." has no exitCode. You still hold it.`},
		"no output":          {command, ran + `,{"command":"go test ./...","exitCode":0}`, `Not complete: "go test ./..." has no output: give its last lines, or "" if it printed nothing. You still hold it.`},
		"another command":    {command, ran + `,{"command":"go test ./mcp","exitCode":0,"output":"ok"}`, "Not complete: \"go test ./...\" was not reported. You still hold it. Write the command exactly: `go test ./...`."},
		"more arguments":     {command, ran + `,{"command":"go test ./... -race","exitCode":0,"output":"ok"}`, `Not complete: "go test ./..." was run with more arguments: say why in text. You still hold it.`},
		"and why":            {command, ran + `,{"command":"go test ./... -race","exitCode":0,"output":"ok","text":"as CI does"}`, "done"},
		"both, half":         {both, `{"command":"go vet","exitCode":0,"output":""}`, "Not complete: criterion 1 has no evidence. You still hold it."},
		"both":               {both, `{"command":"go vet","exitCode":0,"output":""},{"criterion":1,"text":"3 ms"}`, "done"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := tasks.ReadReport([]byte(`{"summary":"done","claimId":"x","evidence":[`+c.evidence+`]}`), "claimId")
			if err != nil {
				t.Fatal(err)
			}
			state, err := c.contract.Check(r)
			got := string(state)
			if err != nil {
				got = err.Error()
				if tasks.CodeOf(err) != tasks.CodeVerificationUnmet {
					t.Errorf("the code is %s", tasks.CodeOf(err))
				}
			} else if to, ok := tasks.InProgress.After(c.contract.Action(), tasks.Agent); to != state || !ok {
				t.Errorf("the state machine leads to %s", to)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReadReportTellsAllThatIsWrong(t *testing.T) {
	_, err := tasks.ReadReport([]byte(`{"evidence":[{"criterion":{},"exitCode":"x","output":[1]},[1]],"sumary":"x"}`))
	want := `sumary: got a field that planb does not know; allowed: "summary", which is probably meant
summary: got nothing; allowed: a text that says what was done; example: "The API answers"
evidence[0].criterion: got an empty object; allowed: a text
evidence[0].exitCode: got "x"; allowed: a whole number; example: 0
evidence[0].output: got a list of 1; allowed: the last lines, as a text; example: "PASS"
evidence[1]: got a list of 1; allowed: an object with criterion and text, or with command, exitCode and output; example: [{"criterion":1,"text":"All tests pass"}]`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	r, err := tasks.ReadReport([]byte(`{"summary":"s","evidence":"[{\"command\":\"a\",\"output\":\"` + strings.Repeat("é", 5000) + `\"}]"}`))
	if err != nil || len(r.Evidence) != 1 || len(*r.Evidence[0].Output) > tasks.MaxNoteBytes || !strings.HasPrefix(*r.Evidence[0].Output, "é") {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := tasks.ReadReport([]byte(`x`)); tasks.CodeOf(err) != tasks.CodeValidationInvalidInput {
		t.Errorf("got %v", err)
	}
}

// A report that has all that the contract asks for meets it, and one that lacks any
// part does not.
func TestReportsMeetTheirContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := tasks.Verification{Kind: tasks.Manual}
		var proofs []string
		for i := range rapid.IntRange(0, 3).Draw(t, "criteria") {
			v.Criteria = append(v.Criteria, tasks.Texts(fmt.Sprint("criterion ", i))...)
			proofs = append(proofs, fmt.Sprintf(`{"criterion":%d,"text":"seen"}`, i+1))
		}
		if rapid.Bool().Draw(t, "commands") {
			v.Kind = tasks.Command
			for i := range rapid.IntRange(1, 3).Draw(t, "count") {
				v.Commands = append(v.Commands, tasks.Texts(fmt.Sprint("run ", i))...)
				proofs = append(proofs, fmt.Sprintf(`{"command":"run %d","exitCode":0,"output":"ok"}`, i))
			}
		}
		check := func(list []string) error {
			r, err := tasks.ReadReport([]byte(`{"summary":"s","evidence":[` + strings.Join(list, ",") + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			_, err = v.Check(r)
			return err
		}
		if err := check(proofs); err != nil {
			t.Fatal(err)
		}
		if len(proofs) > 0 {
			lost := rapid.IntRange(0, len(proofs)-1).Draw(t, "lost")
			if check(slices.Delete(slices.Clone(proofs), lost, lost+1)) == nil {
				t.Fatalf("%s was not asked for", proofs[lost])
			}
		}
	})
}

func FuzzReport(f *testing.F) {
	f.Add([]byte(`{"summary":"s","evidence":[{"criterion":1,"text":"a"},{"command":"c","exitCode":0,"output":"x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := tasks.ReadReport(data)
		if err != nil {
			return
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tasks.ReadReport(raw); err != nil {
			t.Fatal(err)
		}
	})
}
