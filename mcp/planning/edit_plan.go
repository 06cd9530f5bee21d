package planning

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
	"planb/questions/safe"
)

// editTool is edit_plan.
func (s *toolset) editTool() tool.Tool {
	return tool.Tool{
		Name: "edit_plan", Title: "Edit a plan file",
		Description: editDescription, Schema: editSchema, Hints: tool.Hints{Destructive: true}, Serve: s.editPlan,
	}
}

const editDescription = "Replace exact text in a plan that write_plan wrote. Needs oldString and newString, or edits for several at once. All are made, or none."

const editSchema = `{"type":"object","required":["planName"],"properties":{` +
	`"planName":{"type":"string"},` + editFields +
	`"edits":{"type":"array","description":"Several instead of one, each in the text as it is now","items":{"type":"object","required":["oldString","newString"],"properties":{` +
	`"oldString":{"type":"string"},"newString":{"type":"string"},"replaceAll":{"type":"boolean"}}}},` +
	`"sessionId":{"type":"string"}}}`

const editFields = `"oldString":{"type":"string"},"newString":{"type":"string"},` +
	`"replaceAll":{"type":"boolean","description":"Every occurrence; else the first"},`

// editPlan serves edit_plan.
func (s *toolset) editPlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("edit_plan", raw)
	edits := editsOf(args)
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return failure
	}
	replaced := 0
	written, path, err := s.Files.Work(ctx, c.Agent, about.name, about.session, false, func(w *planfile.Writing) (planfile.Written, error) {
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

// edit makes all the edits, or none; then the error names every edit that failed.
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

// leftAlone says which edits met their text more than once and replaced only the first:
// the agent may not know of the others, and mean one of them.
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

// refusedEdits words why edits failed.
func refusedEdits(path string, err error) error {
	wrong, ok := errors.AsType[*plans.EditsError](err)
	if !ok {
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
	refused, ok := errors.AsType[planfile.Refusal](why)
	if ok && slices.ContainsFunc(edits, func(e plans.Edit) bool { return !strings.Contains(text, e.Old) }) {
		refused.Advice = "Read the file, and give oldString exactly as it stands there."
		return refused
	}
	return why
}

// editsOf reads the edits of edit_plan: one, or a list of them.
func editsOf(a *tool.Arguments) []plans.Edit {
	single := a.Aside()
	edit := editOf(single)
	a.Accept(single)
	list, several := a.Raw("edits", "changes", "replacements")
	if given := string(list); given == `""` || given == "[]" && edit.Old != "" {
		several = false // some models fill in every argument
	}
	switch {
	case !several:
		a.Report(single)
		return []plans.Edit{edit}
	case edit.Old != "" || edit.New != "":
		a.Problem("edits was given beside oldString or newString; give either one edit or the list.")
		return nil
	case edit.All:
		a.Problem("replaceAll was given beside edits; put it into the edits that it is for.")
		return nil
	}
	return editList(a, list)
}

// editOf reads one edit.
func editOf(a *tool.Arguments) plans.Edit {
	return plans.Edit{
		Old: a.Given("oldString", "the exact text to replace, or give several in edits", "oldStr", "oldText"),
		New: a.Given("newString", "what stands there instead; empty to delete", "newStr", "newText"),
		All: a.Flag("replaceAll"),
	}
}

// editList reads a list of edits, also one in a JSON string, as some models write
// it.
func editList(a *tool.Arguments, raw json.RawMessage) []plans.Edit {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		a.Problem(`edits must be a list of {"oldString":…,"newString":…}; got %s.`, tool.Shown(raw))
		return nil
	}
	edits := make([]plans.Edit, 0, len(list))
	for i, raw := range list {
		where := fmt.Sprintf("edits[%d]", i)
		one := tool.ReadArguments(where, raw)
		edits = append(edits, editOf(one))
		if one.Finish() != "" {
			for _, problem := range one.Problems {
				a.Problem("%s: %s", where, problem)
			}
		}
	}
	return edits
}
