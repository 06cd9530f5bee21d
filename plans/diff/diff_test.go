package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans/diff"
)

// drawn returns a diff as a patch would show it, without folding.
func drawn(d *diff.Diff) string {
	var out strings.Builder
	for _, line := range d.Lines {
		fmt.Fprintf(&out, "%s%q", line.Op, line.Text)
	}
	return out.String()
}

func TestBetween(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", "", "", ``},
		{"the same", "a\nb\n", "a\nb\n", ` "a\n" "b\n"`},
		{"from nothing", "", "a\n", `+"a\n"`},
		{"to nothing", "a", "", `-"a"`},
		{"changed", "a\nb\nc\n", "a\nx\nc\n", ` "a\n"-"b\n"+"x\n" "c\n"`},
		{"end of line at the end", "a\nb", "a\nb\n", ` "a\n"-"b"+"b\n"`},
		{"CR LF", "a\r\nb\r\n", "a\nb\r\n", `-"a\r\n"+"a\n" "b\r\n"`},
		{"only line ends", "\n\n", "\n", ` "\n"-"\n"`},
		{"junk", "\x00\xff\n\x1b", "\x00\xff\n\x1b[", ` "\x00\xff\n"-"\x1b"+"\x1b["`},
		{"swapped", "a\nb\n", "b\na\n", `-"a\n" "b\n"+"a\n"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := drawn(diff.Between(c.before, c.after)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// texts draws two texts with common parts.
func texts(t *rapid.T) (before, after string) {
	line := rapid.SampledFrom([]string{"", "a", "b", "c", "# A", "## B", "- item one of the list", "- item two of the list", "```", "\x00\xff", "x\r"})
	list := rapid.SliceOfN(line, 0, 40).Draw(t, "lines")
	end := rapid.SampledFrom([]string{"\n", "\r\n", ""})
	before = strings.Join(list, "\n") + end.Draw(t, "end")
	changed := append([]string(nil), list...)
	for range rapid.IntRange(0, 8).Draw(t, "changes") {
		at := rapid.IntRange(0, len(changed)).Draw(t, "at")
		some := rapid.SliceOfN(line, 0, 4).Draw(t, "added")
		until := min(at+rapid.IntRange(0, 6).Draw(t, "removed"), len(changed))
		gone := append([]string(nil), changed[at:until]...)
		changed = append(append(append([]string(nil), changed[:at]...), some...), changed[until:]...)
		if rapid.Bool().Draw(t, "moved") {
			to := rapid.IntRange(0, len(changed)).Draw(t, "to")
			changed = append(append(append([]string(nil), changed[:to]...), gone...), changed[to:]...)
		}
	}
	return before, strings.Join(changed, "\n") + end.Draw(t, "new end")
}

func TestEveryDiffIsTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := texts(t)
		checkTrue(t, before, after)
	})
}

