package asking

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"planb/mcp/wait/dialog"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

func parsed(t testing.TB, form string) questions.Spec {
	t.Helper()
	spec, err := questions.Parse([]byte(form))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// asked is a form of these questions.
func asked(t testing.TB, list ...string) questions.Spec {
	t.Helper()
	return parsed(t, `{"title":"Storage","questions":[`+strings.Join(list, ",")+`]}`)
}

func TestWhatFitsIntoADialog(t *testing.T) {
	text := func(id, more string) string { return `{"id":"` + id + `","kind":"text","label":"Name?"` + more + `}` }
	single := func(options, more string) string {
		return `{"id":"db","kind":"single","label":"Which?","options":[` + options + `]` + more + `}`
	}
	long := strings.Repeat("x", 201)
	for _, test := range []struct {
		name string
		form string
		want int // fields; 0: the command only
	}{
		{"a text", `{"title":"T","questions":[` + text("a", "") + `]}`, 1},
		{"three questions", `{"title":"T","questions":[` + text("a", "") + "," + text("b", "") + "," + single(`"x","y"`, "") + `]}`, 3},
		{"four", `{"title":"T","questions":[` + text("a", "") + "," + text("b", "") + "," + text("c", "") + "," + text("d", "") + `]}`, 0},
		{"an introduction", `{"title":"T","intro":"Read this","questions":[` + text("a", "") + `]}`, 0},
		{"two tabs", `{"title":"T","questions":[` + text("a", "") + "," + text("b", `,"tab":"More"`) + `]}`, 0},
		{"a plain description", `{"title":"T","questions":[` + text("a", `,"description":"Your own, 3 words."`) + `]}`, 1},
		{"a description in Markdown", `{"title":"T","questions":[` + text("a", `,"description":"**Your** own"`) + `]}`, 0},
		{"a description of two lines", `{"title":"T","questions":[` + text("a", `,"description":"a\nb"`) + `]}`, 0},
		{"a description that is long", `{"title":"T","questions":[` + text("a", `,"description":"`+long+`"`) + `]}`, 0},
		{"a label that is long", `{"title":"T","questions":[{"id":"a","kind":"text","label":"` + long + `"}]}`, 0},
		{"a label of two lines", `{"title":"T","questions":[{"id":"a","kind":"text","label":"a\nb"}]}`, 0},
		{"long text", `{"title":"T","questions":[{"id":"a","kind":"longtext","label":"Why?"}]}`, 0},
		{"a number", `{"title":"T","questions":[{"id":"a","kind":"scale","label":"Risk?","min":0,"max":10}]}`, 0},
		{"several of the options", `{"title":"T","questions":[{"id":"a","kind":"multi","label":"On?","options":["a","b"]}]}`, 0},
		{"one that does not fit among those that do", `{"title":"T","questions":[` + text("a", "") + `,{"id":"n","kind":"scale","label":"Risk?","min":0,"max":10}]}`, 0},
		{"yes or no", `{"title":"T","questions":[` + single(`"yes","no"`, `,"other":false`) + `]}`, 1},
		{"six options", `{"title":"T","questions":[` + single(`"1","2","3","4","5","6"`, "") + `]}`, 1},
		{"seven options", `{"title":"T","questions":[` + single(`"1","2","3","4","5","6","7"`, "") + `]}`, 0},
		{"an option that is explained", `{"title":"T","questions":[` + single(`"a",{"value":"b","description":"one file"}`, "") + `]}`, 0},
		{"an option that is illustrated", `{"title":"T","questions":[` + single(`"a",{"value":"b","markdown":"x"}`, "") + `]}`, 0},
		{"options alike in their first characters", `{"title":"T","questions":[` + single(`"the same beginning of one","the same beginning of two"`, "") + `]}`, 0},
		{"options alike but for their case", `{"title":"T","questions":[` + single(`"yes","YES"`, "") + `]}`, 0},
		{"two options with one label", `{"title":"T","questions":[` + single(`{"value":"a","label":"x"},{"value":"b","label":"x"}`, "") + `]}`, 0},
		{"an option like that of planb itself", `{"title":"T","questions":[` + single(`"a","Other… (in planb)"`, "") + `]}`, 0},
		{"an option that is long", `{"title":"T","questions":[` + single(`"a","`+strings.Repeat("y", 41)+`"`, "") + `]}`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := dialogFields(parsed(t, test.form)); len(got) != test.want {
				t.Errorf("%d fields, want %d", len(got), test.want)
			}
		})
	}
}

