package mcp

import (
	"encoding/json"
	"fmt"

	"planb/plans"
)

// editsOf reads the edits of edit_plan: one, or a list of them.
func editsOf(a *arguments) []plans.Edit {
	single := a.aside()
	edit := editOf(single)
	a.accept(single)
	list, several := a.raw("edits", "changes", "replacements")
	if given := string(list); given == `""` || given == "[]" && edit.Old != "" {
		several = false // a model that fills in whatever there is
	}
	switch {
	case !several:
		a.report(single)
		return []plans.Edit{edit}
	case edit.Old != "" || edit.New != "":
		a.problem("edits was given beside oldString or newString; give either one edit or the list.")
		return nil
	case edit.All:
		a.problem("replaceAll was given beside edits; put it into those of them that it is for.")
		return nil
	}
	return editList(a, list)
}

// editOf reads one edit.
func editOf(a *arguments) plans.Edit {
	return plans.Edit{
		Old: a.given("oldString", "the exact text to replace, or give several in edits", "oldStr", "oldText"),
		New: a.given("newString", "what stands there instead; empty to delete", "newStr", "newText"),
		All: a.flag("replaceAll"),
	}
}

// editList reads a list of edits, also one in a JSON string, as some models write
// it.
func editList(a *arguments, raw json.RawMessage) []plans.Edit {
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
		edits = append(edits, editOf(one))
		if one.finish() != "" {
			for _, problem := range one.problems {
				a.problem("%s: %s", where, problem)
			}
		}
	}
	return edits
}
