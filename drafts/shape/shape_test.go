package shape_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"planb/drafts/shape"
	"planb/questions/safe/safetest"
)

// every is a shape with every kind of field.
func every() shape.Shape {
	return shape.Shape{
		{Name: "goal", Kind: shape.Text, Words: 12, Key: true},
		{Name: "note", Kind: shape.Text, Words: 18, Optional: true, Unread: true},
		{Name: "tags", Kind: shape.Text, Words: 14, List: true, Min: 0, Max: 4, Brief: 2},
		{Name: "risks", Kind: shape.Record, List: true, Min: 1, Max: 5, Key: true, Fields: shape.Shape{
			{Name: "id", Kind: shape.ID, Prefix: "R"},
			{Name: "level", Kind: shape.Choice, Choices: []string{"low", "very_high"}, Key: true},
			{Name: "text", Kind: shape.Text, Words: 12, Key: true},
			{Name: "cost", Kind: shape.Number},
			{Name: "fit", Kind: shape.Number, Min: 0, Max: 10, Optional: true},
			{Name: "share", Kind: shape.Decimal},
			{Name: "known", Kind: shape.Flag},
			{Name: "day", Kind: shape.Day},
			{Name: "by", Kind: shape.When},
			{Name: "after", Kind: shape.Link, List: true, Max: 3},
			{Name: "parts", Kind: shape.Record, List: true, Max: 2, Fields: shape.Shape{{Name: "id", Kind: shape.ID, Sample: "1.1"}, {Name: "name", Kind: shape.Text, Words: 15}}},
		}},
		{Name: "worst", Kind: shape.Ref, Prefix: "R"},
		{Name: "settings", Kind: shape.Map, Prefix: "L", Fields: shape.Shape{{Name: "option", Kind: shape.Number, Min: 1, Max: 4}}},
		{Name: "check", Kind: shape.Record, Optional: true, Fields: shape.Shape{{Name: "value", Kind: shape.Text, Words: 13}}},
	}
}

// generated draws any valid value of a shape.
func generated(t *rapid.T, s shape.Shape, ids *int) shape.Object {
	o := shape.Object{}
	for _, f := range s {
		if f.Optional && rapid.Bool().Draw(t, "left out") {
			continue
		}
		if !f.List {
			o[f.Name] = one(t, f, ids)
			continue
		}
		items := []any{}
		for range rapid.IntRange(f.Min, f.Max).Draw(t, "items") {
			items = append(items, one(t, f, ids))
		}
		o[f.Name] = items
	}
	return o
}

func one(t *rapid.T, f shape.Field, ids *int) any {
	number := func(a, b int) int { return rapid.IntRange(a, b).Draw(t, "number") }
	switch f.Kind {
	case shape.Text:
		odd := rapid.SampledFrom([]string{"plan", "# x", "- x", ": x", "x: y", "'", "null", "true", "12", "~", "| a", "é\u0301", "\u202e", "\x1b[31m", "\u2028", "&a *b", "{x}", "[y]", "!!", "%", "@", "`", "\u0085", "\ufeff", "計画", "0x1F", "2027-01-01", "...", "---"})
		return strings.Join(strings.Fields("w"+strings.Join(rapid.SliceOfN(odd, 0, 3).Draw(t, "words"), " ")), " ")
	case shape.Number:
		if f.Min < f.Max {
			return float64(number(f.Min, f.Max))
		}
		return float64(number(-1e9, 1e9))
	case shape.Decimal:
		return float64(number(-1e6, 1e6)) / 64
	case shape.Flag:
		return rapid.Bool().Draw(t, "flag")
	case shape.Choice:
		return rapid.SampledFrom(f.Choices).Draw(t, "choice")
	case shape.ID:
		*ids++
		return f.Prefix + shape.FormatNumber(float64(*ids))
	case shape.Ref:
		return f.Prefix + "1"
	case shape.Day:
		return "2028-02-29"
	case shape.When:
		return rapid.SampledFrom([]string{"Month 0", "Month 12", "Y3", "M2"}).Draw(t, "when")
	case shape.Link:
		return rapid.SampledFrom([]string{"1.1", "2.1+3", "1.1.2SS-1"}).Draw(t, "link")
	case shape.Record:
		return generated(t, f.Fields, ids)
	}
	o := shape.Object{}
	for n := range number(0, 12) {
		o[f.Prefix+shape.FormatNumber(float64(n+1))] = one(t, f.Fields[0], ids)
	}
	return o
}

// One declaration, five uses: what is read is stored, read again with the same
// bytes, and valid under the schema.
func TestReadSchemaAndJSONAgree(t *testing.T) {
	s := every()
	raw, err := json.Marshal(s.Schema(shape.Full))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("output.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("output.json")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		ids := 0
		data := s.JSON(generated(t, s, &ids))
		o, err := s.Read(data, shape.Full)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if again := s.JSON(o); string(again) != string(data) {
			t.Fatalf("%s became %s", data, again)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
	})
}

