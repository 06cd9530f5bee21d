package mcp

import (
	"encoding/json"
	"fmt"

	"planb/mcp/tool"
	"planb/plans"
)

// editsOf reads the edits of edit_plan: one, or a list of them.
func editsOf(a *tool.Arguments) []plans.Edit {
	single := a.Aside()
	edit := editOf(single)
	a.Accept(single)
	list, several := a.Raw("edits", "changes", "replacements")
	if given := string(list); given == `""` || given == "[]" && edit.Old != "" {
		several = false // a model that fills in whatever there is
	}
	switch {
	case !several:
		a.Report(single)
		return []plans.Edit{edit}
	case edit.Old != "" || edit.New != "":
		a.Problem("edits was given beside oldString or newString; give either one edit or the list.")
		return nil
	case edit.All:
		a.Problem("replaceAll was given beside edits; put it into those of them that it is for.")
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
