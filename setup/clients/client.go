package clients

import (
	"path/filepath"
	"slices"
	"time"

	"planb/setup/edit"
	"planb/setup/known"
)

// Place is where and for whom a client is set up.
type Place struct {
	Env  func(name string) string
	Home string // the person's home directory
	// Project is the directory of a project whose files are to be used, by all
	// who work on it; empty for the person's own files.
	Project string
	Exists  func(path string) bool
}

// Client is a program that can start planb, and whose configuration planb can
// write.
type Client struct {
	known.Client
	// Limit is how long the client lets a call take that planb has registered
	// itself for.
	Limit time.Duration
	// ByName says that planb itself, which knows its client by name, waits almost
	// as long as Limit allows, so that it need not be told.
	ByName bool
	// After says when the client notices, and where that shows; Team what those
	// who work on a project have to do for its files to count.
	After, Team string

	format  edit.Format
	user    func(Place) string
	project string   // below the project's directory
	servers []string // the table of servers in the file

	// projects is the table of what the file holds for single projects, each with
	// servers of its own, which outrank the others; nil if it has no such table.
	projects []string

	// changes make an entry what it should be.
	changes func(entry entryChange) []edit.Change
	read    func(server map[string]any) entry
	// permissions is the file with the permission to call planb's tools, where
	// that is one of its own.
	permissions *permissions
	// planHook is what the client asks before it carries out a plan of its own;
	// nil if it asks nothing.
	planHook *planHook
}

// Wait is what the server is told with --wait: shorter than the client's limit,
// so that a call returns before the client gives it up. It is 0 where planb need
// not be told.
func (c Client) Wait() time.Duration {
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

// row is what is known of a client. It panics where the table has no such row.
func row(name string) known.Client {
	c, ok := known.ByName(name)
	if !ok {
		panic("clients: nothing is known of " + name)
	}
	return c
}

// ByName finds a client.
func ByName(name string) (Client, bool) {
	all := All()
	if i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name }); i >= 0 {
		return all[i], true
	}
	return Client{}, false
}

// entry is a server's registration as it stands in a file.
type entry struct {
	command  string
	args     []string
	timeout  time.Duration // 0: the client's default
	disabled bool
	// allowed says that the tools may be called without a question.
	allowed bool
	// missing are variables that planb needs and that are not passed on.
	missing []string
}

// entryChange is what an entry shall be, and was.
type entryChange struct {
	path    []string // of the entry
	command string
	args    []string
	timeout time.Duration
	old     map[string]any // nil if there is none
}

// set makes a change to one key of the entry.
func set[T string | bool | int | []string](e entryChange, key string, value T) edit.Change {
	return edit.Set(value, append(slices.Clone(e.path), key)...)
}

// unlessSet makes a change unless the person has set the key, to whatever.
func unlessSet[T string | bool | int | []string](e entryChange, key string, value T) []edit.Change {
	if _, there := e.old[key]; there {
		return nil
	}
	return []edit.Change{set(e, key, value)}
}

// enabled takes a key away that keeps the client from starting planb.
func (e entryChange) enable(key string, wrong bool) []edit.Change {
	if e.old[key] == wrong {
		return []edit.Change{set(e, key, !wrong)}
	}
	return nil
}

// file is the client's configuration file at that place.
func (c Client) file(p Place) string {
	if p.Project != "" {
		return filepath.Join(p.Project, c.project)
	}
	return c.user(p)
}

// under is the first variable's directory if it is set, else one below the
// home directory.
func (p Place) under(variable string, home ...string) string {
	if dir := p.Env(variable); dir != "" {
		return dir
	}
	return filepath.Join(append([]string{p.Home}, home...)...)
}
