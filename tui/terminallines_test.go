package tui

import (
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/tui/screen"
)

func TestWhereDiagramsAreDrawnInASCII(t *testing.T) {
	for environ, want := range map[string]bool{
		"":                                     false,
		"TERM=xterm-256color":                  false,
		"TERM=xterm LANG=en_GB.UTF-8":          false,
		"TERM=tmux-256color LANG=C.utf8":       false,
		"LC_ALL=C.UTF-8 LANG=C":                false,
		"LC_ALL= LC_CTYPE=UTF-8 LANG=C":        false,
		"TERM=linux LANG=en_GB.UTF-8":          true,
		"TERM=linux-16color":                   true,
		"TERM=vt220":                           true,
		"TERM=xterm LANG=C":                    true,
		"TERM=xterm LANG=POSIX":                true,
		"TERM=xterm LANG=de_DE@euro":           true,
		"LC_ALL=C LC_CTYPE=UTF-8 LANG=C.UTF-8": true,
	} {
		if got := (Terminal{Environ: strings.Fields(environ)}).ascii(); got != want {
			t.Errorf("%q: %t, want %t", environ, got, want)
		}
	}
}

// looker is a screen that draws a diagram in the look it is given last.
type looker struct {
	*stub
	drawn string
}

func (l *looker) Retheme(look *screen.Look) {
	l.drawn = strings.Join(look.Markdown.Render(safe.New("```mermaid\nsequenceDiagram\nA->>B: hi\n```"), 40).Lines, "\n")
}

func TestTheLocaleDecidesHowDiagramsAreDrawn(t *testing.T) {
	for locale, edge := range map[string]string{"C": "+---+", "C.UTF-8": "┌───┐"} {
		terminal, typed, _ := pipe(t)
		terminal.Environ = append(terminal.Environ, "LANG="+locale)
		terminal.NoColor = true
		if err := typed.Close(); err != nil {
			t.Fatal(err)
		}
		screen := &looker{stub: newStub("root")}
		if err := terminal.run(t.Context(), screen); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(screen.drawn, edge) {
			t.Errorf("with %s it is drawn as\n%s", locale, screen.drawn)
		}
	}
}
