package report

import (
	"bytes"
	"cmp"
	"encoding/json"

	"planb/drafts"
)

// call is a line of usage.jsonl: what a call of a model cost, as far as it is known, and what
// came of it.
type call struct {
	At      string `json:"ts"`
	Step    string `json:"step"`
	By      string `json:"by"`
	Model   string `json:"model,omitempty"`
	Bytes   int    `json:"bytes,omitzero"` // of the output as JSON
	Outcome string `json:"outcome"`
	drafts.Usage
}

// calls returns the calls that failed, and those whose outputs no person edited, in the order
// of the steps.
func calls(d drafts.Draft) (list []call) {
	for _, s := range d.Steps() {
		for _, a := range d.Attempts {
			if a.Step == s.ID {
				list = append(list, call{a.At, s.ID, cmp.Or(a.By, a.Model), a.Model, 0, a.Outcome, drafts.Usage{Took: a.Took, In: a.In, Out: a.Out}})
			}
		}
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
