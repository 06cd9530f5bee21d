package drafts

import (
	"context"
	"encoding/json"

	"planb/mcp/tool"
	"planb/store/runs"
)

// logsTool is plan_logs.
func (s *toolset) logsTool() tool.Tool {
	return tool.Tool{
		Name: "plan_logs", Title: "What happened to a draft", Description: "What happened to a draft, the oldest first.",
		Schema: `{"type":"object","properties":{` + idSchema + `,"max_lines":{"type":"integer"},"since_cursor":{"type":"integer"}}}`,
		Hints:  tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.reads(s.logs),
	}
}

// Limits of a log.
const (
	defaultLogged = 50
	maxLogged     = 200
)

// logged are events as data.
type logged struct {
	Plan   string       `json:"plan_id"`
	Events []runs.Event `json:"events"`
	Next   int          `json:"next_cursor"`
	tool.Facts
}

// Bound implements tool.Data.
func (d *logged) Bound() {
	d.Events = nil
	d.Facts.Bound()
}

// logs serves plan_logs.
func (s *toolset) logs(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_logs", raw)
	id := args.Text("plan_id", "task_id")
	lines, given := args.Number("max_lines", 1e9)
	since, follows := args.Number("since_cursor", 1e9)
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	if !given {
		lines = defaultLogged
	}
	if !follows {
		since = -1
	}
	w, failure := s.plan(ctx, c, id, false, false)
	if failure != nil {
		return failure
	}
	events, err := s.Store.Drafts().Events(ctx, w.Summary, int(since), min(max(int(lines), 1), maxLogged))
	if err != nil {
		return refused(w.Session, err, false)
	}
	data := &logged{Plan: w.ID, Next: max(int(since), 0)}
	room := s.room(ctx, c)
	for _, e := range events {
		// The events that do not fit come with the next cursor.
		if room -= tool.Size(tool.JSON(e)); room < 0 && len(data.Events) > 0 {
			break
		}
		data.Events, data.Next = append(data.Events, e), e.Cursor
	}
	if data.Events == nil {
		data.Events = []runs.Event{}
	}
	return said(w.Session, data)
}
