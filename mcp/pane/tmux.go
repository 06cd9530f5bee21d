package pane

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Variables that tell a pane opened by planb about the agent's pane.
const (
	envAgentPane = "PLANB_TMUX_PANE" // the id of the agent's pane, %N
	envZoomed    = "PLANB_TMUX_ZOOM" // set if that pane was zoomed, and is to be zoomed again
)

// tmuxName is the opener's name.
const tmuxName = "tmux"

// deathTime is how long tmux may take to show that it is alive.
const deathTime = 2 * time.Second

// Tmux opens panes in the tmux window around the server.
type Tmux struct {
	socket string // path of the server's socket
	server string // the socket and the server's process id, as in TMUX
	own    string // id of this process's pane, %N
	agent  string // in a pane opened by planb: the agent's pane
	zoomed bool   // that pane was zoomed
	run    func(ctx context.Context, argv []string) (string, error)
	now    func() time.Time // against which the age of keys is measured

	looking sync.Mutex // held while Place looks for the window of the own pane

	mu     sync.Mutex
	window string    // that of the own pane, as Place saw it last
	seenAt time.Time // when it saw that
}

// seenFor is how long Place does not ask again for the window of the own pane.
const seenFor = 500 * time.Millisecond

// standing looks for the window of this process's pane, unless that was seen within seenFor.
// t.looking is held.
func (t *Tmux) standing(ctx context.Context) (window string, err error) {
	if window, seenAt := t.seen(); time.Since(seenAt) < seenFor {
		return window, nil
	}
	at, err := t.look(ctx, t.own)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.window, t.seenAt = at.window, time.Now()
	return t.window, nil
}

// seen returns the window that Place saw last, and when; empty if it saw none.
func (t *Tmux) seen() (window string, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.window, t.seenAt
}

// FromEnv returns the tmux around this process, or nil and the reason.
func FromEnv(env Env) (*Tmux, string) {
	server, own := env("TMUX"), env("TMUX_PANE")
	if server == "" || own == "" {
		return nil, "TMUX and TMUX_PANE are not set, so planb does not run inside tmux, or its client does not pass them on"
	}
	socket, _, _ := strings.Cut(server, ",")
	if !strings.HasPrefix(socket, "/") || !isPaneID(own) {
		return nil, fmt.Sprintf("TMUX=%q and TMUX_PANE=%q do not name a tmux pane", server, own)
	}
	t := newTmux(server, own)
	if agent := env(envAgentPane); isPaneID(agent) {
		t.agent = agent
		t.zoomed = env(envZoomed) != ""
	}
	return t, ""
}

// TmuxDied reports whether the server of the tmux around this process is gone
// or ending, with all its panes. It is called at the end of each pane, so it
// waits at most deathTime for an answer.
func TmuxDied(env Env) bool {
	tmux, _ := FromEnv(env)
	if tmux == nil {
		return false
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		return false // without the program it can't be asked
	}
	ctx, cancel := context.WithTimeout(context.Background(), deathTime)
	defer cancel()
	// Only an answer is a sign of life. A killed tmux first hangs up its panes
	// and later closes its socket, and it keeps its process id until its parent
	// has waited for it.
	_, err := tmux.tmux(ctx, "display-message", "-p", "#{pid}")
	return err != nil
}

// newTmux returns the tmux that a value of TMUX names. The value's third part,
// the session in which the pane was created, is not part of the server's
// identity.
func newTmux(server, own string) *Tmux {
	socket, process, _ := strings.Cut(server, ",")
	process, _, _ = strings.Cut(process, ",")
	return &Tmux{socket: socket, server: socket + "," + process, own: own, run: runTmux, now: time.Now}
}

func isPaneID(s string) bool {
	if len(s) < 2 || s[0] != '%' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}

// Name returns "tmux".
func (t *Tmux) Name() string { return tmuxName }

