package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/lines"
	"planb/tui/screen"
)

// Themes shows every theme in turn on a form, and keeps the one that the person chooses;
// where nothing is drawn, it lists them. A person who leaves without choosing has changed
// nothing.
func Themes(ctx context.Context, t screen.Terminal) error {
	if t.Plain() {
		ctx, stop := untilSignal(ctx)
		defer stop()
		return lines.Themes(ctx, t)
	}
	sample, err := newThemeSample(t.Keys)
	if err != nil {
		return err
	}
	return terminal{t}.run(ctx, sample)
}

// themeSample is a form to see themes on. It opens the list of themes over itself, and
// the window ends with that list: the person never gets to this form.
type themeSample struct{ *form.Form }

// Init starts the form and opens the list of themes.
func (s *themeSample) Init() tea.Cmd {
	return tea.Batch(s.Form.Init(), screen.Send(screen.ChooseTheme{}))
}

// asksBackground makes the window find out which theme families stand for.
func (*themeSample) asksBackground() {}

func newThemeSample(keys keymap.Keys) (*themeSample, error) {
	raw, err := json.Marshal(sampleSpec())
	if err != nil {
		return nil, fmt.Errorf("the form that shows themes can't be made: %w", err)
	}
	spec, err := questions.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("the form that shows themes can't be read: %w", err)
	}
	now := func() time.Time { return time.Date(2026, 11, 20, 14, 7, 0, 0, time.UTC) }
	return &themeSample{form.New(form.Input{
		Ask: store.Ask{
			ID: "preview", Spec: spec, Created: now().Add(-2 * time.Minute),
			Client:  store.Client{Title: safe.New("Your agent")},
			Outcome: questions.Outcome{State: questions.Pending},
		},
		Session: store.Session{Project: safe.New("tide-tables")},
		Entry: questions.Entry{Fields: map[string]questions.Field{
			"store": {Picked: []string{"bytes"}, Note: safe.New("as the others do it")},
			"ports": {Picked: []string{"brest", "dover"}},
			"name":  {Text: safe.New("tides.bin")},
		}},
		AgentWaits: true, Question: "store", Now: now, Keys: keys,
	}, nil)}, nil
}

// sampleSpec has all kinds of questions, and in its illustrations a table, code
// and a change of code.
func sampleSpec() map[string]any {
	type object = map[string]any
	return object{
		"title": "How the tide tables are kept",
		"questions": []any{
			object{
				"id": "store", "kind": "single", "tab": "Tables", "required": true, "label": "What is a height kept as?", "default": "bytes",
				"description": "They are read on the quay, from a phone, by people in a **hurry**.",
				"options": []any{
					object{"value": "bytes", "label": "Two bytes", "description": "Small; whole centimetres.", "markdown": "### Two bytes\n\n" +
						"Whole centimetres, as `int16`; see [the format](https://example.org/tides).\n\n| port | high | low |\n|---|---:|---:|\n| Brest | 712 | 94 |\n| Dover | 655 | 81 |\n"},
					object{"value": "float", "label": "A float", "description": "Exact to what was measured.", "markdown": "### A float\n\n" +
						"```go\n// height is in metres above chart datum.\nfunc height(at time.Time) (float32, error) {\n\treturn tables[\"brest\"].at(at, 0.5)\n}\n```\n"},
					object{"value": "text", "label": "Text", "description": "Anybody can read it.", "markdown": "### Text\n\n" +
						"```diff\n-heights := make([]int16, 0, 1412)\n+heights := make([]string, 0, 1412)\n```\n\n> Twice the size, and nothing to decode.\n"},
				},
			},
			object{"id": "ports", "kind": "multi", "tab": "Tables", "label": "Which ports come first?", "options": []any{"brest", "dover", "oslo"}},
			object{"id": "name", "kind": "text", "tab": "Words", "label": "What is the file called?", "placeholder": "tides.bin"},
			object{"id": "sure", "kind": "scale", "tab": "Words", "label": "How sure are you?", "min": 1, "max": 5},
			object{"id": "why", "kind": "longtext", "tab": "Words", "required": true, "label": "Anything else?", "placeholder": "What I should not forget"},
		},
	}
}
