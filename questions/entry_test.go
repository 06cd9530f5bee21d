package questions_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"planb/questions"
	"planb/questions/safe"
)

func number(n float64) *float64 { return &n }

func TestEntryReply(t *testing.T) {
	spec := parse(t, everyKind)
	other := safe.New("mine")
	for _, c := range []struct {
		name  string
		id    string
		field questions.Field
		want  questions.Value
	}{
		{"untouched", "name", questions.Field{}, questions.Value{}},
		{"text", "name", questions.Field{Text: safe.New(" x ")}, text(" x ")},
		{"blank text", "name", questions.Field{Text: safe.New(" \n")}, questions.Value{}},
		{"option", "db", questions.Field{Picked: []string{"<pg>"}}, text("<pg>")},
		{"option, and Other typed but not chosen", "db", questions.Field{Picked: []string{"<pg>"}, Other: other}, text("<pg>")},
		{"Other", "db", questions.Field{Other: other, OtherPicked: true}, text("mine")},
		{"Other instead of an option", "db", questions.Field{Picked: []string{"<pg>"}, Other: other, OtherPicked: true}, text("mine")},
		{"Other that is blank", "db", questions.Field{Other: safe.New(" "), OtherPicked: true}, questions.Value{}},
		{"Other that is an option", "db", questions.Field{Other: safe.New("sqlite"), OtherPicked: true}, text("sqlite")},
		{"Other where it is not offered", "os", questions.Field{Other: other, OtherPicked: true}, questions.Value{}},
		{"an option of an earlier form", "os", questions.Field{Picked: []string{"plan9"}}, questions.Value{}},
		{"many, out of order", "on", questions.Field{Picked: []string{"c", "a"}, Other: other, OtherPicked: true}, items("a", "c", "mine")},
		{"many, with Other that is an option", "on", questions.Field{Picked: []string{"c"}, Other: safe.New("a"), OtherPicked: true}, items("a", "c")},
		{"many, none chosen", "on", questions.Field{Other: other}, questions.Value{}},
		{"scale", "risk", questions.Field{Number: number(0)}, num(0)},
		{"scale off its points", "risk", questions.Field{Number: number(0.25)}, num(0.25)},
		{"scale with nothing but a note", "risk", questions.Field{Note: safe.New("why?")}, questions.Value{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			entry := questions.Entry{Fields: map[string]questions.Field{c.id: c.field, "gone": {Text: safe.New("x")}}}
			want := questions.Reply{Answers: answers{}}
			if !c.want.IsZero() {
				want.Answers[c.id] = c.want
			}
			if note := c.field.Note; !note.IsZero() {
				want.Notes = map[string]safe.Text{c.id: note}
			}
			if got := entry.Reply(spec); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestEntryNotes(t *testing.T) {
	spec := parse(t, everyKind)
	entry := questions.Entry{
		Fields: map[string]questions.Field{"db": {Note: safe.New("why?")}, "on": {Note: safe.New(" ")}},
		Note:   safe.New("all fine"),
	}
	want := questions.Reply{Answers: answers{}, Notes: map[string]safe.Text{"db": safe.New("why?")}, Note: safe.New("all fine")}
	got := entry.Reply(spec)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if back := spec.EntryFrom(got).Reply(spec); !reflect.DeepEqual(back, want) {
		t.Errorf("by an entry it became %+v", back)
	}
}

func TestEntryFromLeavesOutWhatDoesNotFit(t *testing.T) {
	spec := parse(t, everyKind)
	earlier := reply(answers{
		"name": num(3), "os": text("plan9"), "db": text("mine"), "risk": num(0.25), "off": items("a", "z"), "on": items("b"), "nope": text("x"),
	})
	want := questions.Entry{Fields: map[string]questions.Field{
		"db": {Other: safe.New("mine"), OtherPicked: true},
		"on": {Picked: []string{"b"}},
	}}
	if got := spec.EntryFrom(earlier); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// drawForm draws a form such as an agent might send.
func drawForm(t *rapid.T) questions.Spec {
	var list []map[string]any
	for i := range rapid.IntRange(1, 6).Draw(t, "questions") {
		kind := rapid.SampledFrom(questions.Kinds()).Draw(t, "kind")
		q := map[string]any{"id": fmt.Sprint("q", i), "kind": kind, "label": "L" + rapid.String().Draw(t, "label")}
		q["required"] = rapid.Bool().Draw(t, "required")
		if kind == questions.Single || kind == questions.Multi {
			values := rapid.SliceOfNDistinct(rapid.StringN(0, 6, 40).Filter(safeValue), 1, 5, rapid.ID).Draw(t, "options")
			q["options"], q["other"] = values, rapid.Bool().Draw(t, "other")
			if rapid.Bool().Draw(t, "proposes") {
				q["default"] = rapid.SampledFrom(values).Draw(t, "default")
			}
		}
		if kind == questions.Scale {
			r := drawRange(t)
			q["min"], q["max"], q["step"] = r.Min, r.Max, r.Step
		}
		list = append(list, q)
	}
	data, err := json.Marshal(map[string]any{"title": "T", "intro": rapid.String().Draw(t, "intro"), "questions": list})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := questions.Parse(data)
	if err != nil {
		t.Fatalf("%s\nis refused:\n%v", data, err)
	}
	return spec
}

func safeValue(s string) bool { return !safe.New(s).Blank() }

// drawEntry draws what a person may have typed and picked in the form.
func drawEntry(t *rapid.T, spec questions.Spec) questions.Entry {
	entry := questions.Entry{Fields: map[string]questions.Field{}, Note: safe.New(rapid.String().Draw(t, "note"))}
	for _, q := range spec.Questions {
		if rapid.Bool().Draw(t, "untouched") {
			continue
		}
		words := safe.New(rapid.StringOf(rapid.RuneFrom([]rune("ab \t\u200b"))).Draw(t, "text"))
		f := questions.Field{Note: safe.New(rapid.String().Draw(t, "field note"))}
		switch q.Kind {
		case questions.Text, questions.LongText:
			f.Text = words
		case questions.Single, questions.Multi:
			var values []string
			for _, o := range q.Options {
				values = append(values, o.Value.Raw())
			}
			most := len(values)
			if q.Kind == questions.Single {
				most = 1
			}
			f.Picked = rapid.SliceOfNDistinct(rapid.SampledFrom(values), 0, most, rapid.ID).Draw(t, "picked")
			f.Other, f.OtherPicked = words, rapid.Bool().Draw(t, "other picked")
		case questions.Scale:
			n := q.Point(rapid.Int64Range(0, q.Points()-1).Draw(t, "point"))
			f.Number = &n
		}
		entry.Fields[q.ID] = f
	}
	return entry
}

// Everything that a person picks and types in a form fits the form, can be shown
// in it again unchanged, and survives JSON.
func TestWhatTheFormAllowsFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawForm(t)
		r := drawEntry(t, spec).Reply(spec)
		if err := spec.CheckPartial(r); err != nil {
			t.Fatalf("%s\nrefuses %+v:\n%v", spec.Canonical(), r, err)
		}
		if missing := spec.Missing(r); (spec.CheckReply(r) == nil) != (len(missing) == 0) {
			t.Fatalf("missing %q but CheckReply says %v", missing, spec.CheckReply(r))
		}
		if again := spec.Normalize(r); !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v\nis not yet normal: %+v", r, again)
		}
		if back := spec.EntryFrom(r).Reply(spec); !reflect.DeepEqual(back, r) {
			t.Fatalf("%+v\nbecame by an entry %+v", r, back)
		}
		if len(spec.Unanswered(r))+len(r.Answers) != len(spec.Questions) {
			t.Fatalf("%d answers and %q left open of %d questions", len(r.Answers), spec.Unanswered(r), len(spec.Questions))
		}
		var sent map[string]questions.Value
		if err := json.Unmarshal(spec.AnswersJSON(r), &sent); err != nil || !reflect.DeepEqual(sent, r.Answers) {
			t.Fatalf("sent as %s, which is read as %v (%v)", spec.AnswersJSON(r), sent, err)
		}
	})
}

// Parse reads every drawn form back from its canonical JSON, unchanged.
func TestCanonicalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawForm(t)
		var stored questions.Spec
		if err := json.Unmarshal(spec.Canonical(), &stored); err != nil {
			t.Fatal(err)
		}
		again, err := questions.Parse(spec.Canonical())
		if err != nil || !reflect.DeepEqual(stored, spec) || !reflect.DeepEqual(again, spec) {
			t.Fatalf("%s\nis stored as %s\nand read as %s (%v)", spec.Canonical(), stored.Canonical(), again.Canonical(), err)
		}
	})
}

