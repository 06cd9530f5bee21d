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
			texts = append(texts, unfinishedText(p, rejected(ctx, s, p)))
		}
	}
	return texts
}

// rejected tells what can be done about a draft whose brief rejects its prompt; empty for any other
// draft.
func rejected(ctx context.Context, s Store, p runs.Summary) string {
	if p.State != runs.Failed || p.Error == nil || p.Error.Step != "brief" {
		return ""
	}
	w, err := s.Drafts().Plan(ctx, p.ID)
	if err != nil || w.Draft.Rejected() == "" {
		return "" // who goes on with it learns what is wrong
	}
	return fmt.Sprintf(" Its brief says: %s. ", w.Draft.Rejected()) + w.Draft.OnRejection()
}

// unfinishedText names an unfinished draft, and how to go on with it. rejected is instead of that
// if it is not empty.
func unfinishedText(p runs.Summary, rejected string) string {
	title := p.Title
	if title.IsZero() {
		title = p.Excerpt
	}
	text := fmt.Sprintf("The draft %s of this project is not finished: %s, %d of %d steps.", tool.Quoted(title), p.State, p.Done, p.Of)
	switch {
	case rejected != "":
		return text + rejected
	case p.State == runs.Stopped:
		return text + fmt.Sprintf(` It was stopped by %s (%s). If the user wants to go on: plan_resume {"plan_id":%q}.`, p.Stop.By, strings.TrimSuffix(p.Stop.Why, "."), p.ID)
	case p.State == runs.Failed:
		return text + fmt.Sprintf(` If the user wants to go on: plan_resume {"plan_id":%q}.`, p.ID)
	}
	return text + fmt.Sprintf(` If the user wants to go on: step_next {"plan_id":%q}.`, p.ID)
}
