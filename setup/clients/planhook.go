package clients

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"planb/setup/edit"
)

// planHook describes a hook that the client runs before it carries out a plan
// of its own. planb can be that hook. It stands in the same file as the
// permissions.
type planHook struct {
	list     []string // path of the groups of hooks, each for some of the client's tools
	tool     string   // the tool whose call asks for a plan's approval
	argument string   // for planb review --hook
}

// planHookSeconds is how long a person may take for a plan: four days. Without
// it the client ends a hook after minutes.
const planHookSeconds = 4 * 24 * 60 * 60

// HasPlanHook reports whether planb can review the client's own plans.
func (c Client) HasPlanHook() bool { return c.planHook != nil }

// RegisterPlanHook lists the change that sends the client's own plans to that
// command for review. If keep is not nil and returns true for the command there
// already, that one stays.
func (c Client) RegisterPlanHook(p Place, command string, keep func(registered string) bool) []File {
	return []File{c.fileOf(c.permissions.file(p), "have its plans reviewed", func(text []byte) ([]edit.Change, error) {
		data, err := c.format.Decode(text)
		if err != nil {
			return nil, err
		}
		line := c.planHook.command(command)
		found := c.planHook.find(data)
		if len(found) == 0 {
			hook := edit.Table{{Key: "type", Value: "command"}, {Key: "command", Value: line}, {Key: "timeout", Value: planHookSeconds}}
			group := edit.Table{{Key: "matcher", Value: c.planHook.tool}, {Key: "hooks", Value: []edit.Table{hook}}}
			return []edit.Change{edit.AddTable(group, c.planHook.list...)}, nil
		}
		var changes []edit.Change
		for _, there := range found {
			if there.program != command && (keep == nil || !keep(there.program)) {
				changes = append(changes, edit.Set(line, there.path(c.planHook, "command")...))
			}
			if _, set := there.hook["timeout"]; !set {
				changes = append(changes, edit.Set(planHookSeconds, there.path(c.planHook, "timeout")...))
			}
		}
		return changes, nil
	})}
}

// UnregisterPlanHook lists the change that removes the hook, so that the client
// asks about its plans itself.
func (c Client) UnregisterPlanHook(p Place) []File {
	return []File{c.fileOf(c.permissions.file(p), "no longer have its plans reviewed", c.withoutPlanHook)}
}

// withoutPlanHook removes the hook, and also the group, the list and the table
// that would be empty without it.
func (c Client) withoutPlanHook(text []byte) ([]edit.Change, error) {
	data, err := c.format.Decode(text)
	if err != nil || c.planHook == nil {
		return nil, err
	}
	found := c.planHook.find(data)
	groups, _ := at(data, c.planHook.list...).([]any)
	var changes []edit.Change
	left := len(groups)
	for _, there := range slices.Backward(found) { // from the last, so that the indexes stay right
		if there.beside > 0 {
			changes = append(changes, edit.DropTable(there.hook, there.path(c.planHook)...))
			continue
		}
		left--
		changes = append(changes, edit.DropTable(there.group, c.planHook.list...))
	}
	if left > 0 || len(found) == 0 {
		return changes, nil
	}
	gone := c.planHook.list
	if events, _ := at(data, gone[0]).(map[string]any); len(events) == 1 {
		gone = gone[:1]
	}
	return []edit.Change{edit.Remove(gone...)}, nil
}

// foundHook is a hook that runs planb.
type foundHook struct {
	group, hook map[string]any
	groupAt, at int // indexes in their lists
	beside      int // number of other hooks in the group
	program     string
}

// path returns the path of the hook's list or, with a key, of a part of the
// hook.
func (f foundHook) path(h *planHook, key ...string) []string {
	path := append(slices.Clone(h.list), strconv.Itoa(f.groupAt), "hooks")
	if len(key) > 0 {
		path = append(append(path, strconv.Itoa(f.at)), key...)
	}
	return path
}

// find returns the hooks that run planb for the tool.
func (h *planHook) find(data map[string]any) []foundHook {
	var found []foundHook
	groups, _ := at(data, h.list...).([]any)
	for i, entry := range groups {
		group, _ := entry.(map[string]any)
		if !h.matches(text(group["matcher"])) {
			continue
		}
		hooks, _ := group["hooks"].([]any)
		for j, entry := range hooks {
			hook, _ := entry.(map[string]any)
			if program, ok := h.program(text(hook["command"])); ok {
				found = append(found, foundHook{maps.Clone(group), maps.Clone(hook), i, j, len(hooks) - 1, program})
			}
		}
	}
	return found
}

// matches reports whether a group with that matcher applies to the tool. A
// matcher is a regular expression for a tool's whole name, or empty or * for
// all tools.
func (h *planHook) matches(matcher string) bool {
	if matcher == "" || matcher == "*" || matcher == h.tool {
		return true
	}
	pattern, err := regexp.Compile("^(?:" + matcher + ")$")
	return err == nil && pattern.MatchString(h.tool)
}

// command returns the command line for the client's shell.
func (h *planHook) command(program string) string {
	if strings.ContainsFunc(program, notPlain) {
		program = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	}
	return program + h.arguments()
}

func (h *planHook) arguments() string { return " review --hook " + h.argument }

// program returns the program of a command line that the method command wrote,
// if that is planb.
func (h *planHook) program(command string) (string, bool) {
	program, ok := strings.CutSuffix(strings.TrimSpace(command), h.arguments())
	if inner, quoted := strings.CutPrefix(program, "'"); quoted {
		program = strings.ReplaceAll(strings.TrimSuffix(inner, "'"), `'\''`, "'")
	}
	return program, ok && isPlanb(program)
}

// notPlain reports whether a shell may interpret a character.
func notPlain(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+:,@%", r)
}

// PlanHook is planb's registration as the reviewer of a client's plans.
type PlanHook struct {
	File       string
	Err        error // why the file cannot be read
	Registered bool
	Program    string
	Seconds    float64 // how long a person may take; 0: the client's default of some minutes
}

// InspectPlanHook reads the hook in the client's file at that place.
func (c Client) InspectPlanHook(p Place) PlanHook {
	if c.planHook == nil {
		return PlanHook{}
	}
	h := PlanHook{File: c.permissions.file(p)}
	data, _, err := c.load(h.File)
	if h.Err = err; err != nil {
		return h
	}
	found := c.planHook.find(data)
	if len(found) == 0 {
		return h
	}
	h.Registered, h.Program = true, found[0].program
	h.Seconds = seconds(found[0].hook["timeout"]).Seconds()
	return h
}
