package graph

import (
	"fmt"
	"strings"
	"testing"

	"planb/tui/markdown/diagram/label"
)

// Each label gets its own short form. Finding the forms does not take quadratic time.
func TestManyLabelsThatBeginAlike(t *testing.T) {
	const count = 1000
	g := &Graph{}
	for i := range count {
		g.Edges = append(g.Edges, Edge{Label: label.Label{fmt.Sprintf("the same beginning and much more %d", i)}})
	}
	var legend []string
	allocations := testing.AllocsPerRun(1, func() { _, legend = g.abbreviate(spacing{short: 7}) })
	shorts := map[string]bool{}
	for _, entry := range legend {
		short, _, _ := strings.Cut(entry, ": ")
		shorts[short] = true
	}
	if len(shorts) != count {
		t.Errorf("%d labels have %d short forms", count, len(shorts))
	}
	if allocations > 100*count {
		t.Errorf("%.0f allocations for %d labels", allocations, count)
	}
}
