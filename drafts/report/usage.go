package report

import (
	"bytes"
	"encoding/json"

	"planb/drafts"
)

// call is a line of usage.jsonl: what a model's output cost, as far as it is known.
type call struct {
	At      string `json:"ts"`
	Step    string `json:"step"`
	By      string `json:"by"`
	Model   string `json:"model,omitempty"`
	Bytes   int    `json:"bytes"` // of the output as JSON
	Outcome string `json:"outcome"`
	drafts.Usage
}

// calls are the outputs that models wrote and nobody edited, in the order of the steps.
func calls(d drafts.Draft) (list []call) {
	for _, s := range d.Steps() {
		r := d.Records[s.ID]
		if s.Author == drafts.Model && r.Output != nil && !r.Edited && r.Usage != (drafts.Usage{}) {
			list = append(list, call{r.At, s.ID, r.By, r.Model, len(s.Shape.JSON(r.Output)), "accepted", r.Usage})
		}
	}
	return list
}

// lines are values as a JSON Lines file.
func lines[T any](values []T) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
