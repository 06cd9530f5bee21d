package plans_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans"
)

func TestApply(t *testing.T) {
	for _, test := range []struct {
		name, text string
		edits      []plans.Edit
		want       string
		replaced   int
	}{
		{"the first of several", "a b a", []plans.Edit{{Old: "a", New: "c"}}, "c b a", 1},
		{"every one", "a b a", []plans.Edit{{Old: "a", New: "c", All: true}}, "c b c", 2},
		{"every one, without overlap", "aaaaa", []plans.Edit{{Old: "aa", New: "b", All: true}}, "bba", 2},
		{"to nothing", "one two", []plans.Edit{{Old: " two"}}, "one", 1},
		{"exact bytes", "a\r\nb\r\n", []plans.Edit{{Old: "\r\nb", New: "\nb"}}, "a\nb\r\n", 1},
		{"not what another edit wrote", "a b", []plans.Edit{{Old: "a", New: "b"}, {Old: "b", New: "c"}}, "b c", 2},
		{"in any order", "a b c", []plans.Edit{{Old: "c", New: "3"}, {Old: "a", New: "1"}}, "1 b 3", 2},
		{"side by side", "ab", []plans.Edit{{Old: "a", New: "1"}, {Old: "b", New: "2"}}, "12", 2},
		{"no edit", "a", nil, "a", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, replaced, err := plans.Apply(test.text, test.edits)
			if err != nil || got != test.want || replaced != test.replaced {
				t.Errorf("got %q with %d replaced, %v; want %q with %d", got, replaced, err, test.want, test.replaced)
			}
		})
	}
}

func TestApplyTellsAllThatIsWrong(t *testing.T) {
	for _, test := range []struct {
		name, text string
		edits      []plans.Edit
		want       string
	}{
		{"not there", "a", []plans.Edit{{Old: "b", New: "c"}}, "1 edit(s) failed\n  edits[0]: string not found: `b`"},
		{"empty", "a", []plans.Edit{{New: "c"}}, "1 edit(s) failed\n  edits[0]: oldString is empty; give the exact text to replace"},
		{"no change", "a", []plans.Edit{{Old: "a", New: "a"}}, "1 edit(s) failed\n  edits[0]: oldString and newString are the same: `a`"},
		{
			"several", "one two three", []plans.Edit{{Old: "four"}, {Old: "one two", New: "1"}, {Old: "two three", New: "2"}, {Old: "three", New: "3"}},
			"3 edit(s) failed\n  edits[0]: string not found: `four`\n" +
				"  edits[2]: edit overlaps the edit at index 1; use non-overlapping edits or combine them\n" +
				"  edits[3]: edit overlaps the edit at index 2; use non-overlapping edits or combine them",
		},
		{
			"one around two others", "abcdef", []plans.Edit{{Old: "abcdef", New: "x"}, {Old: "b", New: "1"}, {Old: "e", New: "2"}},
			"2 edit(s) failed\n  edits[1]: edit overlaps the edit at index 0; use non-overlapping edits or combine them\n" +
				"  edits[2]: edit overlaps the edit at index 0; use non-overlapping edits or combine them",
		},
		{"a long one", "a", []plans.Edit{{Old: strings.Repeat("é", 300)}}, "1 edit(s) failed\n  edits[0]: string not found: `" + strings.Repeat("é", 200) + "…`"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := plans.Apply(test.text, test.edits)
			var edits *plans.EditsError
			if !errors.As(err, &edits) || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// A short call can ask for a text of terabytes. Apply must refuse it without
// building it.
func TestApplyMakesNothingTooLong(t *testing.T) {
	const times = 1 << 20
	text := strings.Repeat("a", times)
	instead := strings.Repeat("b", plans.MaxPlanBytes)
	_, _, err := plans.Apply(text, []plans.Edit{{Old: "a", New: instead, All: true}})
	var long *plans.TooLongError
	if !errors.As(err, &long) || long.Bytes != times*plans.MaxPlanBytes {
		t.Errorf("got %v", err)
	}
	if _, _, err := plans.Apply("a", []plans.Edit{{Old: "a", New: instead}}); err != nil {
		t.Errorf("the longest plan: %v", err)
	}
}

// Edits made at once give the same text as the same edits made one after another,
// from the back of the text to the front.
func TestEditsDoNotDisturbEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\n")), 0, 40, -1).Draw(t, "text")
		edits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) plans.Edit {
			part := rapid.StringOfN(rapid.RuneFrom([]rune("ab\n")), 0, 4, -1)
			return plans.Edit{Old: part.Draw(t, "old"), New: part.Draw(t, "new"), All: rapid.Bool().Draw(t, "all")}
		}), 1, 3).Draw(t, "edits")
		got, replaced, err := plans.Apply(text, edits)
		if err != nil {
			if got != "" || replaced != 0 {
				t.Fatalf("%v, and %q with %d replaced", err, got, replaced)
			}
			return
		}
		grown := len(text)
		for _, edit := range edits {
			n := 1
			if edit.All {
				n = strings.Count(text, edit.Old)
			}
			replaced -= n
			grown += n * (len(edit.New) - len(edit.Old))
		}
		if replaced != 0 || len(got) != grown {
			t.Fatalf("%q became %q, of %d bytes; want %d (off by %d replacements)", text, got, len(got), grown, replaced)
		}
		if len(edits) == 1 {
			n := 1
			if edits[0].All {
				n = -1
			}
			if want := strings.Replace(text, edits[0].Old, edits[0].New, n); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}

func TestParseName(t *testing.T) {
	for _, name := range []string{"a", "docs-site-refresh", "v2_final", "0", strings.Repeat("n", plans.MaxNameBytes)} {
		got, err := plans.ParseName(name)
		if err != nil || string(got) != name {
			t.Errorf("%q: %q, %v", name, got, err)
		}
		if back, err := plans.NameOfFile(got.File()); back != got || err != nil || got.File() != name+"-plan.md" {
			t.Errorf("%q is in %q, which is of %q, %v", name, got.File(), back, err)
		}
	}
	for _, name := range []string{"", "-a", "a-", "_a", "a_", "../escape", "a/b", `a\b`, "a b", "a.b", "é", "a\x00", "a\n"} {
		_, err := plans.ParseName(name)
		if want := "Invalid planName `" + name + "`; use only letters, numbers, dashes, and underscores"; err == nil || err.Error() != want {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := plans.ParseName(strings.Repeat("n", plans.MaxNameBytes+1)); err == nil || err.Error() != "Invalid planName of 201 bytes; use at most 200" {
		t.Error(err)
	}
	if _, err := plans.NameOfFile("notes.md"); err == nil {
		t.Error("notes.md is a plan's file")
	}
}
