package mcp

import (
	"encoding/json"
	"fmt"

	"planb/plans"
)

// edits reads the edits of edit_plan: one, or a list of them.
func (a *arguments) edits() []plans.Edit {
	single := arguments{tool: a.tool, fields: a.fields, read: a.read}
	edit := single.edit()
	a.known = append(a.known, single.known...)
	list, several := a.take("edits", "changes", "replacements")
	if given := string(list); given == `""` || given == "[]" && edit.Old != "" {
		several = false // a model that fills in whatever there is
	}
	switch {
	case !several:
		a.problems = append(a.problems, single.problems...)
		return []plans.Edit{edit}
	case edit.Old != "" || edit.New != "":
		a.problem("edits was given beside oldString or newString; give either one edit or the list.")
		return nil
	case edit.All:
		a.problem("replaceAll was given beside edits; put it into those of them that it is for.")
		return nil
	}
	return a.editList(list)
}

// edit reads one edit.
func (a *arguments) edit() plans.Edit {
	return plans.Edit{
		Old: a.given("oldString", "the exact text to replace, or give several in edits", "oldStr", "oldText"),
		New: a.given("newString", "what stands there instead; empty to delete", "newStr", "newText"),
		All: a.flag("replaceAll"),
	}
}

// editList reads a list of edits, also one in a JSON string, as some models write
// it.
func (a *arguments) editList(raw json.RawMessage) []plans.Edit {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		a.problem(`edits must be a list of {"oldString":…,"newString":…}; got %s.`, kindOf(raw))
		return nil
	}
	edits := make([]plans.Edit, 0, len(list))
	for i, raw := range list {
		where := fmt.Sprintf("edits[%d]", i)
		one := readArguments(where, raw)
		edits = append(edits, one.edit())
		if one.finish() != "" {
			for _, problem := range one.problems {
				a.problem("%s: %s", where, problem)
			}
		}
	}
	return edits
}
