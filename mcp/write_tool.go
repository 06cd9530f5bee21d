package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/mcp/tool"
	"planb/plans"
	"planb/plans/diff"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
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
func (s *Server) planCall(ctx context.Context, c *tool.Caller, args *tool.Arguments) (planCall, *tool.Result) {
	name, refused := planName(args)
	session := args.Text("sessionId")
	if problems := args.Finish(); problems != "" {
		return planCall{}, tool.Failed(s.knownSession(ctx, c, session), problems)
	}
	if refused != "" {
		return planCall{}, tool.Failed(s.knownSession(ctx, c, session), refused)
	}
	if session == "" {
		return planCall{name: name}, nil
	}
	known, failure := s.session(ctx, c, session, args.Tool)
	if failure != nil {
		return planCall{}, failure
	}
	return planCall{name, known.ID}, nil
}

// writePlan serves write_plan.
func (s *Server) writePlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("write_plan", raw)
	content := args.Given("content", "the plan's whole text, in Markdown", "plan", "text", "markdown")
	args.Limit("content", content, plans.MaxPlanBytes)
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return failure
	}
	written, path, err := s.plans.onPlan(ctx, c.Agent, about.name, about.session, true, func(w *planWriting) (writtenPlan, error) {
		if safe.New(content).Blank() {
			return writtenPlan{}, refuse("content is empty, so %s was not written: give the plan's whole text, in Markdown.", w.file.path())
		}
		return w.change(ctx, func(heldPlan) (string, error) { return content, nil })
	})
	if err != nil {
		return planFailure(about.session, err)
	}
	note := tool.Join(written.foreign.overwritten(written.plan), written.other.overwritten(written.plan), s.standing(ctx, written.plan), s.uncitedIn(ctx, written))
	return planResult(written, path, "Write "+about.name.File(), struct {
		PlanName string `json:"planName"`
		PlanPath string `json:"planPath"`
		Bytes    int    `json:"bytesWritten"`
		Note     string `json:"note,omitempty"`
	}{string(about.name), path, len(content), note})
}

// editPlan serves edit_plan.
func (s *Server) editPlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("edit_plan", raw)
	edits := editsOf(args)
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return failure
	}
	replaced := 0
	written, path, err := s.plans.onPlan(ctx, c.Agent, about.name, about.session, false, func(w *planWriting) (writtenPlan, error) {
		return w.change(ctx, func(held heldPlan) (text string, err error) {
			if err := w.something(held); err != nil {
				return "", err
			}
			text, replaced, err = edit(w.file.path(), held.text, edits)
			return text, err
		})
	})
	if err != nil {
		return planFailure(about.session, err)
	}
	note := tool.Join(written.foreign.edited(), leftAlone(written.before, edits), s.standing(ctx, written.plan), s.uncitedIn(ctx, written))
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
		return "", 0, refuse("No edits supplied for file %s: provide at least one edit", path)
	}
	changed, replaced, err = plans.Apply(text, edits)
	long, tooLong := errors.AsType[*plans.TooLongError](err)
	switch {
	case tooLong:
		return "", 0, refuse("The edits would make %s %d bytes long, at most %d are allowed; no changes were written", path, long.Bytes, plans.MaxPlanBytes)
	case err != nil:
		return "", 0, advised(refusedEdits(path, err), text, edits)
	case safe.New(changed).Blank():
		return "", 0, refuse("The edits would leave nothing of %s; no changes were written", path)
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
	return refusal{text: text}
}

// advised adds to a refusal what to do, if a text to replace was not found.
func advised(why error, text string, edits []plans.Edit) error {
	refused, is := errors.AsType[refusal](why)
	if is && slices.ContainsFunc(edits, func(e plans.Edit) bool { return !strings.Contains(text, e.Old) }) {
		refused.advice = "Read the file, and give oldString exactly as it stands there."
		return refused
	}
	return why
}

// maxDiffBytes bounds the texts of which the change is told as data.
const maxDiffBytes = 256 << 10

func (s *Server) uncitedIn(ctx context.Context, written writtenPlan) string {
	return s.uncited(ctx, written.plan.Session, written.text, func() string { return written.before })
}

// planResult is the result of a call that wrote a plan: Aether's JSON, and what a
// client shows of it as data.
func planResult(written writtenPlan, path, title string, said any) *tool.Result {
	text, err := tool.EncodeJSON(said, "")
	if err != nil {
		return tool.Failed(written.plan.Session, "The plan was written, but what to say of it cannot be: "+tool.Sentence(tool.OneLine(err.Error())))
	}
	data := dataOfFile(written, path)
	data.Title = title
	if len(written.before) <= maxDiffBytes && len(written.text) <= maxDiffBytes && written.before != written.text {
		name := written.plan.Name.File()
		data.Diff = diff.Between(written.before, written.text).Unified(name, name, 3)
	}
	return &tool.Result{Items: []string{string(text)}, Session: written.plan.Session, Data: data}
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
func dataOfFile(written writtenPlan, path string) *planData {
	plan := written.plan
	data := &planData{
		Session: plan.Session, Version: plan.Number, Path: path, Unchanged: written.unchanged,
		Plan: &questions.PlanRef{Name: string(plan.Name), Number: plan.Number, Digest: plan.Digest, Path: path},
	}
	if written.foreign != nil {
		data.Foreign = written.foreign.plan.Number
	}
	if written.other != nil {
		data.Theirs = written.other.version.Session
	}
	return data
}

// overwritten says that somebody else's text was replaced, and by which version.
func (f *foreignPlan) overwritten(by store.Plan) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s What it held is kept as version %d%s, and your text replaced it as version %d. "+
		"Compare the two, and put back with edit_plan what you did not mean to undo.", f.found(), f.plan.Number, f.at(), by.Number)
}

// edited says that the edit was made to somebody else's text.
func (f *foreignPlan) edited() string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s What it held is kept as version %d, and your edit was made to that text. Read the file before you go on.", f.found(), f.plan.Number)
}

// submitted says that somebody else's text is what was submitted.
func (f *foreignPlan) submitted() string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s What it held is kept as version %d, and that is what was submitted. Read the file before you go on.", f.found(), f.plan.Number)
}

func (f *foreignPlan) found() string {
	if f.since == 0 {
		return "The file was there, and planb had not written it."
	}
	return fmt.Sprintf("The file was changed outside planb since version %d.", f.since)
}

func (f *foreignPlan) at() string {
	if f.copy == "" {
		return ""
	}
	return " (" + f.copy + ")"
}

// overwritten says that another session's text was replaced, and by which version.
func (o *otherPlan) overwritten(by store.Plan) string {
	if o == nil {
		return ""
	}
	kept := ""
	if o.copy != "" {
		kept = " (" + o.copy + ")"
	}
	return fmt.Sprintf("The file held a text that was written elsewhere: version %d of session %s. It is kept%s, and your text replaced it as version %d of session %s. "+
		"Compare the two, and put back with edit_plan what you did not mean to undo.", o.version.Number, o.version.Session, kept, by.Number, by.Session)
}
