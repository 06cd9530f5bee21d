package clients

import (
	"path/filepath"
	"slices"
	"time"

	"planb/setup/edit"
	"planb/setup/known"
)

// Place says where and for whom a client is set up.
type Place struct {
	Env  func(name string) string
	Home string // the person's home directory
	// Project is the directory of a project whose shared files are used; empty
	// for the person's own files.
	Project string
	Exists  func(path string) bool
}

// Client is a program that can start planb and whose configuration planb can
// write.
type Client struct {
	known.Client
	// Limit is how long a call may run in a client that planb has registered
	// itself with.
	Limit time.Duration
	// ByName says that planb needs no --wait: it knows the client by name and
	// waits almost as long as Limit.
	ByName bool
	// After says when the client notices the change, and how to check it. Team
	// says what others on the project must do for its files to apply.
	After, Team string

	format  edit.Format
	user    func(Place) string
	project string   // relative to the project's directory
	servers []string // path of the table of servers in the file

	// projects is the path of the table of single projects in the same file.
	// Each has servers of its own, which override the others. nil if there is no
	// such table.
	projects []string

	// changes are the edits that make an entry right.
	changes func(entry entryChange) []edit.Change
	read    func(server map[string]any) entry
	// permissions describes the file with the permission to call planb's tools,
	// if that is a separate file.
	permissions *permissions
	// hooks describes the client's hooks that can run planb.
	hooks map[Hook]*hook
}

// wait returns the server's --wait: shorter than the client's limit, so that a
// call returns before the client ends it. It is 0 if planb needs no --wait.
func (c Client) wait() time.Duration {
	if c.Progress || c.ByName {
		return 0
	}
	return c.Limit - waitMargin
}

// waitMargin is how long before the client's limit a call returns.
const waitMargin = 30 * time.Second

// All lists the clients whose configuration planb can write.
func All() []Client {
	return []Client{claudeCode(), codex(), openCode(), gemini()}
}

// row returns a client's row of the table. It panics if there is none.
func row(name string) known.Client {
	c, ok := known.ByName(name)
	if !ok {
		panic("clients: nothing is known of " + name)
	}
	return c
}

// ByName finds a client by its name for planb setup.
func ByName(name string) (Client, bool) {
	all := All()
	if i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name }); i >= 0 {
		return all[i], true
	}
	return Client{}, false
}

// entry is a server's registration in a file.
type entry struct {
	command  string
	args     []string
	timeout  time.Duration // 0: the client's default
	disabled bool
	// allowed says that the tools may be called without asking.
	allowed bool
	// missing are variables that planb needs and the client does not pass on.
	missing []string
}

// entryChange is the wanted entry, with the old one.
type entryChange struct {
	path    []string // path of the entry
	command string
	args    []string
	timeout time.Duration
	old     map[string]any // nil if there is no entry
}

// set returns a change to one key of the entry.
func set[T string | bool | int | []string](e entryChange, key string, value T) edit.Change {
	return edit.Set(value, append(slices.Clone(e.path), key)...)
}

// unlessSet returns a change to one key, unless the person has set it to any
// value.
func unlessSet[T string | bool | int | []string](e entryChange, key string, value T) []edit.Change {
	if _, there := e.old[key]; there {
		return nil
	}
	return []edit.Change{set(e, key, value)}
}

// enable returns a change if the key is set so that the client does not start
// planb.
func (e entryChange) enable(key string, wrong bool) []edit.Change {
	if e.old[key] == wrong {
		return []edit.Change{set(e, key, !wrong)}
	}
	return nil
}

// file returns the client's configuration file at that place.
func (c Client) file(p Place) string {
	if p.Project != "" {
		return filepath.Join(p.Project, c.project)
	}
	return c.user(p)
}

// under returns the directory in the variable if that is set, else one below
// the home directory.
func (p Place) under(variable string, home ...string) string {
	if dir := p.Env(variable); dir != "" {
		return dir
	}
	return filepath.Join(append([]string{p.Home}, home...)...)
}
