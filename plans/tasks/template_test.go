package tasks_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"planb/plans/tasks"
	"planb/questions/safe"
)

const release = `{"template":1,"key":"release","title":"Release {{version}}","status":"published","description":"For {{ who }}.",
	"params":{"version":{"description":"as 1.2.0"},"who":{"default":"all"}},
	"tasks":[{"nodeKey":"notes","title":"Write the notes of {{version}}","description":"helm {{ .Values.x }}"},
		{"nodeKey":"tag","title":"Tag {{version}}","dependsOn":["notes"],"verificationContract":{"kind":"command","commands":["git tag {{version}}"]}},
		{"title":"Tell {{who}}"}]}`

func readTemplate(t testing.TB, text string) tasks.Template {
	t.Helper()
	template, err := tasks.ReadTemplate([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// T18: parameters and overrides make a proposal like any other (2.6).
func TestT18Template(t *testing.T) {
	template := readTemplate(t, release)
	if template.Key != "release" || len(template.Params) != 2 || template.Params["version"].Default != nil || template.Params["who"].Default.Raw() != "all" {
		t.Errorf("got %+v", template)
	}
	p, err := template.Fill(safe.Text{}, []byte(`{"version":"{{who}}"}`), []byte(`{"tag":{"description":"{{version}}","depends_on":[]},"tell-all":"{\"priority\":0}"}`))
	if err != nil {
		t.Fatal(err)
	}
	notes, tag, tell := seed("notes"), seed("tag"), seed("tell-all")
	notes.Title, notes.Description = safe.New("Write the notes of {{who}}"), safe.New("helm {{ .Values.x }}")
	tag.Title, tag.Description = safe.New("Tag {{who}}"), safe.New("{{version}}")
	tag.Verification = tasks.Verification{Kind: tasks.Command, Commands: tasks.Texts("git tag {{who}}")}
	tell.Title, tell.Priority = safe.New("Tell all"), 0
	want := tasks.Proposal{Title: safe.New("Release {{who}}"), Description: safe.New("For all."), Items: []tasks.Item{item(notes), item(tag), item(tell)}}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
	p, err = template.Fill(safe.New("Second"), []byte(`"{\"version\":2}"`), nil)
	if err != nil || p.Title.Raw() != "Second" || p.Items[1].Title.Raw() != "Tag 2" {
		t.Errorf("got %+v, %v", p, err)
	}
}

// T18: every mistake has its code and its words.
func TestT18TemplateMistakes(t *testing.T) {
	published := readTemplate(t, release)
	for name, c := range map[string]struct {
		status, params, overrides, code, want string
	}{
		"draft":      {"draft", `{}`, ``, "conflict", `cannot-instantiate-draft: template "release" is draft. Nothing was proposed.`},
		"deprecated": {"deprecated", `{}`, ``, "conflict", `cannot-instantiate-deprecated: template "release" is deprecated. Nothing was proposed.`},
		"no value":   {"published", ``, ``, "validation.invalid_input", `params.version: got nothing; allowed: as 1.2.0`},
		"all at once": {"published", `{"verison":"1","who":[]}`, `{"tga":{},"tag":1}`, "validation.invalid_input",
			`params.verison: got a parameter that the template does not have; allowed: "version", "who"
params.who: got a list of 0; allowed: a text
params.version: got nothing; allowed: as 1.2.0
overrides.tag: got the number 1; allowed: an object with fields of the task; example: {"title":"…"}`},
		"an unknown key":   {"published", `{"version":"1"}`, `{"tga":{"title":"x"}}`, "validation.invalid_input", `overrides.tga: got a nodeKey that the template does not have; allowed: "notes", "tag", "tell-all"`},
		"an unknown field": {"published", `{"version":"1"}`, `{"tag":{"titel":"x"}}`, "validation.invalid_input", `tasks[1].titel: got a field that planb does not know; allowed: "title", which is probably meant`},
		"an edge":          {"published", `{"version":"1"}`, `{"tag":{"dependsOn":["note"]}}`, "validation.invalid_input", `tasks[1].dependsOn[0]: "note" is no nodeKey here; did you mean "notes"?`},
		"no object":        {"published", `[]`, `x`, "validation.invalid_input", `params: got a list of 0; allowed: an object; example: {}`},
	} {
		t.Run(name, func(t *testing.T) {
			template := published
			template.Status = tasks.TemplateStatus(c.status)
			_, err := template.Fill(safe.Text{}, []byte(c.params), []byte(c.overrides))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || string(tasks.CodeOf(err)) != c.code {
				t.Errorf("got  %s %v\nwant %s %s", tasks.CodeOf(err), err, c.code, c.want)
			}
		})
	}
	_, err := tasks.ReadTemplate([]byte(`{"template":2,"key":"a/b","status":"new","params":{"x y":1},"tasks":"x","foo":1}`))
	want := `foo: got a field that planb does not know; allowed: template, key, title, status, description, params, tasks
key: got "a/b"; allowed: 1 to 64 bytes of letters, digits and - _ . : /, a letter or digit first; example: "release"
params."x y": got the number 1; allowed: a name of letters and digits, and an object with description and default; example: {"description":"as 1.2.0"}
template: got the number 2; allowed: the number 1; example: 1
title: got nothing; allowed: a text that names the plan; example: "Release {{version}}"
status: got "new"; allowed: draft, published or deprecated; example: "published"
tasks: got "x"; allowed: a list of tasks`
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	unknown := readTemplate(t, strings.Replace(release, "Tell {{who}}", "Tell {{whom}}", 1))
	if _, err := unknown.Fill(safe.Text{}, []byte(`{"version":"1"}`), nil); err == nil || err.Error() != `tasks[2].title: got "{{whom}}"; allowed: a parameter of the template: "version", "who"` {
		t.Errorf("got %v", err)
	}
}

// A short call can ask for terabytes of text. Fill refuses without building them.
func TestTemplateMakesNothingTooLong(t *testing.T) {
	raw := `{"template":1,"key":"k","title":"T","status":"published","params":{"v":{}},"tasks":[{"title":"t","description":"` + strings.Repeat("{{v}}", 1<<20) + `"}]}`
	_, err := readTemplate(t, raw).Fill(safe.Text{}, []byte(`{"v":"`+strings.Repeat("x", 1<<20)+`"}`), nil)
	if want := "tasks[0].description: got values that make the template too long; allowed: at most 8388608 bytes of values in all texts"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A template saved from a plan makes the same plan again.
func TestTemplateOfAPlan(t *testing.T) {
	p := plan(seed("a"), seed("b", "a"))
	p.Description = safe.New("helm {{ .Values }}")
	p.Title = safe.New("Release {{version}} of {{ name }}")
	p.Tasks[0].Title, p.Tasks[0].Description = safe.New("Tag {{version}}"), safe.New("With {{tag}}, {{version}}")
	raw, err := tasks.TemplateOf("mine", p)
	if err != nil {
		t.Fatal(err)
	}
	template := readTemplate(t, string(raw))
	if template.Status != tasks.TemplateDraft {
		t.Errorf("its status is %s", template.Status)
	}
	template.Status = tasks.TemplatePublished
	proposal, err := template.Fill(safe.Text{}, nil, nil)
	if err != nil || graph(t, proposal.Plan()).Hash() != graph(t, p).Hash() {
		t.Errorf("got %+v, %v", proposal, err)
	}
	proposal, err = template.Fill(safe.Text{}, []byte(`{"version":"1.2.0"}`), nil)
	if got := proposal.Title.Raw(); err != nil || got != "Release 1.2.0 of {{ name }}" {
		t.Errorf("with a version it is %q, %v", got, err)
	}
}

// A value stands in the texts as it is, and never becomes another parameter.
func FuzzTemplate(f *testing.F) {
	f.Add("1.2.0", "x {{v}} y")
	f.Add("{{w}}", "{{ v }}{{v}}")
	f.Add("}}", "{{{v}}} {{x}}")
	parameter := regexp.MustCompile(`(?s)\{\{(.*?)\}\}`)
	f.Fuzz(func(t *testing.T, value, text string) {
		raw := fmt.Sprintf(`{"template":1,"key":"k","title":"T","status":"published","params":{"v":{},"w":{"default":"W"}},"tasks":[{"title":"t","description":%s}]}`, quoted(text))
		template, err := tasks.ReadTemplate([]byte(raw))
		if err != nil {
			return
		}
		p, err := template.Fill(safe.Text{}, fmt.Appendf(nil, `{"v":%s}`, quoted(value)), nil)
		if err != nil {
			return
		}
		want := parameter.ReplaceAllStringFunc(text, func(found string) string {
			switch strings.TrimSpace(found[2 : len(found)-2]) {
			case "v":
				return value
			case "w":
				return "W"
			}
			return found
		})
		if got := p.Items[0].Description; utf8.ValidString(text) && utf8.ValidString(value) && got != tasks.TidyDescription(want) {
			t.Fatalf("%q with %q became %q, want %q", text, value, got.Raw(), want)
		}
	})
}

// quoted is a JSON string.
func quoted(text string) string { return string(tasks.CanonicalString(text)) }
