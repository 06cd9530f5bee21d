package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"planb/mcp/tool"
	"planb/plans"
	"planb/questions/safe"
	"planb/store"
)

// planKeeper is what save_plan needs of the store.
type planKeeper interface {
	SavePlan(ctx context.Context, session, title, text string) (plan store.Plan, unchanged bool, err error)
	PlanText(ctx context.Context, session string, number int) (safe.Text, error)
}

// savePlan serves save_plan.
func (s *Server) savePlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("save_plan", raw)
	sessionID := args.Required("sessionId", sessionHint)
	plan := args.Required("plan", "the plan's whole text, in Markdown", "content", "text", "markdown")
	title := strings.TrimSpace(args.Text("title"))
	if problems := args.Finish(); problems != "" {
		return tool.Failed(s.knownSession(ctx, c, sessionID), problems)
	}
	session, failure := s.session(ctx, c, sessionID, "save_plan")
	if failure != nil {
		return failure
	}
	saved, unchanged, err := s.store.SavePlan(ctx, session.ID, title, plan)
	var problem *plans.Problem
	switch {
	case errors.As(err, &problem):
		return tool.Failed(session.ID, problem.Error())
	case err != nil:
		return tool.NotStored(session.ID, "The plan could not be saved", err)
	}
	text := fmt.Sprintf("Saved plan v%d for session %s", saved.Number, session.ID)
	data := &planData{Session: session.ID, Version: saved.Number, Unchanged: unchanged}
	path, differs, err := s.copies.write(session.ID, saved.Number, plan)
	if err != nil {
		s.log.Warn("a plan's readable copy could not be written", "error", err)
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

// textBefore is the text of the version that save_plan saved before; empty if there
// is none, or it cannot be read.
func (s *Server) textBefore(ctx context.Context, plan store.Plan) string {
	list, err := s.store.Plans(ctx, plan.Session)
	for _, before := range slices.Backward(list) {
		if err != nil || before.Name != "" || before.Err != nil || before.Number >= plan.Number {
			continue
		}
		text, err := s.store.PlanText(ctx, plan.Session, before.Number)
		if err != nil {
			s.log.Debug("the version before could not be read", "session", plan.Session, "version", before.Number, "error", err)
		}
		return text.Raw()
	}
	return ""
}

// planCopies are plans as files, for people and their tools. What counts is in
// the store: nothing is taken back from a copy.
type planCopies struct{ dir string }

// path is where the copy of a version is.
func (c planCopies) path(session string, number int) string {
	return filepath.Join(c.dir, "plans", session, fmt.Sprintf("v%d.md", number))
}

// write puts the plan's text into plans/<session>/v<number>.md, in one step: no
// reader ever sees a part of it. A file that is there already is left alone, for
// a person may have edited it, and differs says whether its text is another one.
// An empty one is none: a power failure leaves such. The path is told with an
// error, too.
func (c planCopies) write(session string, number int, text string) (path string, differs bool, err error) {
	path = c.path(session, number)
	if !filepath.IsAbs(path) {
		return path, false, fmt.Errorf("the data directory %q is not an absolute path", c.dir)
	}
	there, err := os.ReadFile(path)
	switch {
	case err == nil && len(there) > 0:
		return path, string(there) != text, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return path, false, err
	}
	return path, false, writeWhole(path, text)
}

// writeWhole makes the file, for its owner only, or leaves nothing behind.
func writeWhole(path, text string) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".v*.tmp") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// writeAnswer puts a piece of an answer into answers/<session>/<about>/<file>, in
// one step. Nothing is taken back from it.
func (c planCopies) writeAnswer(session, about, file, text string) (path string, err error) {
	path = filepath.Join(c.dir, "answers", session, about, file)
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("the data directory %q is not an absolute path", c.dir)
	}
	if there, err := os.ReadFile(path); err == nil && string(there) == text {
		return path, nil
	}
	return path, writeWhole(path, text)
}
