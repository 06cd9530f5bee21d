package diagram

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// optionsIn reads options from comments at the beginning of a source: "%% width 40",
// "%% ascii".
func optionsIn(t *testing.T, text string) Options {
	t.Helper()
	var o Options
	for line := range strings.Lines(text) {
		option, found := strings.CutPrefix(strings.TrimSpace(line), "%% ")
		if !found {
			break
		}
		if option == "ascii" {
			o.ASCII = true
		} else if _, err := fmt.Sscanf(option, "width %d", &o.Width); err != nil {
			t.Fatal(option, err)
		}
	}
	return o
}

// TestSequences draws every feature of sequence diagrams.
func TestSequences(t *testing.T) { goldens(t, "sequence") }

// checkDrawing checks the promises of every drawing.
func checkDrawing(t *testing.T, d Drawing) {
	t.Helper()
	width := 0
	for _, line := range d.Lines {
		text := line.String()
		width = max(width, ansi.StringWidth(text))
		if strings.TrimRight(text, " ") != text {
			t.Errorf("%q ends with a space", text)
		}
		for i, span := range line {
			if span.Text == "" || i > 0 && line[i-1].Role == span.Role {
				t.Errorf("%q has spans that say nothing: %q", text, line)
			}
		}
	}
	if width != d.Width {
		t.Errorf("it is %d cells wide and says %d", width, d.Width)
	}
}

// TestSequenceFits checks that a diagram fits the given width if that is possible.
func TestSequenceFits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/sequence/checkout.mmd")
	if err != nil {
		t.Fatal(err)
	}
	for width := 42; width < 140; width++ {
		d, err := Draw(string(text), Options{Width: width})
		if err != nil || d.Width > width {
			t.Errorf("%d cells wide where %d are there: %v", d.Width, width, err)
		}
	}
}

// TestSequenceSaysAll checks that no label is missing at any width.
func TestSequenceSaysAll(t *testing.T) {
	t.Parallel()
	const source = `sequenceDiagram
title tttttttttttttt uuuu
box aaaaaaaaaaaaaaaaaaaaa
participant b as bbbbbbbbbbbbbbbb bb
participant c as ccccccccccccccccccccccccc
end
actor d as ddddddddddddddddddd
b->>c: eeeeeeeeeeeeeeeeeee ee e
c->>d: fffffffffffffffff<br>ggggggggggggggggg
d->>d: hhhhhhhhhhhhhhhhhhhhhhhhh
note left of b: iiiiiiiiiiiiiiii ii
note over b,d: jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj
alt kkkkkkkkkkkkkkkkkkkkkkkkkkkkkk
else llllllllllll lllllllllll
b->>d: mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm
end
create participant n as nnnnnnnnnnnnnnnnn
d->>n: oooooooooooooo
link b: pppppppppp`
	words := regexp.MustCompile("aaa+|bbb+|ccc+|ddd+|eee+|fff+|ggg+|hhh+|iii+|jjj+|kkk+|lll+|mmm+|nnn+|ooo+|ppp+|ttt+|uuu+")
	for width := range 120 {
		d, err := Draw(source, Options{Width: width})
		if err != nil {
			t.Fatal(err)
		}
		shown := d.String() + strings.Join(d.Legend, "\n")
		for _, word := range words.FindAllString(source, -1) {
			if !strings.Contains(shown, word) {
				t.Fatalf("at %d cells %s is left out:\n%s", width, word, shown)
			}
		}
	}
}

// TestWhatBeginsAlikeHasKeys checks that the legend names each cut text and participant
// by its own short form, and a repeated text only once.
func TestWhatBeginsAlikeHasKeys(t *testing.T) {
	d, err := Draw(`sequenceDiagram
participant A as ConnectionPool
participant B as ConnectionProxy
A->>B: handleIncomingRequest
B->>A: handleIncomingResponse
A->>B: handleIncomingRequest`, Options{Width: 24})
	want := []string{
		"Connectio…: ConnectionPool", "(a): ConnectionProxy",
		"handleInc…: handleIncomingRequest", "(b): handleIncomingResponse",
	}
	if err != nil || !slices.Equal(d.Legend, want) {
		t.Errorf("%v, the legend is %q:\n%s", err, d.Legend, d)
	}
}

// manySteps returns a diagram with the given numbers of participants and messages.
func manySteps(people, messages int) string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\nautonumber\n")
	for i := range messages {
		fmt.Fprintf(&b, "P%d->>P%d: message number %d says something\n", i*7%people, (i*11+1)%people, i)
	}
	return b.String()
}

func BenchmarkSequence(b *testing.B) {
	source := manySteps(30, 200)
	for _, width := range []int{0, 80} {
		b.Run(fmt.Sprintf("width %d", width), func(b *testing.B) {
			for b.Loop() {
				if _, err := Draw(source, Options{Width: width}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzSequence(f *testing.F) {
	files, err := filepath.Glob("testdata/sequence/*.mmd")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := strings.Cut(string(text), "sequenceDiagram\n")
		f.Add(body, 60, len(body)%2 == 0)
	}
	for _, hostile := range []string{";", "->", "a;b:", "&x;", "<", "A->>B:x;", "loop x\nend\n", "A->>+B:\n", "note over A:;"} {
		f.Add(strings.Repeat(hostile, 2000), 40, true)
	}
	f.Fuzz(func(t *testing.T, body string, width int, ascii bool) {
		o := Options{Width: width, ASCII: ascii}
		d, err := Draw("sequenceDiagram\n"+body, o)
		if err != nil {
			var why *UnsupportedError
			if !errors.As(err, &why) {
				t.Fatal(err)
			}
			return
		}
		again, err := Draw("sequenceDiagram\n"+body, o)
		if err != nil || d.String() != again.String() {
			t.Fatal("drawn twice it differs", err)
		}
	})
}
