package questions_test

import (
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"planb/questions"
)

func FuzzParse(f *testing.F) {
	for _, dir := range []string{"good", "bad"} {
		for _, input := range inputs(f, dir) {
			f.Add(input)
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		spec, err := questions.Parse(input)
		if err != nil {
			var problems questions.Problems
			if !errors.As(err, &problems) || !utf8.ValidString(err.Error()) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		roundTrip(t, spec)
		for _, q := range spec.Questions {
			if q.Default == nil {
				continue
			}
			r := reply(answers{q.ID: *q.Default})
			if err := spec.CheckPartial(r); err != nil {
				t.Fatalf("the default of %s does not fit: %v", q.ID, err)
			}
		}
	})
}

func FuzzReply(f *testing.F) {
	spec := parse(f, everyKind)
	for _, seed := range []string{
		`{"answers":{"name":"x","os":"linux","on":["a","mine"],"risk":0.3},"notes":{"db":"n"},"note":"all"}`,
		`{"answers":{"name":" ","db":"sqlite","off":["c","a","a"],"risk":1e300,"nope":null}}`,
		`{"answers":{"name":3,"on":[],"os":["linux"],"risk":"0.3"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var r questions.Reply
		if json.Unmarshal(input, &r) != nil {
			return
		}
		normal := spec.Normalize(r)
		if spec.CheckReply(r) == nil {
			if err := spec.CheckReply(normal); err != nil {
				t.Fatalf("%+v fits, but not normalized: %v", r, err)
			}
			if back := spec.EntryFrom(r).Reply(spec); string(spec.AnswersJSON(back)) != string(spec.AnswersJSON(normal)) {
				t.Fatalf("%s became by an entry %s", spec.AnswersJSON(normal), spec.AnswersJSON(back))
			}
		}
		if data := spec.AnswersJSON(r); !json.Valid(data) {
			t.Fatalf("%s", data)
		}
		spec.WrittenUnderOther(r)
	})
}

func FuzzValueJSON(f *testing.F) {
	for _, seed := range []string{`"a"`, `["a","b"]`, `1.5`, `null`, `[]`, `-0`, `1e-7`, `true`, `{"a":[]}`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var v, back questions.Value
		if json.Unmarshal(input, &v) != nil {
			return
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &back); err != nil || !back.Equal(v) {
			t.Fatalf("%s is read as %v, written as %s and read as %v (%v)", input, v, data, back, err)
		}
	})
}
