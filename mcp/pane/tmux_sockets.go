package pane

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	// listTime limits how long one server may take to list its panes: usually 3 ms, and on
	// a busy machine more than half a second. seekTime limits all servers together.
	listTime = 2 * time.Second
	seekTime = 5 * time.Second
	// maxSockets limits how many sockets are tried.
	maxSockets = 16
)

// tmuxServers lists this user's tmux servers by their sockets. Like tmux, it
// trusts no directory that others can write to, and no socket of another user.
func tmuxServers(env Env) ([]tmuxServer, error) {
	base := env("TMUX_TMPDIR")
	if base == "" {
		base = "/tmp"
	}
	dir := filepath.Join(base, "tmux-"+strconv.Itoa(os.Getuid()))
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir() || info.Mode().Perm()&0o007 != 0 || !isOwn(info):
		return nil, nil // tmux itself would refuse it
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var servers []tmuxServer
	for _, entry := range entries {
		if server, ok := trustedServer(filepath.Join(dir, entry.Name())); ok && len(servers) < maxSockets {
			servers = append(servers, server)
		}
	}
	return servers, nil
}

// trustedServer returns the tmux behind a socket, if the socket belongs to this
// user.
func trustedServer(socket string) (tmuxServer, bool) {
	info, err := os.Lstat(socket)
	if err != nil || info.Mode().Type() != fs.ModeSocket || !isOwn(info) {
		return tmuxServer{}, false
	}
	return tmuxServer{socket, runTmux}, true
}
