package simplex

import (
	"testing"

	"pgregory.net/rapid"
)

func costOf(arcs []Arc, values []int) (cost int, kept bool) {
	for _, a := range arcs {
		slack := values[a.To] - values[a.From] - a.Least
		if slack < 0 {
			return 0, false
		}
		cost += a.Cost * slack
	}
	return cost, true
}

// The test also solves each small system by trying all values.
func TestMinimizeFindsTheLeastCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "variables")
		var arcs []Arc
		for range rapid.IntRange(0, 8).Draw(t, "arcs") {
			a := rapid.IntRange(0, n-1).Draw(t, "from")
			b := rapid.IntRange(0, n-1).Draw(t, "to")
			if a < b {
				arcs = append(arcs, Arc{a, b, rapid.IntRange(-1, 1).Draw(t, "least"), rapid.IntRange(0, 3).Draw(t, "cost")})
			}
		}
		got, ok := Minimize(n, arcs, rapid.Bool().Draw(t, "centred"))
		if !ok {
			t.Fatal("no solution, although the arcs have no cycle")
		}
		cost, kept := costOf(arcs, got)
		if !kept {
			t.Fatalf("%v does not keep %v", got, arcs)
		}
		values := make([]int, n)
		var try func(i int)
		try = func(i int) {
			if i == n {
				if c, kept := costOf(arcs, values); kept && c < cost {
					t.Fatalf("%v costs %d, but %v costs %d", got, cost, values, c)
				}
				return
			}
			for values[i] = 0; values[i] < 5; values[i]++ {
				try(i + 1)
			}
		}
		try(0)
	})
}

func TestMinimizeNamesAContradiction(t *testing.T) {
	if _, ok := Minimize(2, []Arc{{0, 1, 1, 1}, {1, 0, 1, 1}}, false); ok {
		t.Error("no contradiction found")
	}
}
