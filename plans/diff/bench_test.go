package diff_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"planb/plans/diff"
)

// bigPlan returns a plan of about 300 KB, and a later version of it with the given
// numbers of changed, removed or added lines and of moved sections.
func bigPlan(changes, moved int) (before, after string) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the queue store keeps every event of one customer in order until somebody answers or the lock is given back to whoever waits")
	sentence := func() string {
		var out []string
		for range 6 + random.IntN(10) {
			out = append(out, words[random.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	var sections [][]string
	for size := 0; size < 300<<10; {
		section := []string{fmt.Sprintf("## Part %d: %s", len(sections), sentence()), ""}
		for range 3 + random.IntN(8) {
			line := []string{"", "- " + sentence(), "1. " + sentence(), sentence() + ". " + sentence() + "."}[random.IntN(4)]
			section = append(section, line)
			size += len(line)
		}
		sections = append(sections, append(section, ""))
	}
	text := func() string {
		var out strings.Builder
		for _, section := range sections {
			out.WriteString(strings.Join(section, "\n") + "\n")
		}
		return out.String()
	}
	before = text()
	for range changes {
		section := sections[random.IntN(len(sections))]
		at := 1 + random.IntN(len(section)-1)
		switch random.IntN(3) {
		case 0:
			section[at] += " and " + sentence()
		case 1:
			section[at] = "- " + sentence()
		default:
			section[at] = strings.Replace(section[at], "the", "some", 1)
		}
	}
	for range moved {
		a, b := random.IntN(len(sections)), random.IntN(len(sections))
		sections[a], sections[b] = sections[b], sections[a]
	}
	return before, text()
}

// hard returns pairs of texts of about 300 KB that take long to compare.
func hard() map[string][2]string {
	random := rand.New(rand.NewPCG(3, 4))
	lines := func(n int, line func(i int) string) string {
		var out strings.Builder
		for i := range n {
			out.WriteString(line(i) + "\n")
		}
		return out.String()
	}
	const short = 100_000
	alphabet := func(n int) func(int) string {
		return func(int) string { return "line " + string(rune('a'+random.IntN(n))) }
	}
	return map[string][2]string{
		"all lines different": {lines(5000, func(i int) string {
			return fmt.Sprintf("old %d is as long as a line of text mostly is, more or less", i)
		}), lines(5000, func(i int) string {
			return fmt.Sprintf("new %d is as long as a line of text mostly is, more or less", i)
		})},
		"all lines the same":     {strings.Repeat("the same again\n", 20_000), strings.Repeat("the same again\n", 19_000)},
		"two lines in disorder":  {lines(40_000, alphabet(2)), lines(40_000, alphabet(2))},
		"ten lines in disorder":  {lines(40_000, alphabet(10)), lines(40_000, alphabet(10))},
		"moved sections alike":   {sections(500, 0), sections(500, 250)},
		"only line ends":         {strings.Repeat("\n", 3*short), strings.Repeat("\r\n", 3*short/2)},
		"one line":               {strings.Repeat("word ", 60_000), strings.Repeat("word ", 59_000) + "end"},
		"in reverse":             {lines(15_000, func(i int) string { return fmt.Sprint("number ", i) }), lines(15_000, func(i int) string { return fmt.Sprint("number ", 15_000-i) })},
		"headings":               {lines(30_000, func(i int) string { return fmt.Sprint("## A ", i%100) }), lines(30_000, func(i int) string { return fmt.Sprint("## A ", i%99) })},
		"headings inside others": {lines(3000, func(i int) string { return strings.Repeat("#", 1+i%6) + " same title\n\nsame text " + fmt.Sprint(i%7) }), lines(3000, func(i int) string { return strings.Repeat("#", 1+i%5) + " same title\n\nsame text " + fmt.Sprint(i%11) })},
		"long lines":             {lines(20, func(i int) string { return strings.Repeat(fmt.Sprint("word", i, " "), 2000) }), lines(20, func(i int) string { return strings.Repeat(fmt.Sprint("word", i+1, " "), 2000) })},
	}
}

func TestHardTextsAreComparedTruly(t *testing.T) {
	for name, c := range hard() {
		checkDiff(t, measured(t, name, c), c[0], c[1])
	}
}

// huge returns pairs of texts that are far larger than plans.
func huge() map[string][2]string {
	return map[string][2]string{
		"one line of 10 MB":   {strings.Repeat("word ", 2<<20), strings.Repeat("word ", 2<<20) + "end"},
		"100,000 equal lines": {strings.Repeat("same\n", 100_000), "first\n" + strings.Repeat("same\n", 100_001)},
	}
}

func TestHugeTextsAreComparedWhole(t *testing.T) {
	for name, c := range huge() {
		old, new := measured(t, name, c).Texts()
		if strings.Join(old, "") != c[0] || strings.Join(new, "") != c[1] {
			t.Errorf("%s: the texts are not those that were compared", name)
		}
	}
}

// measured compares two texts, and holds that the work is bounded by the texts. It measures work
// as memory, because memory does not depend on how busy the machine is.
func measured(t *testing.T, name string, texts [2]string) *diff.Diff {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d := diff.Between(texts[0], texts[1])
	runtime.ReadMemStats(&after)
	size, lines := len(texts[0])+len(texts[1]), strings.Count(texts[0]+texts[1], "\n")
	limit := 64<<10 + 160*size + 320*lines
	if used := int(after.TotalAlloc - before.TotalAlloc); used > limit {
		t.Errorf("%s: %d KB were allocated for %d KB in %d lines, at most %d KB are expected", name, used>>10, size>>10, lines, limit>>10)
	}
	return d
}

// sections returns n sections that hardly differ, beginning with number from.
func sections(n, from int) string {
	var out strings.Builder
	for i := range n {
		at := (i + from) % n
		fmt.Fprintf(&out, "## Part %d\n\nAbout %d%d of %d it is said that it is like all of the others, with %d.\n", at%7, at, from, at*17%1000, at*3)
		fmt.Fprintf(&out, "It is the one with %d%d in it, which has %d more.\nAnd nothing else.\n\n", at*13%997, from, at)
	}
	return out.String()
}

func BenchmarkBetween(b *testing.B) {
	for _, c := range []struct{ changes, moved int }{{10, 0}, {300, 5}, {3000, 50}} {
		before, after := bigPlan(c.changes, c.moved)
		b.Run(fmt.Sprintf("%d KB, %d changes, %d moves", len(before)>>10, c.changes, c.moved), func(b *testing.B) {
			for b.Loop() {
				diff.Between(before, after)
			}
		})
	}
	texts := hard()
	maps.Copy(texts, huge())
	for name, c := range texts {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				diff.Between(c[0], c[1])
			}
		})
	}
}