// The edit format: parse(print(x)) = x, whatever stands in the texts.
func TestWhatIsEditedReadsBack(t *testing.T) {
	s := every()
	rapid.Check(t, func(t *rapid.T) {
		ids := 0
		o := generated(t, s, &ids)
		printed := s.YAML(o, shape.Full)
		back, err := s.ReadYAML(printed, shape.Full)
		if err != nil {
			t.Fatalf("%s\n%v", printed, err)
		}
		if string(s.JSON(back)) != string(s.JSON(o)) {
			t.Fatalf("%s\n%s\nbecame\n%s", printed, s.JSON(o), s.JSON(back))
		}
	})
}

// The edit format as a person sees it, and what they may do to it.
func TestEditing(t *testing.T) {
	s := every()
	o, err := s.Read([]byte(good), shape.Full)
	if err != nil {
		t.Fatal(err)
	}
	o["goal"] = "responsibilities nevertheless that exceed by far the extraordinarily narrow lines of conventional typewriters"
	delete(o, "note")
	want := `# a text of at most 12 words
goal: >-
  responsibilities nevertheless that exceed by far the extraordinarily narrow
  lines of conventional typewriters

# note: a text of at most 18 words

# at most 4, each a text of at most 14 words
tags:
  - "a"
  - "b"

# 1 to 5
risks:
  - id: "R1"
    # one of low, very_high
    level: "low"
    text: "fire"
    cost: 12000
    share: 0.5
    known: true
    day: "2027-01-31"
    by: "M2"
    # at most 3, each the id of what it follows, with a lag in days or without
    after:
      - "1.1"
    # at most 2
    parts:
      - id: "1.1"
        name: "one"

# an id of R and a number
worst: "R1"

settings:
  "L2": 1
  "L10": 2

# check: an object with the fields value
`
	printed := string(s.YAML(o, shape.Full))
	if printed != want {
		t.Errorf("got:\n%s", printed)
	}
	for name, edited := range map[string]string{
		"wrapped":     strings.Replace(printed, "nevertheless that exceed", "nevertheless\n  that exceed", 1),
		"plain":       strings.NewReplacer(`"R1"`, `R1`, `"fire"`, "fire", `"2027-01-31"`, "2027-01-31", `"1.1"`, "1.1").Replace(printed),
		"on one line": strings.Replace(printed, "tags:\n  - \"a\"\n  - \"b\"", "tags: [a, b]", 1),
		"Windows":     strings.ReplaceAll(printed, "\n", "\r\n"),
	} {
		back, err := s.ReadYAML([]byte(edited), shape.Full)
		if err != nil || string(s.JSON(back)) != string(s.JSON(o)) {
			t.Errorf("%s: %s (%v)", name, s.JSON(back), err)
		}
	}
	for edited, want := range map[string]string{
		"":                        "got nothing; allowed YAML with the fields",
		"goal: [":                 "got text that is not YAML (line 1",
		"goal: a\ngoal: b":        `got the field "goal" twice, in line 2`,
		"a: &x [1]\ngoal: *x":     "got an alias in line 2",
		"goal: a\n---\ngoal: b":   "got a second document after ---",
		"goal: a\nrisk: []":       "risk: got a field that is not asked for; allowed risks, which is probably meant",
		strings.Repeat("- ", 300): "nested deeper than 20",
		"\xff":                    "got text that is not UTF-8",
	} {
		if _, err := s.ReadYAML([]byte(edited), shape.Full); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v, want %q", edited, err, want)
		}
	}
}

func FuzzReadYAML(f *testing.F) {
	s := every()
	o, err := s.Read([]byte(good), shape.Full)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s.YAML(o, shape.Full))
	f.Add([]byte("goal: &a [*a]"))
	f.Add([]byte("!!binary x: ? {}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := s.ReadYAML(text, shape.Full)
		if err != nil {
			return
		}
		printed := s.YAML(o, shape.Full)
		back, err := s.ReadYAML(printed, shape.Full)
		if err != nil || string(s.JSON(back)) != string(s.JSON(o)) {
			t.Fatalf("%s\nis printed as\n%s\n%v", s.JSON(o), printed, err)
		}
	})
}

