package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"planb/drafts"
	"planb/mcp/tool"
	"planb/store/runs"
)

const noArguments = `{"type":"object","properties":{}}`

// plansTool is example_plans.
func (s *toolset) plansTool() tool.Tool {
	return tool.Tool{
		Name: "example_plans", Title: "Example drafts", Description: "Finished drafts to look at.",
		Schema: noArguments, Hints: tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.examplePlans,
	}
}

// promptsTool is example_prompts.
func (s *toolset) promptsTool() tool.Tool {
	return tool.Tool{
		Name: "example_prompts", Title: "Example prompts", Description: "Good prompts for plan_create. Call it before you write one.",
		Schema: `{"type":"object","properties":{"id":{"type":"string","description":"One of them, whole"}}}`, Hints: tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.examplePrompts,
	}
}

// examples are example plans as data.
type examples struct {
	Plans   []examplePlan `json:"plans"`
	Message string        `json:"message"`
	tool.Facts
}

type examplePlan struct {
	Title  string `json:"title"`
	Report string `json:"report_url"`
	Zip    string `json:"zip_url"`
}

// examplePlans serves example_plans.
func (s *toolset) examplePlans(ctx context.Context, _ *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("example_plans", raw)
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	w, err := s.Store.Drafts().Plan(ctx, runs.ExampleID)
	if err != nil {
		return failed("", internalError, "The example cannot be read: "+tool.OneLine(err.Error()), false)
	}
	return said("", &examples{
		Plans: []examplePlan{{Title: w.Title.Raw(), Report: uriOf(w.ID, "report.html"), Zip: uriOf(w.ID, zipPath)}},
		Message: fmt.Sprintf("An agent wrote this draft with planb, from one of the example_prompts. To read it: plan_file_info {\"plan_id\":%q,\"artifact\":\"report.md\",\"offset\":0}. "+
			"To show it to the user: they run planb draft open %s.", w.ID, w.ID),
	})
}

// samples are example prompts as data.
type samples struct {
	Samples []sample `json:"samples"`
	Message string   `json:"message"`
	tool.Facts
}

type sample struct {
	ID     string   `json:"id"`
	Tags   []string `json:"tags,omitempty"`
	Words  int      `json:"words"`
	Prompt string   `json:"prompt"`
}

// Bound implements tool.Data.
func (d *samples) Bound() {
	d.Samples = nil
	d.Facts.Bound()
}

// expand says what an agent does with an idea.
const expand = "Expand the user's idea into 300–800 words like these: objective, scope, place, what is there, constraints, timeline, stakeholders, budget, success criteria, what must not be, and what is not known. " +
	"Have the user agree (ask_user), then call plan_create."

// examplePrompts serves example_prompts. For prompts that do not fit it gives only the
// beginnings; a call with the id gets the whole prompt.
func (s *toolset) examplePrompts(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("example_prompts", raw)
	id := args.Text("id")
	all, err := drafts.Samples()
	if err != nil {
		return failed("", internalError, "The example prompts cannot be read: "+tool.OneLine(err.Error()), false)
	}
	var ids []string
	data := &samples{Message: expand}
	room := s.room(ctx, c) - tool.Size(expand)
	for _, p := range all {
		ids = append(ids, p.ID)
		if id != "" && p.ID != id {
			continue
		}
		entry := sample{p.ID, p.Tags, len(strings.Fields(p.Prompt)), p.Prompt}
		if size := tool.Size(tool.JSON(entry)); size+len(all)*excerptRoom > room {
			entry.Prompt = tool.FirstOf(p.Prompt, 200) + "…"
			data.Message = expand + ` A prompt that ends in … is whole in example_prompts {"id":"…"}.`
		}
		room -= tool.Size(tool.JSON(entry))
		data.Samples = append(data.Samples, entry)
	}
	if len(data.Samples) == 0 {
		args.Problem("id: got %q; allowed: %s.", tool.Shortened(id), strings.Join(ids, ", "))
	}
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	return said("", data)
}

// excerptRoom is about how long a prompt is of which only the beginning is given.
const excerptRoom = 400
