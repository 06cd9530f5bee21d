package drafts

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed samples.jsonl
var samples string

// Sample is an example of a good prompt. It says what is wanted and where, what exists
// already, the money, the days, the limits, what counts as success, and what is not
// known.
type Sample struct {
	ID     string   `json:"id"`
	Prompt string   `json:"prompt"`
	Tags   []string `json:"tags,omitempty"`
}

func Samples() ([]Sample, error) {
	var list []Sample
	for line := range strings.Lines(samples) {
		var s Sample
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}
