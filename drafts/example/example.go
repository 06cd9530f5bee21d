// Package example is the example of a draft that planb brings along: a whole plan which an
// agent wrote of one of the sample prompts, with all steps of a full draft. Nobody wrote it
// by hand, and nobody changes it.
//
// output has the prompt and the output of each step, as the draft's zip has them, and in
// made.json who wrote each. Reports of it are made by drafts/report, as of any other draft.
package example

import (
	"embed"
	"encoding/json"
	"fmt"
	"time"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// ID names the example where other drafts have a UUID.
const ID = "example"

//go:embed output
var output embed.FS

// made says who wrote an output, and when.
type made struct {
	Step  string       `json:"step"`
	By    string       `json:"by"`
	Model string       `json:"model,omitempty"`
	At    time.Time    `json:"at"`
	Usage drafts.Usage `json:"usage,omitzero"`
}

// begun is made.json.
type begun struct {
	Start   string    `json:"start_date"` // ISO
	Created time.Time `json:"created"`
	Steps   []made    `json:"steps"` // in the order in which they were written
}

// Example is the draft, and when it was begun and done.
type Example struct {
	Draft         drafts.Draft
	Created, Done time.Time
}

// Read returns the example.
func Read() (Example, error) {
	var b begun
	prompt, err := output.ReadFile("output/prompt.txt")
	if err != nil {
		return Example{}, err
	}
	data, err := output.ReadFile("output/made.json")
	if err == nil {
		err = json.Unmarshal(data, &b)
	}
	if err != nil {
		return Example{}, fmt.Errorf("made.json of the example: %w", err)
	}
	start, err := schedule.ParseDate(b.Start)
	if err != nil {
		return Example{}, err
	}
	d := drafts.Draft{
		ID: ID, Prompt: string(prompt), Start: start, Detail: drafts.Full, Flags: schedule.DefaultFlags(), Records: map[string]drafts.Record{},
		Unsketched: true,
	}
	e := Example{d, b.Created, b.Created}
	for _, m := range b.Steps {
		if err := keep(d, m); err != nil {
			return Example{}, fmt.Errorf("%s of the example: %w", m.Step, err)
		}
		e.Done = m.At
	}
	return e, nil
}

// keep adds an output to the draft. It counts as written from all outputs before it, which
// it was.
func keep(d drafts.Draft, m made) error {
	data, err := output.ReadFile("output/" + m.Step + ".json")
	if err != nil {
		return err
	}
	o, err := shape.Stored(data)
	if err != nil {
		return err
	}
	step, ok := d.Step(m.Step)
	if !ok {
		return fmt.Errorf("there is no such step")
	}
	d.Records[m.Step] = drafts.Record{Output: o, SHA256: drafts.Sum(data), Inputs: d.Inputs(step), By: m.By, Model: m.Model, At: m.At.Format(time.RFC3339), Usage: m.Usage}
	return nil
}