// schemaOf is the schema that a client is sent for the form.
func schemaOf(form dialog.Form) (json.RawMessage, error) {
	params, err := form.Params()
	if err != nil {
		return nil, err
	}
	return json.Marshal(params.RequestedSchema)
}

func TestTheSchemaOfADialog(t *testing.T) {
	ask := store.Ask{ID: "0190b5a0-0000-7000-8000-0000ab12cd34", Client: store.Client{Title: safe.New("Codex")}, Spec: asked(t,
		`{"id":"z","kind":"single","label":"Which?","options":[{"value":"v1","label":"SQLite"},"files"],"required":true,"default":"v1"}`,
		`{"id":"a","kind":"text","label":"Name?","description":"Short.","placeholder":"harbour","default":"quay"}`)}
	form := dialogOfQuestions(ask)
	got, err := schemaOf(form)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{` +
		`"question1":{"type":"string","title":"Which?","description":"proposed: SQLite","enum":["SQLite","files","Other… (in planb)"]},` +
		`"question2":{"type":"string","title":"Name?","description":"Short. · harbour · proposed: quay"}},"required":["question1"]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	const message = "Codex asks you: Storage\nAnswer here; or cancel this and run in a terminal, where you can also write answers of your own and notes:  planb tui ask ab12cd34"
	if form.Message != message {
		t.Errorf("got  %q\nwant %q", form.Message, message)
	}

	ask.Spec.Intro = safe.New("Read this")
	form = dialogOfQuestions(ask)
	const command = "Codex asks you: Storage\nTo answer, run this in a terminal:  planb tui ask ab12cd34\nThe agent waits for your answer."
	if got, err := schemaOf(form); err != nil || string(got) != `{"type":"object","properties":{}}` || form.Message != command {
		t.Errorf("with the command only: %s, %q, %v", got, form.Message, err)
	}
}

func TestNothingHostileReachesADialog(t *testing.T) {
	for _, evil := range []string{"\x1b]0;x\a", "a\u202eb", "\u009b31m", "x\x00y", "a\U000e0041b", "\"}],", "a\u200bb"} {
		quoted, err := json.Marshal(evil)
		if err != nil {
			t.Fatal(err)
		}
		ask := store.Ask{
			ID:     "0190b5a0-0000-7000-8000-0000ab12cd34",
			Client: store.Client{Name: safe.New(evil)},
			Spec: parsed(t, fmt.Sprintf(`{"title":%[1]s,"questions":[
				{"id":"a","kind":"text","label":%[1]s,"placeholder":%[1]s,"default":"x"},
				{"id":"b","kind":"single","label":"B","options":[{"value":"v","label":%[1]s},"w"]}]}`, quoted)),
		}
		form := dialogOfQuestions(ask)
		if len(form.Fields) != 2 {
			t.Fatalf("%q: %d fields", evil, len(form.Fields))
		}
		schema, err := schemaOf(form)
		if err != nil || !json.Valid(schema) {
			t.Fatalf("%q: %s, %v", evil, schema, err)
		}
		for _, shown := range append([]string{form.Message, form.Fields[0].Label, form.Fields[0].Beside}, form.Fields[1].Choices...) {
			for _, r := range strings.ReplaceAll(shown, "\n", "") {
				if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b || r >= 0xe0000 && r < 0xe0080 {
					t.Errorf("%q is shown as %q", evil, shown)
				}
			}
		}
		// What was chosen comes back as it was asked, not as it was shown.
		reply, err := form.Read([]byte(fmt.Sprintf(`{"action":"accept","content":{"question2":%q}}`, form.Fields[1].Choices[0])))
		if err != nil || reply.Wrong != nil {
			t.Fatalf("%q: %v, %v", evil, err, reply.Wrong)
		}
		if got, _ := reply.Answer.Answers["b"].Text(); got != "v" {
			t.Errorf("%q: got %q", evil, got)
		}
	}
}