// TestEntryIsStoredAndRead checks that every part of an entry survives JSON, and
// that an entry stored before a part was added still means the same.
// A form that is asked again with other options keeps what still answers it.
func TestEntryAgainKeepsWhatFits(t *testing.T) {
	earlier := parse(t, `{"title":"T","questions":[
		{"id":"on","kind":"multi","label":"On?","options":["a","b","c"],"allowOther":true},
		{"id":"db","kind":"single","label":"Where?","options":["pg","sqlite"]},
		{"id":"name","kind":"text","label":"Name?"},
		{"id":"gone","kind":"text","label":"Gone?"}]}`)
	now := parse(t, `{"title":"T","questions":[
		{"id":"on","kind":"multi","label":"On?","options":["a","c","d"],"allowOther":true},
		{"id":"db","kind":"single","label":"Where?","options":["pg"]},
		{"id":"name","kind":"text","label":"Which name?"}]}`)
	reply := questions.Reply{
		Answers: map[string]questions.Value{"on": items("b", "c", "extra, with comma"), "db": text("sqlite"), "name": text("Vega"), "gone": text("x")},
		Notes:   map[string]safe.Text{"on": safe.New("for now")},
	}
	got := now.EntryAgain(earlier, reply).Reply(now)
	want := map[string]questions.Value{"on": items("c", "extra, with comma"), "name": text("Vega")}
	if !reflect.DeepEqual(got.Answers, want) || got.Notes["on"].Raw() != "for now" {
		t.Errorf("got  %v, notes %v\nwant %v", got.Answers, got.Notes, want)
	}
	if same := earlier.EntryAgain(earlier, reply); !reflect.DeepEqual(same, earlier.EntryFrom(reply)) {
		t.Errorf("the same form again loses something: %+v", same)
	}
}

func TestEntryIsStoredAndRead(t *testing.T) {
	want := questions.Entry{
		Fields:  map[string]questions.Field{"db": {Picked: []string{"<pg>"}, Note: safe.New("why?")}, "risk": {Number: number(0)}},
		Note:    safe.New("all fine"),
		Message: safe.New("what is\x1b db for?"),
		Focus:   "risk",
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got questions.Entry
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s became %+v, %v", text, got, err)
	}
	if text, err := json.Marshal(questions.Entry{}); err != nil || string(text) != "{}" {
		t.Errorf("an empty entry is %s, %v", text, err)
	}
	if r := want.Reply(parse(t, everyKind)); r.Note != want.Note || len(r.Answers) != 2 {
		t.Errorf("a message that was not sent is part of the reply: %+v", r)
	}
}
