package external

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/questions/safe"
)

func TestEditorFileNamesTheQuestion(t *testing.T) {
	f := NewFile("mine", safe.New("What is -->\x1b[31m open?"), safe.Text{}, safe.New("Two lines\nof description."))
	got := f.Content()
	for _, want := range []string{"<!-- planb ", "What is -- >", "Two lines\nof description.", "Write below this comment", " -->\n\nmine\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the file does not say %q:\n%s", want, got)
		}
	}
	if strings.Count(got, "-->") != 1 || strings.Contains(got, "\x1b") {
		t.Errorf("the question ends the comment, or is not cleaned:\n%q", got)
	}
	if got := NewFile("mine").Content(); got != "mine\n" {
		t.Errorf("without a question the file is %q", got)
	}
}

// TestEditorFileComesBack holds what is taken over of a file, whatever the person
// did with the comment.
func TestEditorFileComesBack(t *testing.T) {
	f := NewFile("old\n\ntext", safe.New("Which?"), safe.New("More of it."))
	head := strings.TrimSuffix(f.head, "\n\n")
	for name, test := range map[string]struct{ file, want string }{
		"left as it was":            {f.Content(), "old\n\ntext"},
		"text changed":              {f.head + "new\n", "new"},
		"no end of the last line":   {f.head + "new", "new"},
		"more empty lines":          {f.head + "new\n\n\n", "new\n\n"},
		"line ends of Windows":      {"\ufeff" + strings.ReplaceAll(f.head+"a\nb\n", "\n", "\r\n"), "a\nb"},
		"comment deleted":           {"new\n", "new"},
		"all deleted":               {"", ""},
		"written above, too":        {"above\n" + f.head + "below\n", "above\nbelow"},
		"the empty line deleted":    {head + "\nnew\n", "new"},
		"written in its line":       {head + " new\n", " new"},
		"written in the comment":    {strings.Replace(f.head, "Which?", "Which? Hm.", 1) + "new\n", "new"},
		"its first line deleted":    {f.head[strings.Index(f.head, "\n")+1:] + "new\n", "new"},
		"its last line deleted":     {strings.Replace(f.head, f.token+" -->", "-->", 1) + "new\n", "new"},
		"all but its last deleted":  {f.token + " -->\n\nnew\n", "new"},
		"its end deleted":           {strings.Replace(f.head, f.token+" -->", "", 1) + "new\n", strings.TrimSuffix(strings.Replace(f.head, f.token+" -->", "", 1)+"new\n", "\n")},
		"a comment of the person's": {f.head + "<!-- mine --> new\n", "<!-- mine --> new"},
	} {
		if got := f.TakeBack(test.file); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestEditorFileLeavesTextsAsTheyAre holds that any text comes back as it was
// written, also one that looks like the comment.
func TestEditorFileLeavesTextsAsTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		other := NewFile("x", safe.New("Which?"))
		pieces := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\n", "-->", "<!-- planb", other.head, other.token + " -->\n"}))).Draw(t, "text")
		text := strings.ReplaceAll(strings.ReplaceAll(strings.Join(pieces, ""), "\r", ""), "\ufeff", "")
		f := NewFile(text, safe.New(rapid.String().Draw(t, "label")), safe.New("More."))
		if got := f.TakeBack(f.Content()); got != text {
			t.Fatalf("%q came back as %q", text, got)
		}
		if got := f.TakeBack(f.head + text); got != strings.TrimSuffix(text, "\n") {
			t.Fatalf("%q without an end of the last line came back as %q", text, got)
		}
	})
}
