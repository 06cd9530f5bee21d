package questions_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/lenient"
)

// parse reads a form that must be valid.
func parse(t testing.TB, input string) questions.Spec {
	t.Helper()
	spec, err := questions.Parse([]byte(input))
	if err != nil {
		t.Fatalf("%s\nis refused:\n%v", input, err)
	}
	return spec
}

func TestTabs(t *testing.T) {
	spec := parse(t, `{"title":"T","intro":"# Hi","questions":[
		{"id":"a","kind":"text","label":"A","tab":"Two"},
		{"id":"b","kind":"text","label":"B"},
		{"id":"c","kind":"text","label":"C","tab":"Two"}]}`)
	var got []string
	for _, tab := range spec.Tabs() {
		got = append(got, fmt.Sprintf("%s %v %v", tab.Title.Raw(), tab.Intro, tab.Questions))
	}
	if want := []string{"Overview true []", "Two false [0 2]", "Questions false [1]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestQuestionByID(t *testing.T) {
	spec := parse(t, `{"title":"T","questions":[{"id":"a","kind":"text","label":"A"},{"id":"b","kind":"text","label":"B"}]}`)
	if q, ok := spec.Question("b"); !ok || q.Label.Raw() != "B" {
		t.Errorf("b is %+v, %v", q, ok)
	}
	if _, ok := spec.Question("c"); ok {
		t.Error("a question that is not there was found")
	}
}

func TestShown(t *testing.T) {
	spec := parse(t, `{"title":"T","questions":[{"id":"a","kind":"single","label":"A","options":["x",{"value":"y","label":"Why"}]}]}`)
	for i, want := range []string{"x", "Why"} {
		if got := spec.Questions[0].Options[i].Shown().Raw(); got != want {
			t.Errorf("option %d shows %q, want %q", i, got, want)
		}
	}
}

func TestKindsAreTheFiveInOrder(t *testing.T) {
	want := []questions.Kind{"text", "longtext", "single", "multi", "scale"}
	if got := questions.Kinds(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFormsAtAndOverTheLimits(t *testing.T) {
	form := func(questions ...string) string {
		return `{"title":"T","questions":[` + strings.Join(questions, ",") + `]}`
	}
	markdown := func(id string, bytes int) string {
		return fmt.Sprintf(`{"id":%q,"kind":"text","label":"A","description":%q}`, id, strings.Repeat("x", bytes))
	}
	options := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%q", fmt.Sprint("v", i)))
		}
		return `{"id":"a","kind":"single","label":"A","options":[` + strings.Join(list, ",") + `]}`
	}
	for _, c := range []struct{ name, input, wrong string }{
		{"markdown at the limit", form(markdown("a", questions.MaxMarkdownBytes)), ""},
		{"markdown over it", form(markdown("a", questions.MaxMarkdownBytes+1)), "got a text of 524289 bytes; allowed: at most 524288 bytes"},
		{"a form too large as a whole", form(markdown("a", 500_000), markdown("b", 500_000), markdown("c", 500_000)),
			"got a form of 1500243 bytes; allowed: at most 1048576 bytes"},
		{"options at the limit", form(options(questions.MaxOptions)), ""},
		{"options over it", form(options(questions.MaxOptions + 1)), "got a list of 201; allowed: a list of 1 to 200 options"},
		{"input too large", strings.Repeat(" ", questions.MaxInputBytes+1), "got 8388609 bytes; allowed: at most 8388608 bytes"},
		{"too many values", "[" + strings.Repeat("0,", lenient.MaxInputItems) + "0]", "got JSON of more than 100000 values"},
		{"nested too deep", strings.Repeat("[", 1<<10), "got JSON nested deeper than 32"},
		{"nested too deep in a string", form(`"` + strings.Repeat("[", 1<<10) + `"`), "questions[0]: got \"[[[["},
		{"an id at the limit", form(`{"id":"` + strings.Repeat("x", questions.MaxIDBytes) + `","kind":"text","label":"A"}`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := questions.Parse([]byte(c.input))
			if c.wrong == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("got %.300v\nwant %s", err, c.wrong)
			}
		})
	}
}

func TestDerivedIDs(t *testing.T) {
	for label, want := range map[string]string{
		strings.Repeat("long", 100): strings.Repeat("long", 10),
		"日本語の質問はどれですか、そしてそれはなぜですか": "日本語の質問はどれですか",
		strings.Repeat("é", 30):       strings.Repeat("é", 20),
		"x" + strings.Repeat("é", 30): "x" + strings.Repeat("é", 19),
		"\u0301\u0301x":               "q1", // begins with a mark
		"डेटाबेस चुनें":               "डेटाबेस-चुनें",
		"a\u200bb \u202eC":            "a-b-c",
		"🤷":                           "q1",
		"İstanbul":                    "istanbul",
		strings.Repeat("e\u0301", 80): strings.Repeat("e\u0301", 13) + "e",
		"…":                           "q1",
	} {
		spec := parse(t, fmt.Sprintf(`{"title":"T","questions":[{"kind":"text","label":%q}]}`, label))
		if got := spec.Questions[0].ID; got != want {
			t.Errorf("%q: got %q, want %q", label, got, want)
		}
		roundTrip(t, spec) // fails for a bad id
	}
}

// A form that Parse never returns must be refused or survived.
func TestFormsMadeByHand(t *testing.T) {
	endless := questions.Spec{Questions: []questions.Question{{ID: "a", Kind: questions.Scale, Range: &questions.Range{Min: math.NaN()}}}}
	if got := endless.Canonical(); got != nil {
		t.Errorf("a range of NaN is written as %s", got)
	}
	bare := questions.Spec{Questions: []questions.Question{{ID: "a", Kind: questions.Scale}, {ID: "b", Kind: questions.Single}}}
	r := reply(answers{"a": num(1), "b": items("x")})
	const wrong = "answers[\"a\"]: got a scale without ends; allowed: a question with min, max and step\n" +
		"answers[\"b\"]: got [\"x\"]; allowed: one option's value, as a text; example: \"value\""
	if got := message(bare.CheckReply(r)); got != wrong {
		t.Errorf("got  %s\nwant %s", got, wrong)
	}
	if got := bare.EntryFrom(r); len(got.Fields) != 0 {
		t.Errorf("the entry has %+v", got)
	}
}

func BenchmarkParse(b *testing.B) {
	input, ok := inputs(b, "good")["all-kinds"]
	if !ok {
		b.Fatal("no vector all-kinds")
	}
	b.SetBytes(int64(len(input)))
	for b.Loop() {
		if _, err := questions.Parse(input); err != nil {
			b.Fatal(err)
		}
	}
}
