package pane

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
)

// Surroundings is where a process runs: its environment and its ancestors. A
// client may start the server with an empty environment; the ancestors may then
// still show the multiplexer.
type Surroundings struct {
	Env Env
	// above lists the ancestors of this process, the nearest first. nil: they
	// are not searched.
	above func() []process
	// servers lists this user's tmux servers. server returns the one behind a
	// socket, if it can be trusted.
	servers func(Env) ([]tmuxServer, error)
	server  func(socket string) (tmuxServer, bool)
}

// process is an ancestor of this process.
type process struct {
	pid  int
	name string
	env  Env // as it was at the start; nil if unreadable
}

// Here returns the surroundings of this process. If TMUX is set but empty,
// there is no tmux here, as for tmux itself, and no other process is searched.
func Here(lookup func(name string) (value string, set bool)) Surroundings {
	s := Surroundings{Env: func(name string) string {
		value, _ := lookup(name)
		return value
	}}
	if tmux, set := lookup("TMUX"); !set || tmux != "" {
		s.above, s.servers, s.server = sync.OnceValue(processesAbove), tmuxServers, trustedServer
	}
	return s
}

// Detect is the function Detect in these surroundings. The result may have to
// search for its tmux before it opens the first pane; see Resolve.
func (s Surroundings) Detect(wanted string) (Opener, error) {
	opener, _, err := s.detect(wanted)
	return opener, err
}

// detect also returns the process whose environment showed the opener; the zero
// process if it was this one.
func (s Surroundings) detect(wanted string) (Opener, process, error) {
	wanted = strings.ToLower(strings.TrimSpace(wanted))
	if wanted == "none" {
		return None{Reason: "opening panes is switched off by the setting \"none\""}, process{}, nil
	}
	rows, auto, err := choose(wanted)
	if err != nil {
		return nil, process{}, err
	}
	own := detect(s.Env, rows, auto)
	if s.above == nil || shows(s.Env, rows) {
		return own, process{}, nil
	}
	for _, p := range s.closest() {
		if !shows(p.env, rows) {
			continue
		}
		if rows[0].name == tmuxName && p.env("TMUX") != "" {
			break // whether that tmux and its pane still exist is checked later
		}
		if opener := detect(s.inherit(p), rows, auto); opener.Name() != own.Name() {
			return opener, p, nil
		}
		break // an ancestor of a process with a terminal is in another terminal
	}
	own, from := s.anywhere(own, rows, auto)
	if rows[0].name == tmuxName {
		return &lazyTmux{surroundings: s, otherwise: own}, from, nil
	}
	return own, from, nil
}

// anywhere returns an opener for a display that an ancestor knows, and that
// ancestor, if this process has no opener.
func (s Surroundings) anywhere(own Opener, rows []row, auto bool) (Opener, process) {
	if _, nothing := own.(None); !nothing {
		return own, process{}
	}
	why := ""
	for _, known := range rows {
		if !known.anywhere {
			continue
		}
		for _, p := range s.environs() {
			if p.env == nil || known.shows(p.env) == "" {
				continue
			}
			opener, reason := known.look(s.inherit(p), !auto)
			if opener != nil {
				return opener, p
			}
			why = cmp.Or(why, reason)
			break // the displays of further ancestors are just as far
		}
	}
	if why != "" {
		own = None{Reason: why}
	}
	return own, process{}
}

// closest lists the ancestors up to the one that owns the terminal, as far as
// their environments can be read. The owner of a terminal has the environment
// of the place where it was started, which may be another tmux.
func (s Surroundings) closest() []process {
	var list []process
	for _, p := range s.environs() {
		if p.keepsTerminals() {
			break
		}
		if p.env != nil {
			list = append(list, p)
		}
	}
	return list
}

// keepsTerminals reports by its name on Linux whether a process is the server
// of a multiplexer, or a terminal.
func (p process) keepsTerminals() bool {
	for _, name := range []string{"tmux: server", "screen", "SCREEN", "zellij", "wezterm-", "kitty"} {
		if strings.HasPrefix(p.name, name) {
			return true
		}
	}
	return false
}

// environs lists the ancestors whose environments can be read.
func (s Surroundings) environs() []process {
	if !readsEnvirons {
		return nil // listing ancestors would take long
	}
	return s.above()
}

// shows reports whether an environment has the variables of one of the
// multiplexers. A display is no sign: on a desktop every process has it, also
// inside a multiplexer.
func shows(env Env, rows []row) bool {
	for _, known := range rows {
		if !known.anywhere && known.shows(env) != "" {
			return true
		}
	}
	return false
}

// inherit adds what the ancestor knows of its terminal to the environment.
// Variables of planb are not inherited: they were set for this process only.
func (s Surroundings) inherit(p process) Env {
	return func(name string) string {
		if value := s.Env(name); value != "" || strings.HasPrefix(name, "PLANB_") {
			return value
		}
		return p.env(name)
	}
}

// String names the process for a person.
func (p process) String() string { return fmt.Sprintf("process %d (%s)", p.pid, p.name) }
