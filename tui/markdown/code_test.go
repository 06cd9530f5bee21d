package markdown

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"planb/questions/safe"
	"planb/themes"
)

// TestHighlight checks, for the most used languages, that the palette colours the
// code and that the code does not change.
func TestHighlight(t *testing.T) {
	t.Parallel()
	p := themes.Default(true).Palette
	p.Surface = ""
	for language, c := range map[string]struct {
		code string
		part string
		want themes.Color
	}{
		"js":         {"const x = 'a' // b", "const", p.Code.Keyword},
		"javascript": {"const x = 'a' // b", "// b", p.Code.Comment},
		"ts":         {"let n: number = 1", "number", p.Code.Type},
		"jsx":        {"const a = <A b=\"c\" />", "const", p.Code.Keyword},
		"tsx":        {"const a = <A b=\"c\" />", "const", p.Code.Keyword},
		"python":     {"def f(x):\n    return 'a'", "'a'", p.Code.String},
		"py":         {"def f(x):\n    return 1", "f", p.Code.Function},
		"go":         {"func main() {\n}", "main", p.Code.Function},
		"sh":         {"if true; then echo \"a\"; fi", "if", p.Code.Keyword},
		"bash":       {"# note\nls", "# note", p.Code.Comment},
		"json":       {"{\"a\": 12}", "12", p.Code.Number},
		"yaml":       {"a: b # c", "a", p.Code.Type},
		"diff":       {"-old\n+new", "+new", p.Code.Added},
		"Diff":       {"-old\n+new", "-old", p.Code.Removed},
		"rust":       {"fn main() {}", "fn", p.Code.Keyword},
		"sql":        {"SELECT 1", "SELECT", p.Code.Keyword},
		"html":       {"<p>x</p>", "p", p.Code.Type},
	} {
		t.Run(language, func(t *testing.T) {
			r := New(p, 0)
			r.limit = time.Hour // else a busy machine draws some code without colours
			doc := r.Render(safe.New("```"+language+"\n"+c.code+"\n```"), 80)
			if got := unstyled(doc.Lines); got != "  "+strings.ReplaceAll(c.code, "\n", "\n  ") {
				t.Errorf("shows %q", got)
			}
			if !drawnIn(doc.Lines, c.part, c.want) {
				t.Errorf("%q is not drawn in %s: %q", c.part, c.want, doc.Lines)
			}
		})
	}
}

// drawnIn reports whether some run that starts with text has the colour.
func drawnIn(lines []string, text string, c themes.Color) bool {
	start, _, _ := strings.Cut(newPen(c).draw("|"), "|")
	wanted := strings.TrimSuffix(strings.TrimPrefix(start, "\x1b["), "m")
	for _, line := range lines {
		for _, r := range runs(line) {
			if strings.HasPrefix(strings.TrimSpace(r.text), text) && strings.Contains(r.sgr, wanted) {
				return true
			}
		}
	}
	return false
}

// TestThemesDoNotMix checks that code has the palette of its own Renderer.
func TestThemesDoNotMix(t *testing.T) {
	src := safe.New("```go\nfunc main() {}\n```")
	dark := New(themes.Default(true).Palette, DefaultCacheBytes)
	light := dark.WithPalette(themes.Default(false).Palette)
	for range 2 {
		for r, want := range map[*Renderer]themes.Color{dark: themes.Default(true).Palette.Code.Keyword, light: themes.Default(false).Palette.Code.Keyword} {
			if doc := r.Render(src, 40); !drawnIn(doc.Lines, "func", want) {
				t.Errorf("want %s in %q", want, doc.Lines)
			}
		}
	}
}

func TestNoColoursWithoutAny(t *testing.T) {
	for _, line := range New(themes.None().Palette, 0).Render(read(t, "testdata/rich.md"), 80).Lines {
		for _, r := range runs(line) {
			if strings.Contains(r.sgr, "38") || strings.Contains(r.sgr, "48") {
				t.Errorf("a colour in %q", line)
			}
		}
	}
}

// lexer is chroma's interface with only what the painter calls.
type lexer struct {
	chroma.Lexer
	tokenise func(string) (chroma.Iterator, error)
}

func (l lexer) Tokenise(_ *chroma.TokeniseOptions, code string) (chroma.Iterator, error) {
	return l.tokenise(code)
}

