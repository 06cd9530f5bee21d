package questions_test

import (
	"fmt"
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/lenient"
)

// hostile returns inputs that make a careless reader slow, with the given number
// of JSON values or about the given number of bytes.
func hostile(values, bytes int) map[string]string {
	var fields, options strings.Builder
	for i := range values {
		fmt.Fprintf(&fields, `,"optionz%d":1`, i)
		fmt.Fprintf(&options, `,"k%d":{}`, i)
	}
	one := func(question string) string { return `{"title":"T","questions":[{` + question + `}]}` }
	return map[string]string{
		"unknown fields":   `{"title":"T"` + fields.String() + `}`,
		"a field again":    `{"title":"T"` + strings.Repeat(`,"title":"U"`, values) + `}`,
		"options as keys":  one(`"id":"a","kind":"single","label":"A","options":{"v":1` + options.String() + `}`),
		"one long key":     `{"` + strings.Repeat("k", bytes) + `":1}`,
		"one long text":    `{"title":"` + strings.Repeat("T", bytes) + `"}`,
		"one long number":  one(`"kind":"scale","label":"A","min":0,"max":1` + strings.Repeat("0", bytes)),
		"one long id":      one(`"kind":"text","label":"A","id":"` + strings.Repeat("\u0301", bytes/2) + `"`),
		"one long label":   one(`"kind":"text","label":"` + strings.Repeat("a ", bytes/2) + `"`),
		"brackets":         strings.Repeat("[", bytes),
		"brackets in text": `{"title":"T","questions":"` + strings.Repeat("[", bytes) + `"}`,
		"JSON in JSON": `{"title":"T","questions":` +
			quoted(quoted(`[{"id":"a","kind":"text","label":"`+strings.Repeat("x", bytes)+`"}]`)) + `}`,
		"white space": strings.Repeat(" ", bytes) + "{}",
	}
}

func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

func TestHostileInputGetsAShortError(t *testing.T) {
	for name, input := range hostile(1000, 100_000) {
		_, err := questions.Parse([]byte(input))
		if err == nil {
			t.Errorf("%s: read without a problem", name)
		} else if len(err.Error()) > 32<<10 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
	}
}

// BenchmarkHostile reads the largest inputs that Parse accepts. All of them take
// a time of the same order; one that takes much longer is quadratic.
func BenchmarkHostile(b *testing.B) {
	for name, input := range hostile(lenient.MaxInputItems-10, questions.MaxInputBytes-1000) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				if _, err := questions.Parse([]byte(input)); err == nil {
					b.Fatal("read without a problem")
				}
			}
		})
	}
}