// Place names the tmux window of this process, as it was seen last. The name
// stays the same while the window exists, even if tmux renames or renumbers the
// window. Only the first call waits for tmux. A later call asks again in the
// background, for the call that follows.
func (t *Tmux) Place(ctx context.Context) (string, error) {
	window, _ := t.seen()
	switch {
	case window == "":
		t.looking.Lock()
		defer t.looking.Unlock()
		var err error
		if window, err = t.standing(ctx); err != nil {
			return "", err
		}
	case t.looking.TryLock():
		go func() {
			defer t.looking.Unlock()
			// If this fails, Open meets the failure again and reports it.
			_, _ = t.standing(context.WithoutCancel(ctx))
		}()
	}
	return placeName(t.Name(), t.server, window), nil
}

// Open opens a pane beside this process's own; arrange decides where. The new
// pane gets the focus, unless a person is typing in the window.
func (t *Tmux) Open(ctx context.Context, command Command) error {
	if err := command.check(); err != nil {
		return err
	}
	at, err := t.look(ctx, t.own)
	if err != nil {
		return err
	}
	where := arrange(at)
	command.Env = append(command.Env[:len(command.Env):len(command.Env)], envAgentPane+"="+t.own)
	if at.zoomed {
		command.Env = append(command.Env, envZoomed+"=1")
	}
	opened, err := t.place(ctx, at, where, command)
	if err != nil {
		return err
	}
	id, index, _ := strings.Cut(opened, " ")
	if command.Title != "" && where.behind && isPaneID(id) {
		// The pane works without its title, too. If the pane is gone already, the call that
		// waits for its command notices.
		_, _ = t.tmux(ctx, append([]string{"select-pane", "-t", id}, titleArgs(command.Title)...)...)
	}
	if notice := command.Notice; notice != "" && (where.behind || !at.inView) {
		if !at.inView || where.side == elsewhere {
			notice += " (window " + index + ")"
		}
		// The pane exists; without the notice it is only found later.
		_ = t.show(ctx, notice)
	}
	return nil
}

// place creates the new pane and returns what tmux prints about it. tmux 3.7b
// crashes when a zoomed window is split. So place first unzooms the window, and
// zooms it again if the split fails.
func (t *Tmux) place(ctx context.Context, at tmuxAt, where placement, command Command) (string, error) {
	if where.side == elsewhere {
		return t.tmux(ctx, windowArgs(at.session, command)...)
	}
	if !at.zoomed {
		return t.tmux(ctx, splitArgs(t.own, where, command)...)
	}
	if _, err := t.tmux(ctx, zoomArgs(at.window)...); err != nil {
		return "", err
	}
	opened, err := t.tmux(ctx, splitArgs(t.own, where, command)...)
	if err != nil {
		_, failed := t.tmux(context.WithoutCancel(ctx), zoomArgs(at.window)...)
		return "", errors.Join(err, failed)
	}
	return opened, nil
}

// Announce shows a line in the status line of every terminal of this tmux
// server, whatever session it shows; see Announcer.
func (t *Tmux) Announce(ctx context.Context, text string) error {
	return t.tell(ctx, text, "list-clients")
}

// show shows a line in the status line of every terminal that shows this
// session.
func (t *Tmux) show(ctx context.Context, text string) error {
	return t.tell(ctx, text, "list-clients", "-t", t.own)
}

// tell shows a line in the status line of the terminals that a tmux command
// lists.
func (t *Tmux) tell(ctx context.Context, text string, list ...string) error {
	clients, err := t.tmux(ctx, append(list, "-F", "#{client_name}")...)
	if err != nil {
		return err
	}
	var problems []error
	for client := range strings.Lines(clients) {
		if client = strings.TrimSpace(client); client == "" {
			continue
		}
		_, err := t.tmux(ctx, messageArgs(client, text)...)
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// tmux runs one command on this process's tmux server.
func (t *Tmux) tmux(ctx context.Context, args ...string) (string, error) {
	return t.run(ctx, append([]string{"-S", t.socket}, args...))
}

func runTmux(ctx context.Context, argv []string) (string, error) {
	return call{argv: append([]string{"tmux"}, argv...)}.run(ctx)
}
