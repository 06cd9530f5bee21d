package clients

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"planb/setup/configfile"
)

// Permission is what a client does before it calls planb's tools.
type Permission int

const (
	Asked     Permission = iota // it asks the person, unless they run it in another mode
	Allowed                     // it calls them without asking
	Forbidden                   // a stronger rule makes it ask or refuse
)

// Registration is planb's entry in one file of a client.
type Registration struct {
	Client Client
	Place  Place
	File   string
	Exists bool  // the file is there
	Err    error // why the file, or the one with the permissions, cannot be read

	Registered bool
	Name       string // planb's name in the file
	Disabled   bool
	Elsewhere  bool // the entry has the address of a server, so the client starts none
	Command    string
	Args       []string
	Limit      time.Duration // how long the client lets a call run
	Wait       time.Duration // the --wait in Args; 0: the server goes by the client's name
	Permission Permission
	// Projects are directories with an entry of their own for planb in the same
	// file, which overrides this one.
	Projects []string
	// Missing are variables that planb needs and the client does not pass on.
	Missing []string
}

// Inspect reads planb's entry in the client's file at that place.
func (c Client) Inspect(p Place) Registration {
	r := Registration{Client: c, Place: p, File: c.file(p)}
	data, exists, err := c.load(r.File)
	r.Exists, r.Err = exists, err
	if err != nil {
		return r
	}
	for _, path := range c.ofProjects(data) {
		r.Projects = append(r.Projects, path[len(c.projects)])
	}
	r.Projects = slices.Compact(r.Projects)
	name, server := c.find(data)
	if server == nil {
		return r
	}
	e := c.read(server)
	r.Registered, r.Name, r.Disabled = true, name, e.disabled
	r.Elsewhere = slices.ContainsFunc(addresses(), func(key string) bool { _, there := server[key]; return there })
	r.Command, r.Args, r.Wait, r.Missing = e.command, e.args, waitIn(e.args), e.missing
	if r.Limit = e.timeout; r.Limit == 0 {
		r.Limit = c.DefaultLimit
	}
	r.Permission, r.Err = c.permissionAt(p, name, e)
	return r
}

func (c Client) permissionAt(p Place, name string, e entry) (Permission, error) {
	if c.permissions == nil {
		if e.allowed {
			return Allowed, nil
		}
		return Asked, nil
	}
	data, _, err := c.load(c.permissions.file(p))
	if err != nil {
		return Asked, err
	}
	return c.permissions.permission(data, name), nil
}

// load decodes a file of the client; a missing file is empty.
func (c Client) load(path string) (data map[string]any, exists bool, err error) {
	r, err := configfile.Plan(path, func(text []byte) ([]byte, error) {
		if data, err = c.format.Decode(text); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return text, nil
	})
	if err != nil {
		return nil, true, err
	}
	return data, r.Exists, nil
}

// WaitFits reports whether a call returns before the client ends it.
func (r Registration) WaitFits() bool {
	if r.Wait == 0 {
		// The server stays below the client's default.
		return r.Limit >= r.Client.DefaultLimit || r.Client.Progress
	}
	return r.Wait < r.Limit || r.Client.Progress
}

// ErrNotFound says that a command does not exist.
var ErrNotFound = errors.New("there is no such program")

// Starts reports whether the registered command is the program file this. It
// finds the command with look, which works as exec.LookPath. The error is
// ErrNotFound.
func (r Registration) Starts(this string, look func(string) (string, error)) (bool, error) {
	return starts(r.Command, this, look)
}

// Starts is the same for the hook's program.
func (h PlanHook) Starts(this string, look func(string) (string, error)) (bool, error) {
	return starts(h.Program, this, look)
}

func starts(command, this string, look func(string) (string, error)) (bool, error) {
	path, err := look(command)
	if err != nil {
		return false, fmt.Errorf("%s: %w", command, ErrNotFound)
	}
	registered, err := os.Stat(path)
	if err != nil {
		return false, fmt.Errorf("%s: %w", command, ErrNotFound)
	}
	own, err := os.Stat(this)
	return err == nil && os.SameFile(registered, own), nil
}
