package questions_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/safe"
)

const everyKind = `{"title":"T","questions":[
	{"id":"name","kind":"text","label":"Name","required":true},
	{"id":"why","kind":"longtext","label":"Why"},
	{"id":"db","kind":"single","label":"DB","options":["sqlite","<pg>"]},
	{"id":"os","kind":"single","label":"OS","options":["linux","darwin"],"other":false,"required":true},
	{"id":"on","kind":"multi","label":"On","options":["a","b","c"]},
	{"id":"off","kind":"multi","label":"Off","options":["a","b","c"],"other":false},
	{"id":"risk","kind":"scale","label":"Risk","min":0,"max":1,"step":0.1}]}`

type answers map[string]questions.Value

func reply(a answers) questions.Reply { return questions.Reply{Answers: a} }

func text(s string) questions.Value        { return questions.TextValue(s) }
func items(list ...string) questions.Value { return questions.ItemsValue(list...) }
func num(n float64) questions.Value        { return questions.NumberValue(n) }

func TestCheckAnswers(t *testing.T) {
	spec := parse(t, everyKind)
	for _, c := range []struct {
		id    string
		value questions.Value
		wrong string // empty: fine
	}{
		{"name", text("x"), ""},
		{"name", text(" <b> \x1b"), ""},
		{"name", text(" \t"), `answers["name"]: got a blank text; allowed: a text, or no answer at all`},
		{"name", text("a\nb"), `answers["name"]: got a text of several lines; allowed: one line, or kind longtext for more`},
		{"name", text("a\xff"), `answers["name"]: got text that is not UTF-8; allowed: UTF-8`},
		{"name", num(3), `answers["name"]: got the number 3; allowed: a text; example: "as you like"`},
		{"name", items("x"), `answers["name"]: got ["x"]; allowed: a text; example: "as you like"`},
		{"why", text("a\nb"), ""},
		{"db", text("sqlite"), ""},
		{"db", text("<pg>"), ""},
		{"db", text("my own"), ""},
		{"db", text(" "), `answers["db"]: got a blank text under Other; allowed: an option's value, or some text`},
		{"db", text("\xff"), `answers["db"]: got text that is not UTF-8; allowed: UTF-8`},
		{"db", items("sqlite"), `answers["db"]: got ["sqlite"]; allowed: one option's value, as a text; example: "sqlite"`},
		{"os", text("linux"), ""},
		{"os", text("plan9"), `answers["os"]: got "plan9"; allowed: one of "linux", "darwin"`},
		{"os", text(""), `answers["os"]: got ""; allowed: one of "linux", "darwin"`},
		{"on", items("a", "c"), ""},
		{"on", items("c", "a"), ""},
		{"on", items("a", "mine"), ""},
		{"on", items("mine", "yours"), `answers["on"]: got 2 items that are not options; allowed: one, written under Other`},
		{"on", items("a", "a"), `answers["on"][1]: got "a" again; allowed: each item once`},
		{"on", items("a", " "), `answers["on"][1]: got a blank text under Other; allowed: an option's value, or some text`},
		{"on", items(), `answers["on"]: got an empty list; allowed: at least one item, or no answer at all`},
		{"on", text("a"), `answers["on"]: got "a"; allowed: a list of options' values; example: ["a"]`},
		{"off", items("b"), ""},
		{"off", items("b", "d"), `answers["off"][1]: got "d"; allowed: one of "a", "b", "c"`},
		{"risk", num(0), ""},
		{"risk", num(0.3), ""},
		{"risk", num(1), ""},
		{"risk", num(0.25), `answers["risk"]: got the number 0.25; allowed: a number from 0 to 1 in steps of 0.1; example: 0.3`},
		{"risk", num(-1), `answers["risk"]: got the number -1; allowed: a number from 0 to 1 in steps of 0.1; example: 0`},
		{"risk", num(7), `answers["risk"]: got the number 7; allowed: a number from 0 to 1 in steps of 0.1; example: 1`},
		{"risk", text("0.3"), `answers["risk"]: got "0.3"; allowed: a number from 0 to 1 in steps of 0.1; example: 0`},
		{"risk", questions.Value{}, ""},
		{"nope", text("x"), `answers["nope"]: got an id that the form does not have; allowed: "name", "why", "db", "os", "on", "off", "risk"`},
	} {
		err := spec.CheckPartial(reply(answers{c.id: c.value}))
		if got := message(err); got != c.wrong {
			t.Errorf("%s = %v\ngot  %s\nwant %s", c.id, c.value, got, c.wrong)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCheckReplyAsksForWhatIsRequired(t *testing.T) {
	spec := parse(t, everyKind)
	const wrong = "answers[\"name\"]: got nothing; allowed: an answer, the question is required\n" +
		"answers[\"os\"]: got nothing; allowed: an answer, the question is required"
	for _, r := range []questions.Reply{{}, reply(answers{"db": text("sqlite")}), reply(answers{"name": {}})} {
		if got := message(spec.CheckReply(r)); got != wrong {
			t.Errorf("%v\ngot  %s\nwant %s", r, got, wrong)
		}
		if err := spec.CheckPartial(r); err != nil {
			t.Errorf("as a partial reply: %v", err)
		}
	}
	if err := spec.CheckReply(reply(answers{"name": text("x"), "os": text("linux")})); err != nil {
		t.Error(err)
	}
}

func TestCheckNotes(t *testing.T) {
	spec := parse(t, everyKind)
	for _, c := range []struct {
		reply questions.Reply
		wrong string
	}{
		{questions.Reply{Note: safe.New("fine"), Notes: map[string]safe.Text{"db": safe.New("fine")}}, ""},
		{questions.Reply{Notes: map[string]safe.Text{"zz": safe.New("x")}},
			`notes["zz"]: got an id that the form does not have; allowed: "name", "why", "db", "os", "on", "off", "risk"`},
		{questions.Reply{Note: safe.New("\xff")}, "note: got text that is not UTF-8; allowed: UTF-8"},
		{questions.Reply{Notes: map[string]safe.Text{"db": safe.New("\xff")}}, `notes["db"]: got text that is not UTF-8; allowed: UTF-8`},
	} {
		if got := message(spec.CheckPartial(c.reply)); got != c.wrong {
			t.Errorf("got  %s\nwant %s", got, c.wrong)
		}
	}
}

func TestReplySize(t *testing.T) {
	spec := parse(t, everyKind)
	half := strings.Repeat("x", questions.MaxReplyBytes/2)
	r := questions.Reply{Answers: answers{"why": text(half)}, Notes: map[string]safe.Text{"why": safe.New(half)}}
	if err := spec.CheckPartial(r); err != nil {
		t.Errorf("a reply at the limit: %v", err)
	}
	r.Note = safe.New("x")
	if got := message(spec.CheckPartial(r)); got != "got 16777217 bytes of text; allowed: at most 16777216 bytes" {
		t.Errorf("a reply over the limit: %s", got)
	}
}

func TestCheckOutcome(t *testing.T) {
	spec := parse(t, everyKind)
	full, bad := reply(answers{"name": text("x"), "os": text("linux")}), reply(answers{"os": text("plan9")})
	for _, c := range []struct {
		outcome questions.Outcome
		fine    bool
	}{
		{questions.Outcome{State: questions.Answered, Reply: full}, true},
		{questions.Outcome{State: questions.Answered}, false},
		{questions.Outcome{State: questions.Answered, Reply: bad}, false},
		{questions.Outcome{State: questions.Discuss, Message: safe.New("why?")}, true},
		{questions.Outcome{State: questions.Discuss, Message: safe.New("why?"), Reply: full}, true},
		{questions.Outcome{State: questions.Discuss, Message: safe.New("why?"), Reply: bad}, false},
		{questions.Outcome{State: questions.Discuss, Message: safe.New(" ")}, false},
		{questions.Outcome{State: questions.Declined}, true},
		{questions.Outcome{State: questions.Withdrawn}, true},
		{questions.Outcome{State: questions.Expired}, true},
		{questions.Outcome{State: questions.Pending}, true},
		{questions.Outcome{State: questions.Declined, Message: safe.New("not now")}, true},
		{questions.Outcome{State: questions.Declined, Message: safe.New("\xff")}, false},
		{questions.Outcome{State: questions.Declined, Message: safe.New(strings.Repeat("x", questions.MaxReplyBytes+1))}, false},
		{questions.Outcome{State: "maybe"}, false},
		{questions.Outcome{}, false},
	} {
		if err := spec.CheckOutcome(c.outcome); (err == nil) != c.fine {
			t.Errorf("%s: %v, want fine %v", c.outcome.State, err, c.fine)
		}
	}
}

func TestAKindOfALaterVersion(t *testing.T) {
	var spec questions.Spec
	if err := json.Unmarshal([]byte(`{"title":"T","questions":[{"id":"a","kind":"matrix","label":"A","tab":"Q"}]}`), &spec); err != nil {
		t.Fatal(err)
	}
	r := reply(answers{"a": text("x")})
	var problems questions.Problems
	if err := spec.CheckReply(r); !errors.As(err, &problems) {
		t.Errorf("an answer to a kind nobody knows passes: %v", err)
	}
	if got := spec.AnswersJSON(spec.Normalize(r)); string(got) != `{"a":"x"}` {
		t.Errorf("got %s", got)
	}
	if got := spec.EntryFrom(r).Reply(spec); len(got.Answers) != 0 {
		t.Errorf("an entry has %v", got)
	}
}

func TestNormalize(t *testing.T) {
	spec := parse(t, everyKind)
	given := questions.Reply{
		Answers: answers{
			"name": text(" "), "why": text(" kept \n"), "db": {}, "on": items("mine", "c", "a", "c", " "), "off": items(),
			"risk": num(0.5), "nope": text("kept"),
		},
		Notes: map[string]safe.Text{"db": safe.New(" "), "on": safe.New("note")},
		Note:  safe.New("\n"),
	}
	want := questions.Reply{
		Answers: answers{"why": text(" kept \n"), "on": items("a", "c", "mine"), "risk": num(0.5), "nope": text("kept")},
		Notes:   map[string]safe.Text{"on": safe.New("note")},
	}
	got := spec.Normalize(given)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if again := spec.Normalize(got); !reflect.DeepEqual(again, got) {
		t.Errorf("normalizing twice gives %+v", again)
	}
	if v := given.Answers["on"]; !v.Equal(items("mine", "c", "a", "c", " ")) {
		t.Errorf("the reply given was changed: %v", v)
	}
}

func TestQuestionsLeftOpenAndOwnWords(t *testing.T) {
	spec := parse(t, everyKind)
	r := reply(answers{"why": text("x"), "db": text("mine"), "on": items("a", "b"), "off": items("a"), "os": {}})
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"Unanswered", spec.Unanswered(r), []string{"name", "os", "risk"}},
		{"Missing", spec.Missing(r), []string{"name", "os"}},
		{"WrittenUnderOther", spec.WrittenUnderOther(r), []string{"db"}},
		{"WrittenUnderOther in a list", spec.WrittenUnderOther(reply(answers{"on": items("a", "mine")})), []string{"on"}},
		{"WrittenUnderOther without any", spec.WrittenUnderOther(reply(answers{"db": text("<pg>"), "name": text("x")})), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}

func TestAnswersJSON(t *testing.T) {
	spec := parse(t, everyKind)
	r := reply(answers{
		"risk": num(0.3), "on": items("a", "x > y & \"z\""), "db": text("<pg>"), "name": text("a\tb\u2028\x1b"), "os": {}, "nope": text("x"),
	})
	const want = `{"name":"a\tb\u2028\u001b","db":"<pg>","on":["a","x > y & \"z\""],"risk":0.3}`
	if got := spec.AnswersJSON(r); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := spec.AnswersJSON(questions.Reply{}); string(got) != "{}" {
		t.Errorf("no answers are %s", got)
	}
}

func TestReplyJSON(t *testing.T) {
	want := questions.Reply{
		Answers: answers{"a": text("<x>"), "b": items("y"), "c": num(2.5), "d": items()},
		Notes:   map[string]safe.Text{"a": safe.New("n")}, Note: safe.New("all"),
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got questions.Reply
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for id, v := range want.Answers {
		if !got.Answers[id].Equal(v) {
			t.Errorf("%s came back as %v, was %v", id, got.Answers[id], v)
		}
	}
	if got.Note != want.Note || got.Notes["a"] != want.Notes["a"] {
		t.Errorf("the notes came back as %+v", got)
	}
}

func TestValueJSON(t *testing.T) {
	for _, c := range []struct {
		value questions.Value
		json  string
	}{
		{questions.Value{}, "null"}, {text(""), `""`}, {text("<&>\u00e9"), `"<&>é"`}, {items(), "[]"}, {items("a", "b"), `["a","b"]`},
		{num(4), "4"}, {num(0.1), "0.1"}, {num(math.Copysign(0, -1)), "0"}, {num(math.NaN()), "null"}, {num(math.Inf(1)), "null"}, {num(1e12), "1000000000000"}, {num(1e-6), "0.000001"},
	} {
		data, err := c.value.MarshalJSON()
		if err != nil || string(data) != c.json {
			t.Errorf("%v is written as %s (%v), want %s", c.value, data, err, c.json)
		}
		var back questions.Value
		if err := json.Unmarshal(data, &back); err != nil || !back.Equal(c.value) {
			t.Errorf("%s is read as %v (%v), want %v", data, back, err, c.value)
		}
	}
	for bad, wrong := range map[string]string{
		`true`:    "an answer is a boolean; allowed is a text, a list of texts or a number",
		`{"a":1}`: "an answer is an object; allowed is a text, a list of texts or a number",
		`[1]`:     "item 0 of an answer is a number; allowed is a text",
	} {
		var v questions.Value
		if err := json.Unmarshal([]byte(bad), &v); err == nil || !strings.HasSuffix(err.Error(), wrong) {
			t.Errorf("%s: got %v, want %s", bad, err, wrong)
		}
	}
}

func TestValueIsNotChangedFromOutside(t *testing.T) {
	list := []string{"a", "b"}
	v := questions.ItemsValue(list...)
	list[0] = "x"
	got, _ := v.Items()
	got[1] = "y"
	if !v.Equal(items("a", "b")) {
		t.Errorf("the answer became %v", v)
	}
}

func TestValueStringIsSafe(t *testing.T) {
	for _, v := range []questions.Value{text("\x1b[31m\u009b\u202e"), items("\x07\n", "\u200b")} {
		if s := v.String(); strings.ContainsAny(s, "\x1b\x07\n\u009b\u202e\u200b") {
			t.Errorf("%q", s)
		}
	}
	if s := text("x" + strings.Repeat("\u0301", 1000)).String(); strings.Count(s, "\u0301") > safe.MaxMarks {
		t.Errorf("marks without end: %q", s)
	}
}
