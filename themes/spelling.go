package themes

import (
	"strings"
	"unicode"
)

// plain is a name as it is compared: "Rosé Pine" and rose_pine are the same.
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

// nearest is the name that a mistyped one most likely stands for: the one that
// shares most pairs of letters with it, and nearly two thirds of them. Empty if
// there is none.
func nearest(name string) string {
	best, most := "", 0.64
	typed := letterPairs(plain(name))
	for _, candidate := range Names() {
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

// letterPairs counts the neighbours in a name, its ends among them.
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
