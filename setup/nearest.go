package setup

import (
	"fmt"
	"strings"
)

// DidYouMean continues an error about an unknown name: it suggests the nearest
// of the known names, else returns otherwise.
func DidYouMean(name string, known []string, otherwise string) string {
	if nearest, ok := Nearest(name, known); ok {
		return fmt.Sprintf("; did you mean %s?", nearest)
	}
	return otherwise
}

// Nearest returns the candidate that a mistyped name most likely stands for:
// the one with the fewest edits, if these are at most a third of its length. A
// name without its table (bell for ring.bell) counts as the full one. ok is
// false if none is near.
func Nearest(name string, candidates []string) (string, bool) {
	name = strings.ToLower(name)
	best, fewest := "", 0
	for _, candidate := range candidates {
		forms := []string{candidate}
		if _, short, inTable := strings.Cut(candidate, "."); inTable {
			forms = append(forms, short)
		}
		for _, form := range forms {
			most := len(form) / 3
			if len(name) > len(form)+most || len(name) < len(form)-most {
				continue // the lengths alone differ by too many edits
			}
			if count := edits(name, form); count <= most && (best == "" || count < fewest) {
				best, fewest = candidate, count
			}
		}
	}
	return best, best != ""
}

// edits counts the letters to insert, remove, change or swap with a neighbour
// to turn a into b (optimal string alignment).
func edits(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
