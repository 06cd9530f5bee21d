package mermaid

import (
	"slices"
	"strings"
	"testing"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/sequence"
)

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
		checkError(t, "sequenceDiagram\n"+test.source, test.line, test.why)
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

func TestMessages(t *testing.T) {
	full := sequence.Arrow{Head: canvas.ArrowSign}
	for line, want := range map[string]message{
		"A->>B: x":                {from: "A", to: "B", arrow: full, text: " x"},
		"A ->> + B : x: y":        {from: "A", to: "B", arrow: full, sign: '+', text: " x: y"},
		"A->>-B:":                 {from: "A", to: "B", arrow: full, sign: '-'},
		"my-x->>the other one: z": {from: "my-x", to: "the other one", arrow: full, text: " z"},
		"a--b->>c-d":              {from: "a--b", to: "c-d", arrow: full},
		"A--xB: x":                {from: "A", to: "B", arrow: sequence.Arrow{Dashed: true, Head: canvas.CrossSign}, text: " x"},
		"A-XB: x":                 {from: "A", to: "B", arrow: sequence.Arrow{Head: canvas.CrossSign}, text: " x"},
		"A()<<-->>()+B":           {from: "A", to: "B", arrow: sequence.Arrow{Dashed: true, Head: canvas.ArrowSign, Tail: canvas.ArrowSign, FromDot: true, ToDot: true}, sign: '+'},
		`A-|\B: x`:                {from: "A", to: "B", arrow: full, text: " x"},
		"A//--B":                  {from: "A", to: "B", arrow: sequence.Arrow{Dashed: true, Tail: canvas.OpenSign}},
		"端末-)B":                   {from: "端末", to: "B", arrow: sequence.Arrow{Head: canvas.OpenSign}},
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

// Only one colon parts a text from what stands before it.
func TestTextsKeepTheirColons(t *testing.T) {
	d, err := Read("sequenceDiagram\nA->>B: :warning: hot\nnote over A: :x: cold\nA->>B:wrap: long\nloop :x:\nend\nnote over A:nowrap:short")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, step := range d.Body.(*sequence.Diagram).Steps {
		got = append(got, step.Text.String())
	}
	if want := []string{":warning: hot", ":x: cold", "long", ":x:", "", "short"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Messages without a number count, too, and a later autonumber goes on as before it.
func TestNumbersGoOn(t *testing.T) {
	for source, want := range map[string]string{
		"M\nautonumber\nM\nautonumber off\nM\nautonumber\nM": " 2  4",
		"autonumber 10 5\nM\nautonumber off\nautonumber\nM":  "10 15",
		"autonumber 10 5\nautonumber\nM\nM":                  "10 15",
		"autonumber 10 5\nM\nautonumber 3\nM\nM":             "10 3 4",
	} {
		d, err := Read("sequenceDiagram\n" + strings.ReplaceAll(source, "M", "A->>B: x"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range d.Body.(*sequence.Diagram).Steps {
			got = append(got, step.Number)
		}
		if numbers := strings.Join(got, " "); numbers != want {
			t.Errorf("%q: got %q, want %q", source, numbers, want)
		}
	}
}

// The word "as" in the attributes of a participant begins no label.
func TestTheWordAsInAttributes(t *testing.T) {
	for source, want := range map[string]string{
		`participant A@{ "type": "database", "alias": "Act as DB" }`:        "Act as DB",
		`participant A@{ "type": "database", "alias": "Act as DB" } as Bob`: "Bob",
		`create participant A@{ "alias": "as is" }` + "\nB->>A: x":          "as is",
	} {
		d, err := Read("sequenceDiagram\n" + source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := d.Body.(*sequence.Diagram).People[0].Label.String(); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
