package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/themes"
)

// drawnAs returns what a person sees of a fence.
func drawnAs(r *Renderer, fence, body string, width int) (Doc, string) {
	doc := r.Render(safe.New(fence+"\n"+body+"\n"+strings.TrimRight(fence, " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ={}")), width)
	return doc, unstyled(doc.Lines)
}

const greeting = "sequenceDiagram\nAnna->>Ben: Good morning"

// TestMermaidFences checks which fences are diagrams.
func TestMermaidFences(t *testing.T) {
	r := New(themes.None().Palette, 0)
	for fence, want := range map[string]bool{
		"```mermaid":             true,
		"~~~mermaid":             true,
		"``` mermaid":            true,
		"```Mermaid":             true,
		"````MERMAID":            true,
		"```mermaid width=three": true,
		"```mermaids":            false,
		"```text":                false,
		"```":                    false,
	} {
		if _, got := drawnAs(r, fence, greeting, 60); strings.Contains(got, "│ Anna │") != want {
			t.Errorf("%s: drawn should be %t:\n%s", fence, want, got)
		}
	}
	for _, place := range []string{"> ```mermaid\n> %s\n> ```", "- a\n\n  ```mermaid\n  %s\n  ```", "1. ~~~ mermaid\n   %s\n   ~~~"} {
		indent := place[strings.LastIndex(place, "\n")+1 : strings.LastIndexAny(place, "`~")-2]
		src := fmt.Sprintf(place, strings.ReplaceAll(greeting, "\n", "\n"+indent))
		if got := unstyled(r.Render(safe.New(src), 60).Lines); !strings.Contains(got, "│ Anna │") {
			t.Errorf("%q is not drawn:\n%s", src, got)
		}
	}
}

// TestMermaidInASCII checks that a terminal without Unicode gets only the Unicode of
// the text itself, and that the cache keeps the two kinds of drawings apart.
func TestMermaidInASCII(t *testing.T) {
	rich := New(themes.Default(true).Palette, DefaultCacheBytes)
	plain := rich.WithASCII(true)
	_, drawn := drawnAs(plain, "```mermaid", greeting, 60)
	if !strings.Contains(drawn, "| Anna |") || strings.ContainsFunc(drawn, func(r rune) bool { return r > '~' }) {
		t.Errorf("in ASCII it is drawn as\n%s", drawn)
	}
	if _, drawn = drawnAs(rich, "```mermaid", greeting, 60); !strings.Contains(drawn, "│ Anna │") {
		t.Errorf("beside ASCII it is drawn as\n%s", drawn)
	}
	if _, drawn = drawnAs(plain.WithPalette(themes.None().Palette), "```mermaid", greeting, 60); !strings.Contains(drawn, "| Anna |") {
		t.Errorf("in ASCII and another palette it is drawn as\n%s", drawn)
	}
}

// TestMermaidNotDrawn checks that the whole source is shown below the reason.
func TestMermaidNotDrawn(t *testing.T) {
	for body, why := range map[string]string{
		"gantt\n  title x":                    "gantt",
		"":                                    "The diagram is empty; here is the source:",
		"sequenceDiagram\nloop x\nA->>B: y":   `This diagram is not drawn (line 2: "loop" has no end); here is the source:`,
		strings.Repeat("A->>B: much\n", 8000): "bytes of source",
	} {
		doc, shown := drawnAs(New(themes.None().Palette, 0), "```mermaid", body, 100)
		first, rest, _ := strings.Cut(shown, "\n")
		if !strings.Contains(first, why) || rest != strings.TrimSuffix(body, "\n") || doc.Notice != "" {
			t.Errorf("%.40q is shown as\n%.200s", body, shown)
		}
	}
}

// TestMermaidSaysAll checks that every text of a source is on the screen, even if it
// is not a part of the drawing.
func TestMermaidSaysAll(t *testing.T) {
	_, shown := drawnAs(New(themes.None().Palette, 0), "```mermaid", `%%{init: {"theme": "dark"}}%%
sequenceDiagram
  accTitle: for the ear
  accDescr {
    heard in
    two lines
  }
  %% nobody sees me
  A->>B: hi
  link A: Home @ https://a.example/`, 60)
	_, below, _ := strings.Cut(shown, "╵     ╵\n")
	if want := "A: Home @ https://a.example/\naccTitle: for the ear\naccDescr {\nheard in\ntwo lines\n}\n%% nobody sees me"; below != want {
		t.Errorf("below the drawing stands\n%s\nwant\n%s", below, want)
	}
	_, shown = drawnAs(New(themes.None().Palette, 0), "```mermaid", "graph LR\na-->b %% nor me", 60)
	if !strings.HasSuffix(shown, "\n%% nor me") {
		t.Errorf("what stands behind a line is shown as\n%s", shown)
	}
}

