package pane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// lazyTmux is a tmux that no environment variable names. It searches when it is
// first needed, because asking all tmux servers takes longer than a start of
// this process may take. It uses the pane whose first process is the nearest
// ancestor of this one.
type lazyTmux struct {
	surroundings Surroundings
	otherwise    Opener // the opener if there is no tmux

	mu    sync.Mutex
	found Opener
	how   string // how the tmux was found
}

// Resolve returns the opener that is really used. It searches for a tmux if
// that is necessary.
func Resolve(ctx context.Context, opener Opener) Opener {
	if s, ok := opener.(*lazyTmux); ok {
		return s.opener(ctx)
	}
	return opener
}

func (s *lazyTmux) opener(ctx context.Context) Opener {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil {
		return s.found
	}
	tmux, how, err := s.surroundings.seek(ctx)
	opener := s.otherwise
	switch {
	case tmux != nil:
		opener, s.how = tmux, how
	case ctx.Err() != nil:
		return None{Reason: "looking for the tmux pane was cut short"}
	case err != nil && s.nothingElse():
		opener = None{Reason: err.Error()}
	}
	if !errors.Is(err, errSlow) { // otherwise the next call searches again
		s.found = opener
	}
	return opener
}

// nothingElse reports whether only a tmux could open a pane.
func (s *lazyTmux) nothingElse() bool {
	_, nothing := s.otherwise.(None)
	return nothing
}

// Name returns the found opener's name, or "tmux" before the search.
func (s *lazyTmux) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil {
		return s.found.Name()
	}
	return tmuxName
}

// Place searches for the tmux, and names the place there.
func (s *lazyTmux) Place(ctx context.Context) (string, error) { return s.opener(ctx).Place(ctx) }

// Open searches for the tmux, and opens the pane there.
func (s *lazyTmux) Open(ctx context.Context, command Command) error {
	return s.opener(ctx).Open(ctx, command)
}

// tmuxServer is a tmux server that this process may ask for its panes.
type tmuxServer struct {
	socket string
	run    func(ctx context.Context, argv []string) (string, error)
}

// tmuxPane is one pane of a server.
type tmuxPane struct {
	socket string
	server int    // process id of the server
	first  int    // process id of the pane's first process
	id     string // %N
}

// seek finds the tmux pane around this process, and returns how it was found.
// If no tmux runs, tmux and err are nil.
func (s Surroundings) seek(ctx context.Context) (tmux *Tmux, how string, err error) {
	ctx, cancel := context.WithTimeout(ctx, seekTime)
	defer cancel()
	for _, p := range s.closest() {
		if tmux, _ := FromEnv(s.inherit(p)); tmux != nil && s.isThere(ctx, tmux) {
			return tmux, fmt.Sprintf("TMUX is set in %s, from which planb was started", p), nil
		}
	}
	return s.seekAbove(ctx)
}

// isThere reports whether a tmux from an old environment still has that pane.
func (s Surroundings) isThere(ctx context.Context, tmux *Tmux) bool {
	server, ok := s.server(tmux.socket)
	if !ok {
		return false
	}
	panes, err := server.panes(ctx)
	return err == nil && slices.ContainsFunc(panes, func(p tmuxPane) bool { return p.id == tmux.own })
}

// seekAbove finds the pane whose first process is the nearest ancestor of this
// process and a child of the pane's server. If several panes match, which
// processes of other containers can cause, the error names them. If no pane matches and a
// server did not answer in time, the error is errSlow: that server may have the pane.
func (s Surroundings) seekAbove(ctx context.Context) (tmux *Tmux, how string, err error) {
	servers, err := s.servers(s.Env)
	if err != nil || len(servers) == 0 {
		return nil, "", err
	}
	var panes []tmuxPane
	var sockets []string
	var slow error
	for _, server := range servers {
		some, err := server.panes(ctx)
		switch {
		case errors.Is(err, errSlow):
			slow = err
		case err == nil: // otherwise it is a leftover socket
			panes, sockets = append(panes, some...), append(sockets, server.socket)
		}
	}
	above := s.above()
	for i, p := range above {
		here := slices.DeleteFunc(slices.Clone(panes), func(pane tmuxPane) bool {
			return pane.first != p.pid || i+1 < len(above) && pane.server != above[i+1].pid
		})
		switch len(here) {
		case 0:
			continue
		case 1:
			tmux := newTmux(here[0].socket+","+strconv.Itoa(here[0].server), here[0].id)
			return tmux, fmt.Sprintf("planb was started from %s, which is in a pane of tmux", p), nil
		}
		return nil, "", fmt.Errorf("%s is in %s at once; %s", p, list(here), howToTell)
	}
	if slow != nil || len(sockets) == 0 {
		return nil, "", slow
	}
	where := sockets[0]
	if len(sockets) > 1 {
		where += fmt.Sprintf(" and %d more", len(sockets)-1)
	}
	return nil, "", fmt.Errorf("tmux runs (%s), but planb runs in none of its panes; %s", where, howToTell)
}

var errSlow = errors.New("tmux did not tell its panes in time; " + howToTell)

const howToTell = "have the client pass TMUX and TMUX_PANE on, or set them, or another opener (PLANB_OPENER), for planb"

func list(panes []tmuxPane) string {
	var names []string
	for _, pane := range panes {
		names = append(names, fmt.Sprintf("pane %s of %s", pane.id, pane.socket))
	}
	return strings.Join(names, " and ")
}

// panes lists the server's panes. The error is errSlow if it does not answer in time.
func (s tmuxServer) panes(ctx context.Context) ([]tmuxPane, error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	listed, err := s.run(ctx, []string{"-S", s.socket, "list-panes", "-a", "-F", "#{pid} #{pane_pid} #{pane_id}"})
	if ctx.Err() != nil {
		return nil, errSlow
	}
	if err != nil {
		return nil, err
	}
	var panes []tmuxPane
	for line := range strings.Lines(listed) {
		pane := tmuxPane{socket: s.socket}
		_, err := fmt.Sscan(line, &pane.server, &pane.first, &pane.id)
		if err != nil || !isPaneID(pane.id) {
			return nil, errors.New("tmux's list of panes can't be read")
		}
		if !slices.Contains(panes, pane) { // a linked window is listed once per session
			panes = append(panes, pane)
		}
	}
	return panes, nil
}
