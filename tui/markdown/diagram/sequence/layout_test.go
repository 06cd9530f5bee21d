package sequence_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"planb/tui/markdown/diagram"
)

// draw draws the sequence diagram of a source.
func draw(t *testing.T, source string, width int) diagram.Drawing {
	t.Helper()
	d, err := diagram.Draw(source, diagram.Options{Width: width})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSequenceFits checks that a diagram fits the given width if that is possible.
func TestSequenceFits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/sequence/checkout.mmd")
	if err != nil {
		t.Fatal(err)
	}
	for width := 42; width < 140; width++ {
		if d := draw(t, string(text), width); d.Width > width {
			t.Errorf("%d cells wide where %d are there", d.Width, width)
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
		d := draw(t, source, width)
		shown := strings.Join(d.Legend, "\n")
		for _, line := range d.Lines {
			shown += "\n" + line.String()
		}
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
	d := draw(t, `sequenceDiagram
participant A as ConnectionPool
participant B as ConnectionProxy
A->>B: handleIncomingRequest
B->>A: handleIncomingResponse
A->>B: handleIncomingRequest`, 24)
	want := []string{
		"Connectio…: ConnectionPool", "(a): ConnectionProxy",
		"handleInc…: handleIncomingRequest", "(b): handleIncomingResponse",
	}
	if !slices.Equal(d.Legend, want) {
		t.Errorf("the legend is %q:\n%s", d.Legend, d.Lines)
	}
}
