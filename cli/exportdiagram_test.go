package cli

import "testing"

// A chain of steps from left to right is read like that, and not turned to fit the measure
// of prose.
func TestDiagramsOnPagesKeepTheirDirection(t *testing.T) {
	drawing, err := drawForPage("flowchart LR\n A[Receive event] --> B[Check signature] --> C[Write to queue] --> D[Worker sends] --> E[Done]")
	if err != nil {
		t.Fatal(err)
	}
	if len(drawing.Lines) != 3 {
		t.Errorf("the chain has %d rows, want 3", len(drawing.Lines))
	}
}
