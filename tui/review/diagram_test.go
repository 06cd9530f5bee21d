package review

import (
	"fmt"
	"strings"
	"testing"
)

// The arrows alone lead through a drawing that is higher than the screen, down and up. A
// comment on it is one on its lines.
func TestReviewOfADiagram(t *testing.T) {
	t.Parallel()
	const messages = 40
	var plan strings.Builder
	plan.WriteString("# Above\n\n```mermaid\nsequenceDiagram\n")
	for i := range messages {
		fmt.Fprintf(&plan, "A->>B: step %d.\n", i)
	}
	plan.WriteString("```\n\nBelow it.\n")
	r := reviewRig(t, plan.String(), 90, 30)
	seen := map[int]bool{}
	look := func() {
		for i := range messages {
			if strings.Contains(r.screen(), fmt.Sprintf(" step %d. ", i)) {
				seen[i] = true
			}
		}
	}
	walk := func(key, until string) {
		t.Helper()
		clear(seen)
		for n := 0; !strings.Contains(r.screen(), until); n++ {
			if n > 40 {
				t.Fatalf("%s does not lead to %q:\n%s", key, until, r.screen())
			}
			look()
			r.keys(key)
		}
		look()
		if len(seen) != messages {
			t.Errorf("on the way by %s %d of %d steps were to be seen", key, len(seen), messages)
		}
	}
	if !strings.Contains(r.screen(), "│ A │") {
		t.Fatalf("the diagram is not drawn:\n%s", r.screen())
	}
	walk("down", "▌ 47")
	walk("up", "▌  1 ")
	r.keys("down")
	if !strings.Contains(r.screen(), "▌  4 ") {
		t.Errorf("the cursor is not on the diagram:\n%s", r.screen())
	}
}
