package review

import (
	"strings"
	"testing"

	"planb/questions/safe"
)

// A writer who does not see the text reads with each comment the words that it is about.
func TestGuidance(t *testing.T) {
	t.Parallel()
	text := safe.New("### Risks\n\n| Id | Risk |\n|---|---|\n| R1 | The **lease** falls \\& fails \\| ends |\n\n- Rain in May\n" + strings.Repeat("A long line. ", 20) + "\n")
	on := func(kind Kind, from, to int, said, instead string) Comment {
		c, err := CommentOn(text, from, to)
		if err != nil {
			t.Fatal(err)
		}
		c.ID, c.Kind, c.Text, c.Instead = NewCommentID(), kind, safe.New(said), safe.New(instead)
		return c
	}
	for name, try := range map[string]struct {
		review Review
		want   string
	}{
		"nothing": {Review{}, ""},
		"a note":  {Review{Note: safe.New(" Shorter,\nplease. ")}, "Shorter, please."},
		"a row of a table": {Review{Comments: []Comment{on(Remark, 5, 5, "Too vague.\nName the\tday.", "")}},
			"On “R1, The lease falls & fails | ends”: Too vague. Name the day."},
		"a table with its rule": {Review{Comments: []Comment{on(Question, 3, 5, "Who pays?", "")}},
			"On “Id, Risk / R1, The lease falls & fails | ends”: let the new text answer: Who pays?"},
		"in the order of the lines, below the note": {Review{Note: safe.New("All in all good."), Comments: []Comment{
			on(Deletion, 7, 7, "", ""), on(Suggestion, 1, 1, "it says more", "### What can fail")}},
			"All in all good.\nOn “Risks”: write “What can fail” instead. Because: it says more\nOn “Rain in May”: leave this out."},
		"an empty line": {Review{Comments: []Comment{on(Remark, 2, 2, "A table of costs is missing.", "")}}, "A table of costs is missing."},
		"a long line": {Review{Comments: []Comment{on(Deletion, 8, 8, "said before", "")}},
			"On “" + strings.Repeat("A long line. ", 9) + "A…”: leave this out. Because: said before"},
	} {
		if got := try.review.Guidance(); got != try.want {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, try.want)
		}
	}
}

// Lines that end in CR LF are spoken as those that end in LF.
func TestSpokenLinesThatEndInCRLF(t *testing.T) {
	const text = "| a | b |\n|---|---|\n| c | d |\n"
	if got, want := spoken(strings.ReplaceAll(text, "\n", "\r\n")), spoken(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
