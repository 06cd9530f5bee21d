package planning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/mcp/tool"
	"planb/plans"
	"planb/store"
)

// saveTool is save_plan.
func (s *toolset) saveTool() tool.Tool {
	return tool.Tool{
		Name: "save_plan", Title: "Save a plan version",
		Description: planDescription, Schema: planSchema, Hints: tool.Hints{Idempotent: true}, Serve: s.savePlan,
	}
}

const planDescription = "Save a version of the plan: the whole text, so that someone who knows nothing else can carry it out " +
	"(why, approach, steps with files, how to verify). End a line that follows from an answer with [q:questionId]. Each call makes the next version; earlier ones are kept. Returns the path of a readable copy."

const planSchema = `{"type":"object","required":["sessionId","plan"],"properties":{` +
	`"sessionId":{"type":"string","description":"From init_planb_session"},` +
	`"plan":{"type":"string","description":"Markdown"},` +
	`"title":{"type":"string"}}}`

// savePlan serves save_plan.
func (s *toolset) savePlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("save_plan", raw)
	sessionID := args.SessionID()
	plan := args.Required("plan", "the plan's whole text, in Markdown", "content", "text", "markdown")
	title := strings.TrimSpace(args.Text("title"))
	if problems := args.Finish(); problems != "" {
		return tool.Failed(c.KnownSession(ctx, sessionID), problems)
	}
	session, failure := c.Session(ctx, sessionID, "save_plan")
	if failure != nil {
		return failure
	}
	saved, unchanged, err := s.Store.SavePlan(ctx, session.ID, title, plan)
	var problem *plans.Problem
	switch {
	case errors.As(err, &problem):
		return tool.Failed(session.ID, problem.Error())
	case err != nil:
		return tool.NotStored(session.ID, "The plan could not be saved", err)
	}
	text := fmt.Sprintf("Saved plan v%d for session %s", saved.Number, session.ID)
	data := &planData{Session: session.ID, Version: saved.Number, Unchanged: unchanged}
	path, differs, err := s.Copies.Write(session.ID, saved.Number, plan)
	if err != nil {
		s.Log.Warn("a plan's readable copy could not be written", "error", err)
		text += fmt.Sprintf("\nIts readable copy, %s, could not be written (%s). The version itself is kept; the same save_plan again writes the copy.", path, tool.OneLine(err.Error()))
	} else {
		data.Path, data.CopyDiffers = path, differs
		text += "\npath: " + path
		if differs {
			text += "\nThe file at that path differs from this version: the user may have edited it, so it was left as it is."
		}
	}
	notes := []string{s.standing(ctx, saved)}
	if unchanged {
		notes = append(notes, "unchanged")
	} else {
		notes = append(notes, s.uncited(ctx, session.ID, plan, func() string { return s.textBefore(ctx, saved) }))
	}
	for _, note := range notes {
		if note != "" {
			text += "\n" + note
		}
	}
	return &tool.Result{Items: []string{text}, Session: session.ID, Data: data}
}

// textBefore is the text of the version before, as save_plan saved it; empty if there is
// none, or if it cannot be read.
func (s *toolset) textBefore(ctx context.Context, plan store.Plan) string {
	list, err := s.Store.Plans(ctx, plan.Session)
	for _, before := range slices.Backward(list) {
		if err != nil || before.Name != "" || before.Err != nil || before.Number >= plan.Number {
			continue
		}
		text, err := s.Store.PlanText(ctx, plan.Session, before.Number)
		if err != nil {
			s.Log.Debug("the version before could not be read", "session", plan.Session, "version", before.Number, "error", err)
		}
		return text.Raw()
	}
	return ""
}
