package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/plans"
	"planb/plans/diff"
	"planb/questions"
	"planb/questions/safe"
)

// planNameHint says what a plan's name is.
const planNameHint = "a name of letters, digits, dashes and underscores, the same in every call for this plan"

// planName reads a plan's name. Where it is none, refused says so in the words of
// Aether's plan server.
func planName(a *tool.Arguments) (name plans.Name, refused string) {
	text := a.Required("planName", planNameHint, "name")
	if text == "" {
		return "", ""
	}
	name, err := plans.ParseName(text)
	if err != nil {
		return "", err.Error()
	}
	return name, ""
}

// planCall is what the tools that work on a plan file are all given.
type planCall struct {
	name    plans.Name
	session string
}

// planCall reads it; failure is what to tell the model. The tool's own arguments
// are read before.
func (s *planning) planCall(ctx context.Context, c *tool.Caller, args *tool.Arguments) (planCall, *tool.Result) {
	name, refused := planName(args)
	session := args.Text("sessionId")
	if problems := args.Finish(); problems != "" {
		return planCall{}, tool.Failed(s.asking.knownSession(ctx, c, session), problems)
	}
	if refused != "" {
		return planCall{}, tool.Failed(s.asking.knownSession(ctx, c, session), refused)
	}
	if session == "" {
		return planCall{name: name}, nil
	}
	known, failure := s.asking.session(ctx, c, session, args.Tool)
	if failure != nil {
		return planCall{}, failure
	}
	return planCall{name, known.ID}, nil
}

// writePlan serves write_plan.
func (s *planning) writePlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("write_plan", raw)
	content := args.Given("content", "the plan's whole text, in Markdown", "plan", "text", "markdown")
	args.Limit("content", content, plans.MaxPlanBytes)
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return failure
	}
	written, path, err := s.plans.Work(ctx, c.Agent, about.name, about.session, true, func(w *planfile.Writing) (planfile.Written, error) {
		if safe.New(content).Blank() {
			return planfile.Written{}, planfile.Refuse("content is empty, so %s was not written: give the plan's whole text, in Markdown.", w.File.Path())
		}
		return w.Change(ctx, func(planfile.Held) (string, error) { return content, nil })
	})
	if err != nil {
		return planfile.Failure(about.session, err)
	}
	note := tool.Join(written.Foreign.Overwritten(written.Plan), written.Other.Overwritten(written.Plan), s.standing(ctx, written.Plan), s.uncitedIn(ctx, written))
	return planResult(written, path, "Write "+about.name.File(), struct {
		PlanName string `json:"planName"`
		PlanPath string `json:"planPath"`
		Bytes    int    `json:"bytesWritten"`
		Note     string `json:"note,omitempty"`
	}{string(about.name), path, len(content), note})
}

// editPlan serves edit_plan.
func (s *planning) editPlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("edit_plan", raw)
	edits := editsOf(args)
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return failure
	}
	replaced := 0
	written, path, err := s.plans.Work(ctx, c.Agent, about.name, about.session, false, func(w *planfile.Writing) (planfile.Written, error) {
		return w.Change(ctx, func(held planfile.Held) (text string, err error) {
			if err := w.MustHold(held); err != nil {
				return "", err
			}
			text, replaced, err = edit(w.File.Path(), held.Text, edits)
			return text, err
		})
	})
	if err != nil {
		return planfile.Failure(about.session, err)
	}
	note := tool.Join(written.Foreign.Edited(), leftAlone(written.Before, edits), s.standing(ctx, written.Plan), s.uncitedIn(ctx, written))
	return planResult(written, path, "Edit "+about.name.File(), struct {
		PlanName string `json:"planName"`
		PlanPath string `json:"planPath"`
		Replaced int    `json:"replacementsMade"`
		Note     string `json:"note,omitempty"`
	}{string(about.name), path, replaced, note})
}

// edit makes all the edits, or none: then the error has everything that is wrong.
func edit(path, text string, edits []plans.Edit) (changed string, replaced int, err error) {
	if len(edits) == 0 {
		return "", 0, planfile.Refuse("No edits supplied for file %s: provide at least one edit", path)
	}
	changed, replaced, err = plans.Apply(text, edits)
	long, tooLong := errors.AsType[*plans.TooLongError](err)
	switch {
	case tooLong:
		return "", 0, planfile.Refuse("The edits would make %s %d bytes long, at most %d are allowed; no changes were written", path, long.Bytes, plans.MaxPlanBytes)
	case err != nil:
		return "", 0, advised(refusedEdits(path, err), text, edits)
	case safe.New(changed).Blank():
		return "", 0, planfile.Refuse("The edits would leave nothing of %s; no changes were written", path)
	}
	return changed, replaced, nil
}

