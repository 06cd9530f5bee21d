package lenient_test

import (
	"fmt"
	"strings"
	"testing"

	"planb/questions/lenient"
)

// proposal is JSON as a model writes it to propose tasks: some 650 KB.
func proposal() []byte {
	var b strings.Builder
	b.WriteString(`{"title":"Plan","seeds":[`)
	for i := range 500 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"key":"task-%d","title":"Task \"%d\"","waits_for":["task-%d"],"contract":{"accept":["%s"],"kind":"code"},"priority":%d,"notes":"%s"}`,
			i, i, i/2, strings.Repeat("must hold, ", 20), i%5, strings.Repeat("a line\\nof text ", 60))
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	raw := proposal()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := lenient.Parse(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMembers(b *testing.B) {
	raw := proposal()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, ok := lenient.Members(raw); !ok {
			b.Fatal("no object")
		}
	}
}
