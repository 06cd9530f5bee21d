package drafts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"planb/drafts"
	"planb/mcp/tool"
	"planb/store/runs"
)

// Models write drafts without an agent. The zero value has none.
type Models struct {
	Profiles []Profile
	// Start starts a process of its own that writes the plan until it has ended.
	Start func(ctx context.Context, plan string) error
}

// Profile is a list of models under a name, in the order in which they are asked.
type Profile struct {
	Name   string
	Models []string
}

// profiled refuses a model profile that nobody set up.
func (s *toolset) profiled(profile string) *tool.Result {
	switch {
	case profile == "" || slices.ContainsFunc(s.Models.Profiles, func(p Profile) bool { return p.Name == profile }):
		return nil
	case !slices.Contains(drafts.Profiles(), profile):
		return invalid(fmt.Sprintf("model_profile: got %s; allowed: %s, or nothing: then you write the draft yourself.", tool.Shortened(profile), strings.Join(drafts.Profiles(), ", ")), false)
	case len(s.Models.Profiles) == 0:
		return failed("", profilesUnavailable, "No model profile is set up here, so you write the draft yourself: leave model_profile out.", false)
	}
	return failed("", profilesUnavailable, fmt.Sprintf("The profile %s has no models here; model_profiles lists those that have. Or leave model_profile out, and write the draft yourself.", profile), false)
}

// start has models write a plan that waits for them. A plan that cannot be begun fails.
func (s *toolset) start(ctx context.Context, c *tool.Caller, p runs.Summary) error {
	if p.Mode != runs.ByWorker || p.State.Ended() || s.Models.Start == nil {
		return nil
	}
	err := s.Models.Start(ctx, p.ID)
	if err == nil {
		return nil
	}
	_, failed := s.Store.Drafts().Fail(ctx, caller(c), p.ID, runs.Failure{
		Reason: runs.WorkerError, Recoverable: true, Message: fmt.Sprintf("No process could be started (%s). Tell your user to run: planb draft resume %s && planb draft run %s", tool.OneLine(err.Error()), p.ID, p.ID),
	})
	return failed
}

// byWorker says what to do with a plan that models write.
func (s *toolset) byWorker(plan, profile string) string {
	return fmt.Sprintf("Draft %s: the models of the profile %s write it, not you. Where the user decides, a form waits in their inbox (planb tui). %s until it is completed.", plan, profile, s.waitCall(plan))
}
