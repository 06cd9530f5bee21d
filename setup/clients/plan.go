package clients

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"planb/setup/configfile"
	"planb/setup/edit"
)

// serverName is planb's name in a client's configuration.
const serverName = "planb"

// File is one file of a client's configuration and the change planned for it.
type File struct {
	Path    string
	Purpose string // what the change is for: "start planb"
	// change returns the text as it shall be.
	change func(text []byte) ([]byte, error)
	// manual returns an empty file after the same change.
	manual func() ([]byte, error)
}

// Plan reads the file and plans its change. The error says what is wrong with
// the file, which must not be written then.
func (f File) Plan() (*configfile.Rewrite, error) { return configfile.Plan(f.Path, f.change) }

// Manual returns the text that a person adds by hand if planb can't change the
// file.
func (f File) Manual() (string, error) {
	text, err := f.manual()
	return string(text), err
}

// Register lists the changes that make the client start planb with that
// command. If keep is not nil and returns true for the command registered
// already, that one stays.
func (c Client) Register(p Place, command string, keep func(registered string) bool) []File {
	files := []File{c.fileFor(p, "start planb", func(text []byte) ([]edit.Change, error) {
		data, err := c.format.Decode(text)
		if err != nil {
			return nil, err
		}
		name, old := c.find(data)
		changes := c.entryChanges(append(slices.Clone(c.servers), name), old, command, keep)
		for _, path := range c.ofProjects(data) {
			entry, _ := at(data, path...).(map[string]any)
			changes = append(changes, c.entryChanges(path, entry, command, keep)...)
		}
		return changes, nil
	})}
	if c.permissions == nil {
		return files
	}
	name := c.registeredNames(p)[0]
	return append(files, c.fileOf(c.permissions.file(p), "call its tools without asking", func(text []byte) ([]edit.Change, error) {
		data, err := c.format.Decode(text)
		if err != nil || c.permissions.permission(data, name) != Asked {
			return nil, err
		}
		return []edit.Change{edit.Add(c.permissions.rules(name)[0], c.permissions.allow...)}, nil
	}))
}

func (c Client) entryChanges(path []string, old map[string]any, command string, keep func(string) bool) []edit.Change {
	registered, args := c.read(old), []string{"mcp"}
	if keep != nil && keep(registered.command) {
		command = registered.command
	}
	if command == registered.command || isPlanb(registered.command) {
		args = registered.args
	}
	var changes []edit.Change
	for _, key := range ofServersElsewhere() {
		if _, there := old[key]; there {
			changes = append(changes, edit.Remove(append(slices.Clone(path), key)...))
		}
	}
	return append(changes, c.changes(entryChange{path: path, command: command, args: withWait(args, c.wait()), timeout: c.Limit, old: old})...)
}

// ofServersElsewhere are the keys of an entry whose server the client reaches and does not start.
// Beside a command, Codex and opencode refuse them, and Gemini CLI prefers them.
func ofServersElsewhere() []string {
	return append(addresses(), "headers", "headersHelper", "http_headers", "env_http_headers",
		"bearer_token", "bearer_token_env_var", "oauth", "oauth_resource", "scopes", "authProviderType")
}

// addresses are those of the keys that say where the server is.
func addresses() []string { return []string{"url", "httpUrl", "tcp"} }

// ofProjects finds the entries of single projects that start planb.
func (c Client) ofProjects(data map[string]any) [][]string {
	if c.projects == nil {
		return nil
	}
	var paths [][]string
	projects, _ := at(data, c.projects...).(map[string]any)
	for _, directory := range slices.Sorted(maps.Keys(projects)) {
		below, _ := projects[directory].(map[string]any)
		for _, name := range c.names(below) {
			paths = append(paths, slices.Concat(c.projects, []string{directory}, c.servers, []string{name}))
		}
	}
	return paths
}

