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