func TestSkeleton(t *testing.T) {
	want := `{"goal":"12w","note?":"18w","tags":[0–2 × "14w"],"risks":[1–5 × {"id":"R1","level":"low|very_high","text":"12w","cost":whole number,"fit?":0–10,"share":number,"known":true|false,` +
		`"day":"2027-03-31","by":"2027-06-18|Y1|M1","after":[0–3 × "2.1+3"],"parts":[0–2 × {"id":"1.1","name":"15w"}]}],"worst":"R1","settings":{"L1":1–4,…},"check?":{"value":"13w"}}`
	if got := every().Skeleton(shape.Brief); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

const good = `{"goal":"open","note":"unread","tags":["a","b"],"risks":[{"id":"R1","level":"low","text":"fire","cost":"12,000","share":0.5,"known":"yes","day":"2027-01-31",` +
	`"by":"M2","after":["1.1"],"parts":[{"id":"1.1","name":"one"}]}],"worst":"R1","settings":{"L10":2,"L2":1}}`

// Section 5: inputs are lines, not JSON, and shorter; a digest has the key fields.
func TestLines(t *testing.T) {
	s := every()
	o, err := s.Read([]byte(good), shape.Full)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"goal: open", "tags:", "- a", "- b",
		"R1 low: fire; cost: 12000; share: 0.5; known: yes; day: 2027-01-31; by: M2; after: 1.1", "  1.1: one",
		"worst: R1", "settings:", "- L2: 1", "- L10: 2",
	}
	if got := s.Lines(o, shape.Whole); !slices.Equal(got, want) {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
	if got := s.Lines(o, shape.Digest); !slices.Equal(got, []string{"goal: open", "R1 low: fire"}) {
		t.Errorf("the digest is %q", got)
	}
}

// All mistakes come at once, in reading order, and no more than a model can use.
func TestAllProblemsAtOnce(t *testing.T) {
	bad := strings.NewReplacer(`"goal":"open"`, `"goal":"…"`, `"level":"low"`, `"level":"lowish"`, `"0.5"`, `"x"`, `"known":"yes"`, `"known":"perhaps"`, `"by":"M2"`, `"by":"March"`).Replace(good)
	_, err := every().Read([]byte(bad), shape.Full)
	want := `goal: got "…"; allowed a text of at most 12 words
risks[0].level: got "lowish"; allowed one of low, very_high
risks[0].known: got "perhaps"; allowed true or false
risks[0].by: got "March"; allowed a day, a month, or the id of a day or a milestone; example "2027-06-18|Y1|M1"`
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
	var many shape.Problems
	for range 23 {
		many.Add("a", "b", "c", "")
	}
	if lines := strings.Split(many.Error(), "\n"); len(lines) != 21 || lines[20] != "and 3 more" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

// Where the JSON is wrong is said; it may be text in JSON, and fenced.
func TestJSONInText(t *testing.T) {
	quoted := func(text string) []byte {
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, raw := range [][]byte{quoted(good), quoted("```json\n" + good + "\n```")} {
		if _, err := every().Read(raw, shape.Full); err != nil {
			t.Errorf("%.20s: %v", raw, err)
		}
	}
	for raw, want := range map[string]string{
		`{"goal":"open",}`:                      "not JSON near byte 16 ",
		string(quoted(`{"goal":"open",}`)):      "not JSON near byte 16 ",
		string(quoted("```json\n" + good[:40])): "ends too early, after byte 40",
	} {
		if _, err := every().Read([]byte(raw), shape.Full); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", raw, err, want)
		}
	}
}

// Section 2: words as in UAX 29, two ideographs one; a fifth more passes, in a short text a third.
func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "one": 1, "don't stop, e.g. now": 4, "60,000 EUR": 2, "— … !": 0, "well-known": 2, "from 2027-06-18 to 2027-09-01": 4, "12-2027-06-181": 4,
		"计划": 1, "我们开一家店": 3, "カタカナ": 2, "ひらがなで": 3, "ไทยไทย": 2, "Straßenbahnhaltestelle": 1, "план на год": 3,
	} {
		if got := shape.CountWords(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
	s := shape.Shape{{Name: "x", Kind: shape.Text, Words: 10}}
	for text, ok := range map[string]bool{
		strings.Repeat("a ", 13): true, strings.Repeat("a ", 14): false, strings.Repeat("a", 200): true, strings.Repeat("a", 201): false,
		strings.Repeat("(", 300): false, strings.Repeat("计", 26): true, strings.Repeat("计", 28): false,
	} {
		data, err := json.Marshal(map[string]string{"x": text})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Read(data, shape.Full); (err == nil) != ok {
			t.Errorf("%d of %.3q: %v", len(text), text, err)
		}
	}
}

// Section 9: hostile text in every field. It neither reaches a screen nor becomes
// Markdown, and problems about it are clean.
func TestHostileText(t *testing.T) {
	s := every()
	for name, text := range safetest.Hostile() {
		o, err := s.Read([]byte(good), shape.Full)
		if err != nil {
			t.Fatal(err)
		}
		s.Walk(o, func(_ string, f shape.Field, value any) any {
			if f.Kind == shape.Text {
				return text + " | <b> [a](http://x) `c` **d** \n# e"
			}
			return value
		})
		page := s.Markdown(o, nil)
		for _, bad := range []string{"\x1b", "\u202e", "<b>", "[a](", "**d**", "\n# e", "\u009b"} {
			if plain := strings.ReplaceAll(page, "\\", ""); bad[0] >= 0x80 && strings.Contains(plain, bad) || bad[0] < 0x80 && strings.Contains(page, bad) {
				t.Errorf("%s: the section has %q:\n%s", name, bad, page)
			}
		}
		data, err := json.Marshal(map[string]any{"goal": 1, text: text, "worst": text})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Read(data, shape.Full); err == nil || strings.ContainsAny(err.Error(), "\x1b\u202e\u009b") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMarkdown(t *testing.T) {
	s := shape.Shape{
		{Name: "goal", Kind: shape.Text, Words: 10}, {Name: "tags", Kind: shape.Text, Words: 4, List: true, Max: 4},
		{Name: "risks", Kind: shape.Record, List: true, Max: 5, Fields: shape.Shape{{Name: "id", Kind: shape.ID, Prefix: "R"}, {Name: "kill_question", Kind: shape.Text, Words: 10}}},
		{Name: "phases", Kind: shape.Record, List: true, Max: 5, Fields: shape.Shape{{Name: "id", Kind: shape.ID}, {Name: "name", Kind: shape.Text, Words: 5},
			{Name: "tasks", Kind: shape.Record, List: true, Max: 2, Fields: shape.Shape{{Name: "id", Kind: shape.ID}, {Name: "name", Kind: shape.Text, Words: 5}}}}},
	}
	o, err := s.Read([]byte(`{"goal":"a|b","tags":["1. x"],"risks":[{"id":"R1","kill_question":"why?"}],"phases":[{"id":"1","name":"begin","tasks":[{"id":"1.1","name":"dig"}]}]}`), shape.Full)
	if err != nil {
		t.Fatal(err)
	}
	want := `**Goal:** a\|b

**Tags**

- 1\. x

**Risks**

| Kill question |
|---|
| **R1** why? |

**Phases**

#### 1 begin

**Tasks**

| Name |
|---|
| **1.1** dig |
`
	if got := s.Markdown(o, nil); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("```json\n" + good + "\n```"))
	f.Add([]byte(`{"goal":1e400,"tags":null,"risks":{},"settings":[]}`))
	s := every()
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, err := s.Read(raw, shape.Full)
		if err != nil {
			if !utf8.ValidString(err.Error()) || o != nil {
				t.Fatalf("%v and %v", o, err)
			}
			return
		}
		data := s.JSON(o)
		again, err := s.Read(data, shape.Full)
		if err != nil || string(s.JSON(again)) != string(data) {
			t.Fatalf("%s is read as %s (%v)", data, s.JSON(again), err)
		}
		s.Markdown(o, nil)
		s.Lines(o, shape.Whole)
	})
}

// An output that another version of a step stored is shown as far as it can be.
func TestOtherShapesAreShown(t *testing.T) {
	inner := shape.Shape{{Name: "x", Words: 5}}
	values := []any{"text", 3.0, true, shape.Object{"x": "y"}, []any{"a"}, []any{shape.Object{"x": "y"}}, []any{[]any{"a"}}, nil}
	for kind := shape.Text; kind <= shape.Map; kind++ {
		for _, list := range []bool{false, true} {
			f := shape.Field{Name: "field", Kind: kind, List: list, Max: 3, Choices: []string{"a"}}
			if kind == shape.Record || kind == shape.Map {
				f.Fields = inner
			}
			s := shape.Shape{f, {Name: "after", Words: 5}}
			for _, value := range values {
				o := shape.Object{"field": value, "after": "the end"}
				texts := string(s.JSON(o)) + "|" + strings.Join(s.Lines(o, shape.Whole), "|") + "|" + strings.Join(s.Lines(o, shape.Heads), "|") +
					"|" + s.Markdown(o, func(text string) string { return text }) + string(s.YAML(o, shape.Full))
				s.Walk(o, func(_ string, _ shape.Field, value any) any { return value })
				if strings.Count(texts, "the end") < 4 {
					t.Errorf("%v in a field of kind %d, list %v, hides what comes after it: %s", value, kind, list, texts)
				}
			}
		}
	}
}

// Frames of one draft are written at once: what only looks at an output writes nothing.
// The race detector sees a write.
func TestAWalkThatChangesNothingOnlyReads(t *testing.T) {
	s := every()
	o, err := s.Read([]byte(good), shape.Full)
	if err != nil {
		t.Fatal(err)
	}
	var walks sync.WaitGroup
	for range 4 {
		walks.Go(func() {
			s.Walk(o, func(_ string, _ shape.Field, value any) any { return value })
		})
	}
	walks.Wait()
}