// TestMermaidTooWide checks that a drawing wider than the width stays whole and is
// listed in Doc.Wide, and that its legend wraps.
func TestMermaidTooWide(t *testing.T) {
	names := make([]string, 9)
	for i := range names {
		names[i] = fmt.Sprintf("participant Participant%d", i)
	}
	doc, shown := drawnAs(New(themes.None().Palette, 0), "```mermaid", "sequenceDiagram\n"+strings.Join(names, "\n"), 30)
	if doc.Width <= 30 || len(doc.Wide) != 1 || doc.Wide[0].Width != doc.Width || doc.Wide[0].To != len(doc.Lines) {
		t.Errorf("it is %d cells wide, wide are %+v:\n%s", doc.Width, doc.Wide, shown)
	}
	for i := range names {
		if !strings.Contains(shown, fmt.Sprintf("Participant%d", i)) {
			t.Errorf("participant %d is not shown", i)
		}
	}
	doc, shown = drawnAs(New(themes.None().Palette, 0), "```mermaid", "sequenceDiagram\nAlphaAlphaAlpha->>BetaBetaBeta: ThreeWordsInOneThatIsLongerThanThereIsRoom\n", 30)
	if doc.Width > 30 || !strings.Contains(strings.ReplaceAll(shown, "\n", ""), "ThreeWordsInOneThatIsLongerThanThereIsRoom") {
		t.Errorf("%d cells:\n%s", doc.Width, shown)
	}
}

// TestMermaidCompared checks that a changed diagram is compared in its source, and
// that a diagram that reads the same counts as unchanged.
func TestMermaidCompared(t *testing.T) {
	r := New(themes.None().Palette, 0)
	fence := func(lines ...string) string {
		return "```mermaid\nsequenceDiagram\n" + strings.Join(lines, "\n") + "\n```"
	}
	old := []string{"Anna->>Ben: Good morning", "Ben-->>Anna: Good morning to you", "Anna->>Ben: How are you today?"}
	changed := ansi.Strip(compared(r, fence(old...), fence(old[0], "Ben-->>Anna: Good evening to you", old[2]), 60))
	want := "  Changes in the source of this diagram:\n  sequenceDiagram\n  Anna->>Ben: Good morning\n" +
		"− Ben-->>Anna: Good morning to you\n+ Ben-->>Anna: Good evening to you\n  Anna->>Ben: How are you today?\n"
	if changed != want {
		t.Errorf("got\n%s\nwant\n%s", changed, want)
	}
	if same := compared(r, fence(old...), fence("participant Anna", "", old[0]+";", old[1], "  "+old[2]), 60); strings.ContainsAny(same, "−+~") || !strings.Contains(same, "│ Anna │") {
		t.Errorf("what is drawn alike changed\n%s", same)
	}
	if told := compared(r, fence(old...), fence(append([]string{"%% a comment"}, old...)...), 60); !strings.Contains(told, "+ %% a comment") {
		t.Errorf("a new comment is shown as\n%s", told)
	}
	if added := compared(r, "a", "a\n\n"+fence(old...), 60); !strings.Contains(added, "+ │ Anna │") {
		t.Errorf("a new diagram is shown as\n%s", added)
	}
}

// TestMermaidTakesItsTime checks that the time for the diagrams of one document is
// limited.
func TestMermaidTakesItsTime(t *testing.T) {
	p := newPainter(newStyle(themes.None().Palette), false, drawTime)
	if _, err := p.drawing(greeting, 60); err != nil || p.drawTime <= 0 {
		t.Errorf("the first one: %v, after %v", err, p.drawTime)
	}
	p.drawTime = drawTime + 1
	if _, err := p.drawing(greeting, 60); err != nil {
		t.Errorf("one that was drawn before: %v", err)
	}
	if _, err := p.drawing(greeting, 59); err == nil || whyNotDrawn(err) != "The diagrams before this one took too long to draw; here is the source:" {
		t.Errorf("after too many: %v", err)
	}
}
