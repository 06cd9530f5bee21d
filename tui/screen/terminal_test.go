package screen

import (
	"strings"
	"testing"
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
		if got := (Terminal{Environ: strings.Fields(environ)}).ASCII(); got != want {
			t.Errorf("%q: %t, want %t", environ, got, want)
		}
	}
}

func TestWindowsOfGNUScreenAreKnown(t *testing.T) {
	for variable, want := range map[string]bool{"STY=1234.pts-0.host": true, "STY=": false, "TERM=screen": false} {
		if got := (Terminal{Environ: []string{"A=b", variable}}).GNUScreen(); got != want {
			t.Errorf("%s: %t, want %t", variable, got, want)
		}
	}
}
