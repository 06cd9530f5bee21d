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
	// listTime is how long one server may take to list its panes, which takes 3 ms,
	// and seekTime how long all may.
	listTime = 500 * time.Millisecond
	seekTime = 2 * time.Second
	// maxSockets limits how many sockets are tried.
	maxSockets = 16
)

// tmuxServers lists the sockets where tmux keeps those of this user. Like tmux, it
// trusts no directory that others may write to, and no socket of somebody else's.
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

// trustedServer is the tmux behind a socket, if that is this user's.
func trustedServer(socket string) (tmuxServer, bool) {
	info, err := os.Lstat(socket)
	if err != nil || info.Mode().Type() != fs.ModeSocket || !isOwn(info) {
		return tmuxServer{}, false
	}
	return tmuxServer{socket, runTmux}, true
}