func FuzzBetween(f *testing.F) {
	f.Add("# A\na\n\n## B\nb\n", "# A\r\na\n## B\n\xff\x00")
	f.Add("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n")
	f.Add("## A\none two three\nfour five six\nseven\n## B\nx\ny\nz\n", "## B\nx\ny\nz\n## A\none two three\nfour 5 six\nseven\n")
	f.Fuzz(func(t *testing.T, before, after string) { checkTrue(t, before, after) })
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// checkTrue compares two texts, and checks every promise of their diff.
func checkTrue(t failer, before, after string) {
	t.Helper()
	checkDiff(t, diff.Between(before, after), before, after)
}

// checkDiff checks every promise of a diff of two texts.
func checkDiff(t failer, d *diff.Diff, before, after string) {
	t.Helper()
	var old, new strings.Builder
	oldLine, newLine := 0, 0
	added := false
	for i, line := range d.Lines {
		switch line.Op {
		case diff.Same:
			old.WriteString(line.Text)
			new.WriteString(line.Text)
			oldLine, newLine, added = oldLine+1, newLine+1, false
		case diff.Removed:
			old.WriteString(line.Text)
			oldLine++
			if added {
				t.Fatalf("%q to %q: line %d is removed behind an added one", before, after, i)
			}
		case diff.Added:
			new.WriteString(line.Text)
			newLine, added = newLine+1, true
		}
		if wantOld, wantNew := number(oldLine, line.Op != diff.Added), number(newLine, line.Op != diff.Removed); line.Old != wantOld || line.New != wantNew {
			t.Fatalf("%q to %q: line %d is %d and %d, want %d and %d", before, after, i, line.Old, line.New, wantOld, wantNew)
		}
		if line.Body()+line.End() != line.Text {
			t.Fatalf("%q is no more %q and %q", line.Text, line.Body(), line.End())
		}
	}
	if old.String() != before || new.String() != after {
		t.Fatalf("%q to %q became %q to %q", before, after, old.String(), new.String())
	}
	for _, context := range []int{0, 1, 3} {
		checkPatch(t, d, before, after, context)
	}
	checkPairs(t, d)
	checkMoves(t, d)
	checkRows(t, d)
	if stat := d.Stat(); stat.Added-stat.Removed != strings.Count(ended(after), "\n")-strings.Count(ended(before), "\n") {
		t.Fatalf("%q to %q: counted %+v", before, after, stat)
	}
}

// ended ends the last line of a text.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// checkPairs checks that each pair is mutual, and that the marked words are those
// that differ.
func checkPairs(t failer, d *diff.Diff) {
	t.Helper()
	for i, line := range d.Lines {
		if line.Pair == 0 {
			if line.Words != nil || line.Move > 0 {
				t.Fatalf("%q has no pair, but words %v and move %d", line.Text, line.Words, line.Move)
			}
			continue
		}
		pair := d.Lines[line.Pair-1]
		if pair.Pair != i+1 || line.Op == diff.Same || pair.Op == line.Op || pair.Op == diff.Same {
			t.Fatalf("%q and %q are no pair", line.Text, pair.Text)
		}
		if line.Move > 0 {
			if line.Body() != pair.Body() || line.Move != pair.Move {
				t.Fatalf("%q moved %d and became %q %d", line.Text, line.Move, pair.Text, pair.Move)
			}
			continue
		}
		if got, want := without(t, line), without(t, pair); got != want {
			t.Fatalf("%q and %q: without the marked words they are %q and %q", line.Text, pair.Text, got, want)
		}
	}
}

func without(t failer, line diff.Line) string {
	t.Helper()
	out, at := "", 0
	for _, span := range line.Words {
		if span.From < at || span.To <= span.From || span.To > len(line.Text) {
			t.Fatalf("%q has words at %v", line.Text, line.Words)
		}
		out += line.Text[at:span.From]
		at = span.To
	}
	return out + line.Text[at:]
}

// checkMoves checks that each moved section is one stretch of removed lines and
// one of added lines.
func checkMoves(t failer, d *diff.Diff) {
	t.Helper()
	for i, move := range d.Moves {
		same := 0
		for _, line := range d.Lines {
			old, new := line.Old >= move.Old && line.Old < move.OldBehind, line.New >= move.New && line.New < move.NewBehind
			if old && line.Op != diff.Removed || new && line.Op != diff.Added {
				t.Fatalf("move %+v has %q, which is %q", move, line.Text, line.Op)
			}
			if line.Move == i+1 {
				same++
				if !old && !new {
					t.Fatalf("move %+v has %q outside", move, line.Text)
				}
			}
		}
		if same < 2 {
			t.Fatalf("nothing of move %+v stayed the same", move)
		}
	}
}

// checkRows checks that both sides have all their lines, in order.
func checkRows(t failer, d *diff.Diff) {
	t.Helper()
	var left, right []int
	for _, row := range d.Rows(0, len(d.Lines)) {
		if row.Left >= 0 {
			left = append(left, row.Left)
		}
		if row.Right >= 0 {
			right = append(right, row.Right)
		}
	}
	for i, line := range d.Lines {
		if line.Op != diff.Added {
			if len(left) == 0 || left[0] != i {
				t.Fatalf("line %d is not at the left: %v", i, left)
			}
			left = left[1:]
		}
		if line.Op != diff.Removed {
			if len(right) == 0 || right[0] != i {
				t.Fatalf("line %d is not at the right: %v", i, right)
			}
			right = right[1:]
		}
	}
	if len(left)+len(right) > 0 {
		t.Fatalf("lines stand twice: %v %v", left, right)
	}
}

func number(line int, there bool) int {
	if there {
		return line
	}
	return 0
}

// checkPatch applies a diff's patch, forwards and backwards.
func checkPatch(t failer, d *diff.Diff, before, after string, context int) {
	t.Helper()
	patch := d.Unified("plan.md", "plan.md", context)
	if (patch == "") != (before == after) {
		t.Fatalf("%q to %q: the patch is %q", before, after, patch)
	}
	if patch == "" {
		return
	}
	if got := applied(t, before, patch, "-", "+"); got != after {
		t.Fatalf("%q to %q with context %d: the patch makes it %q:\n%s", before, after, context, got, patch)
	}
	if got := applied(t, after, patch, "+", "-"); got != before {
		t.Fatalf("%q to %q with context %d: the reversed patch makes it %q:\n%s", before, after, context, got, patch)
	}
}

// applied applies a patch from its text alone, as another program would.
func applied(t failer, text, patch, gone, come string) string {
	t.Helper()
	in := strings.SplitAfter(text, "\n")
	var out strings.Builder
	patched := strings.SplitAfter(patch, "\n")
	at := 0 // how many lines of in were used
	for i := 3; i < len(patched) && patched[i] != ""; i++ {
		line := patched[i]
		if strings.HasPrefix(line, "@@") {
			var starts, counts [2]int
			for side, field := range strings.Fields(line)[1:3] {
				if n, _ := fmt.Sscanf(field[1:], "%d,%d", &starts[side], &counts[side]); n == 1 {
					counts[side] = 1
				}
			}
			side := 0
			if gone == "+" {
				side = 1
			}
			until := starts[side] - min(counts[side], 1)
			for ; at < until; at++ {
				out.WriteString(in[at])
			}
			continue
		}
		mark, rest := line[:1], line[1:]
		if i+1 < len(patched) && strings.HasPrefix(patched[i+1], "\\") {
			rest = strings.TrimSuffix(rest, "\n")
		}
		switch mark {
		case " ", gone:
			if at >= len(in) || in[at] != rest {
				t.Fatalf("the patch does not fit line %d of %q:\n%s", at+1, text, patch)
			}
			at++
			if mark == " " {
				out.WriteString(rest)
			}
		case come:
			out.WriteString(rest)
		case "\\":
		default:
			t.Fatalf("a patch has no line %q", line)
		}
	}
	return out.String() + strings.Join(in[at:], "")
}

func TestHunks(t *testing.T) {
	var list []string
	for i := range 30 {
		list = append(list, fmt.Sprintf("line %d\n", i+1))
	}
	before := strings.Join(list, "")
	list[4], list[6], list[20] = "five\n", "", "more\nand more\n"
	d := diff.Between(before, strings.Join(list, ""))
	var got []string
	for _, h := range d.Hunks(2) {
		got = append(got, fmt.Sprintf("%s %d-%d", h.Header(), h.From, h.To))
	}
	if want := "@@ -3,7 +3,6 @@ 2-10, @@ -19,5 +18,6 @@ 19-26"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

func TestUnified(t *testing.T) {
	const want = "diff --git a/plan.md b/plan.md\n--- a/plan.md\n+++ b/plan.md\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n"
	if got := diff.Between("one\ntwo", "one\n2\n").Unified("plan.md", "plan.md", 3); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSequence(t *testing.T) {
	got := fmt.Sprint(diff.Sequence([]int{1, 2, 3, 4}, []int{1, 3, 5, 4}))
	if want := "[{  0 0} {- 1 -1} {  2 1} {+ -1 2} {  3 3}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
