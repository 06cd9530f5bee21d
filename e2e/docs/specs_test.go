package docs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/e2e/rig"
	"planb/questions"
)

// illustrationWidth is how many columns of a sketch or of code fit beside the
// options on a terminal of ordinary width.
const illustrationWidth = 50

// Newcomers see the examples first, so each must show what it promises.
func TestExamplesShowWhatTheyPromise(t *testing.T) {
	all := []questions.Kind{questions.Text, questions.LongText, questions.Single, questions.Multi, questions.Scale}
	for name, promise := range map[string]struct {
		least, most int // questions
		tabs        int // including the intro's
		kinds       []questions.Kind
		inIntro     []string
	}{
		"light.json":  {2, 2, 1, []questions.Kind{questions.Text, questions.Single}, nil},
		"medium.json": {5, 8, 3, all, []string{"```mermaid", "```ts"}},
		"heavy.json":  {14, 20, 5, all, []string{"```mermaid", "```text", "```sql", "```go", "\n|", "\n> "}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := rig.Example(t, name)
			if n := len(spec.Questions); n < promise.least || n > promise.most {
				t.Errorf("%d questions, want %d to %d", n, promise.least, promise.most)
			}
			if n := len(spec.Tabs()); n != promise.tabs {
				t.Errorf("%d tabs, want %d", n, promise.tabs)
			}
			for _, kind := range promise.kinds {
				if !slices.ContainsFunc(spec.Questions, func(q questions.Question) bool { return q.Kind == kind }) {
					t.Errorf("no %s question", kind)
				}
			}
			for _, piece := range promise.inIntro {
				if !strings.Contains(spec.Intro.Raw(), piece) {
					t.Errorf("the intro has no %q", piece)
				}
			}
			if !slices.ContainsFunc(spec.Questions, func(q questions.Question) bool { return q.Required }) {
				t.Error("no required question")
			}
		})
	}
}

// Medium and heavy also show the parts that are easily forgotten.
func TestExamplesShowEveryPartOfAQuestion(t *testing.T) {
	for _, name := range []string{"medium.json", "heavy.json"} {
		parts := map[string]bool{}
		illustrated := map[questions.Kind]bool{}
		for _, q := range rig.Example(t, name).Questions {
			parts["default"] = parts["default"] || q.Default != nil
			parts["description"] = parts["description"] || !q.Description.IsZero()
			parts["placeholder"] = parts["placeholder"] || !q.Placeholder.IsZero()
			for _, option := range q.Options {
				parts["option label"] = parts["option label"] || !option.Label.IsZero()
				parts["option description"] = parts["option description"] || !option.Description.IsZero()
				illustrated[q.Kind] = illustrated[q.Kind] || !option.Markdown.IsZero()
			}
			if name == "heavy.json" && q.Range != nil && q.Range.Step < 1 {
				parts["decimal scale"] = true
			}
		}
		want := []string{"default", "description", "placeholder", "option label", "option description"}
		kinds := []questions.Kind{questions.Single}
		if name == "heavy.json" {
			want = append(want, "decimal scale")
			kinds = append(kinds, questions.Multi)
		}
		for _, part := range want {
			if !parts[part] {
				t.Errorf("%s shows no %s", name, part)
			}
		}
		for _, kind := range kinds {
			if !illustrated[kind] {
				t.Errorf("%s has no illustrated %s", name, kind)
			}
		}
	}
}

func TestExamplesFitBesideTheOptions(t *testing.T) {
	for _, name := range []string{"light.json", "medium.json", "heavy.json"} {
		for _, q := range rig.Example(t, name).Questions {
			for _, option := range q.Options {
				for _, line := range keptLines(option.Markdown.Raw()) {
					if width := ansi.StringWidth(line); width > illustrationWidth {
						t.Errorf("%s, question %s, option %s: a line of %d columns, want at most %d: %s",
							name, q.ID, option.Value.Raw(), width, illustrationWidth, line)
					}
				}
			}
		}
	}
}

// keptLines returns the lines of Markdown that cannot be wrapped: code,
// sketches, tables.
func keptLines(markdown string) []string {
	var kept []string
	fenced := false
	for _, line := range strings.Split(markdown, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if fenced || strings.HasPrefix(line, "|") {
			kept = append(kept, line)
		}
	}
	return kept
}
