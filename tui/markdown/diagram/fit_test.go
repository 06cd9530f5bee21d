package diagram

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// wideAndLong is a diagram that is wide on both axes: many lines between two boxes,
// and many boxes in a row.
func wideAndLong(n int) string {
	var b strings.Builder
	b.WriteString("graph TD\n")
	for i := range n {
		fmt.Fprintf(&b, "a-->|the same beginning and %d|b\n", i)
	}
	for i := range 40 {
		fmt.Fprintf(&b, "n%d-->n%d\n", i, i+1)
	}
	return b.String()
}

// Each label gets a short form of its own, and finding them takes no time that
// grows with the square of their number.
func TestManyLabelsThatBeginAlike(t *testing.T) {
	g := &graph{}
	for i := range maxEdges {
		g.edges = append(g.edges, edge{label: label{fmt.Sprintf("the same beginning and %d", i)}})
	}
	var legend []string
	allocations := testing.AllocsPerRun(1, func() { _, legend = g.abbreviate(spacing{short: 7}) })
	shorts := map[string]bool{}
	for _, entry := range legend {
		short, _, _ := strings.Cut(entry, ": ")
		shorts[short] = true
	}
	if len(shorts) != maxEdges {
		t.Errorf("%d labels have %d short forms", maxEdges, len(shorts))
	}
	if allocations > 100*maxEdges {
		t.Errorf("%.0f allocations for %d labels", allocations, maxEdges)
	}
}

// A large diagram is narrow if it can be, and is not tried in every way if it cannot.
func TestLargeDiagramsAreNotTriedInEveryWay(t *testing.T) {
	var b strings.Builder
	b.WriteString("graph TD\n")
	for i := range 450 {
		fmt.Fprintf(&b, "n%d[\"the words of box %d\"] -->|leads to| n%d\n", i, i, i+1)
	}
	if d, err := Draw(b.String(), Options{Width: 14}); err != nil || d.Width > 14 {
		t.Errorf("%d cells wide, %v", d.Width, err)
	}
	large := wideAndLong(120)
	var fitted Drawing
	cost := func(width int) uint64 { // in allocations
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := Draw(large, Options{Width: width})
		runtime.ReadMemStats(&after)
		if fitted = d; err != nil {
			t.Fatal(err)
		}
		return after.Mallocs - before.Mallocs
	}
	once, tried := cost(0), cost(80)
	if fitted.Width <= 80 || len(fitted.Legend) > 0 {
		t.Errorf("%d cells wide, a legend of %d entries", fitted.Width, len(fitted.Legend))
	}
	if tried > 6*once {
		t.Errorf("%d allocations to fit it, %d to draw it once", tried, once)
	}
}
