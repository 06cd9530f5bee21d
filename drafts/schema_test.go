package drafts_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"planb/drafts/draftstest"
	"planb/drafts/shape"
)

// Section 9: outputs against the JSON Schema. Every output of a whole draft, the
// person's and the code's, too, is valid under the schema of its step, and so is the
// largest one; without a field it is not.
func TestOutputsAreValidUnderTheirSchemas(t *testing.T) {
	t.Parallel()
	whole := draftstest.FullUpTo(t, "")
	for _, s := range whole.Steps() {
		schema := compile(t, s.Shape.Schema(shape.Full))
		check := func(name string, o shape.Object) {
			if err := schema.Validate(decoded(t, s.Shape.JSON(o))); err != nil {
				t.Errorf("%s, %s: %v", s.ID, name, err)
			}
		}
		check("an answer", whole.Output(s.ID))
		if s.ID != "schedule" { // its lists are longer than any fixture
			check("the largest", full(s.Shape, "plan", shape.Full))
		}
		for _, f := range s.Shape {
			if f.Optional {
				continue
			}
			value := decoded(t, s.Shape.JSON(whole.Output(s.ID))).(map[string]any)
			delete(value, f.Name)
			if schema.Validate(value) == nil {
				t.Errorf("%s is valid without %s", s.ID, f.Name)
			}
			value[f.Name] = map[string]any{"no such": "field"}
			if f.Kind != shape.Map && schema.Validate(value) == nil {
				t.Errorf("%s is valid with another %s", s.ID, f.Name)
			}
		}
	}
}

func compile(t *testing.T, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("step.json", decoded(t, raw)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("step.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func decoded(t *testing.T, raw []byte) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return value
}
