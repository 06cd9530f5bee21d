package diagram

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// largeGraph returns a diagram of 200 boxes and 260 lines, like those of a large
// program: a tree with some lines across and a few back.
func largeGraph(first, arrow string) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(first + "\n")
	for i := 1; i < 200; i++ {
		fmt.Fprintf(&b, "n%d %s n%d\n", (i-1)/3, arrow, i)
	}
	for range 55 {
		from := random.IntN(150)
		fmt.Fprintf(&b, "n%d %s n%d\n", from, arrow, from+1+random.IntN(45))
	}
	for range 6 {
		to := random.IntN(100)
		fmt.Fprintf(&b, "n%d %s n%d\n", to+90, arrow, to)
	}
	return b.String()
}

func BenchmarkDraw(b *testing.B) {
	for name, source := range map[string]string{
		"flow":     largeGraph("flowchart TD", "-->"),
		"sideways": largeGraph("flowchart LR", "-->"),
		"state":    largeGraph("stateDiagram-v2", "-->"),
	} {
		for _, width := range []int{0, 80} {
			b.Run(fmt.Sprintf("%s/%d", name, width), func(b *testing.B) {
				for b.Loop() {
					if _, err := Draw(source, Options{Width: width}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// manySteps returns a diagram with the given numbers of participants and messages.
func manySteps(people, messages int) string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\nautonumber\n")
	for i := range messages {
		fmt.Fprintf(&b, "P%d->>P%d: message number %d says something\n", i*7%people, (i*11+1)%people, i)
	}
	return b.String()
}

func BenchmarkSequence(b *testing.B) {
	source := manySteps(30, 200)
	for _, width := range []int{0, 80} {
		b.Run(fmt.Sprintf("width %d", width), func(b *testing.B) {
			for b.Loop() {
				if _, err := Draw(source, Options{Width: width}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
