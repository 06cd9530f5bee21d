package drafts

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"planb/mcp/tool"
	"planb/store/runs"
)

// A result names only some of a project's unfinished drafts, the newest first. The tool
// looks at only so many plans.
const (
	maxUnfinished = 3
	maxLooks      = 20
)

// Unfinished names the drafts of a directory's project that are not completed, so that
// another session, client or day goes on where this one stopped.
func Unfinished(ctx context.Context, s Store, log *slog.Logger, dir string) (texts []string) {
	list, err := s.Drafts().List(ctx, []string{dir}, maxLooks)
	if err != nil {
		log.Warn("the unfinished drafts of a project could not be looked up", "project", dir, "error", err)
		return nil
	}
	for _, p := range list {
		if p.Err == nil && p.State != runs.Completed && len(texts) < maxUnfinished {
			texts = append(texts, unfinishedText(p))
		}
	}
	return texts
}

// unfinishedText names an unfinished draft, and how to go on with it.
func unfinishedText(p runs.Summary) string {
	title := p.Title
	if title.IsZero() {
		title = p.Excerpt
	}
	text := fmt.Sprintf("The draft %s of this project is not finished: %s, %d of %d steps.", tool.Quoted(title), p.State, p.Done, p.Of)
	switch p.State {
	case runs.Stopped:
		return text + fmt.Sprintf(` It was stopped by %s (%s). If the user wants to go on: plan_resume {"plan_id":%q}.`, p.Stop.By, strings.TrimSuffix(p.Stop.Why, "."), p.ID)
	case runs.Failed:
		return text + fmt.Sprintf(` If the user wants to go on: plan_resume {"plan_id":%q}.`, p.ID)
	}
	return text + fmt.Sprintf(` If the user wants to go on: step_next {"plan_id":%q}.`, p.ID)
}
