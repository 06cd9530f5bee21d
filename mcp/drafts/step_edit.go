package drafts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/mcp/tool"
	"planb/store/runs"
)

// editTool is step_edit.
func (s *toolset) editTool() tool.Tool {
	return tool.Tool{Name: "step_edit", Title: "Change a section of a draft", Description: editDescription, Schema: editSchema, Serve: s.edit}
}

const editDescription = "Change a written step as the user asks, or to correct a mistake of yours: edits in its JSON (plan_file_info has it), the whole output, or regenerate with guidance to have it written again. The steps that were written from it are written again, too."

const editSchema = `{"type":"object","required":["plan_id","step","sha256"],"properties":{` + idSchema + `,` +
	`"step":{"type":"string"},` +
	`"sha256":{"type":"string","description":"Of the output you read"},` +
	`"edits":{"type":"array","items":{"type":"object","required":["oldString","newString"],"properties":{"oldString":{"type":"string"},"newString":{"type":"string"}}}},` +
	`"output":{"type":"object"},` +
	`"regenerate":{"type":"boolean"},` +
	`"guidance":{"type":"string"}}}`

// maxGuidance bounds what is asked of a step that is written again.
const maxGuidance = 1 << 10

// maxEdits bounds the edits of a call.
const maxEdits = 100

// edited is a changed step, as data.
type edited struct {
	Plan   string   `json:"plan_id"`
	Step   string   `json:"step"`
	SHA256 string   `json:"sha256"`
	Dirty  []string `json:"dirty"`
	tool.Facts
}

// replacement is one of the edits.
type replacement struct {
	Old string `json:"oldString"`
	New string `json:"newString"`
}

// edit serves step_edit.
func (s *toolset) edit(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("step_edit", raw)
	id, name := args.Required("plan_id", "the id that plan_create returned", "task_id"), args.Required("step", "the id of the step")
	name = inPart(name, args.Text("part"))
	sha256 := args.Required("sha256", "pass that of the output that you read; plan_file_info with the step as artifact tells it")
	edits, hasEdits := args.Raw("edits")
	output, hasOutput := args.Raw("output")
	regenerate, guidance := args.Flag("regenerate"), strings.TrimSpace(args.Text("guidance"))
	args.Limit("guidance", guidance, maxGuidance)
	ways := 0
	for _, chosen := range []bool{hasEdits, hasOutput, regenerate} {
		if chosen {
			ways++
		}
	}
	if ways != 1 {
		args.Problem("edits, output, regenerate: got %d of them; allowed: one of them.", ways)
	}
	if guidance != "" && (hasEdits || hasOutput) {
		args.Problem("guidance: got one beside edits or output; allowed: only with regenerate, for whoever writes the step again.")
	}
	var list []replacement
	if hasEdits && json.Unmarshal(edits, &list) != nil {
		args.Problem(`edits: got %s; allowed: a list; example: [{"oldString":"60,000","newString":"55,000"}].`, tool.Shown(edits))
	}
	if len(list) > maxEdits {
		args.Problem("edits: got %d; allowed: at most %d in a call; to change more, pass the whole output.", len(list), maxEdits)
	}
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	w, failure := s.plan(ctx, c, id, true, false)
	if failure != nil {
		return failure
	}
	step, known := w.Draft.Step(name)
	if !known {
		return failed(w.Session, stepNotFound, w.Draft.NoSuchStep(name), false)
	}
	if regenerate {
		now, dirty, err := s.Store.Drafts().Regenerate(ctx, caller(c), w.ID, step.ID, sha256, guidance)
		return s.changed(ctx, c, w, now, step, dirty, err)
	}
	text := []byte(output)
	if hasEdits {
		if text, failure = edit(w, step, list); failure != nil {
			return failure
		}
	}
	o, err := w.Draft.Read(step, text, drafts.MaxLateTries)
	if err != nil {
		return s.changed(ctx, c, w, w, step, nil, err)
	}
	now, dirty, err := s.Store.Drafts().Edit(ctx, caller(c), runs.Edit{Plan: w.ID, Step: step.ID, SHA256: sha256, Output: o})
	return s.changed(ctx, c, w, now, step, dirty, err)
}

// edit replaces words in the JSON of an output.
func edit(w runs.Whole, step drafts.Step, list []replacement) ([]byte, *tool.Result) {
	o := w.Draft.Output(step.ID)
	if o == nil {
		return nil, failed(w.Session, runs.Conflict, fmt.Sprintf("The step %s is not written yet, so there is nothing to change.", step.ID), false)
	}
	text := string(step.Shape.JSON(o))
	for i, r := range list {
		if n := strings.Count(text, r.Old); r.Old == "" || n != 1 {
			return nil, failed(w.Session, invalidArgument, fmt.Sprintf("edits[%d].oldString: got a text that occurs %d times in the JSON of %s; allowed: one that occurs once. Nothing was changed.", i, n, step.ID), false)
		}
		if n := len(text) - len(r.Old) + len(r.New); n > shape.MaxBytes {
			return nil, failed(w.Session, invalidArgument, fmt.Sprintf("edits[%d].newString: with it the JSON of %s would have %d bytes; allowed: at most %d. Nothing was changed.", i, step.ID, n, shape.MaxBytes), false)
		}
		text = strings.Replace(text, r.Old, r.New, 1)
	}
	return []byte(text), nil
}

// changed is the result of a change.
func (s *toolset) changed(ctx context.Context, c *tool.Caller, before, now runs.Whole, step drafts.Step, dirty []string, err error) *tool.Result {
	if problems, ok := errors.AsType[shape.Problems](err); ok {
		return failed(before.Session, stepInvalid, fmt.Sprintf("Nothing was changed: the step %s would have mistakes.\n%s", step.ID, problems.Error()), false)
	} else if err != nil {
		return refused(before.Session, err, false)
	}
	if _, err := s.openGates(ctx, now); err != nil { // withdraws those that ask about what has changed
		s.Log.Warn("the forms of a draft could not be read", "plan", now.ID, "error", err)
	}
	next := "Nothing else has to be written again."
	if len(dirty) > 0 {
		next = "To be written again: " + strings.Join(dirty, ", ") + "."
	}
	if len(dirty) > 0 || !now.State.Ended() {
		next += fmt.Sprintf(` Call step_next {"plan_id":%q}.`, now.ID)
	}
	return said(now.Session, &edited{Plan: now.ID, Step: step.ID, SHA256: now.Draft.Records[step.ID].SHA256, Dirty: append([]string{}, dirty...)}, next)
}
