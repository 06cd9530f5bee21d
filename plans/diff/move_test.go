package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"planb/plans/diff"
)

const (
	sectionA = "## Storage\n\nOne file, opened for each operation.\nNothing is kept in memory between two of them.\n\n"
	sectionB = "## Delivery\n\nEvents of one customer stay in order.\n\n- [x] per customer\n- [ ] across customers\n\n"
	sectionC = "### Details\n\nA lock beside the file says whose turn it is.\nIt is never held while somebody thinks.\n\n"
	small    = "## Open\n\nnone\n\n"
)

func TestMoves(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"swapped", "# P\n\n" + sectionA + sectionB, "# P\n\n" + sectionB + sectionA, "Storage 3-8 to 10-15"},
		{"down a level", "# P\n" + sectionA + "# Q\nq\n", "# P\n# Q\nq\n#" + sectionA, "Storage 2-7 to 4-9"},
		{"with what is inside", "# P\n" + sectionA + sectionC + sectionB + "# Q\nq\n", "# P\n" + sectionB + "# Q\nq\n" + sectionA + sectionC, "Storage 2-12 to 11-21"},
		{"only what is inside", sectionA + sectionC + sectionB, sectionA + sectionB + sectionC, "Details 6-11 to 13-18"},
		{"a word changed", sectionA + sectionB, sectionB + strings.Replace(sectionA, "opened", "closed", 1), "Storage 1-6 to 8-13"},
		{"a word of every line changed", sectionA + sectionB, sectionB + strings.NewReplacer("opened", "closed", "memory", "mind").Replace(sectionA), "Storage 1-6 to 8-13"},
		{"written anew", sectionA + sectionB, sectionB + "## Storage\n\nOne table for each day, and nothing else.\nAn event is kept in it for a month, then it is gone.\n\n", ""},
		{"a line written anew", sectionA + sectionB, sectionB + strings.Replace(sectionA, "Nothing is kept in memory between two of them.", "A cache holds what was read last.", 1), ""},
		{"a line of many changed", sectionA + sectionB + "# Q\n" + sectionC, strings.Replace(sectionA, "memory", "mind", 1) + "# Q\n" + sectionC + strings.Replace(sectionB, "stay in", "keep their", 1), "Delivery 6-13 to 12-19"},
		{"another title", sectionA + sectionB, sectionB + strings.Replace(sectionA, "Storage", "The store", 1), "The store 1-6 to 8-13"},
		{"too small", small + sectionB, sectionB + small, ""},
		{"copied, not moved", sectionA + sectionB, sectionA + sectionB + sectionA, ""},
		{"gone and not come", sectionA + sectionB, sectionB, ""},
		{"to an end without a line end", sectionA + sectionB, sectionB + strings.TrimRight(sectionA, "\n"), "Storage 1-6 to 8-12"},
		{"changed in place", "# P\np\n" + sectionA + sectionB, "# P\np\n" + strings.NewReplacer("opened", "closed", "memory", "mind").Replace(sectionA) + sectionB, ""},
		{"changed in place, with its title", "# P\np\n" + sectionA + sectionB, "# P\np\n" + strings.NewReplacer("Storage", "The store", "opened", "closed").Replace(sectionA) + sectionB, ""},
		{"in place", sectionA + sectionB, sectionA + "new\n" + sectionB, ""},
		{"lines, no section", "a\nb\nc\nd\ne\n", "c\nd\ne\na\nb\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range diff.Between(c.before, c.after).Moves {
				got = append(got, fmt.Sprintf("%s %d-%d to %d-%d", m.Title, m.Old, m.OldBehind, m.New, m.NewBehind))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %q, want %q", strings.Join(got, ", "), c.want)
			}
			checkTrue(t, c.before, c.after)
		})
	}
}

// A section that moves to the end of a text leaves an empty line behind, which no person
// sees as gone.
func TestTheEmptyLineOfAMovedSectionIsNotGone(t *testing.T) {
	d := diff.Between(sectionA+sectionB+"old\n", sectionB+"old\nnew\n\n"+strings.TrimRight(sectionA, "\n"))
	if stat := d.Stat(); stat.New() != 2 || stat.Gone() != 0 {
		t.Errorf("%d lines are new and %d are gone, want 2 and 0", stat.New(), stat.Gone())
	}
}
