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

// TestSequencesNotUnderstood checks the sentences for sources that are not sequence
// diagrams.
func TestSequencesNotUnderstood(t *testing.T) {
	for _, test := range []struct {
		source string
		line   int
		why    string
	}{
		{"A->>B: hi\nwhat is this", 3, "“what is this” is not understood"},
		{"", 0, "it has no participants"},
		{"critical\nend", 0, "it has no participants"},
		{"loop a\nA->>B: hi", 2, `"loop" has no end`},
		{"alt a\nA->>B: hi\nand b\nend", 4, `"and" stands outside of "par"`},
		{"else", 2, `"else" stands outside of "alt"`},
		{"A->>B: hi\nend", 3, `an "end" has nothing to end`},
		{"box a\nA->>B: hi\nend", 3, "a box holds participants only, not “A->>B: hi”"},
		{"box a\nparticipant A", 3, "a box has no end"},
		{"loop\nbox a\nend\nend", 3, "a box cannot stand inside a frame or another box"},
		{"participant A\nparticipant B\nbox x\nparticipant A\nparticipant C\nend", 7, "the participants of the box “x” do not stand beside each other"},
		{"note beside A: hi", 2, `a note stands "left of", "right of" or "over" a participant`},
		{"note left of A,B: hi", 2, "a note beside a lifeline has one participant"},
		{"note over : hi", 2, `"note" needs the name of a participant`},
		{"activate", 2, `"activate" needs the name of a participant`},
		{"participant", 2, `"participant" needs the name of a participant`},
		{"create participant A\nB->>C: hi", 3, `the message after "create A" has to create it`},
		{"create participant A\nA->>B: hi", 3, `the message after "create A" has to create it`},
		{"create participant A", 2, `no message creates "A"`},
		{"A->>B: hi\ncreate participant A", 3, "“A” is there already and can't be created"},
		{"A->>B: hi\ndestroy A\nC->>B: hi", 4, `the message after "destroy A" has to end it`},
		{"A->>B: hi\ndestroy A", 3, `no message ends "A"`},
		{"A->>B: hi\ndestroy A\nA->>B: hi\ndestroy A", 5, `"A" is ended twice`},
		{"A->>B: hi\ndestroy A\nA->>B: hi\nB->>A: hi", 5, `"A" has ended and cannot take part in this message`},
		{"autonumber 1 2 3", 2, `"autonumber" takes a start and a step`},
		{"autonumber x", 2, `"autonumber" takes numbers from 0 to 99999, not “x”`},
		{"autonumber NaN", 2, `"autonumber" takes numbers from 0 to 99999, not “NaN”`},
		{`participant A@{ "type": "cloud" }`, 2, "a participant of the type “cloud” is not known"},
		{`participant A@{ type }`, 2, "“@{ type }” is not understood"},
		{"link A", 2, `"link" needs the name of a participant, and words`},
		{"A~>B: no arrow\x1b[m", 2, "“A~>B: no arrow [m” is not understood"},
		{strings.Repeat("loop\n", 25), 26, "it nests frames deeper than 24, the limit for a drawing"},
		{strings.Repeat("A->>B: hi\n", 1501), 1502, "it has more than 1500 steps, the limit for a drawing"},
	} {
		_, err := Draw("sequenceDiagram\n"+test.source, Options{})
		var why *UnsupportedError
		if !errors.As(err, &why) {
			t.Errorf("%q: %v", test.source, err)
			continue
		}
		if why.Line != test.line || why.Why != test.why {
			t.Errorf("%.60q: got %+v, want line %d: %s", test.source, why, test.line, test.why)
		}
	}
}

// TestStatementsOfALine checks which semicolons end a statement and which are part of
// a text.
func TestStatementsOfALine(t *testing.T) {
	for line, want := range map[string][]string{
		"A->>B: one; two":                         {"A->>B: one; two"},
		"A->>B: one; B-->>A: two;":                {"A->>B: one", "B-->>A: two"},
		"A->>B: one; activate B; B-->>A: two":     {"A->>B: one", "activate B", "B-->>A: two"},
		"loop x; A->>B: y; end":                   {"loop x", "A->>B: y", "end"},
		"A->>B: wait; end of it":                  {"A->>B: wait; end of it"},
		"A->>B: take; note: it matters":           {"A->>B: take; note: it matters"},
		"A->>B: take; Note over A: it matters":    {"A->>B: take", "Note over A: it matters"},
		"A->>B: #9829;":                           {"A->>B: #9829;"},
		"A->>B: #quot;end#quot; and #59; more":    {"A->>B: #quot;end#quot; and #59; more"},
		"participant A; participant B; A->B: x ;": {"participant A", "participant B", "A->B: x"},
	} {
		if got := statements(line); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// TestMessages checks how messages are read.
func TestMessages(t *testing.T) {
	full := seqArrow{head: arrowMark}
	for line, want := range map[string]message{
		"A->>B: x":                {from: "A", to: "B", arrow: full, text: " x"},
		"A ->> + B : x: y":        {from: "A", to: "B", arrow: full, sign: '+', text: " x: y"},
		"A->>-B:":                 {from: "A", to: "B", arrow: full, sign: '-'},
		"my-x->>the other one: z": {from: "my-x", to: "the other one", arrow: full, text: " z"},
		"a--b->>c-d":              {from: "a--b", to: "c-d", arrow: full},
		"A--xB: x":                {from: "A", to: "B", arrow: seqArrow{dashed: true, head: crossMark}, text: " x"},
		"A-XB: x":                 {from: "A", to: "B", arrow: seqArrow{head: crossMark}, text: " x"},
		"A()<<-->>()+B":           {from: "A", to: "B", arrow: seqArrow{dashed: true, head: arrowMark, tail: arrowMark, fromDot: true, toDot: true}, sign: '+'},
		`A-|\B: x`:                {from: "A", to: "B", arrow: full, text: " x"},
		"A//--B":                  {from: "A", to: "B", arrow: seqArrow{dashed: true, tail: openMark}},
		"端末-)B":                   {from: "端末", to: "B", arrow: seqArrow{head: openMark}},
	} {
		if got, ok := readMessage(line); !ok || got != want {
			t.Errorf("%q: got %+v, %t", line, got, ok)
		}
	}
	for _, line := range []string{"", "A", "A: x", "->>B: x", "A->>: x", "A->B->C: x", "A,B->>C: x", "A->>>B: x", "A: ->>B"} {
		if got, ok := readMessage(line); ok {
			t.Errorf("%q is read as %+v", line, got)
		}
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
