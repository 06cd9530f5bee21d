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

// sought is a tmux that no environment names. It is looked for when it is first
// needed, since asking the tmux servers takes longer than this process should
// take to start: the pane is the one whose first process is the nearest above
// this one.
type sought struct {
	surroundings Surroundings
	otherwise    Opener // where there is none

	mu    sync.Mutex
	found Opener
}

// Settle returns the opener that is really used, and looks for it if that has to be
// done.
func Settle(ctx context.Context, opener Opener) Opener {
	if s, ok := opener.(*sought); ok {
		return s.opener(ctx)
	}
	return opener
}

func (s *sought) opener(ctx context.Context) Opener {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil {
		return s.found
	}
	tmux, err := s.surroundings.seek(ctx)
	switch {
	case tmux != nil:
		s.found = tmux
	case ctx.Err() != nil:
		return None{Reason: "looking for the tmux pane was cut short"} // the next one looks again
	case err != nil && s.nothingElse():
		s.found = None{Reason: err.Error()}
	default:
		s.found = s.otherwise
	}
	return s.found
}

// nothingElse reports whether nothing but a tmux could be opened in.
func (s *sought) nothingElse() bool {
	_, nothing := s.otherwise.(None)
	return nothing
}

// Name is that of the opener there is, once that is known.
func (s *sought) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil {
		return s.found.Name()
	}
	return tmuxName
}

// Place looks for the tmux, and names the place there.
func (s *sought) Place(ctx context.Context) (string, error) { return s.opener(ctx).Place(ctx) }

// Open looks for the tmux, and opens the pane there.
func (s *sought) Open(ctx context.Context, command Command) error {
	return s.opener(ctx).Open(ctx, command)
}

// tmuxServer is a tmux server that may be asked for its panes.
type tmuxServer struct {
	socket string
	run    func(ctx context.Context, argv []string) (string, error)
}

// tmuxPane is one pane of a server.
type tmuxPane struct {
	socket string
	server int    // the server's process
	first  int    // the first process in the pane
	id     string // %N
}

// seek finds the pane this process runs in: the one whose first process is the
// nearest above this one, and started by the server that says so. nil without
// an error: no tmux runs. Several at once, which processes of other containers
// can bring about, are an error that names them.
func (s Surroundings) seek(ctx context.Context) (*Tmux, error) {
	servers, err := s.servers(s.Env)
	if err != nil || len(servers) == 0 {
		return nil, err
	}
	var panes []tmuxPane
	var sockets []string
	for _, server := range servers {
		some, err := server.panes(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // a socket that was left behind
		}
		panes, sockets = append(panes, some...), append(sockets, server.socket)
	}
	if len(sockets) == 0 {
		return nil, nil
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
			return newTmux(here[0].socket+","+strconv.Itoa(here[0].server), here[0].id), nil
		}
		return nil, fmt.Errorf("%s is in %s at once; %s", p, list(here), tellWhich)
	}
	return nil, fmt.Errorf("tmux runs (%s), but this server is in none of its panes; %s", strings.Join(sockets, ", "), tellWhich)
}

const tellWhich = "have the client pass TMUX and TMUX_PANE on, or set them for planb"

func list(panes []tmuxPane) string {
	var names []string
	for _, pane := range panes {
		names = append(names, fmt.Sprintf("pane %s of %s", pane.id, pane.socket))
	}
	return strings.Join(names, " and ")
}

func (s tmuxServer) panes(ctx context.Context) ([]tmuxPane, error) {
	ctx, cancel := context.WithTimeout(ctx, seekTime)
	defer cancel()
	listed, err := s.run(ctx, []string{"-S", s.socket, "list-panes", "-a", "-F", "#{pid} #{pane_pid} #{pane_id}"})
	if err != nil {
		return nil, err
	}
	var panes []tmuxPane
	for line := range strings.Lines(listed) {
		pane := tmuxPane{socket: s.socket}
		_, err := fmt.Sscan(line, &pane.server, &pane.first, &pane.id)
		if err != nil || !isPaneID(pane.id) {
			return nil, errors.New("this is no tmux that planb understands")
		}
		if !slices.Contains(panes, pane) { // a linked window is listed once for each session
			panes = append(panes, pane)
		}
	}
	return panes, nil
}