// TestBadLexers checks that a lexer that hangs, fails or changes the code costs only
// the colours.
func TestBadLexers(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	of := func(tokens ...chroma.Token) func(string) (chroma.Iterator, error) {
		return func(string) (chroma.Iterator, error) { return chroma.Literator(tokens...), nil }
	}
	p := newPainter(newStyle(themes.Default(true).Palette), false, drawTime)
	for name, tokenise := range map[string]func(string) (chroma.Iterator, error){
		"panics": func(string) (chroma.Iterator, error) { panic("state") },
		"panics later": func(string) (chroma.Iterator, error) {
			return func() chroma.Token { panic("state") }, nil
		},
		"fails":       func(string) (chroma.Iterator, error) { return nil, chroma.ErrNotSerialisable },
		"drops text":  of(chroma.Token{Type: chroma.Name, Value: "co"}),
		"adds text":   of(chroma.Token{Type: chroma.Name, Value: "code\n\n"}),
		"alters text": of(chroma.Token{Type: chroma.Name, Value: "Code\n"}),
	} {
		if tokens, ok := p.tokens(lexer{tokenise: tokenise}, "code"); ok {
			t.Errorf("%s: took %q", name, tokens)
		}
	}
	if tokens, ok := p.tokens(lexer{tokenise: of(chroma.Token{Type: chroma.Name, Value: "code\n"})}, "code"); !ok || len(tokens) != 1 {
		t.Errorf("a good lexer: %q, %v", tokens, ok)
	}
	p.codeTime = p.limit - 10*time.Millisecond
	hangs := func(string) (chroma.Iterator, error) { <-never; return nil, chroma.ErrNotSerialisable }
	if _, ok := p.tokens(lexer{tokenise: hangs}, "code"); ok {
		t.Error("took something from a lexer that hangs")
	}
}

// Only code takes time off what is left for code. However long the rest of the document takes,
// on a busy machine, say, its code keeps its colours.
func TestCodeIsColouredHoweverLongTheRestTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPainter(newStyle(themes.Default(true).Palette), false, drawTime)
		// The patterns of chroma's own lexers start a clock that ends only long after the test.
		own := lexer{tokenise: func(string) (chroma.Iterator, error) {
			return chroma.Literator(chroma.Token{Type: chroma.Name, Value: "code\n"}), nil
		}}
		for range 2 {
			time.Sleep(2 * drawTime) // of the test's own clock
			if _, ok := p.tokens(own, "code"); !ok {
				t.Error("it has no colours")
			}
		}
	})
}

func TestLargeCodeHasNoColours(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"block":    strings.Repeat("func f() {}\n", maxHighlight/12+1),
		"line":     "func f() {" + strings.Repeat(" ", maxHighlightLine) + "}",
		"language": "func f() {}",
	} {
		language := "go"
		if name == "language" {
			language = strings.Repeat("go", maxLanguage)
		}
		p := themes.Default(true).Palette
		p.Surface = "" // on a surface the first row would have the name of the language
		doc := New(p, 0).Render(safe.New("```"+language+"\n"+code+"\n```"), 40)
		if drawnIn(doc.Lines, "func", p.Code.Keyword) || !strings.HasPrefix(strings.TrimSpace(unstyled(doc.Lines)), "func") {
			t.Errorf("%s: %.80q", name, doc.Lines[0])
		}
	}
}

// To find that a word names no language takes much longer than to draw the code: it is looked
// up once a document, in the document's time, and what cannot be a name is not.
func TestUnknownLanguagesAreLookedUpOnce(t *testing.T) {
	p := newPainter(newStyle(themes.Default(true).Palette), false, time.Minute)
	for _, language := range []string{"nosuchlanguage", "c++", `no"name`, "\x1b[31m", "名"} {
		p.fenced(language, "x", 40)
		p.fenced(language, "y", 40)
	}
	p.codeTime = p.limit
	p.fenced("another", "x", 40)
	if got := slices.Sorted(maps.Keys(p.lexers)); !slices.Equal(got, []string{"c++", "nosuchlanguage"}) {
		t.Errorf("looked up were %q", got)
	}
	for _, lexer := range lexers.GlobalLexerRegistry.Lexers {
		for _, name := range append(lexer.Config().Aliases, lexer.Config().Name) {
			if !languageName(name) && name != "gleam>" {
				t.Errorf("%q counts as no name", name)
			}
		}
	}
}
