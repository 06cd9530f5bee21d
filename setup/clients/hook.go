package clients

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"planb/setup/edit"
)

// Hook names what planb does as a hook of a client.
type Hook int

const (
	ReviewsPlans Hook = iota // has the client's own plans reviewed
	TellsTasks               // tells a session that begins where the tasks stand
)

// hook describes a hook of a client that can run planb. It stands in the same file as the
// permissions.
type hook struct {
	list      []string // path of the groups of hooks, each for some of the client's tools
	tool      string   // the tool for which the client runs it; empty: it is not about tools
	arguments string   // of planb, with a blank before
	seconds   int      // how long it may take; 0: as long as the client lets it
	does      string   // what the client does with it: "have its plans reviewed"
}

// planHookSeconds is how long a person may take for a plan: four days. Without
// it the client ends a hook after minutes.
const planHookSeconds = 4 * 24 * 60 * 60

// HasHook reports whether the client has such a hook that can run planb.
func (c Client) HasHook(h Hook) bool { return c.hooks[h] != nil }

// RegisterHook lists the changes that make that command the client's hook. A hook that runs
// another planb is changed, unless keep is not nil and returns true for its command.
func (c Client) RegisterHook(which Hook, p Place, command string, keep func(registered string) bool) []File {
	h := c.hooks[which]
	return []File{c.fileOf(c.permissions.file(p), h.does, func(text []byte) ([]edit.Change, error) {
		data, err := c.format.Decode(text)
		if err != nil {
			return nil, err
		}
		line := h.command(command)
		found := h.find(data)
		if len(found) == 0 {
			return []edit.Change{edit.AddTable(h.group(line), h.list...)}, nil
		}
		var changes []edit.Change
		for _, there := range found {
			if there.program != command && (keep == nil || !keep(there.program)) {
				changes = append(changes, edit.Set(line, there.path(h, "command")...))
			}
			if _, set := there.hook["timeout"]; !set && h.seconds > 0 {
				changes = append(changes, edit.Set(h.seconds, there.path(h, "timeout")...))
			}
		}
		return changes, nil
	})}
}

// group is a group of hooks that runs the command line.
func (h *hook) group(line string) (group edit.Table) {
	entry := edit.Table{{Key: "type", Value: "command"}, {Key: "command", Value: line}}
	if h.seconds > 0 {
		entry = append(entry, edit.Member{Key: "timeout", Value: h.seconds})
	}
	if h.tool != "" {
		group = append(group, edit.Member{Key: "matcher", Value: h.tool})
	}
	return append(group, edit.Member{Key: "hooks", Value: []edit.Table{entry}})
}

func (c Client) UnregisterHook(which Hook, p Place) []File {
	return []File{c.fileOf(c.permissions.file(p), "no longer "+c.hooks[which].does, func(text []byte) ([]edit.Change, error) {
		return c.withoutHook(which, text)
	})}
}

// withoutHooks removes every hook that runs planb.
func (c Client) withoutHooks(text []byte) (changes []edit.Change, err error) {
	for _, which := range []Hook{ReviewsPlans, TellsTasks} {
		some, err := c.withoutHook(which, text)
		if err != nil {
			return nil, err
		}
		if text, err = edit.Apply(c.format, text, some...); err != nil { // so that the next one sees what is left
			return nil, err
		}
		changes = append(changes, some...)
	}
	return changes, nil
}

// withoutHook removes the hook, and also the group, the list and the table
// that would be empty without it.
func (c Client) withoutHook(which Hook, text []byte) ([]edit.Change, error) {
	data, err := c.format.Decode(text)
	h := c.hooks[which]
	if err != nil || h == nil {
		return nil, err
	}
	found := h.find(data)
	groups, _ := at(data, h.list...).([]any)
	var changes []edit.Change
	left := len(groups)
	for _, there := range slices.Backward(found) { // from the last, so that the indexes stay right
		if there.beside > 0 {
			changes = append(changes, edit.DropTable(there.hook, there.path(h)...))
			continue
		}
		left--
		changes = append(changes, edit.DropTable(there.group, h.list...))
	}
	if left > 0 || len(found) == 0 {
		return changes, nil
	}
	gone := h.list
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
func (f foundHook) path(h *hook, key ...string) []string {
	path := append(slices.Clone(h.list), strconv.Itoa(f.groupAt), "hooks")
	if len(key) > 0 {
		path = append(append(path, strconv.Itoa(f.at)), key...)
	}
	return path
}

// find returns the hooks that run planb with these arguments.
func (h *hook) find(data map[string]any) []foundHook {
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

// matches reports whether a group with that matcher applies to the tool, or to any
// occasion. A matcher is a regular expression for a tool's whole name, or empty or * for
// all tools.
func (h *hook) matches(matcher string) bool {
	if h.tool == "" || matcher == "" || matcher == "*" || matcher == h.tool {
		return true
	}
	pattern, err := regexp.Compile("^(?:" + matcher + ")$")
	return err == nil && pattern.MatchString(h.tool)
}

// command returns the command line for the client's shell.
func (h *hook) command(program string) string {
	if strings.ContainsFunc(program, notPlain) {
		program = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	}
	return program + h.arguments
}

// program returns the program of a command line that the method command wrote,
// if that is planb.
func (h *hook) program(command string) (string, bool) {
	program, ok := strings.CutSuffix(strings.TrimSpace(command), h.arguments)
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
	plans := c.hooks[ReviewsPlans]
	if plans == nil {
		return PlanHook{}
	}
	h := PlanHook{File: c.permissions.file(p)}
	data, _, err := c.load(h.File)
	if h.Err = err; err != nil {
		return h
	}
	found := plans.find(data)
	if len(found) == 0 {
		return h
	}
	h.Registered, h.Program = true, found[0].program
	h.Seconds = seconds(found[0].hook["timeout"]).Seconds()
	return h
}
