package tasks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"planb/plans"
	"planb/plans/tasks"
	"planb/questions/safe"
)

// drawProposal draws a proposal as a model may have written it.
func drawProposal(t *rapid.T) tasks.Proposal {
	text := rapid.OneOf(
		rapid.StringN(0, 30, 120),
		rapid.Custom(func(t *rapid.T) string {
			lines := rapid.SliceOfN(rapid.SampledFrom([]string{
				"# one", "## two {#x}", "### three", `\# four`, `\\## five`, "after: a", `\after: a`, "note: x", "```", "```contract", "~~~~", "===", "---",
				"    code", "text", "", "  ## six", `  \## seven`, "- item", "files:", "\"", "\t# x", "#", "##\t", `\`, `\---`, "text  ", "\u00a0",
			}), 0, 8).Draw(t, "lines")
			return strings.Join(lines, rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\r"}).Draw(t, "line end"))
		}),
	)
	texts := func(label string, least int) (list []string) {
		return rapid.SliceOfN(text, least, 3).Draw(t, label)
	}
	p := map[string]any{"title": drawLine(t, "title", "P"), "description": text.Draw(t, "of the plan")}
	var items []any
	for _, s := range drawSeeds(t, 6) {
		item := map[string]any{
			"nodeKey": s.Key, "title": s.Title.Raw(), "description": text.Draw(t, "description"), "priority": s.Priority,
			"estimateMinutes": s.Minutes, "dependsOn": s.DependsOn, "alsoAfter": s.AlsoAfter, "soft": s.Soft,
			"done": rapid.SampledFrom([]string{"", "", "it is done", " \"quoted\"\n"}).Draw(t, "done"),
		}
		if rapid.Bool().Draw(t, "contract") {
			item["executionContract"] = map[string]any{
				"kind": s.Execution.Kind, "files": texts("files", 0), "inputs": texts("inputs", 0), "constraints": texts("constraints", 0),
				"output": text.Draw(t, "output"),
			}
		}
		switch rapid.IntRange(0, 3).Draw(t, "verification") {
		case 0:
			item["verificationContract"] = map[string]any{"kind": "command", "commands": append(texts("commands", 0), "go test"), "criteria": texts("criteria", 0)}
		case 1:
			item["verificationContract"] = map[string]any{"kind": "evidence", "criteria": append(texts("criteria", 0), "seen")}
		case 2:
			item["verificationContract"] = map[string]any{"kind": "manual", "criteria": texts("criteria", 0)}
		}
		items = append(items, item)
	}
	p["tasks"] = items
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	i, err := tasks.ImportJSON(raw)
	if err != nil {
		t.Fatalf("%s\n%v", raw, err)
	}
	return i.Proposal
}

// What is rendered is read as the same proposal, hash and all (4.3).
func TestMarkdownGivesTheProposalAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProposal(t)
		text := tasks.Render(p)
		if most := tasks.MostBytes(p); most < len(text.Raw()) {
			t.Fatalf("%d bytes were expected at most, and there are %d:\n%s", most, len(text.Raw()), text.Raw())
		}
		doc, err := tasks.ParseMarkdown(text, nil)
		if err != nil {
			t.Fatalf("%s\n%v", text.Raw(), err)
		}
		if !reflect.DeepEqual(doc.Proposal, p) {
			t.Fatalf("%s\ngot  %#v\nwant %#v", text.Raw(), doc.Proposal, p)
		}
		before, err := tasks.Build(p.Plan())
		if err != nil {
			t.Fatal(err)
		}
		after, err := tasks.Build(doc.Plan())
		if err != nil || after.Hash() != before.Hash() {
			t.Fatalf("the hash differs, %v", err)
		}
		checkSections(t, text, doc)
	})
}

// checkSections checks that a review of the text sees each task as a section of its
// own, so that holding one back holds that task.
func checkSections(t *rapid.T, text safe.Text, doc tasks.Document) {
	t.Helper()
	var lines []int
	for _, section := range plans.Outline(text) {
		switch {
		case section.Level == 2:
			lines = append(lines, section.Line)
		case section.Level == 1 && section.Line != 1:
			t.Fatalf("%s\nline %d is a title", text.Raw(), section.Line)
		}
	}
	if !slices.Equal(lines, doc.Lines) {
		t.Fatalf("%s\nthe sections begin on lines %v, the tasks on %v", text.Raw(), lines, doc.Lines)
	}
}

// A description that looks like a part of the format is read as it was.
func TestMarkdownKeepsDescriptions(t *testing.T) {
	for _, description := range []string{
		"x\n\n```contract\nfiles:\n- a\n```", "````\n```contract\n```\n````", "# a\n## b {#c}\n\\# d", "after: a", "\\after: a\nafter: b",
		"a\n===\nb\n---\n\n---\n\\---", "~~~\n# comment\n~~~", "    # code", "- a\n  # b",
	} {
		s := seed("a")
		s.Description = safe.New(description)
		p := tasks.Proposal{Title: safe.New("P"), Description: safe.New(description), Items: []tasks.Item{item(s), item(seed("b"))}}
		doc, err := tasks.ParseMarkdown(tasks.Render(p), nil)
		if err != nil || !reflect.DeepEqual(doc.Proposal, p) {
			t.Errorf("%q\nis rendered as %s\nand read as %+v, %v", description, tasks.Render(p).Raw(), doc.Proposal, err)
		}
	}
}

// Whatever is parsed is rendered and parsed as the same.
func FuzzMarkdown(f *testing.F) {
	f.Add("# P\n\ntext\n\n## A {#a}\n\nafter: b\nestimate: 1h\n\nd\n\n```contract\nfiles:\n- a\nverification: command\ncommands:\n- \"x\\n\"\n```\n\n## B {#b}\n")
	f.Add("# P\n## A\nx\n===\n~~~\n## no\n")
	f.Add("# P\n## A\n```contract\n```\n## B\n\\after: x")
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := tasks.ParseMarkdown(safe.New(text), nil)
		if err != nil {
			return
		}
		again, err := tasks.ParseMarkdown(tasks.Render(doc.Proposal), nil)
		if err != nil || !reflect.DeepEqual(again.Proposal, doc.Proposal) {
			t.Fatalf("%q\nrendered %q\ngot  %#v, %v\nwant %#v", text, tasks.Render(doc.Proposal).Raw(), again.Proposal, err, doc.Proposal)
		}
	})
}

func TestRenderedPlan(t *testing.T) {
	p, err := tasks.ImportJSON([]byte(`{"title":"Auth rewrite","description":"Replace the sessions by tokens.\n\n# not a title","tasks":[
		{"nodeKey":"schema","title":"Write the schema","estimateMinutes":90},
		{"nodeKey":"api","title":"Write the API","dependsOn":["schema"],"alsoAfter":["docs"],"priority":1,
			"description":"after: that, do this:\n\n~~~sh\n# a comment\n~~~",
			"executionContract":{"files":["api/","go.mod"],"inputs":["docs/api.md"],"constraints":["no new dependency"],"output":"an API\nthat answers"},
			"verificationContract":{"kind":"command","commands":["go test ./..."],"criteria":["\"quoted\" works"]}},
		{"nodeKey":"docs","title":"Ask the lawyer","soft":["schema"],"executionContract":"human","verificationContract":{"kind":"manual"},"done":"last week"}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, []byte(tasks.Render(p.Proposal).Raw()))
}

// T22: an edit that cannot be parsed tells the line and the reason, all at once.
func TestT22MarkdownTellsAllThatIsWrong(t *testing.T) {
	_, err := tasks.ParseMarkdown(safe.New("text\n# A\n# B\n\n## Schema {#schema}\nestimate: soon\nestimate: 1h\n\n## API {#a b}\n\naftr: schema\npriority: 9\nfoo: bar\n\n"+
		"```contract\nwhat\nfiles:\n- \"x\nverification: evidence\n```\n\n## {#x}\n\nafter: schma\n"), nil)
	e, _ := errors.AsType[*tasks.Error](err)
	want := `line 2: got a title after other text; allowed: the title first
line 3: got a second heading with one #; allowed: ## for a task, ### or \# for a heading in its description
line 7: got a second line "estimate"; allowed: each once
line 5.estimateMinutes: got the field twice; allowed: once
line 5.estimateMinutes: got "soon"; allowed: a whole number of minutes from 1 to 10080; example: 30
line 11: "aftr" is nothing that a task has; did you mean "after"?
line 13: "foo" is nothing that a task has; a description begins after a blank line
line 16: got "what"; allowed: execution, files, inputs, constraints, output, verification, commands or criteria, with a colon; example: files:
line 18: got "\"x"; allowed: a text, or a whole JSON string; example: "a text"
line 9.nodeKey: got "a b"; allowed: 1 to 64 bytes of letters, digits and - _ . : /, a letter or digit first; example: "api"
line 9.verificationContract.criteria: got 0; allowed: 1 to 20 for kind evidence
line 9.priority: got "9"; allowed: a whole number from 0 (most urgent) to 4; example: 2
line 22.title: got nothing; allowed: a text that says what to do; example: "Write the API"
line 22.dependsOn[0]: "schma" is no nodeKey here; did you mean "schema"?`
	if err == nil || e == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	for text, want := range map[string]string{
		"":                         "line 1: got no title; allowed: a first line with # and the title of the plan; example: # Auth rewrite\ngot no task; allowed: a heading for each task; example: ## Write the API {#api}",
		"# P\n\xff":                "got text that is not UTF-8; allowed: Markdown in UTF-8",
		strings.Repeat("x", 9<<20): "got 9437184 bytes; allowed: at most 8388608 bytes",
	} {
		if _, err := tasks.ParseMarkdown(safe.New(text), nil); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// T20: what is too long to be read is not reviewed.
func TestT20RenderedPlanIsReadable(t *testing.T) {
	seeds := make([]tasks.Seed, 70)
	for i := range seeds {
		seeds[i] = seed(fmt.Sprint("t", i))
		seeds[i].Description = safe.New(strings.Repeat("d", 16<<10))
	}
	if _, err := tasks.RenderForReview(plan(seeds[:60]...).Proposal()); err != nil {
		t.Error(err)
	}
	_, err := tasks.RenderForReview(plan(seeds...).Proposal())
	if want := "tasks: the plan has 1148"; err == nil || !strings.HasPrefix(err.Error(), want) || tasks.CodeOf(err) != tasks.CodeValidationInvalidInput {
		t.Errorf("got %v, want %s", err, want)
	}
}

// T22: a section that is held back holds the task that it stands in.
func TestT22SectionsAreTasks(t *testing.T) {
	doc, err := tasks.ParseMarkdown(safe.New("# P\n\n### Why\n\n## A {#a}\n\n### Detail\n\nx\n\n## New task\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]string{1: "a new-task", 3: "a new-task", 5: "a", 7: "a", 11: "new-task"} {
		if got := strings.Join(doc.At(line), " "); got != want {
			t.Errorf("line %d is about %s, want %s", line, got, want)
		}
	}
}
