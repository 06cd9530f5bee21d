package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"planb/mcp/asking"
	"planb/questions"
)

// The help's example is a form, for planb and for its schema.
func TestTheExampleOfAFormIsOne(t *testing.T) {
	if _, err := questions.Parse([]byte(exampleForm)); err != nil {
		t.Error(err)
	}
	read := func(text string) any {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return document
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("form.json", read(asking.FormSchema)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("form.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(read(exampleForm)); err != nil {
		t.Error(err)
	}
	if schema.Validate(read(`{"title": "No questions"}`)) == nil {
		t.Error("the schema takes a form without questions")
	}
}

// Code is never broken between words, so a wider line would be cut in two anywhere.
func TestTheExampleOfAFormFitsATerminal(t *testing.T) {
	for line := range strings.Lines(exampleForm) {
		if width := ansi.StringWidth(strings.TrimSuffix(line, "\n")); width > 76 {
			t.Errorf("a line of %d cells, want at most 76: %s", width, line)
		}
	}
}
