package markdown

import (
	"strings"
	"testing"

	"planb/questions/safe"
)

func TestSections(t *testing.T) {
	chapter := "# Chapter\n\n" + strings.Repeat("Words and words, see [notes].\n\n", 200) +
		"```sh\n# not a heading\n" + strings.Repeat("echo\n\n", 3000) + "```\n\n"
	raw := strings.Repeat(chapter, 8) + "[notes]: https://example.org\n"
	sections := Sections(safe.New(raw))
	if len(sections) < 4 {
		t.Fatalf("%d KB make %d sections", len(raw)>>10, len(sections))
	}
	const defs = "\n\n[notes]: https://example.org\n"
	var whole strings.Builder
	for i, section := range sections {
		piece, found := strings.CutSuffix(section.Text.Raw(), defs)
		if !found {
			t.Errorf("section %d has no link definitions", i)
		}
		whole.WriteString(piece)
		if n := strings.Count(piece, "```"); n%2 != 0 {
			t.Errorf("section %d is cut inside a code block", i)
		}
		if len(piece) > LongSectionBytes+len(chapter) {
			t.Errorf("section %d has %d KB", i, len(piece)>>10)
		}
	}
	if whole.String() != raw {
		t.Error("the sections are not the plan")
	}
	if small := Sections(safe.New("# A plan")); len(small) != 1 || small[0].Text.Raw() != "# A plan" {
		t.Errorf("a small plan became %v", small)
	}
}

// Code that never ends is cut anywhere rather than kept in one piece, and says so.
func TestSectionsOfATextWithoutEnd(t *testing.T) {
	raw := "# One\n\n" + strings.Repeat("word\n\n", 20) + "```\n" + strings.Repeat("echo\n", 100) + "[x]: y\n"
	sections := Sizes{Heading: 40, Blank: 60, Most: 200}.Cut(safe.New(raw))
	var whole strings.Builder
	broken, line := 0, 1
	for i, s := range sections {
		whole.WriteString(s.Text.Raw())
		if s.Broken {
			broken++
		}
		if s.Line != line || len(s.Text.Raw()) > 200 {
			t.Errorf("section %d begins in line %d, want %d, and has %d bytes", i, s.Line, line, len(s.Text.Raw()))
		}
		line += strings.Count(s.Text.Raw(), "\n")
	}
	if whole.String() != raw || broken < 2 || sections[0].Broken {
		t.Errorf("%d of %d sections are broken, and they are %d of %d bytes", broken, len(sections), whole.Len(), len(raw))
	}
}

func FuzzSections(f *testing.F) {
	f.Add("# a\n\n```\n# b\n```\n", 3000)
	f.Add("~~~~\n```\n~~~\n~~~~\n[x]: y\n", 900)
	f.Fuzz(func(t *testing.T, piece string, times int) {
		if len(piece) == 0 || len(piece) > 1<<10 {
			t.Skip()
		}
		raw := strings.Repeat(piece, min(max(times, 1), 200<<10/len(piece)))
		at := 0
		for i, section := range Sections(safe.New(raw)) {
			text := section.Text.Raw()
			// What is behind the section's own text are definitions.
			n := 0
			for n < len(text) && at+n < len(raw) && text[n] == raw[at+n] {
				n++
			}
			if n == 0 {
				t.Fatalf("section %d does not go on where the one before ended", i)
			}
			at += n
		}
		if at < len(raw) {
			t.Fatalf("the sections end at %d of %d", at, len(raw))
		}
	})
}
