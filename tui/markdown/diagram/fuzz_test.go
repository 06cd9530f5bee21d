package diagram

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// FuzzDraw puts foreign text into every kind of diagram.
func FuzzDraw(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.mmd")
	if err != nil || len(files) == 0 {
		f.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), 40, false)
		f.Add(string(text), 0, true)
	}
	for _, text := range []string{
		"", "graph", "graph TD;a", "graph LR\na-->a-->a", "graph TD\nsubgraph a\nsubgraph b\nend\nend\na-->b",
		"graph TD\nsubgraph a\nx\nend\nx-->y-->a\na-->a", "graph TD\na & b & c --> a & b & c",
		"stateDiagram\n[*]-->[*]", "stateDiagram-v2\nstate a{\n--\n--\n}\na-->a\nnote left of a:x",
		"stateDiagram\nstate f <<fork>>\nf-->f\n[*]-->f:\u202e#27;#0;", "graph BT\na{{\"`**x**`\"}}",
		"graph TD\nsubgraph \u009bgroupOfManyLetters[ ]\nx\nend\nx --> \u009bgroupOfManyLetters", "---\nx\n---\n%%{init:{}}%%\ngraph RL\na@{shape: hex, label: \"x\"}", "graph TD\nA ---------------> B",
	} {
		f.Add(text, 20, true)
	}
	f.Fuzz(func(t *testing.T, text string, width int, ascii bool) {
		d, err := Draw(text, Options{Width: width, ASCII: ascii})
		if err != nil {
			if u := new(UnsupportedError); !errors.As(err, &u) || u.Why == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		checkDrawing(t, d)
		texts := slices.Clone(d.Legend)
		for _, line := range d.Lines {
			texts = append(texts, line.String())
		}
		for _, line := range texts {
			if i := strings.IndexFunc(line, unicode.IsControl); i >= 0 {
				t.Fatalf("%q has a control character", line)
			}
		}
	})
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
		if err != nil || textOf(d) != textOf(again) {
			t.Fatal("drawn twice it differs", err)
		}
	})
}