func TestAReplyIsCheckedAgainstWhatWasShown(t *testing.T) {
	form := dialogOfQuestions(store.Ask{Spec: asked(t,
		`{"id":"db","kind":"single","label":"Which?","options":[{"value":"v1","label":"SQLite"},"files"],"required":true}`,
		`{"id":"name","kind":"text","label":"Name?"}`)})
	for _, test := range []struct {
		name, content string
		want          string // answers
		elsewhere     bool
		wrong         bool
	}{
		{"everything", `{"question1":"SQLite","question2":" harbour "}`, `{"db":"v1","name":" harbour "}`, false, false},
		{"what is required", `{"question1":"files","question2":""}`, `{"db":"files"}`, false, false},
		{"null", `{"question1":"files","question2":null}`, `{"db":"files"}`, false, false},
		{"nothing", `{}`, `{}`, false, false},
		{"no content", ``, `{}`, false, false},
		{"without what is required", `{"question2":"x"}`, `{"name":"x"}`, false, true},
		{"other", `{"question1":"Other… (in planb)","question2":"x"}`, `{"name":"x"}`, true, true},
		{"a value in place of what was shown", `{"question1":"v1"}`, `{}`, false, true},
		{"a choice cut short", `{"question1":"SQL"}`, `{}`, false, true},
		{"a number", `{"question1":"SQLite","question2":5}`, `{"db":"v1"}`, false, true},
		{"a list", `{"question1":["SQLite"]}`, `{}`, false, true},
		{"two lines", `{"question1":"SQLite","question2":"a\nb"}`, `{"db":"v1","name":"a\nb"}`, false, true},
		{"a field nobody asked for", `{"question1":"SQLite","question3":"x"}`, `{"db":"v1"}`, false, true},
		{"the question's id", `{"db":"SQLite"}`, `{}`, false, true},
		{"content that is a list", `[1]`, `{}`, false, true},
		{"content that is a text", `"SQLite"`, `{}`, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw := `{"action":"accept"}`
			if test.content != "" {
				raw = `{"action":"accept","content":` + test.content + `}`
			}
			got, err := form.Read([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			if answers := string(form.Spec.AnswersJSON(got.Answer)); answers != test.want ||
				got.Elsewhere != test.elsewhere || (got.Wrong != nil) != test.wrong {
				t.Errorf("got %s, elsewhere %v, wrong %v", answers, got.Elsewhere, got.Wrong)
			}
		})
	}
	for _, garbage := range []string{``, `null`, `[]`, `5`, `{}`, `{"action":"maybe"}`, `{"action":5}`, `{"content":{"question1":"SQLite"}}`} {
		if got, err := form.Read([]byte(garbage)); err == nil {
			t.Errorf("%s was read as %+v", garbage, got)
		}
	}
}

// Whatever a client sends back: what would be stored passes the same check as
// every other answer.
func FuzzDialogReply(f *testing.F) {
	form := dialogOfQuestions(store.Ask{Spec: asked(f,
		`{"id":"db","kind":"single","label":"Which?","options":["SQLite","files"],"other":false,"required":true}`,
		`{"id":"name","kind":"text","label":"Name?"}`)})
	for _, seed := range []string{
		`{"action":"accept","content":{"question1":"SQLite","question2":"x"}}`, `{"action":"decline"}`, `{"action":"accept"}`,
		`{"action":"accept","content":{"question1":"Other… (in planb)"}}`, `{"action":"accept","content":{"question1":null}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := form.Read(raw)
		if err != nil || got.Wrong != nil || len(got.Answer.Answers) == 0 || got.Elsewhere {
			return
		}
		if err := form.Spec.CheckOutcome(questions.Outcome{State: questions.Answered, Reply: got.Answer}); err != nil {
			t.Errorf("%s would be stored: %v", raw, err)
		}
	})
}
