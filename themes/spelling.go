package themes

import (
	"strings"
	"unicode"
)

// plain returns the form in which names are compared: "Rosé Pine" and rose_pine are
// the same.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		switch c = unicode.ToLower(c); {
		case c == 'é':
			return 'e'
		case unicode.IsLetter(c), unicode.IsDigit(c):
			return c
		}
		return -1
	}, name)
}

// nearest returns the known name that the person probably meant: the one that shares
// the most letter pairs with the mistyped name, and at least 64 % of them. It is empty
// if there is none.
func nearest(name string, known []string) string {
	best, most := "", 0.64
	typed := letterPairs(plain(name))
	for _, candidate := range known {
		pairs := letterPairs(plain(candidate))
		shared := 0
		for pair, count := range typed {
			shared += min(count, pairs[pair])
		}
		// Sørensen and Dice's coefficient.
		if alike := float64(2*shared) / float64(max(total(typed)+total(pairs), 1)); alike >= most && (best == "" || alike > most) {
			best, most = candidate, alike
		}
	}
	return best
}

// letterPairs counts the pairs of neighbouring letters in a name. The first and the
// last letter also form a pair with the end.
func letterPairs(name string) map[[2]rune]int {
	pairs := map[[2]rune]int{}
	before := rune(0)
	for _, c := range name {
		pairs[[2]rune{before, c}]++
		before = c
	}
	pairs[[2]rune{before, 0}]++
	return pairs
}

func total(pairs map[[2]rune]int) int {
	sum := 0
	for _, count := range pairs {
		sum += count
	}
	return sum
}
