package markdown

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/themes"
)

// The limits of highlighting. Code beyond them has no colours.
const (
	maxHighlight     = 64 << 10 // bytes of a block
	maxHighlightLine = 4 << 10  // bytes of a line; people do not read minified code
	maxLanguage      = 32       // bytes of a language's name
)

// painter draws the code and the diagrams of one document.
type painter struct {
	style *style
	ascii bool // draw diagrams with ASCII characters only
	pens  *codePens
	limit time.Duration // for all code of the document, and for all its diagrams
	// codeTime was spent on code so far. On hostile code some of chroma's patterns need
	// exponential time, 250 ms for each attempt.
	codeTime time.Duration
	lexers   map[string]chroma.Lexer // by language; nil if there is none
	drawn    map[drawnKey]drawn
	drawTime time.Duration // spent on diagrams so far
}

func newPainter(s *style, ascii bool, limit time.Duration) *painter {
	return &painter{style: s, ascii: ascii, limit: limit, lexers: map[string]chroma.Lexer{}, drawn: map[drawnKey]drawn{}, pens: newCodePens(s.palette)}
}

// fenced draws a fenced block without wrapping it. It highlights code in a known
// language, and indents code by two cells if that fits. It does not indent
// sketches.
func (p *painter) fenced(language, code string, width int) []string {
	if isSketch(language) {
		return p.sketch(code)
	}
	lines := p.highlight(language, strings.TrimRight(code, "\n"))
	for _, line := range lines {
		if ansi.StringWidth(line)+len(codeIndent) > width {
			return lines
		}
	}
	for i := range lines {
		lines[i] = codeIndent + lines[i]
	}
	return lines
}

// isSketch reports whether a fence holds no source of a language.
func isSketch(language string) bool {
	switch strings.ToLower(language) {
	case "", "text", "txt", "plain", "plaintext", "ascii":
		return true
	}
	return false
}

// sketch draws lines as they are.
func (p *painter) sketch(code string) []string {
	lines := strings.Split(strings.TrimRight(code, "\n"), "\n")
	for i, line := range lines {
		lines[i] = p.pens.text.draw(safe.New(line).Line())
	}
	return lines
}

// highlight colours code. If the code is too large or its language unknown, it
// returns the code without colours.
func (p *painter) highlight(language, code string) []string {
	if !worthHighlighting(language, code) || p.style.palette.Colorless() {
		return p.sketch(code)
	}
	lexer := p.lexer(language)
	if lexer == nil {
		return p.sketch(code)
	}
	tokens, ok := p.tokens(lexer, code)
	if !ok {
		return p.sketch(code)
	}
	return p.paint(tokens)
}

// lexer returns the lexer of a language, nil if there is none. For what is no name that
// chroma knows, it tries the patterns of all file names, which takes milliseconds.
func (p *painter) lexer(language string) chroma.Lexer {
	lexer, known := p.lexers[language]
	if !known && languageName(language) {
		p.spend(func(time.Duration) {
			lexer = lexers.Get(language)
			p.lexers[language] = lexer
		})
	}
	return lexer
}

// spend calls work with the time that is left for code, and takes off what work took. It does
// not call work if no time is left.
func (p *painter) spend(work func(left time.Duration)) {
	left := p.limit - p.codeTime
	if left <= 0 {
		return
	}
	begun := time.Now()
	work(left)
	p.codeTime += time.Since(begun)
}

// languageName reports whether the text can be a language's name or the ending of its files.
func languageName(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-_.#/*:' ", r)
	})
}

func worthHighlighting(language, code string) bool {
	if len(language) > maxLanguage || len(code) > maxHighlight {
		return false
	}
	for line := range strings.SplitSeq(code, "\n") {
		if len(line) > maxHighlightLine {
			return false
		}
	}
	return true
}

// tokens splits code plus a final newline. ok is false if that took too long or if
// the tokens are not exactly the bytes of the code.
func (p *painter) tokens(lexer chroma.Lexer, code string) (tokens []chroma.Token, ok bool) {
	p.spend(func(left time.Duration) {
		ctx, cancel := context.WithTimeout(context.Background(), left)
		defer cancel()
		done := make(chan []chroma.Token, 1)
		// A lexer cannot be stopped inside a token. When the time is over the goroutine
		// ends by itself, as soon as the lexer has finished that token.
		go func() { done <- tokenise(ctx, lexer, code) }()
		select {
		case tokens = <-done:
		case <-ctx.Done():
		}
	})
	return tokens, tokens != nil
}

// tokenise returns the tokens of code. It returns nil if they are not exactly the
// bytes of the code, if the lexer fails, or if ctx ends.
func tokenise(ctx context.Context, lexer chroma.Lexer, code string) (tokens []chroma.Token) {
	defer func() {
		if recover() != nil { // a lexer panics on an unknown state
			tokens = nil
		}
	}()
	code += "\n" // most lexers add it anyway
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return nil
	}
	rest, ok := code, true
	for t := next(); t != chroma.EOF; t = next() {
		if rest, ok = strings.CutPrefix(rest, t.Value); !ok || ctx.Err() != nil {
			return nil
		}
		tokens = append(tokens, t)
	}
	if rest != "" {
		return nil
	}
	return tokens
}

// paint draws tokens line by line. No style continues beyond the end of a line.
func (p *painter) paint(tokens []chroma.Token) []string {
	var lines []string
	var line strings.Builder
	for _, t := range joined(tokens) {
		pen := p.pens.of(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, line.String())
				line.Reset()
			}
			line.WriteString(pen.draw(safe.New(part).Line()))
		}
	}
	return lines // nothing follows the final newline
}

// joined joins neighbouring tokens of one type, because lexers return many
// characters one by one.
func joined(tokens []chroma.Token) []chroma.Token {
	var out []chroma.Token
	for _, t := range tokens {
		if n := len(out); n > 0 && out[n-1].Type == t.Type {
			out[n-1].Value += t.Value
			continue
		}
		out = append(out, t)
	}
	return out
}

// codePens holds the pens for kinds of tokens.
type codePens struct {
	text, keyword, str, number, comment, function, typ, added, removed pen
}

func newCodePens(p themes.Palette) *codePens {
	c := p.Code
	return &codePens{
		text:     newPen(p.Text),
		keyword:  newPen(c.Keyword),
		str:      newPen(c.String),
		number:   newPen(c.Number),
		comment:  newPen(c.Comment, italic),
		function: newPen(c.Function),
		typ:      newPen(c.Type),
		added:    newPen(c.Added),
		removed:  newPen(c.Removed),
	}
}

// of returns the pen for a type of token.
func (c *codePens) of(t chroma.TokenType) pen {
	switch t {
	case chroma.KeywordType, chroma.NameClass, chroma.NameTag, chroma.NameNamespace, chroma.NameException:
		return c.typ
	case chroma.KeywordConstant, chroma.NameConstant:
		return c.number
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameBuiltin, chroma.NameDecorator, chroma.NameAttribute:
		return c.function
	case chroma.NameVariable:
		return c.typ
	case chroma.GenericInserted:
		return c.added
	case chroma.GenericDeleted:
		return c.removed
	case chroma.GenericHeading, chroma.GenericSubheading, chroma.OperatorWord:
		return c.keyword
	}
	switch {
	case t.InCategory(chroma.Keyword):
		return c.keyword
	case t.InSubCategory(chroma.LiteralString):
		return c.str
	case t.InSubCategory(chroma.LiteralNumber):
		return c.number
	case t.InCategory(chroma.Comment):
		return c.comment
	}
	return c.text
}