// leftAlone says which edits met their text more than once and replaced only the
// first: an agent that did not know of the others may have meant one of them.
func leftAlone(text string, edits []plans.Edit) string {
	note := ""
	for i, edit := range edits {
		times := strings.Count(text, edit.Old)
		if edit.All || times < 2 {
			continue
		}
		line := 1 + strings.Count(text[:strings.Index(text, edit.Old)], "\n")
		note = tool.Join(note, fmt.Sprintf("edits[%d]: oldString occurs %d times; only the first, in line %d of the text before, was replaced.", i, times, line))
	}
	return note
}

// refusedEdits words why edits failed, as Aether's plan server does.
func refusedEdits(path string, err error) error {
	wrong, is := err.(*plans.EditsError)
	if !is {
		return err
	}
	text := fmt.Sprintf("%d edit(s) failed for file %s; no changes were written:", len(wrong.Failures), path)
	for _, failure := range wrong.Failures {
		text += fmt.Sprintf("\n  edits[%d]: %s", failure.Index, failure.Reason)
	}
	return planfile.Refusal{Text: text}
}

// advised adds to a refusal what to do, if a text to replace was not found.
func advised(why error, text string, edits []plans.Edit) error {
	refused, is := errors.AsType[planfile.Refusal](why)
	if is && slices.ContainsFunc(edits, func(e plans.Edit) bool { return !strings.Contains(text, e.Old) }) {
		refused.Advice = "Read the file, and give oldString exactly as it stands there."
		return refused
	}
	return why
}

// maxDiffBytes bounds the texts of which the change is told as data.
const maxDiffBytes = 256 << 10

func (s *planning) uncitedIn(ctx context.Context, written planfile.Written) string {
	return s.uncited(ctx, written.Plan.Session, written.Text, func() string { return written.Before })
}

// planResult is the result of a call that wrote a plan: Aether's JSON, and what a
// client shows of it as data.
func planResult(written planfile.Written, path, title string, said any) *tool.Result {
	text, err := tool.EncodeJSON(said, "")
	if err != nil {
		return tool.Failed(written.Plan.Session, "The plan was written, but what to say of it cannot be: "+tool.Sentence(tool.OneLine(err.Error())))
	}
	data := dataOfFile(written, path)
	data.Title = title
	if len(written.Before) <= maxDiffBytes && len(written.Text) <= maxDiffBytes && written.Before != written.Text {
		name := written.Plan.Name.File()
		data.Diff = diff.Between(written.Before, written.Text).Unified(name, name, 3)
	}
	return &tool.Result{Items: []string{string(text)}, Session: written.Plan.Session, Data: data}
}

// planData is a version of a plan as data.
type planData struct {
	Session     string             `json:"sessionId,omitempty"`
	Plan        *questions.PlanRef `json:"plan,omitempty"`
	Title       string             `json:"title,omitempty"`        // of the call, for people
	Diff        string             `json:"diff,omitempty"`         // what it changed in the plan's file, unified
	Foreign     int                `json:"foreign,omitempty"`      // the version of what was found in the file, and somebody else had written
	Theirs      string             `json:"otherSession,omitempty"` // whose text was in the plan's file
	Version     int                `json:"version,omitempty"`
	Path        string             `json:"path,omitempty"`
	CopyDiffers bool               `json:"copyDiffers,omitempty"`
	Unchanged   bool               `json:"unchanged,omitempty"`
	tool.Facts
}

func (d *planData) Bound() {
	d.Diff = ""
	d.Facts.Bound()
}

// dataOfFile is a version of a plan file as data.
func dataOfFile(written planfile.Written, path string) *planData {
	plan := written.Plan
	data := &planData{
		Session: plan.Session, Version: plan.Number, Path: path, Unchanged: written.Unchanged,
		Plan: &questions.PlanRef{Name: string(plan.Name), Number: plan.Number, Digest: plan.Digest, Path: path},
	}
	if written.Foreign != nil {
		data.Foreign = written.Foreign.Plan.Number
	}
	if written.Other != nil {
		data.Theirs = written.Other.Version.Session
	}
	return data
}
