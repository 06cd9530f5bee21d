package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"planb/mcp/tool"
)

// profilesTool is model_profiles.
func (s *toolset) profilesTool() tool.Tool {
	return tool.Tool{
		Name: "model_profiles", Title: "Models that write by themselves", Description: "Models that write a draft without you, if any are set up.",
		Schema: noArguments, Hints: tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.profiles,
	}
}

// profileList are profiles as data.
type profileList struct {
	Default  string          `json:"default_profile"`
	Profiles []listedProfile `json:"profiles"`
	tool.Facts
}

type listedProfile struct {
	Profile string        `json:"profile"`
	Title   string        `json:"title"`
	Summary string        `json:"summary"`
	Count   int           `json:"model_count"`
	Models  []listedModel `json:"models"`
}

type listedModel struct {
	Key      string `json:"key"`
	Provider string `json:"provider_class"`
	Model    string `json:"model"`
	Priority int    `json:"priority"`
}

// Bound implements tool.Data.
func (d *profileList) Bound() {
	d.Profiles = nil
	d.Facts.Bound()
}

// profiles serves model_profiles.
func (s *toolset) profiles(_ context.Context, _ *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("model_profiles", raw)
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	if len(s.Models.Profiles) == 0 {
		return failed("", profilesUnavailable, "No model profile is set up here. You write the draft yourself: call plan_create without model_profile.", false)
	}
	data := &profileList{Default: s.Models.Profiles[0].Name}
	for _, p := range s.Models.Profiles {
		listed := listedProfile{
			Profile: p.Name, Title: strings.ToUpper(p.Name[:1]) + p.Name[1:], Count: len(p.Models),
			Summary: fmt.Sprintf("%s writes; where it fails, the next of %d.", tool.FirstOf(p.Models[0], 80), len(p.Models)),
		}
		if len(p.Models) == 1 {
			listed.Summary = tool.FirstOf(p.Models[0], 80) + " writes."
		}
		for i, model := range p.Models {
			listed.Models = append(listed.Models, listedModel{model, "openai-compatible", model, i})
		}
		data.Profiles = append(data.Profiles, listed)
	}
	return said("", data, "Only if the user wants models to write instead of you: plan_create with model_profile. Else leave it out.")
}
