package pane

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
)

// Surroundings is what shows a process where it runs. Where its environment has
// no multiplexer, because a client started it with an empty one, the processes
// above it may know better.
type Surroundings struct {
	Env Env
	// above lists the processes above this one, the nearest first; nil: they are
	// not looked at.
	above func() []process
	// servers finds the tmux servers of this user, and server the one behind a
	// socket, if it may be trusted.
	servers func(Env) ([]tmuxServer, error)
	server  func(socket string) (tmuxServer, bool)
}

// process is one that runs above this one.
type process struct {
	pid  int
	name string
	env  Env // as it was started; nil if that cannot be read
}

// Here are the surroundings of this process. A TMUX that is set and empty says,
// as it does to tmux itself, that there is no tmux here: then no other process
// is looked at.
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

// Detect is the package's Detect in these surroundings. What it returns may have
// to look for its multiplexer before it opens the first pane; see Settle.
func (s Surroundings) Detect(wanted string) (Opener, error) {
	opener, _, err := s.detect(wanted)
	return opener, err
}

// detect returns the process, too, whose environment showed the opener; zero if
// it was this one's.
func (s Surroundings) detect(wanted string) (Opener, process, error) {
	wanted = strings.ToLower(strings.TrimSpace(wanted))
	if wanted == "none" {
		return None{Reason: "opening panes is switched off by the setting \"none\""}, process{}, nil
	}
	rows, any, err := choose(wanted)
	if err != nil {
		return nil, process{}, err
	}
	own := detect(s.Env, rows, any)
	if s.above == nil || shows(s.Env, rows) {
		return own, process{}, nil
	}
	for _, p := range s.closest() {
		if !shows(p.env, rows) {
			continue
		}
		if rows[0].name == tmuxName && p.env("TMUX") != "" {
			break // whether there still is that tmux, and its pane, is looked for later
		}
		if opener := detect(s.inherit(p), rows, any); opener.Name() != own.Name() {
			return opener, p, nil
		}
		break // what lies above that one's terminal is another terminal
	}
	own, from := s.anywhere(own, rows, any)
	if rows[0].name == tmuxName {
		return &sought{surroundings: s, otherwise: own}, from, nil
	}
	return own, from, nil
}

// anywhere returns what a process above knows to open something on, where this
// one knows nothing; and that process.
func (s Surroundings) anywhere(own Opener, rows []row, any bool) (Opener, process) {
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
			opener, reason := known.look(s.inherit(p), !any)
			if opener != nil {
				return opener, p
			}
			why = cmp.Or(why, reason)
			break // the displays of those above it are as far
		}
	}
	if why != "" {
		own = None{Reason: why}
	}
	return own, process{}
}

// closest lists the processes between this one and what keeps its terminal, as
// far as their environments can be read. What keeps terminals has the environment
// of the one it was started in itself, which may be another tmux.
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

// keepsTerminals reports whether a process is the server of a multiplexer, or a
// terminal itself, by what Linux calls them.
func (p process) keepsTerminals() bool {
	for _, name := range []string{"tmux: server", "screen", "SCREEN", "zellij", "wezterm-", "kitty"} {
		if strings.HasPrefix(p.name, name) {
			return true
		}
	}
	return false
}

// environs lists the processes above whose environments can be read.
func (s Surroundings) environs() []process {
	if !readsEnvirons {
		return nil // and finding out who they are takes long
	}
	return s.above()
}

// shows reports whether an environment is that of one of the multiplexers. A
// display shows everywhere on a desktop, also inside of them.
func shows(env Env, rows []row) bool {
	for _, known := range rows {
		if !known.anywhere && known.shows(env) != "" {
			return true
		}
	}
	return false
}

// inherit is the environment with what the process above knows of its terminal.
// What planb was told is told to this process alone.
func (s Surroundings) inherit(p process) Env {
	return func(name string) string {
		if value := s.Env(name); value != "" || strings.HasPrefix(name, "PLANB_") {
			return value
		}
		return p.env(name)
	}
}

// String names a process for a person.
func (p process) String() string { return fmt.Sprintf("process %d (%s)", p.pid, p.name) }
