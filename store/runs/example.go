package runs

import (
	"planb/drafts/example"
	"planb/questions/safe"
)

// ExampleID is the id of the draft that planb brings along. It can be read like those that
// are kept, and nobody writes it.
const ExampleID = example.ID

// exampleOnly says why the example was not changed.
func exampleOnly() error {
	return &Error{Code: ReadOnly, What: "The example that planb brings along is only to be read, so nothing was changed.", Advice: "Call plan_create for a draft of your own."}
}

// exampleWhole returns the example as a plan that was written long ago.
func exampleWhole() (Whole, error) {
	e, err := example.Read()
	if err != nil {
		return Whole{}, err
	}
	d := e.Draft
	done, of := d.Progress()
	return Whole{
		Summary: Summary{
			Plan: Plan{
				ID: ExampleID, Excerpt: excerpt(d.Prompt), Detail: d.Detail, Start: d.Start.String(), Pipeline: Pipeline, Flags: d.Flags, Created: e.Created,
			},
			Run: Run{
				State: Completed, Number: 1, Mode: ByAgent, Title: safe.New(d.Output("brief").Text("title")), Done: done, Of: of,
				Started: e.Created, Ended: e.Done, LastProgress: e.Done,
			},
		},
		Draft: d, History: map[string][]Version{},
	}, nil
}