// Unregister lists the changes that remove planb from the client.
func (c Client) Unregister(p Place) []File {
	names := c.registeredNames(p)
	files := []File{c.fileFor(p, "no longer start planb", func(text []byte) ([]edit.Change, error) {
		data, err := c.format.Decode(text)
		if err != nil {
			return nil, err
		}
		var changes []edit.Change
		for _, name := range names {
			changes = append(changes, edit.Remove(append(slices.Clone(c.servers), name)...))
		}
		for _, path := range c.ofProjects(data) {
			changes = append(changes, edit.Remove(path...))
		}
		return changes, nil
	})}
	if c.permissions != nil {
		files = append(files, c.fileOf(c.permissions.file(p), "no longer allow its tools", func(text []byte) ([]edit.Change, error) {
			changes, err := c.withoutHooks(text) // they are in the same file
			for _, name := range names {
				for _, rule := range c.permissions.rules(name) {
					changes = append(changes, edit.Drop(rule, c.permissions.allow...))
				}
			}
			return changes, err
		}))
	}
	return files
}

func (c Client) fileFor(p Place, purpose string, changes func([]byte) ([]edit.Change, error)) File {
	return c.fileOf(c.file(p), purpose, changes)
}

func (c Client) fileOf(path, purpose string, changes func([]byte) ([]edit.Change, error)) File {
	change := func(text []byte) ([]byte, error) {
		list, err := changes(text)
		if err == nil {
			text, err = edit.Apply(c.format, text, list...)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return text, nil
	}
	return File{path, purpose, change, func() ([]byte, error) { return change(nil) }}
}

// find returns planb's entry and its name: the entry called planb, else one
// that starts planb under another name. old is nil if there is none.
func (c Client) find(data map[string]any) (name string, old map[string]any) {
	names := c.names(data)
	if len(names) == 0 {
		return serverName, nil
	}
	return names[0], at(data, append(slices.Clone(c.servers), names[0])...).(map[string]any)
}

// names returns the names of planb's entries: first the entry called planb, then those that
// start planb under other names.
func (c Client) names(data map[string]any) []string {
	var names []string
	servers, _ := at(data, c.servers...).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		server, ok := servers[name].(map[string]any)
		switch e := c.read(server); {
		case !ok:
		case name == serverName:
			names = slices.Insert(names, 0, name)
		case isPlanb(e.command) && (len(e.args) == 0 || e.args[0] == "mcp"):
			names = append(names, name)
		}
	}
	return names
}

// registeredNames returns planb's names in the client's file, or the one it would
// get.
func (c Client) registeredNames(p Place) []string {
	var names []string
	_, _ = configfile.Plan(c.file(p), func(text []byte) ([]byte, error) {
		if data, err := c.format.Decode(text); err == nil {
			names = c.names(data)
		}
		return text, nil
	}) // an unreadable file is reported when it is changed
	if names == nil {
		return []string{serverName}
	}
	return names
}

func isPlanb(command string) bool {
	base := filepath.Base(strings.ReplaceAll(command, `\`, "/"))
	return base == "planb" || strings.EqualFold(base, "planb.exe")
}

// withWait sets the --wait flag in a server's arguments; 0 leaves them as they
// are. All other arguments stay.
func withWait(args []string, wait time.Duration) []string {
	if len(args) == 0 {
		args = []string{"mcp"}
	}
	if wait == 0 {
		return args
	}
	var others []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--wait":
			i++
		case !strings.HasPrefix(args[i], "--wait="):
			others = append(others, args[i])
		}
	}
	return slices.Insert(others, min(1, len(others)), "--wait", inMinutes(wait))
}

// waitIn returns the value of --wait among the arguments; 0 if it is missing.
func waitIn(args []string) time.Duration {
	wait := time.Duration(0)
	for i, arg := range args {
		value, found := strings.CutPrefix(arg, "--wait=")
		if arg == "--wait" && i+1 < len(args) {
			value, found = args[i+1], true
		}
		if d, err := time.ParseDuration(value); found && err == nil {
			wait = d
		}
	}
	return wait
}

// inMinutes formats a duration as 59m30s, not 0h59m30s, and 1h, not 1h0m0s.
func inMinutes(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
